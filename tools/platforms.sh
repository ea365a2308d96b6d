#!/usr/bin/env bash
# Compares scores that are made of counts with those of other platforms, to the last bit:
#   tools/platforms.sh [word ...]
# Debian's cross compilers build a program that prints scores and the tests of integer logarithms; emulators run both.
# With words, only the platforms whose names contain one. On Debian, this installs all of it:
#   apt-get install g++-{aarch64,i686}-linux-gnu g++-arm-linux-gnueabihf g++-s390x-linux-gnu g++-mingw-w64-x86-64 \
#     qemu-user wine64 clang libc++-dev libc++abi-dev
# Scores have equal bits everywhere but on x87, which rounds twice: there, features are in the same order. Other results
# are sums of real numbers and may differ in their last bits, as other compilers and mathematical libraries round them.
# A platform that cannot be tried is named. The exit status is 1 if a platform gives other scores or none was tried.
set -u
cd "$(dirname "$0")/.." || exit 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WINEPREFIX="$work/wine" WINEDEBUG=-all PATH="$PATH:/usr/lib/wine"  # where Debian has wine64
flags="-std=c++17 -O2 -Wall -Wextra -Werror -pthread -Iinst/include"
failed=0 tried=0

# name | compiler | flags | emulator. Programs are linked statically, so that an emulator needs no libraries.
platforms="
aarch64 | aarch64-linux-gnu-g++ | -static | qemu-aarch64
armhf | arm-linux-gnueabihf-g++ | -static | qemu-arm
i686 with x87 | i686-linux-gnu-g++ | -static | qemu-i386
i686 with SSE2 | i686-linux-gnu-g++ | -static -msse2 -mfpmath=sse | qemu-i386
s390x | s390x-linux-gnu-g++ | -static | qemu-s390x
Windows | x86_64-w64-mingw32-g++-posix | -static | wine64
clang and libc++ | $(tools/find-clang.sh || echo clang++) | -stdlib=libc++ |
"

# shellcheck disable=SC2086
g++ $flags tests/cpp/scores.cpp -o "$work/here" && "$work/here" > "$work/expected" || exit 1
echo "$(wc -l < "$work/expected") scores of this machine ($(uname -m))."

try() {
  local name=$1 compiler=$2 own=$3 emulator=$4 what
  command -v "$compiler" > /dev/null || { echo "$name: $compiler is not installed."; return 2; }
  if [ -n "$emulator" ] && ! command -v "$emulator" > /dev/null; then
    emulator="" what=compiles
  fi
  for program in scores test-engine; do
    # shellcheck disable=SC2086
    "$compiler" $flags $own "tests/cpp/$program.cpp" -o "$work/$program.exe" > "$work/log" 2>&1 ||
      { echo "$name: $program does not compile."; head -n 20 "$work/log"; return 1; }
  done
  [ "${what:-}" = compiles ] && { echo "$name: compiles; its emulator is not installed."; return 2; }
  # shellcheck disable=SC2086
  $emulator "$work/scores.exe" 2> "$work/log" | tr -d '\r' > "$work/found"
  local differing
  differing=$(diff "$work/expected" "$work/found" | grep -c '^>')
  if ! cmp -s <(cut -d' ' -f1 "$work/expected") <(cut -d' ' -f1 "$work/found") ||
    { [ "$differing" -gt 0 ] && [[ $name != *x87* ]]; }; then
    echo "$name: $differing scores differ, of $(wc -l < "$work/found")."
    diff "$work/expected" "$work/found" | head -n 6
    head -n 6 "$work/log"
    return 1
  fi
  # shellcheck disable=SC2086
  $emulator "$work/test-engine.exe" > "$work/log" 2>&1 ||
    { echo "$name: the tests fail."; grep -v '^ok' "$work/log" | head -n 20; return 1; }
  echo "$name: the same order, $differing other scores; $(grep -c '^ok' "$work/log") tests pass."
}

while IFS='|' read -r name compiler own emulator; do
  read -r name <<< "$name"
  read -r compiler <<< "$compiler"
  read -r emulator <<< "$emulator"
  [ -n "$name" ] || continue
  if [ $# -gt 0 ]; then
    wanted=no
    for word in "$@"; do [[ $name == *$word* ]] && wanted=yes; done
    [ $wanted = yes ] || continue
  fi
  try "$name" "$compiler" "$own" "$emulator"
  case $? in
    0) tried=$((tried + 1)) ;;
    1) tried=$((tried + 1)) failed=$((failed + 1)) ;;
  esac
done <<< "$platforms"
echo "$tried platforms compared, $failed failed."
[ "$failed" -eq 0 ] && [ "$tried" -gt 0 ]
