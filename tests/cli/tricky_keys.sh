# Keys that are not nice lines.
source "$(dirname "$0")/lib.sh" "$@"

# Empty lines, UTF-8, spaces, CR LF, a last line without end, NUL inside a line.
printf 'caf\xc3\xa9\n\n two  words \r\n\xff\xfe\nwith\0nul\nlast' >keys
run 0 create s
run 0 add s keys --json
json one /keys=6 /added=6
run 0 check s keys --count
says $'present\t6\nabsent\t0'
run 0 check s --key '' --key 'café' --key ' two  words ' --key last --count
says $'present\t4\nabsent\t0'
run 1 check s --key $' two  words \r'
run 0 check s keys --json
json lines /key='"last"' /present=true
tells '"key_hex":"fffe"'
tells '"key":"with\u0000nul"'
run 0 check s --hex --key fffe --key FFFE --count
says $'present\t2\nabsent\t0'

# Every byte, and a key of a megabyte, through hex and through exports, with values as tricky.
all=$(for i in $(seq 0 255); do printf '%02x' "$i"; done)
printf '%s\t%s\n0a\t0d0a\n\t09\n0d\t\n' "$all" "$all" >pairs
run 0 create b
run 0 add b pairs --hex --tsv
head -c 1048576 /dev/zero | tr '\0' x >long
run 0 add b long
run 0 check b long --quiet
run 0 get b --hex --key "$all"
says "$all"
run 0 list b --hex --values
grep -v ^7878 out | sort >listed
sort pairs >expected
same listed expected
for form in "" --tsv; do
  run 0 export b $form
  mv out exported
  run 0 import "copy$form" exported $form
  run 0 export "copy$form" --tsv
  sort out >copied
  run 0 export b --tsv
  sort out >original
  same copied original
done

# NUL-separated: newlines and carriage returns are part of keys.
printf 'two\nlines\0carriage\r\0\0' | run 0 add b -0
printf 'two\nlines\0carriage\r\0absent\0' | run 0 check b --null
printf 'present\ttwo\nlines\0present\tcarriage\r\0absent\tabsent\0' >expected
same out expected

# Words.
run 0 create w
printf '0\n18446744073709551615\n0xff\n' | run 0 add w --u64
printf '\377\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0' >words
run 0 check w words --u64le
says $'present\t255\nabsent\t1'
run 0 check w --hex --key ff00000000000000
run 0 list w --u64
(sort -n out | tr '\n' ' ') >sorted
[[ $(cat sorted) == "0 255 18446744073709551615 " ]] || fail "list --u64: $(cat sorted)"
run 0 list w --u64 --json
json lines
run 2 list b --u64
tells "use --hex"

# CSV: by name, by number, quotes, a newline in a field, semicolons.
printf 'id,"full ""name""",city\r\n1,"Doe, Jane","New\nYork"\r\n2,Bob,\r\n' >people.csv
run 0 create c
run 0 add c people.csv --csv id --u64 --value-column 'full "name"'
run 0 get c --u64 --key 1
says "Doe, Jane"
run 0 add c people.csv --csv city --value-column id
run 0 get c --key $'New\nYork'
says 1
printf '1,x\n3,y\n2,z\n' | run 0 check c --csv 1 --u64 --only-present
says $'1\n2'
printf 'a;b\nc;d\n' | run 0 add c --csv 2 --separator ';'
run 0 check c --key b --key d --count
says $'present\t2\nabsent\t0'
run 0 verify c
finish
