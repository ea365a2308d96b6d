#!/usr/bin/env bash
# Compiles the headers and the C++ tests in many ways:
#   tools/matrix.sh
# - with g++ and clang++, as C++17 and C++20, without a warning of -Wall -Wextra -Wpedantic -Wshadow -Wconversion;
# - the glue in src/ without these warnings and those of -Wsign-conversion (with R, Rcpp and RcppArmadillo installed);
# - the tests pass with -O0 and -O3 of both compilers;
# - scores that are made of counts are the same bits in all of this, and with contracted floating-point operations.
# A compiler that is missing is named and left out. Takes some minutes. The exit status is 1 if anything fails.
set -u
cd "$(dirname "$0")/.." || exit 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
failed=0
checks=0

# check <name> <command ...>: runs it, and shows its output if it fails.
check() {
  local name=$1
  shift
  checks=$((checks + 1))
  if ! "$@" > "$work/log" 2>&1; then
    failed=$((failed + 1))
    echo "FAILED: $name"
    head -n 40 "$work/log"
  fi
}

clang=$(tools/find-clang.sh)
compilers=()
for compiler in g++ "${clang:-clang++}"; do
  if command -v "$compiler" > /dev/null; then compilers+=("$compiler"); else echo "$compiler is not installed."; fi
done
[ ${#compilers[@]} -gt 0 ] || exit 1

(cd inst/include && find . -name '*.h' | LC_ALL=C sort | sed 's/^\.\/\(.*\)$/#include <\1>/') > "$work/all.cpp"

for compiler in "${compilers[@]}"; do
  for standard in 17 20; do
    for file in "$work/all.cpp" tests/cpp/*.cpp; do
      # shellcheck disable=SC2086
      check "warnings of $compiler, C++$standard, $(basename "$file")" \
        "$compiler" -std=c++$standard -fsyntax-only $warnings -Iinst/include "$file"
    done
  done
  for level in -O0 -O3; do
    for file in tests/cpp/test-*.cpp; do
      name="$compiler $level, $(basename "$file")"
      check "compiling: $name" "$compiler" -std=c++17 $level -pthread -Iinst/include "$file" -o "$work/test"
      check "running: $name" "$work/test"
    done
  done
done

# Headers of other packages are not ours to mend, and RcppExports.cpp is generated.
if glue=$(Rscript -e 'folders <- vapply(c("Rcpp", "RcppArmadillo"), function(package) {
  system.file("include", package = package, mustWork = TRUE)
}, "")
cat(paste("-isystem", c(R.home("include"), folders)))' 2> /dev/null); then
  glue="$glue $(R CMD config --cppflags | sed 's/-I/-isystem /g')"
  for compiler in "${compilers[@]}"; do
    for file in src/*.cpp; do
      [ "$file" = src/RcppExports.cpp ] && continue
      # shellcheck disable=SC2086
      check "warnings of $compiler, $file" \
        "$compiler" -std=c++17 -fsyntax-only $warnings -Wsign-conversion $glue -Iinst/include "$file"
    done
  done
else
  echo "R, Rcpp or RcppArmadillo is not installed: the glue is left out."
fi

# Fused multiply-adds exist on this processor, or the flag is left out.
fused=""
if grep -qw fma /proc/cpuinfo 2> /dev/null && [ "$(uname -m)" = x86_64 ]; then fused=-mfma; fi
for compiler in "${compilers[@]}"; do
  for flags in "-O0" "-O2 -ffp-contract=off" "-O2 -ffp-contract=fast $fused" "-O3 -ffp-contract=fast $fused"; do
    # shellcheck disable=SC2086
    check "compiling: $compiler $flags, scores.cpp" \
      "$compiler" -std=c++17 $flags -pthread -Iinst/include tests/cpp/scores.cpp -o "$work/scores"
    "$work/scores" > "$work/scores.txt"
    [ -f "$work/first.txt" ] || cp "$work/scores.txt" "$work/first.txt"
    check "the bits of scores with $compiler $flags" diff "$work/first.txt" "$work/scores.txt"
  done
done

echo "Compilers ${compilers[*]}: $checks checks, $failed failed."
[ "$failed" -eq 0 ]
