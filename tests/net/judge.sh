#!/bin/bash
# judge.sh SOURCE BIN: tests `ordo-net judge` as a person calls it: limits, exit codes, forms of the output, and files that
# are no logs.
set -u
source=$1 bin=$2
. "$(dirname "$0")/../kit.sh"
PATH=$bin:$PATH
cd "$scratch" || exit 1

line() { printf 'ptp4l[%d.000]: master offset %10d s%d freq -25246 path delay %9d\n' "$@"; }
for ((i = 0; i < 1000; i++)); do
    line $((5000 + i)) $((i % 21 - 10)) 2 600
done >good.log
{
    cat good.log
    line 6000 1500 2 600
    line 6001 -1500 2 90000
    line 6002 3 2 600
    line 6100 3 2 600
    line 6101 3 0 600
    line 6102 3 2 600
} >bad.log

# --- limits: each holds, is exceeded, and has no value
run 0 ordo-net judge good.log && says "1000 lines in 1 file: 1000 readings" && says "no findings" && silent ": holds"
run 0 ordo-net judge good.log --max-offset 10ns && says "offset within 10 ns: holds, at most 10 ns, of ptp4l"
run 1 ordo-net judge good.log --max-offset 9ns && says "offset within 9 ns: EXCEEDED, at most 10 ns, of ptp4l"
run 0 ordo-net judge bad.log && says "lock-lost" && says silence && says offset-jump
run 1 ordo-net judge bad.log --max-offset 1us && matches "6000.000 s  offset-limit ptp4l, worst 1500 ns, for 1000 ms, 2 times .bad.log:1001."
run 0 ordo-net judge bad.log --max-offset 1us --percent 99
run 1 ordo-net judge bad.log --max-offset 1us --percent 99.9
run 0 ordo-net judge good.log --max-jitter 15ns
run 1 ordo-net judge bad.log --max-jitter 15ns && says "jitter within 15 ns: EXCEEDED"
run 0 ordo-net judge good.log --max-delay 600ns
run 1 ordo-net judge bad.log --max-delay 1us && matches "6001.000 s  delay-limit  ptp4l, worst 90 us"
run 0 ordo-net judge bad.log --max-silence 98s
run 1 ordo-net judge bad.log --max-silence 97s && matches "6100.000 s  silence      ptp4l, by 98 s"
run 0 ordo-net judge bad.log --max-lost 1
run 1 ordo-net judge bad.log --max-lost 0 && says "lost within 0 times: EXCEEDED, at most 1 times, of ptp4l"
run 2 ordo-net judge good.log --max-bound 1s && says "bound within 1000 ms: UNKNOWN"
run 1 ordo-net judge bad.log --max-bound 1s --max-offset 1us
run 1 ordo-net judge bad.log good.log --max-offset 1us --json
json '.limits == [{of: "offset", limit_ns: 1000, percent: 100, worst_ns: 1500, verdict: "exceeded"}]'
json '[.series[] | {file, over_limit, readings}] == [{file: "bad.log", over_limit: 2, readings: 1006}]'
json '.files[0].copy_of == "bad.log" or .files[1].copy_of == "bad.log"' # good.log is the begin of bad.log
ordo-net judge - --max-offset 9ns <good.log >out 2>err
[ $? -eq 1 ] || fail "standard input is not judged"
ordo-net judge <(cat good.log) <(gzip -c bad.log) --json >"$scratch/out" 2>"$scratch/err" || fail "pipes are not judged"
json '[.series[].readings] | add == 2006'

# --- the first lock ends the start, whose readings do not count
{ line 1 1600000000000000000 0 600 && line 2 -5000 1 600 && line 3 40 2 600 && line 4 -4 2 600; } >start.log
run 0 ordo-net judge start.log --max-offset 40ns && says "2 readings before the first lock do not count, the worst 1600000000 s"
{ line 1 1600000 0 600 && line 2 -5000 0 600; } >never.log
run 1 ordo-net judge never.log --max-offset 1us && says "never locked"

# --- the sources of chronyd are not judged if its tracking is there
printf '2026-11-29 06:00:%02d 10.0.0.1 2 -3.5 0.07 1.0e-06 N 2 2e-03 -2e-04 1e-02 3e-04 8e-03\n' 1 2 3 >tracking.log
printf '2026-11-29 06:00:%02d 10.0.0.9 N 2 111 111 1111 6 6 1.00 -5e-01 2e-01 1e-05 1e-01 7e-03 CB00717B 4B D K\n' 1 2 3 >measurements.log
run 1 ordo-net judge measurements.log --max-offset 1ms
run 0 ordo-net judge measurements.log tracking.log --max-offset 1ms && silent offset-limit
run 0 ordo-net judge tracking.log --max-bound 8ms
run 1 ordo-net judge tracking.log --max-bound 7999us && says bound-limit

printf '2026-11-29 06:00:%02d.5 NMEA 0 N 1 1.2e-01 1.3e-01 1.0e-02\n' 1 2 3 >refclocks.log
run 1 ordo-net judge refclocks.log --max-offset 1ms
run 0 ordo-net judge refclocks.log tracking.log --max-offset 1ms && silent offset-limit

# --- a daemon that died is silent until the end of the log, to which others write on
stamped() { printf 'Nov 29 06:%02d:%02d h %s\n' $(($1 / 60)) $(($1 % 60)) "$2"; }
{
    for ((i = 0; i < 300; i++)); do stamped $i "ptp4l: [$((5000 + i)).000] master offset $((i % 9)) s2 freq 1 path delay 600"; done
    stamped 301 "cron[9]: done"
} >alive.log
{ cat alive.log && stamped 1800 "cron[9]: done"; } >dead.log
run 0 ordo-net judge alive.log --max-silence 1min && says "no findings"
run 1 ordo-net judge dead.log --max-silence 1min && matches "silence .*ptp4l, by 1501 s"
stamped 1800 "cron[9]: done" >dead.log && mv alive.log dead.log.1 # rotated after the death
run 1 ordo-net judge dead.log.1 dead.log --max-silence 1min

# --- what cannot be judged is named
run 2 ordo-net judge /dev/null && complains_once "/dev/null: no offset of ptp4l, phc2sys, ts2phc or chronyd in 0 lines: give their logs"
head -c 300000 /dev/urandom >noise
run 2 ordo-net judge noise && complains_once "noise: no offset of"
run 2 ordo-net judge noise /dev/null --json && json '.error.code == 2'
run 64 ordo-net judge && complains_once "no file: give logs of"
run 64 ordo-net judge absent good.log && complains_once "absent: No such file or directory"
mkdir folder
run 64 ordo-net judge folder && complains_once "folder: is a folder: give the files in it"
run 64 ordo-net judge good.log --max-offset 5 && complains_once "--max-offset '5': not a time with a unit"
run 64 ordo-net judge good.log --percent 99 && complains_once "--percent 99: concerns --max-offset: give that too"
xz -c good.log >good.log.xz 2>/dev/null && run 64 ordo-net judge good.log.xz && complains_once "good.log.xz: is compressed by xz, which this program cannot read: unpack it with unxz"
zstd -q good.log -o good.zst 2>/dev/null && run 0 ordo-net judge good.zst --max-offset 10ns
run 64 ordo-net evaluate linuxptp && complains_once "'ordo-lab evaluate' runs a daemon, and 'ordo-net judge FILE...' judges logs"
run 0 ordo-net evaluate linuxptp good.log && says "1000 readings"

# --- many findings are counted, and the first ones listed
for ((i = 0; i < 3000; i++)); do
    line $((10000 + i)) $((i % 2 * 5000)) 2 600
done >many.log
run 1 ordo-net judge many.log --max-offset 1us && says "... and 960 more: --all prints them" && matches "1500 offset-limit"
run 1 ordo-net judge many.log --max-offset 1us --json && json '.findings | length == 1000' && json '.finding_counts["offset-limit"] == 1500'

# --- memory does not grow with the log
peak() { /usr/bin/env python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"; }
for ((i = 0; i < 40; i++)); do sed "s/\[/[$i/" bad.log; done >long.log
few=$(peak ordo-net judge bad.log) many=$(peak ordo-net judge long.log)
[ "$many" -lt $((few + few / 10 + 400)) ] || fail "40 times the log takes $many KiB instead of $few KiB"

# --- the picture
if command -v gnuplot >/dev/null; then
    run 1 ordo-net judge bad.log tracking.log --max-offset 1us --svg judged.svg
    grep -q '</svg>' judged.svg && grep -q 'chronyd tracking' judged.svg || fail "the picture is not whole, or lacks a series"
fi
run 70 ordo-net judge good.log --svg absent/judged.svg && complains_once absent
exit $((failures > 0))
