# What tools/test-postgres.sh and tools/test-mariadb.sh share: a temporary $folder, and stop_servers() at the end.
export TZ=UTC
folder=$(mktemp -d)
chmod 755 "$folder"
stop_servers() { :; }
clean_up() {
  stop_servers
  rm -rf "$folder"
}
trap clean_up EXIT INT TERM

install_debian() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# Installs an R package into a temporary library if it is missing.
install_driver() {
  Rscript -e 'quit(status = !requireNamespace(commandArgs(TRUE), quietly = TRUE))' "$1" > /dev/null 2>&1 && return
  mkdir -p "$folder/library"
  export R_LIBS="$folder/library${R_LIBS:+:$R_LIBS}"
  Rscript -e 'source("tools/install.R")' -e 'choose_mirror()' \
    -e 'install.packages(commandArgs(TRUE)[1], commandArgs(TRUE)[2], quiet = TRUE)' "$1" "$folder/library"
}
