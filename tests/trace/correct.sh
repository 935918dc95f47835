#!/bin/bash
# correct.sh SOURCE BIN: tests ordo-trace correct on traces whose true times are known, in every form, and its errors
# about bad traces.
set -u
source=$1 bin=$2
. "$(dirname "$0")/../kit.sh"
work=$scratch shown=()
cd "$work" || exit 1

correct() { "$bin/ordo-trace" correct "$@"; }
for python in python3 /usr/bin/python3 none; do "$python" -c 'import numpy' 2>/dev/null && break; done
[ "$python" != none ] || { echo "numpy is missing: install python3-numpy"; exit 77; }
judge() { "$python" "$source/tests/trace/judge.py" "$@"; }

# refused CODE WORDS ARGUMENT...: the command must exit with CODE, print one line that contains WORDS, and leave no
# file.
refused() {
    local code=$1 words=$2 said
    shift 2
    rm -f refused.out refused.out.staged-*
    said=$(correct --max-wander-ppb 200 -o refused.out "$@" 2>&1 >/dev/null)
    local got=$?
    [ $got = "$code" ] || fail "$*: exit $got, not $code: $said"
    [ "$(printf '%s\n' "$said" | wc -l)" = 1 ] || fail "$*: more than one line: $said"
    [[ $said == *"$words"* ]] || fail "$*: '$words' is not in: $said"
    [ -z "$(ls refused.out* 2>/dev/null)" ] || fail "$*: left a file behind"
}

# A cluster of 64 ranks for ten minutes, with fewer messages than in the soak.
"$bin/make-trace" . messages=20000 collectives=20 || exit 1
methods=$("$bin/ordo-trace" correct --list | awk '$1 == "method" { print $2 }')
for method in $methods; do
    correct --sync sync.csv --method $method --max-wander-ppb 200 -o $method.csv trace.csv >$method.txt || fail "$method: exit $?"
    read -r count worst mean outside < <(judge $method.csv)
    [ "$count" = 42560 ] || fail "$method: $count events came out"
    [ "$outside" = 0 ] || fail "$method: $outside of $count events are outside of their bounds"
    declare "${method//-/_}=$worst"
done
[ $((2 * interval)) -le "$linear" ] || fail "interval: worst error $interval ns, linear $linear ns"
[ "$interval" -le "$spline" ] && [ "$spline" -le "$linear" ] || fail "worst errors: $interval, $spline, $linear ns"
judge --linear linear.csv sync.csv || fail "linear: is not the least-squares solution"

# After the repair no message is received before it is sent, and local intervals keep their length.
grep -q ' 0 after;' spline.txt && fail "spline: nothing to repair, so the next test would test nothing"
for method in spline linear; do
    correct --causal --sync sync.csv --method $method --max-wander-ppb 200 -o causal.csv trace.csv >causal.txt || fail "--causal: exit $?"
    judge --order causal.csv || fail "--causal after $method: messages violate"
    judge --lengths causal.csv $method.csv 0.0001 || fail "--causal after $method: intervals are changed"
    [ "$(grep -c ' 0 after' causal.txt)" = 2 ] || fail "--causal after $method: $(cat causal.txt)"
done

# Prefix reductions: in every form of trace, no rank leaves before the lower ranks have entered.
"$python" - <<'END' || fail "no scans"
import random
random.seed(5)
rows, bad = [], 0
for number in range(200):
    at = 1000000 * (number + 1)
    begins = [at + random.randrange(2000) for _ in range(6)]
    ends = [b + random.randrange(3000) for b in begins]
    bad += any(ends[j] < max(begins[:j]) for j in range(1, 6))
    name = random.choice(["MPI_Scan", "MPI_Exscan"])
    for rank in range(6):
        rows += [(begins[rank], rank, "begin", name), (ends[rank] + 1, rank, "end", name)]
    rows.sort()
with open("scans.csv", "w") as file:
    file.write("rank,time_ns,kind,name\n")
    file.writelines(f"{rank},{time},{kind},{name}\n" for time, rank, kind, name in rows)
with open("same.csv", "w") as file:
    file.write("session,rank,send_ns,master_ns,receive_ns\n")
    file.writelines(f"{s},{rank},{s * 10**9},{s * 10**9 + 50},{s * 10**9 + 100}\n" for s in (0, 1) for rank in range(1, 6))
open("bad", "w").write(str(bad))
END
correct --sync same.csv -o scans.out scans.csv >scans.txt && grep -q "^collectives: 200, .*: [0-9]* before, $(cat bad) after" scans.txt ||
    fail "scans: $(cat scans.txt), not $(cat bad)"
[ "$(cat bad)" -gt 50 ] || fail "scans: nothing to repair"
correct --causal --stretch 0.01 --sync same.csv -o scans.out scans.csv >scans.txt && grep -q "^collectives: 200, .* 0 after" scans.txt ||
    fail "scans after --causal: $(cat scans.txt)"
"$python" - <<'END' || fail "scans: a rank leaves before the lower ranks have entered"
import csv
begins, ends = {}, {}
for row in csv.DictReader(open("scans.out")):
    (begins if row["kind"] == "begin" else ends).setdefault(int(row["rank"]), []).append(int(row["global_ns"]))
assert all(ends[j][k] >= max(begins[i][k] for i in range(j)) for j in range(1, 6) for k in range(200))
END

# Messages in one direction to a clock whose rate is off by 200 ppm, because there is only one session: each message
# needs a slightly larger shift than the previous one.
awk 'BEGIN {print "rank,time_ns,kind,peer,tag"
    for (i = 1; i <= 3000; i++) printf "0,%d,send,1,7\n1,%d,recv,0,7\n", i * 1000003, i * 1000003 * (1 - 2e-4) + 777}' >oneway.csv
printf 'session,rank,send_ns,master_ns,receive_ns\n0,1,3,501,1001\n' >first.csv
correct --causal --sync first.csv -o oneway.out oneway.csv >oneway.txt || fail "messages in one direction: exit $?"
judge --order oneway.out || fail "messages in one direction: violate after --causal"
grep -q '^repair: .* ns$' oneway.txt || fail "messages in one direction: more stretch than was given: $(tail -n 1 oneway.txt)"

# An impossible trace: each of two ranks answers before it is asked. A trace that is possible, but not within --stretch,
# gets another message, whose remedy works.
printf '%s\n' rank,time_ns,kind,peer,tag 0,1001,recv,1,1 0,5003,send,1,2 1,90007,recv,0,2 1,90009,send,0,1 >loop.csv
refused 1 "on ranks 0 and 1: an event happens before itself, and no repair exists" --causal --stretch 0.5 --sync same.csv loop.csv
printf '%s\n' rank,time_ns,kind,peer,tag 0,1000001,send,1,1 1,999001,recv,0,1 1,1009001,send,0,2 0,1008001,recv,1,2 >early.csv
refused 1 "intervals would change by 0.112 of their length, and 0.0001 is allowed: allow more with --stretch" --causal --sync same.csv early.csv
correct --causal --stretch 0.112 --sync same.csv -o early.out early.csv >/dev/null || fail "the stretch in the message is not enough: exit $?"
judge --order early.out || fail "early messages violate after --causal"
printf '%s\n' rank,time_ns,kind,peer,tag 0,1000001,send,1,1 1,999001,recv,0,1 1,10996001,send,0,2 0,10995001,recv,1,2 >border.csv
refused 1 "intervals would change by 0.000101 of their length, and 0.0001 is allowed: allow more" --causal --sync same.csv border.csv
correct --causal --stretch 0.000101 --sync same.csv -o early.out border.csv >/dev/null || fail "a little more stretch is not enough: exit $?"

# Without sessions the bounds come from the messages alone, also for ranks that never exchange a message with rank 0.
correct --max-wander-ppb 200 -o messages.csv trace.csv >messages.txt || fail "by messages: exit $?"
read -r count worst mean outside < <(judge messages.csv)
[ "$outside" = 0 ] || fail "by messages: $outside events are outside of their bounds"
"$bin/make-trace" . ranks=6 seconds=60 messages=6000 collectives=10 split=1 chain=1
correct --max-wander-ppb 200 -o chain.csv trace.csv >/dev/null || fail "by messages along a chain: exit $?"
read -r count worst mean outside < <(judge chain.csv)
[ "$outside" = 0 ] || fail "along a chain: $outside events are outside of their bounds"

# Correct traces without sessions, with random clocks and latencies: for every method the bounds contain the true time
# and the estimate, and the global time of a rank never runs backwards.
"$python" "$source/tests/trace/honest.py" --write 24 || fail "no honest traces"
for method in $methods; do
    for seed in {1..24}; do
        correct --method $method -o honest.$seed.$method.out honest.$seed.csv >/dev/null || fail "honest.$seed by $method: exit $?"
    done
done
"$python" "$source/tests/trace/honest.py" --judge honest.*.out || fail "honest traces"
for seed in {1..24}; do
    for twin in $seed $seed.threads; do
        correct --causal -o honest.$twin.repaired honest.$twin.csv >/dev/null || fail "honest.$twin --causal: exit $?"
    done
done
"$python" "$source/tests/trace/honest.py" --repaired honest.*.repaired || fail "honest traces after --causal"

# Exchanges that overlap and are asymmetric in opposite directions: the middles of the first two exchanges give a rate
# that is far too large.
printf '%s\n' session,rank,send_ns,master_ns,receive_ns 0,1,3,1900001,2000007 0,1,100001,200003,2100009 1,1,2200001,4100003,4200007 \
    1,1,2300001,2400003,4300001 >steep.sync.csv
{ echo rank,time_ns; for ((at = 1; at < 4000000; at += 997)); do echo "1,$at"; done; } >steep.csv
for method in $methods; do
    for sessions in 3 5; do
        head -n $sessions steep.sync.csv >some.csv
        correct --method $method --sync some.csv -o steep.out steep.csv >/dev/null || fail "steep, $method: exit $?"
        awk -F, 'NR > 2 && $3 < last {exit 1} {last = $3}' steep.out || fail "steep, $method: global time runs backwards"
    done
done

# The granule of a rank, also of rank 0, is the unit of its times. The bounds contain the truth, no wrong order is
# certain, and times with all digits keep narrow bounds. Rank 0 writes whole microseconds, rank 1 multiples of 40 ns,
# rank 2 nanoseconds.
"$python" - <<'END' || fail "no trace of coarse clocks"
import random
random.seed(16)
steps, offsets, rates = (1000, 40, 1), (0, 7000003, -912345), (0, 12e-6, -9e-6)
def read(rank, true_ns, step=None):
    step = step or steps[rank]
    return int(true_ns + offsets[rank] + rates[rank] * true_ns) // step * step
with open("steps.sync.csv", "w") as file:
    file.write("session,rank,send_ns,master_ns,receive_ns\n")
    for session in range(3):
        for rank in (1, 2):
            for k in range(20):
                at = session * 60 * 10**9 + 10**6 * (2 * k + rank)
                file.write(f"{session},{rank},{read(rank, at)},{read(0, at + 900, 1)},{read(rank, at + 1700)}\n")
with open("steps.csv", "w") as file:
    file.write("rank,time_ns,name,true_ns\n")
    for at in sorted(random.randrange(120 * 10**9) for _ in range(9000)):
        rank = random.randrange(3)
        file.write(f"{rank},{read(rank, at)},e,{at}\n")
END
correct --sync steps.sync.csv --max-wander-ppb 1 -o steps.out steps.csv >/dev/null || fail "coarse clocks: exit $?"
"$python" - <<'END' || fail "coarse clocks: bounds do not hold the truth, or are wider than they have to be"
import csv
rows = [[int(r[k]) for k in ("rank", "true_ns", "earliest_ns", "latest_ns")] for r in csv.DictReader(open("steps.out"))]
assert all(early <= true <= late for _, true, early, late in rows)
rows.sort(key=lambda row: row[1])
assert all(a[2] <= b[3] for i, a in enumerate(rows) for b in rows[i:i + 20])
least = [min(late - early for r, _, early, late in rows if r == rank) for rank in range(3)]
assert least[0] == 1000 and 40 < least[1] < 3000 and least[2] < 3000, least
END
correct --granule 3000 --sync steps.sync.csv --max-wander-ppb 1 -o told.out steps.csv >/dev/null || fail "a granule that is told: exit $?"
[ "$(awk -F, '$1 == "0" {print $7 - $6}' told.out | sort -u)" = 3000 ] || fail "a granule that is told is not that of rank 0"

# While a coarse clock shows one time, its offset changes. Here the rate of a clock is off by 400 ppm and its events
# have whole milliseconds; each event happens up to 10 ns before the clock's next tick. The bounds contain the truth,
# and no message is certainly received before it was sent. In the sessions, the clock of the rank, the clock of rank 0,
# both or neither are coarse.
"$python" - <<'END' || fail "no trace of a coarse clock that drifts"
from fractions import Fraction
for name, rate in (("slow", Fraction(9996, 10000)), ("fast", Fraction(10004, 10000))):
    def read(true_ns, step):
        return int(true_ns * rate) // step * step
    for sessions, step, masters in (("exact", 1, 1), ("rough", 10**6, 1), ("master", 1, 10**6), ("both", 9 * 10**5, 10**6)):
        with open(f"{name}.{sessions}.sync.csv", "w") as file:
            file.write("session,rank,send_ns,master_ns,receive_ns\n")
            for at in (s * 60 * 10**9 + k * 1100003 for s in range(3) for k in range(20)):
                file.write(f"{at // 10**10},1,{read(at, step)},{(at + 10) // masters * masters},{read(at + 20, step)}\n")
    with open(f"{name}.drift.csv", "w") as file:
        file.write("rank,time_ns,kind,peer,tag,true_ns\n")
        for number in range(1500):
            at = int((number * 79 + 23) * 10**6 / rate) - number % 10
            file.write(f"0,{at - 1},send,1,{number},{at - 1}\n1,{read(at, 10**6)},recv,0,{number},{at}\n")
END
# Exchanges that end just before a tick of the slow clock: between the shown reading and the true time, its offset has
# fallen.
"$python" - <<'END' || fail "no trace of ticks"
from fractions import Fraction
rate, tick = Fraction(9996, 10000), 10**6
with open("ticks.sync.csv", "w") as sync, open("ticks.csv", "w") as trace:
    sync.write("session,rank,send_ns,master_ns,receive_ns\n")
    trace.write("rank,time_ns,kind,true_ns\n")
    for number in range(3):
        for reading in range(number * 60000 + 5, number * 60000 + 9):
            received = int(((reading + 1) * tick - 1) / rate)
            sync.write(f"{number},1,{reading * tick},{received - 10},{reading * tick}\n")
            trace.write(f"1,{reading * tick},event,{-int(-reading * tick // rate)}\n1,{reading * tick},event,{received}\n")
END
correct --max-wander-ppb 0.1 --granule 1000000 --sync ticks.sync.csv -o ticks.out ticks.csv >/dev/null || fail "ticks: exit $?"
read -r count worst mean outside < <(judge ticks.out)
[ "$outside" = 0 ] || fail "ticks: $outside of $count events are outside of their bounds"
for name in slow fast; do
    for sessions in exact rough master both; do
        correct --sync $name.$sessions.sync.csv -o drift.out $name.drift.csv >drift.txt || fail "$name clock, $sessions sessions: exit $?"
        read -r count worst mean outside < <(judge drift.out)
        [ "$outside" = 0 ] || fail "$name clock, $sessions sessions: $outside of $count events are outside of their bounds"
        grep -q ' after; 0 whatever' drift.txt || fail "$name clock, $sessions sessions: $(tail -n 2 drift.txt)"
        awk -F, -v bound="$(awk '$1 == 1 && NF == 8 {print $8}' drift.txt)" '$1 == 1 && ($9 - $8) / 2 > bound {exit 1}' drift.out ||
            fail "$name clock, $sessions sessions: the bound of the report does not hold"
    done
done

# The granule of a rank follows from all its times, and applies from its first event on, also in the report: here rank 1
# has steps of 4 ms, which appear late in the file. If a span begins at a whole microsecond, a finer length of the span
# does not make the granule finer.
{ echo rank,time_ns,kind,peer,tag; for ((at = 1; at <= 5000; at++)); do echo "0,$((at * 1001)),event,,"; done
  for ((at = 3; at < 9; at++)); do echo "1,$((at * 4000000 + 996000000)),event,,"; done; } >late.csv
printf 'session,rank,send_ns,master_ns,receive_ns\n0,1,3,501,1001\n1,1,2000000003,2000000501,2000001001\n' >late.sync.csv
cat late.csv - >late.messages.csv <<END
0,996000000,send,1,1
1,1000000000,recv,0,1
1,1004000000,send,0,2
0,1010000001,recv,1,2
END
for sync in "--sync late.sync.csv late.csv" late.messages.csv; do
    correct -o late.out $sync >late.txt || fail "late events, $sync: exit $?"
    awk -F, -v bound="$(awk '$1 == 1 && NF == 8 {print $8}' late.txt)" '$1 == 1 && ($8 - $7 < 4e6 || (bound > 0 && ($8 - $7) / 2 > bound)) {exit 1}' late.out ||
        fail "late events, $sync: the granule is not that of all times: $(cat late.txt; tail -n 6 late.out)"
done
# Without sessions, the granule of a rank widens one side of the bounds on its offset, and the granule of the other rank
# the other side.
awk -F, '$1 == 1 && $8 - $7 > 19e6 {exit 1}' late.out || fail "late events by messages: a granule counts twice: $(tail -n 4 late.out)"
printf '[{"ph":"X","name":"a","pid":0,"tid":0,"ts":11,"dur":2.253},{"ph":"X","name":"b","pid":0,"tid":0,"ts":18,"dur":3.001}]' >spans.json
correct --sync late.sync.csv --to csv -o spans.out spans.json >/dev/null || fail "spans in microseconds: exit $?"
[ "$(awk -F, 'NR > 1 {print $NF - $(NF - 1)}' spans.out | sort -u)" = 1000 ] || fail "spans in microseconds: $(cat spans.out)"

# Forms: several files give the same result as one file, and so does a trace that was converted to another form.
sync="--sync sync.csv --max-wander-ppb 200"
correct $sync -o one.csv trace.csv >/dev/null && correct $sync -o many.csv rank.*.csv >/dev/null || fail "many files: not corrected"
cmp -s <(sort one.csv) <(sort many.csv) || fail "six files give another result than one"
correct $sync --to jsonl -o one.jsonl trace.csv >/dev/null || fail "to jsonl"
sed 's/,"global_ns".*/}/' one.jsonl >plain.jsonl
correct $sync --to csv -o back.csv plain.jsonl >/dev/null || fail "from jsonl"
cmp -s <(cut -d, -f1-2 one.csv; rev one.csv | cut -d, -f1-3) <(cut -d, -f1-2 back.csv; rev back.csv | cut -d, -f1-3) ||
    fail "by way of JSON Lines another trace comes out"
correct $sync --causal --to chrome -o one.json trace.csv >/dev/null || fail "to chrome"
[ "$(judge --chrome one.json)" = "B E X f s 6000" ] || fail "Chrome: $(judge --chrome one.json)"
sed 's/^rank,time_ns,/node,clock,/' trace.csv >named.csv
correct $sync --column rank=node --column time_ns=clock -o named.out named.csv >/dev/null || fail "renamed columns"
cmp -s <(sed 1d named.out) <(sed 1d one.csv) || fail "renamed columns give another trace"
correct $sync -o - trace.csv 2>/dev/null | cmp -s - one.csv || fail "stdout differs from a file"
correct $sync --offsets offsets.csv -o one.csv trace.csv >/dev/null || fail "offsets"
[ "$(head -n 1 offsets.csv)" = location,local_ns,offset_ns,standard_deviation_ns ] || fail "offsets: $(head -n 1 offsets.csv)"
[ "$(cut -d, -f1 offsets.csv | sort -u | wc -l)" = 7 ] || fail "offsets: not of six ranks"

# The binary form of Ordo contains the sessions; here its clocks are 2 s ahead. The trace of a killed rank is refused,
# except by `info`.
correct --max-wander-ppb 200 -o own.csv rank.*.otrace >own.txt || fail "binary: exit $?"
grep -q 'corrected by the sessions in the trace' own.txt || fail "binary: $(cat own.txt)"
awk -F, 'NR > 1 {print $1, $3, $12, $13, $14}' own.csv | sort >own.times
awk -F, 'NR > 1 {print $1, $3, $8}' one.csv | sort >true.times
"$python" - <<'END' || fail "binary: the truth is not in the bounds"
own = sorted((int(r), k, int(g) - 2 * 10**9, int(e) - 2 * 10**9, int(l) - 2 * 10**9) for r, k, g, e, l in map(str.split, open("own.times")))
true = sorted((int(r), k, int(t)) for r, k, t in map(str.split, open("true.times")))
assert len(own) == len(true) > 6000
assert all(a[:2] == b[:2] and a[3] <= b[2] <= a[4] for a, b in zip(own, true))
END
[ "$(awk -F, '$1 == 0 {print $14 - $13}' own.csv | sort -u)" = 1 ] || fail "binary: a clock of nanoseconds is not read to 1 ns"
"$bin/ordo-trace" stats --max-wander-ppb 200 rank.*.otrace | grep -q '^MPI_Allreduce  *60 ' || fail "stats of our own form"
cp rank.0.otrace rank0.otrace
"$bin/make-trace" . ranks=6 seconds=60 messages=60 split=1 seed=9
refused 64 "rank.1.otrace: is of another run than rank0.otrace" rank0.otrace rank.1.otrace
"$bin/make-trace" . ranks=6 seconds=60 messages=60 split=1 granule_ticks=500
correct --max-wander-ppb 200 -o stepped.csv rank.*.otrace >/dev/null || fail "binary with a granule: exit $?"
[ "$(awk -F, '$1 == 0 {print $14 - $13}' stepped.csv | sort -u)" = 500 ] || fail "binary: the granule that the file says is not taken"
"$bin/make-trace" . ranks=6 seconds=60 messages=6000 collectives=10 split=1 chain=1
head -c 3000 rank.1.otrace >cut.otrace
refused 64 "cut.otrace: byte " rank.0.otrace cut.otrace
"$bin/ordo-trace" info cut.otrace | grep -q "not closed: the rank was killed" || fail "info of a trace that was cut"
{ head -c 1000 rank.1.otrace; printf x; tail -c +1002 rank.1.otrace; } >bad.otrace
refused 64 "bad.otrace: byte " rank.0.otrace bad.otrace
{ head -c 64 rank.1.otrace; head -c 24 /dev/zero | tr '\0' '\377'; tail -c +89 rank.1.otrace; } >bad.otrace
refused 64 "bad.otrace: byte 0: its head is damaged" rank.0.otrace bad.otrace
refused 64 "rank.1.otrace: is of rank 1, and so is cut.otrace" cut.otrace rank.1.otrace

# The files of a trainer of neural networks: the rank is in the file, or is the position of the file. Unknown members
# are passed on.
printf '{"distributedInfo":{"rank":1},"traceEvents":[{"ph":"M","name":"process_name","pid":7,"tid":0,"args":{"name":"x"}},
{"ph":"X","cat":"kernel","name":"a\\"b","pid":7,"tid":3,"ts":1000.5,"dur":2.25,"args":{"stream":7}},
{"ph":"C","name":"memory","pid":7,"tid":3,"ts":1001,"args":{"bytes":1}}' >one.trace
printf '[{"ph":"B","name":"c","pid":9,"tid":0,"ts":10},{"ph":"E","pid":9,"tid":0,"ts":20,"name":"c"}]' >zero.trace
printf 'session,rank,send_ns,master_ns,receive_ns\n1,1,1000000,5000000,1000200\n2,1,61000000000,61004000000,61000000200\n' >two.csv
correct --sync two.csv -o trainer.json zero.trace one.trace >/dev/null || fail "trainer: exit $?"
judge --chrome trainer.json >/dev/null || fail "trainer: is no Chrome JSON"
"$python" - <<'END' || fail "trainer: $(cat trainer.json)"
import json
events = {e["name"]: e for e in json.load(open("trainer.json"))["traceEvents"]}
x = events['a"b']
assert x["pid"] == 7 and x["tid"] == 3 and x["cat"] == "kernel" and x["args"]["stream"] == 7 and x["dur"] == 2.25
names = {e["pid"]: e["args"] for e in json.load(open("trainer.json"))["traceEvents"] if e["name"][:8] == "process_"}
assert names == {7: {"name": "rank 1: x"}, 9: {"labels": "rank 0: pid 9"}}, names
assert abs(x["ts"] - 5000.4) < 0.2 and abs(events["memory"]["ts"] - 5000.9) < 0.2 and events["memory"]["args"] == {"bytes": 1}
END

# An error names the file, the row and the remedy, and leaves no file.
bad() { { head -n 100 trace.csv; echo "$1"; sed -n 101,200p trace.csv; } >bad.csv; }
bad '1,2,send'
refused 64 "bad.csv: row 101: has 3 fields" --sync sync.csv bad.csv
bad '1,12x4,send,,2,0,0,1'
refused 64 "bad.csv: row 101: time_ns is '12x4', and not whole nanoseconds" --sync sync.csv bad.csv
bad '1,99999999999999999999,send,,2,0,0,1'
refused 64 "bad.csv: row 101: time_ns is" --sync sync.csv bad.csv
bad '-1,5,send,,2,0,0,1'
refused 64 "bad.csv: row 101: rank is '-1'" --sync sync.csv bad.csv
bad '1,5,sent,,2,0,0,1'
refused 64 "bad.csv: row 101: kind is 'sent'" --sync sync.csv bad.csv
bad '1,5,send,,,0,0,1'
refused 64 "bad.csv: row 101: a send has no peer" --sync sync.csv bad.csv
bad '1,5,begin,"a,,0,0,1'
refused 64 "bad.csv: row 101: field 4 has quotes" --sync sync.csv bad.csv
bad '77,5,begin,a,,0,0,1'
refused 1 "bad.csv: row 101: nothing is known of the clock of rank 77" --sync sync.csv bad.csv
sed 's/^rank,/rang,/' trace.csv >bad.csv
refused 64 "bad.csv: row 1: has no column rank: name the one that it is with --column" bad.csv
head -n 1 trace.csv >bad.csv
refused 64 "bad.csv: row 2: is missing: the trace has no event" --sync sync.csv bad.csv
refused 1 "bad.csv: row 2: 0 sessions, and no message between ranks and no collective of several: name a file" bad.csv
: >bad.csv
refused 64 "bad.csv: row 1: is no trace" --sync sync.csv bad.csv
refused 64 "one.csv: row 2: is in global time already" --sync sync.csv one.csv
refused 64 "one.json: row 1: is in global time already" --sync sync.csv one.json
refused 64 "absent.csv: No such file" absent.csv
head -n 1 sync.csv >none.csv
refused 64 "none.csv: row 2: is missing: 0 sessions; leave --sync out" --sync none.csv trace.csv
{ cat sync.csv; echo 1,2,3,4; } >bad.csv
refused 64 "bad.csv: row $(wc -l <bad.csv): is no exchange" --sync bad.csv trace.csv
{ cat sync.csv; echo 1,0,3,4,5; } >bad.csv
refused 64 "rank 0 is the master" --sync bad.csv trace.csv
printf '{"rank":0,"time_ns":1}\n{"rank":0,"time_ns":}\n' >bad.jsonl
refused 64 "bad.jsonl: row 2: is no object of JSON" --sync sync.csv bad.jsonl
printf '{"rank":0,"time_ns":1}\n{"rank":0}\n' >bad.jsonl
refused 64 "bad.jsonl: row 2: has no time_ns" --sync sync.csv bad.jsonl
printf '[{"ph":"B","name":"c","pid":0,"tid":0,"ts":10},{"ph":"B","name"' >bad.json
refused 64 "bad.json: row 2: the file ends within it" --sync sync.csv bad.json
cp one.trace again.trace
refused 64 "again.trace: is of rank 1, and so is one.trace" --sync two.csv zero.trace one.trace again.trace

# The error about a clock that steps names its rank and the time. A clock whose rate changes within the declared wander
# causes no error.
"$bin/make-trace" . ranks=4 seconds=600 messages=1000 step_ns=1000000 step_at_s=330 step_rank=2
refused 1 "rank 2: its clock stepped by about 9" --sync sync.csv trace.csv
said=$(correct --max-wander-ppb 200 -o refused.out --sync sync.csv trace.csv 2>&1)
read -r from to < <(sed -E 's/.*between (-?[0-9]+) and (-?[0-9]+) ns.*/\1 \2/' <<<"$said")
[ $((to - from)) -lt 61000000000 ] && [ $((to - from)) -gt 59000000000 ] || fail "the step is not between two sessions: $said"

# The error about a clock that is set also names its rank and the time, whether the clock is set back, so that some of
# its times come twice, or ahead, and whether the step shows in the messages alone or between two sessions.
for step_ns in -300000000 300000000; do
    "$bin/make-trace" . ranks=2 seconds=20 messages=2000 every=5 step_ns=$step_ns step_at_s=11 step_rank=1
    read -r before after < <(awk -F, '$1 == 1 {if (last && ($2 < last || $2 > last + 2e8)) print last, $2; last = $2}' trace.csv)
    for sync in "" "--sync sync.csv"; do
        said=$(correct --max-wander-ppb 200 $sync -o refused.out trace.csv 2>&1) && fail "a clock that is set by $step_ns ns, $sync: exit 0"
        read -r by from to < <(sed -E 's/.*rank 1: .* by about (-?[0-9]+) ns between (-?[0-9]+) and (-?[0-9]+) ns.*/\1 \2 \3/' <<<"$said")
        off=$((by - step_ns)) low=$((before < after ? before : after)) high=$((before < after ? after : before))
        [ ${off#-} -lt 1000000 ] || fail "a clock that is set by $step_ns ns, $sync: $said"
        [ $from -le $high ] && [ $to -ge $low ] || fail "a clock that is set between $before and $after, $sync: $said"
        [ -n "$sync" ] || { [ $((low - from)) -lt 100000000 ] && [ $((to - high)) -lt 100000000 ]; } ||
            fail "a clock that is set between $before and $after: $said"
    done
done

exit $((failures > 0))
