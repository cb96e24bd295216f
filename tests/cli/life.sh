# A set from its making to its export, through every verb.
source "$(dirname "$0")/lib.sh" "$@"

run 0 create s --capacity 100 --fpr 1/1000 --json
json one /filter='"taf"' /width=10 /capacity=100
seq 1 5000 >keys
run 0 add s keys
tells "5,000 added"
run 0 add s keys --json
json one /keys=5000 /added=0 /replaced=5000 /members=5000
run 0 check s keys --count
says $'present\t5000\nabsent\t0'
seq 4999 5002 | run 0 check s
says $'present\t4999\npresent\t5000\nabsent\t5001\nabsent\t5002'
seq 4999 5002 | run 0 check s - --only-present
says $'4999\n5000'
seq 4999 5002 | run 0 check s --only-absent
says $'5001\n5002'
seq 4999 5002 | run 0 check s --only-absent --count
says 2
seq 4999 5002 | run 0 check s --json
json lines /key='"5002"' /present=false
seq 4999 5002 | run 0 check s --json --count
json one /keys=4 /present=2 /absent=2
run 1 check s --key none
says $'absent\tnone'
run 0 check s --key 17 --quiet
says ""
run 0 check s --key none --key 17 --quiet

run 0 add s --key user --value "a value"
run 0 get s --key user
says "a value"
run 0 get s --key user --json
json lines /key='"user"' /present=true /value='"a value"'
run 1 get s --key nobody
says ""
printf 'user\nnobody\n1\n' | run 0 get s
says $'user\ta value\n1\t'
run 0 add s --key user --value other
run 0 get s --key user
says other

run 0 list s
sort out >listed
{ cat keys; echo user; } | sort >expected
same listed expected
run 0 list s --values --limit 3 --json
json lines
(($(wc -l <out) == 3)) || fail "--limit"

run 0 remove s --key user
tells "1 removed"
run 1 remove s --key user
run 1 check s --key user
seq 1 1000 | run 0 remove s --json
json one /removed=1000 /members=4000
seq 1 2000 | run 0 check s --count --json
json one /present=1000 /absent=1000

run 0 stat s
tells "4,000 members"
tells "load"
run 0 stat s --json
json one /members=4000 /width=10 /from_snapshot=true
run 0 stat s --prometheus
tells 'telescope_members{set="s"} 4000'
run 0 verify s
run 0 verify s --json
json one /ok=true /members=4000 /lost=0
run 0 resize s --capacity 100k --json
json one /members=4000 /slots=105280
run 0 resize s
run 0 stat s --json
json one /slots=4224
run 2 resize s --slots 64
tells "too few"
run 0 rebuild s --json
json one /members=4000
run 0 snapshot s --to copy.tsnap --json
json one /file='"copy.tsnap"' /members=4000
same copy.tsnap s/filter.tsnap
run 0 verify s

# Without its snapshot, or with a stranger's, the set is the same.
rm s/filter.tsnap
run 0 stat s --json
json one /members=4000 /from_snapshot=false
echo nonsense >s/filter.tsnap
run 0 verify s --json
json one /ok=true /members=4000

run 0 export s
json lines /telescope='"end"' /members=4000
mv out s.jsonl
run 0 import t s.jsonl --json
json one /added=4000 /members=4000
run 0 stat t --json
json one /width=10 /filter='"taf"'
run 0 export s --tsv
sort out >s.tsv
run 0 create u
run 0 import u s.tsv --tsv
run 0 export u --tsv
sort out >u.tsv
same s.tsv u.tsv

for kind in taf exaf utaf rsqf; do
  run 0 create "k-$kind" --filter "$kind" --hash siphash --width 6 --capacity 1000
  run 0 add "k-$kind" keys
  seq 1 100000 | run 0 check "k-$kind" --count
  says $'present\t5000\nabsent\t95000'
  run 0 verify "k-$kind"
done
finish
