# What goes wrong is told in one line that names the place and the remedy, and exits with 2.
source "$(dirname "$0")/lib.sh" "$@"

run 2
run 2 nonsense
run 2 check
run 2 add no-such-set
tells "telescope create no-such-set"
mkdir empty
run 2 check empty --key x
tells "telescope create empty"
touch file
run 2 stat file
tells "not a directory"
run 2 create file
run 2 create s --fpr 2
tells "is not a rate"
run 2 create s --capacity many
tells "is not a count"
run 2 create s --width 3
run 2 create s --width 8 --fpr 1/256
run 2 create s --filter cuckoo
run 2 create s --fpr 1e-12
mkdir empty-too
for directory in s empty-too; do
  # The address sanitizer warns, where other allocators say nothing.
  ASAN_OPTIONS=allocator_may_return_null=1 "$telescope" create $directory --capacity 900G >out 2>err
  (($? == 2)) || fail "there is memory for a filter of 900G: $(cat out err)"
  tells "out of memory"
done
[[ ! -e s && -d empty-too && -z $(ls empty-too) ]] || fail "a set that could not be made left something behind"
run 0 create s
run 2 create s
tells "already holds a set"
mkdir full && touch full/thing
run 2 create full
tells "not empty"

run 2 add s no-such-file
tells "no-such-file"
run 2 add s empty
tells "is a directory"
{ seq 1 16; echo xyz; seq 18 20; } >keys.txt
run 2 add s keys.txt --u64
says ""
tells 'keys.txt:17: "xyz" is not an integer'
tells "drop --u64"
tells "16 keys before it were processed"
seq 1 20 | run 0 check s --u64 --count
says $'present\t16\nabsent\t4'
echo 123 | run 2 add s --hex
tells "stdin:1: "
printf 'abc' | run 2 add s --u64le
tells "3 bytes are left over"
printf 'a,b\n1\n' | run 2 add s --csv b
tells "stdin:2: "
printf 'a,b\n1,2\n' | run 2 add s --csv c
tells "the header has a, b"
printf 'a,b\n1,"2\n' | run 2 add s --csv b
tells "stdin:2: a quoted field does not end"
run 2 check s --u64 --key abc
run 2 add s keys.txt --key x
run 2 add s keys.txt --u64 --hex
run 2 add s keys.txt --value-column x
run 0 verify s

run 0 export s
head -n -1 out >cut.jsonl
run 2 import t cut.jsonl
tells "cut off"
printf '{"key":"a"}\nnonsense\n' | run 2 import v
tells "stdin:2: "
tells "1 members before it were imported"
run 0 check v --key a
printf '{"key_hex":"abc"}\n' | run 2 import v
printf '61\t62\nxyz\n' | run 2 import v --tsv

run 2 plan
run 2 plan --keys 0
run 2 demo --keys 10
run 2 demo --keys 1000 --directory no-such-directory

# A set that is open elsewhere.
mkfifo pipe
"$telescope" add s pipe >/dev/null &
holder=$!
exec 3>pipe
run 2 check s --key x
tells "another process has the set open"
exec 3>&-
wait "$holder" || fail "the other process failed"

# Damage: the store's own files.
run 0 create d
seq 1 1000 | run 0 add d
for file in d/store/MANIFEST-*; do echo nonsense >"$file"; done
run 2 check d --key 1

# A disk that takes no more: the limit on the size of files stands in for it.
run 0 create f
seq 1 400000 >many
(
  trap '' XFSZ
  ulimit -f 4096
  run 2 add f many
  exit "$failures"
) || fail "on a full disk"
run 0 verify f
"$telescope" list s >/dev/full 2>err
(($? == 2)) || fail "/dev/full is not told"
tells "No space left"
finish
