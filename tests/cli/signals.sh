# Ctrl-C, SIGTERM, kill -9 and readers that go away leave a sound set.
source "$(dirname "$0")/lib.sh" "$@"
mkfifo pipe

# stopped <signal> <exit code>: in the middle of add. Opening the pipe waits until add has done so, its handlers ready.
stopped() {
  run 0 create "set-$1"
  "$telescope" add "set-$1" pipe >out 2>err &
  local adder=$!
  exec 3>pipe
  seq 1 20000 >&3
  kill -s "$1" "$adder"
  wait "$adder"
  local code=$?
  exec 3>&-
  ((code == $2)) || fail "SIG$1 made it return $code"
}

for signal in INT TERM; do
  stopped "$signal" $((128 + $(kill -l "$signal")))
  tells "stopped by a signal after"
  told=$(grep -o 'after [0-9,]*' err | tr -dc 0-9)
  run 0 stat "set-$signal" --json
  json one /members="$told" /from_snapshot=true
  run 0 verify "set-$signal"
done

stopped KILL 137
run 0 verify set-KILL
run 0 list set-KILL
sort -n out >listed
seq 1 "$(wc -l <listed)" >expected
same listed expected
run 0 add set-KILL --key again
run 0 verify set-KILL

# kill -9 at some instants of a longer run, again and again, on one set.
run 0 create k
seq 1 200000 >many
for delay in 0.02 0.05 0.1 0.2 0.3; do
  "$telescope" add k many >/dev/null 2>&1 &
  adder=$!
  sleep "$delay"
  kill -KILL "$adder" 2>/dev/null
  wait "$adder" 2>/dev/null
  run 0 verify k
done

# A reader that has had enough: silence, and 141.
seq 1 50000 | run 0 add set-INT
"$telescope" list set-INT 2>err | head -n 1 >/dev/null
code=${PIPESTATUS[0]}
((code == 141)) || fail "list into head returned $code"
[[ ! -s err ]] || fail "list into head said $(cat err)"

# The demo cleans up.
mkdir tmp
TMPDIR=$work/tmp "$telescope" demo --keys 200k >out 2>err &
demo=$!
until compgen -G 'tmp/*/0/*' >/dev/null; do sleep 0.05; done
kill -INT "$demo"
wait "$demo"
code=$?
((code == 130)) || fail "demo returned $code after SIGINT"
[[ -z $(ls tmp) ]] || fail "demo left $(ls tmp)"
finish
