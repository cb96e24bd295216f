#!/usr/bin/env bash
# ./test --aarch64 [ctest arguments...]   the unit tests and fuzz corpora for 64-bit ARM, on Debian for x86-64
#
# The preset aarch64 cross-compiles them, and qemu runs them. Their libraries are unpacked into build/sysroot-aarch64:
# the machine's own list of architectures and packages stays as it is, but for the compiler and the emulator.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/setup.sh"

packages=(cmake ninja-build g++-aarch64-linux-gnu qemu-user)
libraries=(libxxhash-dev libsodium-dev libmurmurhash-dev libgtest-dev librapidcheck-dev)
sysroot=$root/build/sysroot-aarch64

# An apt that thinks it is on an ARM machine with nothing installed, and keeps its state in the current directory.
arm_apt() {
  apt-get -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= \
    -o Dir::State="$PWD/state" -o Dir::State::status="$PWD/status" -o Dir::Cache="$PWD/cache" "$@"
}

# fill_sysroot <directory>: downloads and unpacks the libraries. Runs in a directory of its own.
fill_sysroot() {
  mkdir -p state/lists/partial cache/archives/partial
  : >status
  arm_apt update || true  # some other source may be out of reach; the download will tell
  arm_apt download "${libraries[@]}" || return
  local package
  for package in *.deb; do
    dpkg -x "$package" unpacked || return
  done
  find unpacked -name 'lib*.so*' -delete  # only links, to files of other packages
  mv unpacked "$1"
}

ensure_sysroot() {
  [[ -d $sysroot ]] && return
  say "downloading ${libraries[*]} for arm64"
  mkdir -p "$root/build"
  local scratch failed=0
  scratch=$(mktemp -d "$root/build/apt-aarch64.XXXXXX")
  (cd "$scratch" && quietly sysroot-aarch64 fill_sysroot "$sysroot") || failed=1
  rm -r "$scratch"
  ((failed == 0)) || die "could not download the libraries for arm64"
}

ensure_packages "${packages[@]}"
ensure_sysroot
configure aarch64
build aarch64
cd "$root"
exec ctest --preset aarch64 --no-tests=error --parallel "$(nproc)" "$@"
