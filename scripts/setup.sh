# Shared by ./run and ./test: source it, then call `ensure_packages` and `build <preset> [targets...]`.
# Sets `root`, the project's directory.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

packages=(
  cmake g++ ninja-build pkg-config
  libxxhash-dev libsodium-dev libmurmurhash-dev
  librocksdb-dev libsqlite3-dev libpcap-dev
  libcli11-dev libfmt-dev nlohmann-json3-dev scdoc
  libgtest-dev librapidcheck-dev
)

# What the test of the report's page needs besides. Where node and npm come from another source than Debian, Debian's
# would be in their way.
add_browser_packages() {
  packages+=(chromium)
  command -v node >/dev/null || packages+=(nodejs)
  command -v npm >/dev/null || packages+=(npm)
}

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 2; }

# Prints the packages of the list that are not installed, one to a line.
missing_packages() {
  local installed
  installed=$(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
  local package
  for package in "${packages[@]}"; do
    grep -qx "$package installed" <<<"$installed" || echo "$package"
  done
}

# Installs what is missing from Debian's archive. Without dpkg it trusts the tools that are there; cmake will tell.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    command -v cmake >/dev/null && command -v ninja >/dev/null && return
    die "not a Debian system: please install cmake, ninja and the libraries named in scripts/setup.sh"
  fi
  local missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]} == 0)) && return

  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "neither root nor sudo; please have installed: ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  quietly setup "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c '
    apt-get update && exec apt-get install --yes --no-install-recommends "$@"' apt "${missing[@]}" </dev/null ||
    die "could not install ${missing[*]}; please install them by hand"
}

# Puts what drives the browser into build/browser, as the lock file in tests/browser has it.
ensure_node_modules() {
  local wanted=$root/tests/browser dir=$root/build/browser
  [[ $dir/node_modules/.package-lock.json -nt $wanted/package-lock.json ]] && return
  say "installing the packages of tests/browser"
  mkdir -p "$dir"
  cp "$wanted/package.json" "$wanted/package-lock.json" "$dir"
  quietly npm npm ci --prefix "$dir" --no-audit --no-fund || die "npm could not install the packages of tests/browser"
  touch "$dir/node_modules/.package-lock.json"
}

# quietly <name> <command...>: runs the command with its output in build/log/<name>.log, shown only if it fails.
quietly() {
  local log=$root/build/log/$1.log
  mkdir -p "${log%/*}"
  shift
  "$@" >"$log" 2>&1 && return
  local code=$?
  cat "$log" >&2
  return "$code"
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

# build <preset> [targets...]: configures once, then lets ninja decide.
build() {
  local preset=$1
  shift
  local dir=$root/build/$preset
  if [[ ! -f $dir/build.ninja ]]; then
    say "configuring $preset"
    (cd "$root" && quietly "configure-$preset" cmake --preset "$preset") || die "cmake failed for $preset"
  fi

  progress "$preset" &
  local hint=$! failed=0
  disown "$hint"
  quietly "build-$preset" ninja -C "$dir" "$@" || failed=1
  kill "$hint" 2>/dev/null || true
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
  ((failed == 0)) || die "the $preset build failed"
  grep -A 6 ': warning: ' "$root/build/log/build-$preset.log" >&2 || true
}
