#!/usr/bin/env bash
# Runs benchmarks on a Slurm cluster of two nodes, both of them on this machine, and compares them with one process:
#   sudo tools/test-slurm.sh
# It needs Debian, root, R, and mlsift installed where R finds it (R_LIBS). Slurm, munge and mirai are installed when
# they are missing, mirai into a temporary library. Nothing is written into the clone, and everything that was started
# is stopped.
# - One benchmark is run by `sbatch --array`, one by daemons of mirai that sbatch starts. These also count the rows of a
#   spread source.
# - In each, one job is killed while it computes.
# - Both results must be the same, to the bit, as those of a single process.
# The last line is "passed" or "failed", and the exit status is 1 if it failed.
set -u
[ "$(id -u)" -eq 0 ] || { echo "This script starts a cluster, which needs root."; exit 1; }
cd "$(dirname "$0")/.." || exit 1

work=$(mktemp -d)
host=$(hostname -s)
started=()

finish() {
  local status=$?
  scancel --user root 2> /dev/null
  sleep 1
  for pid in "${started[@]}"; do kill "$pid" 2> /dev/null; done
  sleep 1
  for pid in "${started[@]}"; do kill -9 "$pid" 2> /dev/null; done
  if [ "$status" -ne 0 ]; then tail -n 20 "$work"/*.log "$work"/*/*.log 2> /dev/null; fi
  rm -rf "$work"
  [ "$status" -eq 0 ] && echo passed || echo failed
}
trap finish EXIT

say() { printf '== %s (after %d s)\n' "$*" "$SECONDS"; }

die() { echo "$*"; exit 1; }

# Waits until a command succeeds, a minute at most.
await() {
  local i
  for i in $(seq 300); do "$@" > /dev/null 2>&1 && return; sleep 0.2; done
  die "This took too long: $*"
}

say "Slurm"
missing=()
command -v slurmctld > /dev/null && command -v slurmd > /dev/null && command -v sbatch > /dev/null || missing+=(slurm-wlm)
command -v munged > /dev/null || missing+=(munge)
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -q > "$work/apt.log" 2>&1
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >> "$work/apt.log" 2>&1 ||
    die "Slurm could not be installed."
fi
slurmd -V
if ! Rscript -e 'quit(status = !requireNamespace("mirai", quietly = TRUE))' > /dev/null 2>&1; then
  mkdir "$work/library"
  export R_LIBS="$work/library${R_LIBS:+:$R_LIBS}"
  Rscript -e 'source("tools/install.R")' -e 'choose_mirror()' \
    -e 'install.packages("mirai", commandArgs(TRUE), quiet = TRUE)' "$work/library" > "$work/install.log" 2>&1
fi

# --- the cluster ------------------------------------------------------------------------------------------------------

mkdir "$work/state" "$work/n1" "$work/n2" "$work/out"
cat > "$work/slurm.conf" <<CONF
ClusterName=mlsift
SlurmctldHost=$host
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
SlurmctldPort=17000
SlurmctldPidFile=$work/slurmctld.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdPidFile=$work/%n/slurmd.pid
SlurmdLogFile=$work/%n/slurmd.log
SlurmdSpoolDir=$work/%n
StateSaveLocation=$work/state
KillWait=2
ReturnToService=2
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=17001 CPUs=1 RealMemory=4000
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=17002 CPUs=1 RealMemory=4000
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$work/slurm.conf"

# A munge of our own, which does not disturb one of the machine.
mkdir -m 0755 "$work/munge"
chmod 0755 "$work"
dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 2> /dev/null
chmod 0600 "$work/munge/key"
start() {
  "$@" > "$work/$(basename "$1")-$#.log" 2>&1 &
  started+=($!)
}
start munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" \
  --pid-file="$work/munge/pid" --log-file="$work/munge/log" --seed-file="$work/munge/seed"
await test -S "$work/munge/socket"
start slurmctld -D -f "$SLURM_CONF"
start slurmd -D -N n1 -f "$SLURM_CONF"
start slurmd -D -N n2 -f "$SLURM_CONF"
await sh -c 'test "$(sinfo -h -N -o %t | grep -c idle)" -eq 2'
sinfo -N

# --- the benchmark ----------------------------------------------------------------------------------------------------

cat > "$work/benchmark.R" <<'BENCHMARK'
library(mlsift)
run <- function(folder, ...) {
  set.seed(1)
  slow <- sel_custom("slow", function(task, k) {
    Sys.sleep(0.7)
    stats::runif(ncol(task))
  })
  tasks <- list(a = simulate_mltask(80, n_features = 10, n_targets = 4), b = simulate_mltask(60, 8, 3))
  benchmark_selectors(
    tasks, list(sel_scls(), slow), list(lrn_brknn(), lrn_mlknn(5)), rs_holdout(repeats = 10), k = 1:5,
    measures = c("hamming_loss", "one_error"), folder = folder, progress = FALSE, ...
  )
}
BENCHMARK

cat > "$work/single.R" <<'SINGLE'
source("benchmark.R")
saveRDS(run(NULL), "single.rds")
SINGLE

cat > "$work/job.R" <<'JOB'
source("benchmark.R")
bench <- run("array")
saveRDS(bench, file.path("out", paste0(Sys.getenv("SLURM_ARRAY_TASK_ID"), ".rds")))
JOB

cat > "$work/daemons.R" <<'DAEMONS'
source("benchmark.R")
library(mirai)
daemons(2, url = host_url(), remote = cluster_config(options = "#SBATCH --job-name=daemon\n#SBATCH --output=daemon-%j.log"))
while (status()$connections < 2) Sys.sleep(0.1)
set.seed(1)
task <- simulate_mltask(2000, n_features = 30, n_targets = 4)
spread <- spread_source(lapply(1:6, function(i) task[seq(i, 2000, 6), ]), workers = "mirai")
stopifnot(identical(sift_features(spread, sel_jmim(), k = 8)$score, sift_features(task, sel_jmim(), k = 8)$score))
bench <- run("daemons", workers = "mirai")
saveRDS(bench, "daemons.rds")
daemons(0)
DAEMONS

cat > "$work/compare.R" <<'COMPARE'
library(mlsift)
# Times differ, and so do the packages that a process has loaded.
read <- function(file) {
  bench <- readRDS(file)
  attr(bench, "timings") <- attr(bench, "protocol")$session <- NULL
  bench
}
single <- read("single.rds")
files <- c(list.files("out", full.names = TRUE), "daemons.rds")
for (file in files) {
  bench <- read(file)
  cat(file, ":", nrow(bench), "values,", sum(is.na(bench$value)), "missing,",
      if (identical(bench, single)) "identical\n" else "DIFFERENT\n")
  stopifnot(identical(bench, single))
}
stopifnot(length(files) == 2L)
for (folder in c("array", "daemons")) print(benchmark_status(folder))
COMPARE

cd "$work" || exit 1
# Which jobs are computing, by the claims in a folder.
computing() { cat "$1"/claims/*.[0-9] 2> /dev/null | grep -c '^pid: '; }

say "A single process"
Rscript --vanilla single.R || die "The single process failed."

say "An array of two jobs, of which one is killed"
array=$(sbatch --parsable --array=1-2 --output="$work/array-%a.log" --wrap "Rscript --vanilla job.R") || die "sbatch failed."
await sh -c 'test "$(cat array/claims/*.[0-9] 2> /dev/null | grep -c "^pid: ")" -eq 2'
squeue
sleep 1
scancel --signal=KILL --full "${array}_1"
echo "Killed job ${array}_1; units done: $(ls array/units | wc -l) of 40, claims: $(computing array)"
await sh -c "test -z \"\$(squeue -h -j $array)\""
ls out

say "Daemons of mirai by sbatch, of which one is killed"
Rscript --vanilla daemons.R > daemons.log 2>&1 &
client=$!
started+=("$client")
await sh -c 'test "$(cat daemons/claims/*.[0-9] 2> /dev/null | grep -c "^pid: ")" -eq 2'
squeue
daemon=$(squeue -h -n daemon -o %i | head -n 1)
sleep 1
scancel --signal=KILL --full "$daemon"
echo "Killed job $daemon; units done: $(ls daemons/units | wc -l) of 40"
wait "$client" || die "The benchmark on daemons failed."

say "Comparison"
Rscript --vanilla compare.R || die "The results differ."
say "Done"
