#!/usr/bin/env bash
# Runs the tests with the sanitizers of a compiler, on Linux:
#   tools/sanitize.sh [--clang] [what ...]   for addresses and undefined behavior, with gcc or clang
#   tools/sanitize.sh --thread [what ...]    for data races, with gcc
# What runs is tests/cpp, the C++ tests, with gcc under valgrind too where it is installed; man, the examples of all
# help pages; or a file in tests/testthat, such as test-lrn-nb.R. Without names, the C++ tests and all test files run, or
# with --thread those that choose numbers of threads.
#
# The package is built with the sanitizers into a temporary library, and nothing is written into the clone. Packages
# that mlsift needs are installed as by tools/test.R when they are missing. The first wrong address ends an R process,
# so each file runs in a process of its own. The report of each finding is printed, and so is each failed test. Then the
# exit status is 1, or 77 where the compiler or its sanitizers are not installed. Leaks are not searched for, because R
# itself frees little memory at its end.
set -u
cd "$(dirname "$0")/.." || exit 1

kind=address clang=""
case ${1:-} in
  --thread) kind=thread && shift ;;
  --clang) clang=$(tools/find-clang.sh) && shift || { echo "clang is not installed."; exit 77; } ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/library"

# A user's own Makevars is not used. ccache is, where it is installed.
ccache=$(command -v ccache || true)
compiler=$(R CMD config CXX17)
compiler=${clang:-${compiler#*ccache }}
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 NOT_CRAN=true
# What R does without the sanitizer is not seen whole, and would look like races. R may hang when it is ended at the
# first one, so it runs to its end, with a status that tells. cli's thread, which counts time, would be reported.
export TSAN_OPTIONS="halt_on_error=0 ignore_noninstrumented_modules=1" CLI_NO_THREAD=1
if [ $kind = thread ]; then
  flags="-fsanitize=thread -fno-omit-frame-pointer"
  libraries="libtsan.so libstdc++.so"
else
  flags="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
  libraries="libasan.so libubsan.so libstdc++.so"
  [ -z "$clang" ] || libraries="libclang_rt.asan-$(uname -m).so libstdc++.so"
fi
cat > "$work/Makevars" <<MAKEVARS
CXX17 = $ccache $compiler $flags -D_GLIBCXX_ASSERTIONS
CXX17FLAGS = -O1 -g
MAKEVARS

# R is not built with the sanitizer, so its run-time library is loaded first. The C++ library comes with it, because the
# sanitizer looks for the function that throws exceptions when it starts.
preload=""
for library in $libraries; do
  file=$($compiler -print-file-name=$library)
  [ -f "$file" ] || { echo "$compiler has no $library: install its sanitizers."; exit 77; }
  preload="$preload${preload:+ }$(readlink -f "$file")"
done

Rscript - "$work" <<'INSTALL' || exit 1
work <- commandArgs(TRUE)
source("tools/install.R")
optional <- suggested_packages(".")
install_dependencies(normalizePath("."), writable_library(), needed = c("testthat", "withr"), optional = optional)
copy <- copy_sources(normalizePath("."))
Sys.setenv(R_MAKEVARS_USER = file.path(work, "Makevars"))
# The package cannot be loaded without the library of the sanitizer.
install_sources(copy, file.path(work, "library"), c("--no-docs", "--no-test-load"))
invisible(file.copy(file.path(copy, c("tests", "man", "DESCRIPTION")), work, recursive = TRUE))
INSTALL

# R with the sanitizer, for a script on standard input. The library is also that of workers.
run_r() { R_LIBS="$work/library:${R_LIBS:-}" LD_PRELOAD="$preload" Rscript - "$work" "$1"; }

run_file() {
  run_r "$1" <<'TEST'
arguments <- commandArgs(TRUE)
testthat::test_file(
  file.path(arguments[1], "tests", "testthat", arguments[2]), package = "mlsift", load_package = "installed",
  reporter = "check", stop_on_failure = TRUE
)
TEST
}

# All in one process, since most take no time. The last page that is printed is the one that was at fault.
run_examples() {
  run_r man <<'EXAMPLES'
arguments <- commandArgs(TRUE)
library(mlsift)
grDevices::pdf(NULL)
for (page in list.files(file.path(arguments[1], "man"), "[.]Rd$", full.names = TRUE)) {
  code <- tempfile(fileext = ".R")
  tools::Rd2ex(page, code, commentDonttest = FALSE)
  if (!file.exists(code)) next
  cat("==", basename(page), "\n")
  source(code, local = new.env(), print.eval = TRUE)
}
EXAMPLES
}

run_cpp() {
  R_MAKEVARS_USER="$work/Makevars" Rscript tools/test-cpp.R || return 1
  [ $kind$clang = address ] && command -v valgrind > /dev/null || return 0
  Rscript tools/test-cpp.R valgrind --quiet --error-exitcode=1
}

if [ $# -eq 0 ]; then
  if [ $kind = thread ]; then
    mapfile -t files < <(grep -l threads tests/testthat/test-*.R)
  else
    files=(tests/testthat/test-*.R)
  fi
  set -- tests/cpp "${files[@]}"
fi
failed=0
for path in "$@"; do
  started=$SECONDS
  case $path in
    tests/cpp) run_cpp ;;
    man) run_examples ;;
    *) run_file "$(basename "$path")" ;;
  esac > "$work/log" 2>&1
  status=$?
  word=ok
  [ $status -eq 0 ] || { word=FAILED failed=$((failed + 1)); cat "$work/log"; }
  echo "$path: $word ($((SECONDS - started)) s)"
done
echo "Sanitizers of $compiler: $# runs, $failed failed."
[ "$failed" -eq 0 ]
