#!/usr/bin/env bash
# Fuzzes the readers of files with libFuzzer and the sanitizers of clang:
#   tools/fuzz.sh [minutes]
# Each tests/fuzz/fuzz-<name>.cpp gets its share of the minutes (3 by default), and starts from the files in
# tests/fuzz/<name>/ and the words in tests/fuzz/<name>.dict. clang is installed on Debian and Ubuntu when it is missing
# and this runs as root. Nothing is written into the clone; an input that crashes a reader is printed and kept in the
# folder that is named, and then the exit status is 1.
set -u
cd "$(dirname "$0")/.." || exit 1

minutes=${1:-3}
case $minutes in *[!0-9]* | "" | 0) echo "The minutes must be a whole number, 1 or more."; exit 2 ;; esac

work=$(mktemp -d)
compiler=""
# The newest clang whose fuzzer works.
find_compiler() {
  local candidate
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' > "$work/try.cpp"
  for candidate in clang++ $(compgen -c clang++- | grep -E '^clang\+\+-[0-9]+$' | sort -t- -k2 -nr); do
    if command -v "$candidate" > /dev/null &&
      "$candidate" -fsanitize=fuzzer,address,undefined "$work/try.cpp" -o "$work/try" 2> /dev/null; then
      compiler=$candidate
      return 0
    fi
  done
  return 1
}
if ! find_compiler && [ "$(id -u)" -eq 0 ] && command -v apt-get > /dev/null; then
  apt-get update -q > "$work/apt.log" 2>&1
  apt-get install -y -q clang >> "$work/apt.log" 2>&1 || cat "$work/apt.log"
  version=$(clang --version | sed -n 's/.*version \([0-9]*\).*/\1/p')
  apt-get install -y -q "libclang-rt-$version-dev" >> "$work/apt.log" 2>&1
  find_compiler
fi
[ -n "$compiler" ] || { echo "clang with libFuzzer is needed (Debian: clang and libclang-rt-dev)."; exit 1; }

targets=(tests/fuzz/fuzz-*.cpp)
seconds=$((60 * minutes / ${#targets[@]}))
failed=0
for target in "${targets[@]}"; do
  name=$(basename "$target" .cpp)
  name=${name#fuzz-}
  "$compiler" -std=c++17 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Iinst/include \
    "$target" -o "$work/$name" || { failed=1; continue; }
  mkdir "$work/$name-corpus" "$work/$name-found"
  dictionary=()
  [ -f "tests/fuzz/$name.dict" ] && dictionary=("-dict=tests/fuzz/$name.dict")
  # A line that takes long, or much memory for its size, is a finding too.
  if "$work/$name" -max_total_time=$seconds -rss_limit_mb=1024 -malloc_limit_mb=512 -timeout=5 -max_len=4096 \
    -print_final_stats=1 "-artifact_prefix=$work/$name-found/" "${dictionary[@]}" "$work/$name-corpus" \
    "tests/fuzz/$name" > "$work/$name.log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$name.log")
    echo "$name: ok, $runs inputs in $seconds s"
  else
    failed=1
    echo "$name: FAILED; the input is in $work/$name-found"
    tail -n 60 "$work/$name.log"
  fi
done
[ "$failed" -eq 0 ] && rm -rf "$work"
exit "$failed"
