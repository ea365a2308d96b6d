#!/bin/sh
# Tests db_source() on PostgreSQL, with a cluster of its own in a temporary folder that listens on a socket only:
#   tools/test-postgres.sh
# mlsift, DBI, testthat and withr must be installed. On Debian and Ubuntu, PostgreSQL is installed if it is missing (as
# root). RPostgres is installed from CRAN into a temporary library if it is missing.
set -eu
cd "$(dirname "$0")/.."
. tools/database.sh

find_server() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1; }
bin=$(find_server)
if [ -z "$bin" ]; then
  install_debian postgresql libpq-dev
  bin=$(find_server)
fi
install_driver RPostgres

# The server refuses to run as root.
as_server() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
[ "$(id -u)" != 0 ] || chown postgres "$folder"
started=no
stop_servers() { [ "$started" = no ] || as_server "$bin/pg_ctl" -D "$folder/data" -m immediate -s stop || true; }

as_server "$bin/initdb" -D "$folder/data" -U mlsift --auth=trust --encoding=UTF8 --locale=C.UTF-8 > /dev/null
as_server "$bin/pg_ctl" -D "$folder/data" -s -w -l "$folder/data/server.log" start \
  -o "-c listen_addresses='' -c unix_socket_directories='$folder' -c fsync=off"
started=yes

"$bin/postgres" --version
Rscript tools/test-database.R postgres "$folder"
