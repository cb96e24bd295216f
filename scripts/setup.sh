# Shared by ./run, ./test and the scripts beside this one. Source it; it sets `root`, the project's directory.
#
#   ensure_packages <packages...>        installs what is missing, or asks for it
#   configure <preset> [parts...]        parts of the release build beside the program: lab, tests, examples
#   build <preset> [targets...]          lets ninja decide
#
# Logs are in build/log. A step that fails shows the end of its log, where all of it is, and what to do.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The packages of Debian 12 that each purpose needs.
program_packages=(cmake g++ ninja-build libxxhash-dev libsodium-dev librocksdb-dev libcli11-dev libfmt-dev nlohmann-json3-dev)
page_packages=(scdoc)  # the man page
test_packages=(
  "${program_packages[@]}" "${page_packages[@]}" pkg-config libmurmurhash-dev libsqlite3-dev libgtest-dev librapidcheck-dev
  clang-format-14 clang-tidy-14
)
browser_packages=(chromium)
# Where node and npm come from another source than Debian, Debian's would be in their way.
command -v node >/dev/null || browser_packages+=(nodejs)
command -v npm >/dev/null || browser_packages+=(npm)

yes=${CI-}  # not empty: packages are installed without a question

# say <lines...>
say() { printf '%s\n' "$@" >&2; }
die() { say "error: $*"; exit 2; }

# missing_packages <packages...>: prints those that are not installed, one to a line.
missing_packages() {
  local installed package
  installed=$(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    [[ $'\n'$installed$'\n' == *$'\n'"$package installed"$'\n'* ]] || echo "$package"
  done
}

# Installs the packages that are missing. Root and CI are not asked; others see the command, and may answer.
# Without dpkg it trusts the tools that are there; cmake will tell.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    command -v cmake >/dev/null && command -v ninja >/dev/null && return
    die "this is not a Debian system: please install cmake, ninja, and what Debian calls: $*"
  fi
  local missing line as_root=() answer
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} == 0)) && return

  line="sudo apt-get install --no-install-recommends ${missing[*]}"
  if ((EUID != 0)); then
    if [[ -z $yes ]]; then
      say "Some Debian packages are missing. This command installs them:" "" "  $line" ""
      [[ -t 0 && -t 2 ]] || die "run this command first, or let ${0##*/} do so: ./${0##*/} --yes"
      read -r -p "Run it now? [y/N] " answer
      [[ $answer == [yY]* ]] || die "nothing was installed and nothing was built"
    fi
    command -v sudo >/dev/null || die "there is no sudo; as root, please run: ${line#sudo }"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  quietly packages "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c '
    apt-get update && exec apt-get install --yes --no-install-recommends "$@"' apt "${missing[@]}" </dev/null ||
    die "apt-get could not install the packages. Is the network there? Then try by hand: $line"
}

# Puts what drives the browser into build/browser, as the lock file in tests/browser has it.
ensure_node_modules() {
  local wanted=$root/tests/browser dir=$root/build/browser
  [[ $dir/node_modules/.package-lock.json -nt $wanted/package-lock.json ]] && return
  say "installing the packages of tests/browser"
  mkdir -p "$dir"
  cp "$wanted/package.json" "$wanted/package-lock.json" "$dir"
  quietly npm npm ci --prefix "$dir" --no-audit --no-fund ||
    die "npm could not install the packages of tests/browser. Is the network there? Then run this again"
  touch "$dir/node_modules/.package-lock.json"
}

# quietly <name> <command...>: runs the command with its output in build/log/<name>.log. If it fails, shows the first
# failed step of ninja, or the end of the log.
quietly() {
  local log=$root/build/log/$1.log
  mkdir -p "${log%/*}"
  shift
  "$@" >"$log" 2>&1 && return
  local code=$?
  local shown
  shown=$(awk '/^FAILED: / { failed = 1 } failed && shown++ < 40' "$log")
  say "${shown:-$(tail -n 40 "$log")}" "The whole log: $log"
  return "$code"
}

# configure <preset> [parts...]: once. The release directory is shared: ./run has the program in it and nothing else, until
# ./run lab or ./test add their parts. The other presets have parts of their own.
configure() {
  local preset=$1 dir=$root/build/$1 part options=()
  shift
  if [[ ! -f $dir/build.ninja ]]; then
    options=(--preset "$preset")
    if [[ $preset == release ]]; then
      for part in lab tests examples; do
        [[ " $* " == *" $part "* ]] || options+=(-D "TELESCOPE_${part^^}=OFF")
      done
    fi
  elif [[ $preset == release ]]; then
    for part in "$@"; do
      grep -qi "^TELESCOPE_$part:BOOL=ON" "$dir/CMakeCache.txt" || options+=(-D "TELESCOPE_${part^^}=ON")
    done
    ((${#options[@]} > 0)) || return 0
    options=("${options[@]}" "$dir")
  else
    return 0
  fi
  say "configuring $preset"
  (cd "$root" && quietly "configure-$preset" cmake "${options[@]}") ||
    die "cmake could not configure build/$preset. If the compiler or a library has changed: rm -r build/$preset, and again"
}

# Tells who waits for more than a second what for: one line, or on a terminal a running count of steps.
progress() {
  local preset=$1 step
  sleep 1 </dev/null &>/dev/null
  if [[ ! -t 2 ]]; then
    say "building $preset"
    return
  fi
  while true; do
    step=$(grep -o '^\[[0-9/]*\]' "$root/build/log/build-$preset.log" 2>/dev/null | tail -n 1 || true)
    printf '\r\033[Kbuilding %s %s' "$preset" "$step" >&2
    sleep 1 </dev/null &>/dev/null
  done
}

build() {
  local preset=$1 failed=0
  shift
  progress "$preset" &
  local hint=$!
  disown "$hint"
  quietly "build-$preset" ninja -C "$root/build/$preset" "$@" || failed=1
  kill "$hint" 2>/dev/null || true
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
  ((failed == 0)) ||
    die "build/$preset was not built. If what is above says nothing about the sources: rm -r build/$preset, and again"
  grep -A 6 ': warning: ' "$root/build/log/build-$preset.log" >&2 || true
}
