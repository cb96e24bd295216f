# The verbs that need no set: plan, demo, completion, version; and help for each.
source "$(dirname "$0")/lib.sh" "$@"

run 0 version
run 0 version --json
json one /name='"telescope"'
run 0 --version
run 0 --help
verbs=$(grep -oE '^  [a-z]+ ' out)
for verb in $verbs; do
  run 0 "$verb" --help
done
for verb in create add check get remove list stat verify rebuild resize export import snapshot plan demo version; do
  [[ $verbs == *" $verb "* || $verbs == *"  $verb"* ]] || fail "no verb $verb"
done

run 0 plan --keys 1e9 --fpr 1/256 --unique-negatives 1e10 --store-read-us 100
tells "theory"
tells "measured"
run 0 plan --keys 1e9 --fpr 1/256 --unique-negatives 1e10 --store-read-us 100 --json
json one /width=8 /queries=100000000000

run 0 demo --keys 20k --seed 1
tells "TAF guard"
tells "telescope create my-set"
TELESCOPE_PROGRAM_NAME=./run run 0 demo --keys 20k --seed 1
tells "./run create my-set"
TELESCOPE_PROGRAM_NAME=./run run 0 check --help
tells "./run check"
run 0 demo --keys 20k --seed 1 --json
json one /keys=20000 /seed=1 /streams/1/contestants/3/contestant='"TAF guard"'

run 0 completion bash
cp out telescope.bash
complete_it() {
  bash -c 'source ./telescope.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _telescope; echo "${COMPREPLY[*]}"' _ "$@" >out
}
complete_it telescope ver
says "verify version"
complete_it telescope create DIR --hash s
says "siphash"
complete_it telescope check DIR --only
says "--only-present --only-absent"
complete_it telescope completion ""
says "bash zsh"
run 0 completion zsh
if command -v zsh >/dev/null; then zsh -n out || fail "zsh does not read its completions"; fi
finish
