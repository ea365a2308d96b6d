#!/usr/bin/env bash
# Disturbs a benchmark with a folder in every way that a long run may meet, and compares the result:
#   tools/kill.sh [N] [seed]
#   MLSIFT_KILL=answer tools/kill.sh [N] [seed]    the estimate of sift() in place of benchmark_selectors()
# - N kills (20 by default) at random moments, half of them while a file is written, and some of one of two processes;
# - N damaged, truncated and foreign files in the folder, times ten;
# - R's time limits at N random moments, times ten;
# - a full disk and a disk that becomes read-only (as root, since small disks are mounted; left out otherwise);
# - N kills of workers of a spread source (where mirai is installed);
# - a folder that is removed, or moved away and back, during a run;
# - file times in the future and in the past, as after a clock was set.
# Each must end with the same values to the bit as an undisturbed run, or with an error of class mlsift_error, and then
# the same call must complete the benchmark. mlsift must be installed. Nothing is written into the clone. One line is
# printed for each kind. The exit status is 1 if anything differs, crashes, or takes more than two minutes.
set -u
cd "$(dirname "$0")/.." || exit 1

n=${1:-20}
seed=${2:-1}
case "$n$seed" in *[!0-9]* | "") echo "N and the seed must be whole numbers."; exit 2 ;; esac
RANDOM=$seed

work=$(mktemp -d)
failed=0
mounted=""
finish() {
  local status=$?
  [ -n "$mounted" ] && umount "$work/disk"
  if [ "$status" -eq 0 ]; then rm -rf "$work"; else echo "The folders are in $work."; fi
}
trap finish EXIT

r() { timeout -k 1 120 Rscript tools/kill.R "$@"; }

# Runs the benchmark in the background: its process is in $pid, and its outcome will be in $work/outcome.
begin() {
  rm -f "$work/outcome" "$work/outcome.begun"
  Rscript tools/kill.R run "$1" "$work/outcome" > "$work/log" 2>&1 &
  pid=$!
  until [ -f "$work/outcome.begun" ] || ! kill -0 "$pid" 2> /dev/null; do sleep 0.02; done
}

# Waits for $pid, two minutes at most.
await() {
  local i
  for i in $(seq 2400); do kill -0 "$pid" 2> /dev/null || break; sleep 0.05; done
  if kill -9 "$pid" 2> /dev/null; then echo "wrong does not end" > "$work/outcome"; fi
  wait "$pid" 2> /dev/null
  [ -f "$work/outcome" ] || { echo "wrong crashed: $(tail -n 1 "$work/log")" > "$work/outcome"; }
}

complete() {
  begin "$1"
  await
}

# Sleeps up to a tenth of a second.
nap() { sleep "0.0$((RANDOM % 9 + 1))"; }

# Waits until a random number of units is there, or the process has ended, and a moment more.
at_random() {
  local files target=$((RANDOM % units))
  while kill -0 "$pid" 2> /dev/null; do
    files=("$1"/units/*.rds)
    [ ${#files[@]} -gt "$target" ] && break
    [ "$target" -eq 0 ] && [ -d "$1" ] && break
    sleep 0.005
  done
  nap
}

# count <kind>: how the disturbed run ended, and then the same call, which must complete the benchmark.
same=0 refused=0 wrong=0
count() {
  local outcome
  outcome=$(cat "$work/outcome")
  case $outcome in
    "$expected") same=$((same + 1)) ;;
    refused*)
      if [ "$2" = last ]; then say_wrong "$1" "$outcome"; else refused=$((refused + 1)); fi ;;
    *) say_wrong "$1" "$outcome" ;;
  esac
}
say_wrong() {
  wrong=$((wrong + 1))
  failed=1
  echo "  $1: $2"
}
report() {
  echo "$1: $2, $same same values, $refused refused, $wrong wrong"
  same=0 refused=0 wrong=0
}

mkdir "$work/reference"
complete "$work/reference/folder"
expected=$(cat "$work/outcome")
case $expected in value*) ;; *) echo "The benchmark does not run: $expected"; exit 1 ;; esac
units=$(find "$work/reference/folder/units" -name '*.rds' | wc -l)
complete "$work/reference/second"
[ "$(cat "$work/outcome")" = "$expected" ] || { echo "Two undisturbed runs differ."; exit 1; }

# --- kills ------------------------------------------------------------------------------------------------------------

# Waits until a file is being written, or the process has ended.
until_writing() {
  until compgen -G "$1/.part-*" > /dev/null || compgen -G "$1/*/.part-*" > /dev/null; do
    kill -0 "$pid" 2> /dev/null || break
  done
}

done_kills=0 late=0
while [ "$done_kills" -lt "$n" ]; do
  folder=$work/kill-$done_kills
  # One to three kills of the same benchmark.
  for _ in $(seq $((RANDOM % 3 + 1))); do
    [ "$done_kills" -lt "$n" ] || break
    begin "$folder"
    at_random "$folder"
    [ $((done_kills % 2)) -eq 0 ] && until_writing "$folder"
    kill -9 "$pid" 2> /dev/null || late=$((late + 1))
    wait "$pid" 2> /dev/null
    done_kills=$((done_kills + 1))
  done
  complete "$folder"
  count "kill $done_kills" last
  # Claims on units that were finished just before a kill may stay: nobody looks at them.
  if compgen -G "$folder/.part-*" > /dev/null || compgen -G "$folder/*/.part-*" > /dev/null; then
    say_wrong "kill $done_kills" "unfinished files are left"
  fi
  rm -rf "$folder"
done
report "kills" "$done_kills kills ($late after the end)"

kills=$((n / 4 + 1))
for i in $(seq "$kills"); do
  folder=$work/pair-$i
  begin "$folder"
  until compgen -G "$folder/plans/*.rds" > /dev/null || ! kill -0 "$pid" 2> /dev/null; do sleep 0.01; done
  Rscript tools/kill.R join "$folder" > "$work/join.log" 2>&1 &
  other=$!
  at_random "$folder"
  { kill -9 "$other" && wait "$other"; } 2> /dev/null
  await
  count "one of two processes, $i" last
  rm -rf "$folder"
done
report "one of two processes killed" "$kills runs"

# --- damaged files ----------------------------------------------------------------------------------------------------

mkdir "$work/damage"
trials=$((10 * n))
# shellcheck disable=SC2086
timeout -k 1 $((120 + trials * 10)) \
  Rscript tools/kill.R damage "$work/reference/folder" "$work/damage" "$trials" "$((1000 * seed))" $expected
status=$?
[ "$status" -eq 0 ] || failed=1
[ "$status" -le 1 ] || echo "damaged files: R ended with status $status in $(tail -n 1 "$work/damage/trials.log")"

# --- time limits ------------------------------------------------------------------------------------------------------

mkdir "$work/limits"
# shellcheck disable=SC2086
timeout -k 1 $((120 + trials * 10)) \
  Rscript tools/kill.R limits "$work/limits" "$trials" "$((1000 * seed))" $expected || failed=1

# --- disks ------------------------------------------------------------------------------------------------------------

runs=$((n / 2 + 1))
mkdir "$work/disk"
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=64m tmpfs "$work/disk" 2> /dev/null; then
  mounted=yes
  complete "$work/disk/size"
  kilobytes=$(du -sk "$work/disk/size" | cut -f1)
  for i in $(seq "$runs"); do
    rm -rf "$work/disk"/*
    mount -o "remount,size=$((RANDOM % kilobytes + 4))k" "$work/disk"
    complete "$work/disk/folder"
    count "full disk, $i" first
    mount -o remount,size=64m "$work/disk"
    complete "$work/disk/folder"
    count "full disk, $i, resumed" last
  done
  report "full disk" "$runs runs and their completion"
  for i in $(seq "$runs"); do
    rm -rf "$work/disk"/*
    begin "$work/disk/folder"
    at_random "$work/disk/folder"
    # A disk on which files are open for writing cannot become read-only.
    until mount -o remount,ro "$work/disk" 2> /dev/null || ! kill -0 "$pid" 2> /dev/null; do :; done
    await
    count "read-only disk, $i" first
    complete "$work/disk/folder"
    count "read-only disk from the begin, $i" first
    mount -o remount,rw "$work/disk"
    complete "$work/disk/folder"
    count "read-only disk, $i, resumed" last
  done
  report "read-only disk" "$runs runs, a second call and their completion"
  umount "$work/disk"
  mounted=""
else
  echo "full disk and read-only disk: left out, since no disk can be mounted (root is needed)"
fi

# --- folders that vanish ----------------------------------------------------------------------------------------------

for i in $(seq "$runs"); do
  folder=$work/vanish-$i
  begin "$folder"
  at_random "$folder"
  if [ $((i % 2)) -eq 0 ]; then
    rm -rf "$folder" 2> /dev/null
  else
    mv "$folder" "$folder-away" 2> /dev/null
  fi
  await
  count "vanished folder, $i" first
  # What was written while the folder was being removed is removed as well.
  rm -rf "$folder"
  [ -d "$folder-away" ] && mv "$folder-away" "$folder"
  complete "$folder"
  count "vanished folder, $i, resumed" last
  rm -rf "$folder"
done
report "vanished folder" "$runs runs and their completion"

# --- clocks -----------------------------------------------------------------------------------------------------------

times=("+1 day" "-1 day" "+10 years" "-30 years" "+5 seconds" "-5 seconds")
for i in $(seq "$runs"); do
  folder=$work/clock-$i
  begin "$folder"
  until compgen -G "$folder/claims/*.1" > /dev/null || ! kill -0 "$pid" 2> /dev/null; do :; done
  kill -9 "$pid" 2> /dev/null
  wait "$pid" 2> /dev/null
  # As if the process had been on another machine, where it cannot be seen that it has ended.
  for claim in "$folder"/claims/*.1; do
    [ -f "$claim" ] && [ $((i % 3)) -ne 0 ] && sed -i 's/^machine: .*/machine: elsewhere/' "$claim"
  done
  when=${times[$((i % ${#times[@]}))]}
  find "$folder" -exec touch -d "$when" {} +
  complete "$folder"
  count "clock, $i, $when" last
  rm -rf "$folder"
done
report "file times that jump" "$runs runs"

# --- workers of a spread source ---------------------------------------------------------------------------------------

timeout -k 1 $((120 + n * 30)) Rscript tools/kill.R spread "$n" "$((1000 * seed))" || failed=1

exit "$failed"
