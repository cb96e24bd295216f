# For the scripts beside this one: `source lib.sh <telescope> <json_check>`. Each runs in an empty directory of its own.
set -u
telescope=$1
json_check=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
failures=0

fail() {
  printf 'FAILED line %s: %s\n' "${BASH_LINENO[1]}" "$*" >&2
  failures=$((failures + 1))
}

# run <exit code> <arguments...>: what it prints is in the files out and err. An error is one line; else stderr is empty.
run() {
  local want=$1 code
  shift
  "$telescope" "$@" >out 2>err
  code=$?
  ((code == want)) || fail "telescope $* returned $code, not $want: $(cat out err)"
  if ((want == 2)); then
    [[ $(wc -l <err) == 1 && $(cat err) == telescope:* ]] || fail "telescope $*: not one line: $(cat err)"
  elif ((want < 2)); then
    [[ ! -s err ]] || fail "telescope $*: on stderr: $(cat err)"
  fi
}

# says <text>: stdout was exactly that.
says() { [[ $(cat out) == "$1" ]] || fail "printed '$(cat out)' instead of '$1'"; }
# tells <text>: stdout or stderr holds that.
tells() { grep -qF -- "$1" out err || fail "'$1' is not in: $(cat out err)"; }
# same <file> <file>
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ: $(diff -a "$1" "$2" | head -5)"; }
# json <one|lines> [/pointer=value...]: stdout was valid, and holds that.
json() { "$json_check" "$@" <out || fail "JSON: $(cat out)"; }

finish() {
  ((failures == 0)) || exit 1
  exit 0
}
