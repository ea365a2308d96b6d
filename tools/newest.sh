#!/usr/bin/env bash
# Tests a clone with today's R, compilers and packages, on a bare Debian that is made for it:
#   sudo tools/newest.sh [release [folder]]
# The release is testing, or another one of Debian, such as trixie. This needs root and debootstrap, on Debian or
# Ubuntu, and takes about an hour on two cores. The Debian has r-base-dev and nothing else, so what the commands of the
# README do not install is missing. In it run, one after the other,
# - tools/quickstart.R and tools/test.R, as a new user runs them,
# - R CMD check, with the package compiled as C++20,
# - the compilation as C++23, without a warning,
# - the tests of the bridges, with the newest recipes, mlr3 and what belongs to them, and those of Arrow and DuckDB,
#   where the Debian has the package arrow and DuckDB's library, which take long to compile.
# A folder that is named is kept, and what is installed in it is used again; otherwise all is removed at the end.
# DEBIAN_MIRROR names a mirror of Debian. The mirror of CRAN is the one that R on this machine uses, where it has R.
# The last line is "passed" or "failed", and the exit status is 1 if anything failed.
set -u
[ "$(id -u)" -eq 0 ] || { echo "This script makes a Debian, which needs root."; exit 1; }
command -v debootstrap > /dev/null || { echo "This script needs debootstrap."; exit 1; }
clone=$(cd "$(dirname "$0")/.." && pwd)
exec < /dev/null

release=${1:-testing} root=${2:-}
if [ -n "$root" ]; then mkdir -p "$root" && root=$(cd "$root" && pwd) || exit 1; else root=$(mktemp -d); keep=false; fi
failed=("stopped before its end")

# What still runs in the Debian is ended first. Nothing is removed while a folder of this machine is mounted in it.
finish() {
  trap - EXIT INT TERM
  local folder process
  for process in /proc/[0-9]*; do
    [ "$(readlink "$process/root" 2> /dev/null)" != "$root" ] || kill -KILL "${process#/proc/}"
  done
  for folder in dev/shm dev proc; do
    ! mountpoint -q "$root/$folder" || umount "$root/$folder" || keep=true
  done
  ${keep:-true} || rm -rf --one-file-system "$root"
  [ ${#failed[@]} -eq 0 ] && echo passed && exit 0
  printf 'Failed: %s\n' "${failed[@]}"
  echo failed
  exit 1
}
trap finish EXIT

say() { printf '\n== %s (after %d s)\n' "$*" "$SECONDS"; }

die() { failed=("$*"); exit 1; }

# Runs a command in the clone inside the Debian, without the settings of this machine's R. Tests interrupt R, which a
# shell that was started in the background would ignore.
inside() {
  env --default-signal=INT -u R_LIBS -u R_LIBS_USER -u R_LIBS_SITE -u R_ENVIRON -u R_PROFILE -u R_MAKEVARS_USER -u TMPDIR \
    HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" sh -c "cd /clone && $1"
}

try() { say "$1"; inside "$2" || failed+=("$1"); }
trap 'failed+=("interrupted"); exit 1' INT TERM

# --- the Debian -------------------------------------------------------------------------------------------------------
say "Debian $release"
if [ ! -x "$root/usr/bin/apt-get" ]; then
  debootstrap --variant=minbase --include=ca-certificates "$release" "$root" \
    "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" > "$root.log" 2>&1 || { tail "$root.log"; die "debootstrap"; }
  rm -f "$root.log"
fi
# Names, certificates and proxies are those of this machine.
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
[ ! -s /etc/ssl/certs/ca-certificates.crt ] ||
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
apt-config dump 2> /dev/null | grep -E '^Acquire::(https?::Proxy|Check-)' > "$root/etc/apt/apt.conf.d/90host"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc" || die "mount"
mountpoint -q "$root/dev" || { mount --bind /dev "$root/dev" && mount --make-private "$root/dev"; } || die "mount"
mountpoint -q "$root/dev/shm" || mount -t tmpfs shm "$root/dev/shm" || die "mount"
rm -rf "${root:?}/clone" && mkdir "$root/clone" && (cd "$clone" && tar -c --exclude=.git --exclude=.lib .) |
  tar -x -C "$root/clone" || die "copy of the clone"
mirror=$(Rscript --no-save -e 'cat(sub("@CRAN@", "", getOption("repos")["CRAN"], fixed = TRUE))' 2> /dev/null)
case $mirror in
  http*) echo "options(repos = c(CRAN = \"$mirror\"))" > "$root/root/.Rprofile" ;;
  *) rm -f "$root/root/.Rprofile" ;;
esac
inside "dpkg --configure -a && apt-get update -q && apt-get install -q -y --no-install-recommends r-base-dev" \
  > "$root/root/apt.log" 2>&1 || { tail "$root/root/apt.log"; die "r-base-dev"; }
inside "Rscript -e 'cat(R.version.string, fill = TRUE)' && gcc --version | head -n 1"

failed=()

# --- the commands -----------------------------------------------------------------------------------------------------
try "tools/quickstart.R" "Rscript tools/quickstart.R /root/pictures"
try "tools/test.R" "Rscript tools/test.R"

# The package asks for C++17, which is another standard here.
# package <function of tools/check.sh> <standard> <argument ...>
package() {
  printf 'CXX17STD = -std=gnu++%s\nCXX17FLAGS = -O2 -Wall\n' "$2" > "$root/root/Makevars"
  inside "export R_MAKEVARS_USER=/root/Makevars MAKEFLAGS=-j$(nproc)
    bash -c '. tools/check.sh; $1 /root/check ${*:3}'" || failed+=("$1, as C++$2")
}
rm -rf "$root/root/check"
say "R CMD check, as C++20"
package check_package 20 --no-manual --no-tests --no-vignettes
say "Compiled as C++23"
package compile_package 23

cat > "$root/root/bridges.R" << 'EOF'
source("tools/install.R")
library <- writable_library()
choose_mirror()
wanted <- c("recipes", "parsnip", "workflows", "mlr3", "mlr3filters", "mirai", "future", "progressr")
missing <- wanted[!vapply(wanted, is_installed, NA)]
utils::install.packages(missing, library, Ncpus = cores(), quiet = TRUE)
stopifnot(vapply(wanted, is_installed, NA))
# The package duckdb compares the commit from which a library was compiled, which Debian's does not tell.
if (!is_installed("duckdb") && nzchar(Sys.getenv("DUCKDB"))) {
  tarball <- utils::download.packages("duckdb", tempdir(), type = "source", quiet = TRUE)[2]
  utils::untar(tarball, exdir = tempdir())
  configure <- file.path(tempdir(), "duckdb", "configure")
  if (startsWith(Sys.getenv("DUCKDB"), sub(".*duckdb_(.*)[.]tar[.]gz", "\\1", tarball))) {
    writeLines(sub("^( *vendored_prefix=).*", "\\1", readLines(configure)), configure)
    Sys.setenv(DUCKDB_R_USE_SYSTEM_LIB = "1", MAKEFLAGS = paste0("-j", cores()))
    utils::install.packages(dirname(configure), library, repos = NULL, type = "source", quiet = TRUE)
  } else say("Debian's library of DuckDB is not of the version of the package: its tests are skipped")
}
for (name in c(wanted, "Matrix", "Rcpp", "ggplot2", "testthat")) say("%s %s", name, utils::packageVersion(name))
Sys.setenv(NOT_CRAN = "true")
testthat::test_dir(
  "tests/testthat", package = "mlsift", load_package = "installed",
  filter = "^bridge-|^bench-workers|^source-arrow|^source-database", reporter = "check"
)
EOF
inside "apt-get install -q -y --no-install-recommends r-cran-arrow" > /dev/null 2>&1 ||
  say "Debian $release has no package of arrow: its tests are skipped"
inside "apt-get install -q -y --no-install-recommends libduckdb-dev" > /dev/null 2>&1 ||
  say "Debian $release has no library of DuckDB: its tests are skipped"
duckdb=$(inside "dpkg-query -W -f '\${Version}' libduckdb-dev" 2> /dev/null)
try "The bridges" "DUCKDB=$duckdb Rscript /root/bridges.R"
