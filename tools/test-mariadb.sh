#!/bin/sh
# Tests db_source() on MariaDB, first with tables of one server, then with tables of Spider whose shards lie on two
# servers. Both servers are started in a temporary folder, and listen on sockets only:
#   tools/test-mariadb.sh
# mlsift, DBI, testthat and withr must be installed. On Debian and Ubuntu, MariaDB and Spider are installed if they are
# missing (as root). RMariaDB is installed from CRAN into a temporary library if it is missing.
set -eu
cd "$(dirname "$0")/.."
. tools/database.sh

if ! command -v mariadbd > /dev/null || [ ! -e /usr/lib/mysql/plugin/ha_spider.so ]; then
  # No server of the system is started.
  [ -e /usr/sbin/policy-rc.d ] || { printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d; added=yes; }
  [ "${added:-no}" = no ] || chmod 755 /usr/sbin/policy-rc.d
  install_debian mariadb-server mariadb-plugin-spider libmariadb-dev
  [ "${added:-no}" = no ] || rm /usr/sbin/policy-rc.d
fi
install_driver RMariaDB

stop_servers() {
  for number in 1 2; do
    [ ! -e "$folder/$number/pid" ] || kill "$(cat "$folder/$number/pid")" 2> /dev/null || true
  done
  sleep 2
}

client() {
  number=$1
  shift
  mariadb --no-defaults --socket="$folder/$number/socket" --user=root "$@"
}

for number in 1 2; do
  mkdir "$folder/$number"
  mariadb-install-db --no-defaults --datadir="$folder/$number/data" --auth-root-authentication-method=normal \
    --skip-test-db --user="$(id -un)" > "$folder/$number/install.log" 2>&1
  mariadbd --no-defaults --datadir="$folder/$number/data" --socket="$folder/$number/socket" --skip-networking \
    --pid-file="$folder/$number/pid" --user="$(id -un)" --innodb-flush-log-at-trx-commit=0 \
    --innodb-buffer-pool-size=64M --server-id="$number" > "$folder/$number/server.log" 2>&1 &
done
for number in 1 2; do
  tries=0
  until client "$number" -e "CREATE DATABASE test CHARACTER SET utf8mb4; CREATE DATABASE shard CHARACTER SET utf8mb4" \
    > /dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || { cat "$folder/$number/server.log"; exit 1; }
    sleep 0.3
  done
done

mariadbd --version
Rscript tools/test-database.R mariadb "$folder"

client 1 -e "INSTALL SONAME 'ha_spider'; SET GLOBAL spider_same_server_link = ON"
for server in "one 1" "two 2"; do
  set -- $server
  client 1 -e "CREATE SERVER $1 FOREIGN DATA WRAPPER mysql
    OPTIONS (SOCKET '$folder/$2/socket', DATABASE 'shard', USER 'root', PASSWORD '')"
done
Rscript tools/test-database.R spider "$folder"
