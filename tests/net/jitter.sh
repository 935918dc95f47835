#!/bin/bash
# jitter.sh BIN: tests ordo-net jitter: lists of edges, signals of any length, and what tools that record pulses print.
set -u
bin=$1
. "$(dirname "$0")/../kit.sh"
PATH=$bin:$PATH

# --- jitter: white noise in the periods, noise in the edges, and a file that is no list of edges
LC_ALL=C awk 'BEGIN { srand(1); for (i = 0; i < 3000; i++) printf "%.3f\n", at += 8000 + 30 * (rand() + rand() + rand() - 1.5) }' >"$scratch/white"
LC_ALL=C awk 'BEGIN { srand(1); for (i = 1; i < 3000; i++) printf "%.3f # late\n\n", 8000 * i + 30 * (rand() + rand() + rand()) }' >"$scratch/edges"
run 0 ordo-net jitter --absolute-ps 300 --period-ps 8000 --span-ps 3536000 && says 20.18 && says "assuming white noise"
run 0 ordo-net jitter --absolute-ps 300 --period-ps 8000 --span-ps 3536000 --json
json '.converted.cycle_to_cycle_ps > 20.175 and .converted.cycle_to_cycle_ps < 20.185 and (has("measured") | not)'
run 0 ordo-net jitter "$scratch/white" --json
json '.measured.white and .measured.periods == 2999 and .measured.span_cycles == 29 and .measured.cycle_ps > 14 and .measured.cycle_ps < 16'
json '.converted.cycle_ps / .measured.cycle_ps | . > 0.6 and . < 1.4'
run 1 ordo-net jitter "$scratch/edges" && says "NOT WHITE, so no conversion"
run 1 ordo-net jitter "$scratch/edges" --json
json '(has("converted") | not) and .measured.neighbours_correlation < -0.4'
echo 8000.5 | ordo-net jitter - --periods >"$scratch/out" 2>"$scratch/err"
[ $? -eq 2 ] && complains_once "-: 1 period: give at least 100" || fail "one period is enough"
head -n 50 "$scratch/white" >"$scratch/few"
run 2 ordo-net jitter "$scratch/few" && complains_once "49 periods"
run 2 ordo-net jitter "$scratch/white" --span-cycles 2000 && complains_once "twice the span"
run 64 ordo-net jitter && complains_once "give a file, or all of --absolute-ps"
run 64 ordo-net jitter "$scratch/white" --period-ps 8000 && complains_once "give a file, or"
run 64 ordo-net jitter "$scratch/absent" && complains_once "No such file"
for line in -5 1e3 8.0001 eight 5. 99999999999999999999999999999999999999; do
    printf '1\n%s\n' "$line" >"$scratch/wrong"
    run 64 ordo-net jitter "$scratch/wrong" && complains_once ":2: '$line' is not a time in ps"
done
printf '5\n5\n' >"$scratch/wrong"
run 64 ordo-net jitter "$scratch/wrong" && complains_once ":2: 5 ps is not after the edge before"
printf '5\n0\n' >"$scratch/wrong"
run 64 ordo-net jitter "$scratch/wrong" --periods && complains_once ":2: a period of 0 ps"

# --- signals of any length: 1 Hz for a day and for ten years, a pulse a minute, and two million seconds
even() { LC_ALL=C awk -v count="$1" -v zeros="$2" 'BEGIN { srand(3); for (i = 0; i < count; i++) printf "%d%0*d\n", i + 1, zeros, int(40000 * rand()) }'; }
even 86400 12 >"$scratch/day"
run 1 ordo-net jitter "$scratch/day" --json
json '.measured | .periods == 86399 and .cycle_ps > 16000 and .cycle_ps < 16700 and .edge_rms_ps > 11300 and .edge_rms_ps < 11800 and .missing_edges == 0'
run 1 ordo-net jitter "$scratch/day" && matches '^86399 periods of (999999999\.999|1000000000\.000)' && matches '^jitter, ns '
seq 315360000 60 315400000 | sed 's/$/.5/' >"$scratch/years"
run 0 ordo-net jitter --unit s "$scratch/years" --json && json '.period_ps == 6e13 and .measured.cycle_ps == 0'
for unit in "s 1e12" "ms 1e9" "us 1e6" "ns 1e3" "ps 1"; do
    read -r name ps <<<"$unit"
    seq 1 200 >"$scratch/plain"
    run 0 ordo-net jitter --unit "$name" "$scratch/plain" --json && json ".period_ps == $ps"
done
run 64 ordo-net jitter --unit h "$scratch/plain" && complains_once "--unit h: not one of s, ms, us, ns, ps"
printf '1\n2\n3000\n' >"$scratch/wrong"
run 64 ordo-net jitter --unit s "$scratch/wrong" && complains_once "the period after edge 2 is longer than 2300 s"
{ seq 1 1.5 9001; seq 9002 1 200000; } >"$scratch/wrong"
run 64 ordo-net jitter --unit s "$scratch/wrong" && complains_once "away from its median period"

# --- captures: 300 pulses, three of which are missing; the noise of each edge is even, +- 1 us
# capture LINE: prints the line for each pulse; in it %s is the time, %d the number, %o the offset in ns, %e in s.
pulses() {
    LC_ALL=C awk -v line="$1" 'BEGIN { srand(5); for (i = 0; i < 300; i++) {
        ns = int(2000 * rand()) - 1000
        if (i == 50 || i == 51 || i == 200) continue
        text = line
        gsub(/%s/, sprintf("%d.%09d", 1516045280 + i, 100000000 + ns), text)
        gsub(/%t/, sprintf("%d", 1516045280 + i), text)
        gsub(/%d/, i, text)
        gsub(/%o/, sprintf("% 6d", ns), text)
        gsub(/%e/, sprintf("%13.6e", ns * 1e-9), text)
        gsub(/%c/, sprintf("2009-11-30 14:%02d:%02d.%06d", 30 + int(i / 60), i % 60, 1), text)
        print text
        if (i % 7 == 0) print "noise"
    } }'
}
pulses 'source 0 - assert %s, sequence: %d - clear  0.000000000, sequence: 0' >"$scratch/ppstest"
pulses 'source 0 - assert 0.000000000, sequence: 0 - clear  %s, sequence: %d' >"$scratch/falling"
pulses 'timestamp: %t, sequence: %d, offset: %o' >"$scratch/ppswatch"
pulses '%s#%d' >"$scratch/sysfs"
pulses 'event index 0 at %s' >"$scratch/testptp"
pulses 'ts2phc[8267.465]: [ts2phc.0.config] eth0 extts index 0 at %s corr 0 src 1516045280.5 diff 0' >"$scratch/ts2phc"
pulses '%c PPS2    7 N 1 %e %e  1.000e-06' >"$scratch/refclocks"
pulses '%s chA' >"$scratch/ticc"
for name in ppstest falling ppswatch sysfs testptp ts2phc refclocks ticc; do
    form=${name/falling/ppstest}
    run 1 ordo-net jitter "$scratch/$name" --json
    json ".measured | .form == \"$form\" and .periods == 296 and .missing_edges == 3 and .ignored_lines == 43"
    json '.measured | .edge_rms_ps > 540000 and .edge_rms_ps < 610000 and .cycle_ps > 760000 and .cycle_ps < 900000'
    run 1 ordo-net jitter "$scratch/$name" && matches "^$form.*: 297 edges, 43 lines without an edge, 3 edges missing$"
    ordo-net jitter --list | grep -q "^$form " || fail "--list lacks $form"
done
[ "$(ordo-net jitter --list | wc -l)" -eq 8 ] || fail "a form of --list has no test"

# An edge that is printed twice counts once. Both edges of a pulse may be recorded.
sed p "$scratch/ppstest" >"$scratch/twice"
run 1 ordo-net jitter "$scratch/twice" --json && json '.measured.periods == 296'
sed 's/clear  0.000000000/clear  99999999999.5/' "$scratch/ppstest" >"$scratch/both"
run 1 ordo-net jitter "$scratch/both"
run 2 ordo-net jitter "$scratch/both" --clear && complains_once "0 periods"

# Several sources, a clock that is set back, and a file that is no capture
sed "s/eth0/eth1/" "$scratch/ts2phc" >"$scratch/other" && cat "$scratch/other" >>"$scratch/ts2phc"
run 64 ordo-net jitter "$scratch/ts2phc" && complains_once "has edges of the sources 'eth0:0' and 'eth1:0': choose one with --source"
run 1 ordo-net jitter "$scratch/ts2phc" --source eth1:0 --json && json '.measured.source == "eth1:0" and .measured.periods == 296'
run 2 ordo-net jitter "$scratch/ts2phc" --source eth2:0 && complains_once "0 periods"
cat "$scratch/testptp" "$scratch/testptp" >"$scratch/back"
run 64 ordo-net jitter "$scratch/back" && complains_once "the edge is before the preceding edge: the clock was set"
printf 'hello\nworld\n' >"$scratch/wrong"
run 64 ordo-net jitter "$scratch/wrong" && complains_once "neither a list of numbers nor a form of --list; it begins with 'hello'"
printf 'ptp4l[1.0]: master offset 5 s2 freq +1 path delay 3\n' >"$scratch/wrong"
run 64 ordo-net jitter "$scratch/wrong" && complains_once "neither a list of numbers nor a form of --list"
: >"$scratch/empty"
run 2 ordo-net jitter "$scratch/empty" && complains_once "0 periods: give at least 100"
head -c 300000 /dev/urandom >"$scratch/wrong"
run "64|2" ordo-net jitter "$scratch/wrong" && [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "random bytes: not one line"
run 64 ordo-net jitter "$scratch" && one_line

exit $((failures > 0))
