#!/usr/bin/env bash
# Does what CRAN's machines do to a package, on Linux:
#   tools/cran.sh [check ...]
# The checks are, in this order, and without names all of them:
#   size     the tarball is below 5 MB, and what it installs is below 10 MB without debugging symbols
#   check    R CMD check --as-cran --run-donttest, but for what needs a network, in less than ten minutes
#   lean     the same where only the packages of Depends, Imports and LinkingTo are there
#   headers  the glue compiles with R's strict headers and without short names of R's functions
#   lto      link-time optimization sees no type that is defined in two ways
#   noLD     without long doubles, the tests of the core pass and its scores have the same bits
#   clang    the C++ tests and all examples have no finding of clang's sanitizers of addresses and undefined behavior
# Each prints one line with its time, and the end of its log if it fails. One whose compiler or sanitizers are missing
# is skipped. What mlsift needs is installed as by tools/test.R. Nothing is written into the clone. Takes half an hour
# on two cores, less where ccache has seen the sources. The last line is "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL="${LC_ALL:-C.UTF-8}" MAKEFLAGS="${MAKEFLAGS:--j$(nproc)}"
exec < /dev/null
. tools/check.sh

checks="size check lean headers lto noLD clang"
for name in "$@"; do
  [[ " $checks " == *" $name "* ]] || { echo "There is no check $name. There are: $checks."; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
passed=0 failed=0 skipped=0

# A user's own Makevars is not used. ccache is, where it is installed, but for the check whose time counts.
ccache=$(command -v ccache || true)
compiler=$(R CMD config CXX17)
compiler="$ccache ${compiler#*ccache }"
touch "$work/plain"
printf 'CXX17 = %s\nCXX17FLAGS = -O2\n' "$compiler" > "$work/Makevars"
export R_MAKEVARS_USER="$work/Makevars" CCACHE_NOHASHDIR=1

# A check that returns this is skipped (see tools/sanitize.sh). The last line of its log is shown.
missing=77

size() {
  build_package "$work/build" && mkdir -p "$work/library" &&
    R CMD INSTALL --strip --library="$work/library" "$work"/build/mlsift_*.tar.gz || return 1
  local tarball installed
  tarball=$(du -k --apparent-size "$work"/build/mlsift_*.tar.gz | cut -f1)
  installed=$(du -sk --apparent-size "$work/library/mlsift" | cut -f1)
  echo "The tarball has $tarball kB, of 5120, and what it installs has $installed kB, of 10240."
  [ "$tarball" -lt 5120 ] && [ "$installed" -lt 10240 ]
}

# as_cran name: a check in a folder of that name. The last line lists what R notes.
as_cran() {
  build_package "$work/build" && mkdir -p "$work/$1" && cp "$work"/build/*.tar.gz "$work/$1" || return 1
  local manual=--no-manual
  ! command -v pdflatex > /dev/null || manual=""
  # More than two processors at work are noted, as CRAN does.
  _R_CHECK_EXAMPLE_TIMING_CPU_TO_ELAPSED_THRESHOLD_=2.5 _R_CHECK_TEST_TIMING_CPU_TO_ELAPSED_THRESHOLD_=2.5 \
    check_package "$work/$1" --as-cran --run-donttest $manual || return 1
  grep -E '^Status' "$work/$1/mlsift.Rcheck/00check.log" | tail -n 1
}

check() {
  build_package "$work/build" || return 1
  local TIMEFORMAT="%0R %0U" elapsed used notes
  { time R_MAKEVARS_USER="$work/plain" as_cran check 2>&1 || return 1; } 2> "$work/times"
  read -r elapsed used < "$work/times"
  notes=$(grep -E '[.]{3} .*NOTE$' "$work/check/mlsift.Rcheck/00check.log" | sed -E 's/^[*] checking (.*) [.]{3}.*/\1/')
  echo "$elapsed s of 600, and $used s of processors. Notes: $(paste -sd, <<< "${notes:-none}")."
  [ "$elapsed" -lt 600 ]
}

lean() { _R_CHECK_DEPENDS_ONLY_=true as_cran lean; }

# compile flags: whether the package compiles with these, without a warning.
compile() {
  printf 'CXX17 = %s\nCXX17FLAGS = %s\n' "$compiler" "$1" > "$work/flags"
  R_MAKEVARS_USER="$work/flags" compile_package "$work/build" && echo "Compiled with $1."
}

headers() { compile "-O0 -Wall -DSTRICT_R_HEADERS -DR_NO_REMAP"; }

lto() { compile "-O2 -Wall -flto=$(nproc) -Wodr -Wlto-type-mismatch"; }

noLD() { Rscript tools/test-cpp.R --narrow; }

clang() { tools/sanitize.sh --clang tests/cpp man; }

Rscript -e 'source("tools/install.R")' -e 'invisible(install_dependencies(normalizePath("."), writable_library(),
  needed = c("testthat", "withr"), optional = suggested_packages(".")))' || exit 1
for name in $checks; do
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  started=$SECONDS
  "$name" > "$work/log" 2>&1
  case $? in
    0) word=passed passed=$((passed + 1)) ;;
    $missing) word=skipped skipped=$((skipped + 1)) ;;
    *) word=FAILED failed=$((failed + 1)) ;;
  esac
  [ $word != FAILED ] || tail -n 60 "$work/log"
  printf '%-7s %-7s %4d s  %s\n' "$name" $word $((SECONDS - started)) "$(tail -n 1 "$work/log")"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
