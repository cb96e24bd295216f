# The lines of the README, as they stand there.
readme=$(dirname "$(readlink -f "$0")")/../../README.md
lines=$(sed -n '/tests\/cli\/readme.sh/,/^```$/p' "$readme" | grep -E '^(\./run|seq) ')
source "$(dirname "$0")/lib.sh" "$@"
ln -s "$telescope" run  # ./run builds the program, and then is it
(($(wc -l <<<"$lines") == 6)) || fail "not six lines: $lines"
bash -e <<<"$lines" >out 2>err || fail "the README's lines: $(cat err)"
[[ ! -s err ]] || fail "on stderr: $(cat err)"
tells $'present\t500000'
tells $'absent\t500000'
tells $'present\t17'
tells "500,000 members"
tells "sound"
finish
