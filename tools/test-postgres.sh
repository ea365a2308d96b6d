#!/bin/sh
# Tests db_source() on PostgreSQL, with a cluster of its own in a temporary folder that listens on a socket only:
#   tools/test-postgres.sh
# mlsift, DBI, testthat and withr must be installed. On Debian and Ubuntu, PostgreSQL is installed if it is missing (as
# root). RPostgres is installed from CRAN into a temporary library if it is missing.
set -eu
export TZ=UTC
cd "$(dirname "$0")/.."

find_server() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1; }
bin=$(find_server)
if [ -z "$bin" ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql libpq-dev
  bin=$(find_server)
fi

folder=$(mktemp -d)
chmod 755 "$folder"
# The server refuses to run as root.
as_server() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
[ "$(id -u)" != 0 ] || chown postgres "$folder"
started=no
clean_up() {
  [ "$started" = no ] || as_server "$bin/pg_ctl" -D "$folder/data" -m immediate -s stop || true
  rm -rf "$folder"
}
trap clean_up EXIT INT TERM

if ! Rscript -e 'quit(status = !requireNamespace("RPostgres", quietly = TRUE))' > /dev/null 2>&1; then
  mkdir "$folder/library"
  export R_LIBS="$folder/library${R_LIBS:+:$R_LIBS}"
  Rscript -e 'source("tools/install.R")' -e 'choose_mirror()' \
    -e 'install.packages("RPostgres", commandArgs(TRUE), quiet = TRUE)' "$folder/library"
fi

as_server "$bin/initdb" -D "$folder/data" -U mlsift --auth=trust --encoding=UTF8 --locale=C.UTF-8 > /dev/null
as_server "$bin/pg_ctl" -D "$folder/data" -s -w -l "$folder/data/server.log" start \
  -o "-c listen_addresses='' -c unix_socket_directories='$folder' -c fsync=off"
started=yes

"$bin/postgres" --version
MLSIFT_POSTGRES="$folder" NOT_CRAN=true Rscript -e '
  results <- as.data.frame(testthat::test_file("tools/test-postgres.R", package = "mlsift", load_package = "installed",
                                               reporter = "summary"))
  cat(sum(results$nb) - sum(results$failed), "expectations passed,", sum(results$failed), "failed,",
      sum(results$error), "errors\n")
  quit(status = any(results$failed > 0 | results$error))'
