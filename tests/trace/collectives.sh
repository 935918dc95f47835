#!/bin/bash
# collectives.sh SOURCE BIN: traces without sessions and without messages, whose ranks take part in collectives. The
# clocks are known to the test.
set -u
source=$(realpath "$1") bin=$(realpath "$2") python=$(command -v python3) || exit 77
. "$(dirname "$0")/../kit.sh"
cd "$scratch" || exit 1

correct() { "$bin/ordo-trace" correct "$@"; }
judge() { "$python" "$source/tests/trace/collectives.py" --judge "$@"; }

# aligned NS TRACE...: corrects, and expects that all bounds hold and that no likely time is off by more than NS.
aligned() {
    local most=$1 out=out.${2##*.} worst
    shift
    correct -o "$out" "$@" >report.txt 2>error.txt || fail "$*: exit $?: $(cat error.txt)"
    read -r _ worst _ < <(judge "$out") || fail "$*: cannot be judged"
    judge "$out" >/dev/null || fail "$*: bounds do not hold"
    [ "$worst" -le "$most" ] || fail "$*: a likely time is off by $worst ns, at most $most are expected"
}

# told TEXT: the last report has this text. refused TEXT TRACE: exit 1 with one line that has TEXT, and no output.
told() { grep -qF -- "$1" report.txt || fail "'$1' is not in: $(cat report.txt)"; }
refused() {
    rm -f no.csv
    correct -o no.csv "$2" >/dev/null 2>error.txt
    [ $? = 1 ] || fail "$2: not exit 1: $(cat error.txt)"
    [ ! -e no.csv ] || fail "$2: an output was left"
    [ "$(wc -l <error.txt)" = 1 ] || fail "$2: not one line: $(cat error.txt)"
    grep -qF -- "$1" error.txt || fail "'$1' is not in: $(cat error.txt)"
}

"$python" "$source/tests/trace/collectives.py" . || fail "no traces"

# Two clocks that are 3 s apart, and 20 barriers: the shortest barrier takes 2 us.
aligned 2000 barriers.csv
told "evidence: collectives gave 20 bounds from above and 20 from below"
told "collectives: 20, left before all had entered: 20 before, 0 after"

# Calls of one rank were dropped. The calls near them are left out, and no call is paired with a wrong one.
aligned 2500 hole.csv
told "holes: 2 calls missing, "
told "first rank 1, MPI_Barrier at "

# Nor is a violation counted, or repaired, between calls that do not belong together: after a hole, or if the calls of a
# rank are in no order.
told ", left before all had entered: 40 before, 0 after"
correct --causal -o out.csv hole.csv >report.txt 2>error.txt || fail "hole.csv: no repair: $(cat error.txt)"
aligned 2500 threads.csv
told "collectives: 40, left before all had entered: 40 before, 0 after"

# A call, or its begin, is in the trace twice.
aligned 2500 twice.csv
told "holes: 0 calls missing, 2 calls left out; first rank 1, MPI_Barrier at "
told ": is in the trace twice"
told "collectives: 40, left before all had entered: 40 before, 0 after"

# Without numbers, and at regular intervals, nothing shows which call is missing.
refused "it is not certain which are missing" regular.csv
refused "contradicts other ranks: events were dropped, or the clock was set" both.csv

# With numbers every hole is exact.
aligned 4000 numbered.csv
told "holes: "
told "; first rank 1, MPI_Allreduce at 4"

# In a collective whose ranks may contribute nothing, no rank is proved to wait: such calls are no evidence, and none is
# counted as a violation.
aligned 3000 uneven.csv
told "evidence: collectives gave 20 bounds from above and 20 from below"
told "collectives: 20, left before all had entered: 20 before, 0 after"

# The root of a large collective is paired with all ranks, also if its rank is not among the lowest.
awk 'BEGIN {
    print "rank,time_ns,kind,name,root"
    for (call = 0; call < 20; call++)
        for (rank = 0; rank < 20; rank++) {
            at = call * 1000000 + rank * 5000000000
            name = call % 2 ? "MPI_Reduce" : "MPI_Bcast"
            printf "%d,%.0f,begin,%s,18\n%d,%.0f,end,%s,18\n", rank, at + rank * 10, name, rank, at + 3000 + rank * 10, name
        }
}' >root.csv
correct -o out.csv root.csv >report.txt 2>error.txt || fail "root.csv: exit $?: $(cat error.txt)"
told "collectives: 20, "

# A broadcast holds back its receivers, but not its root.
refused "rank 1: there are bounds from above only" bcast.csv
refused "and no collective of several" rootless.csv

# Profiles of kernels of NCCL: two process groups, dropped kernels, a file that is not in the order of times.
aligned 4000 nccl.0.json nccl.1.json nccl.2.json nccl.3.json
told "holes: 4 calls missing, 0 calls left out; first rank "
told ", left before all had entered: 80 before, 0 after"
"$bin/ordo-trace" stats nccl.*.json >stats.txt 2>error.txt || fail "stats: exit $?: $(cat error.txt)"
awk '/^nccl/ { waits = $(NF - 1) } END { exit !(waits > 1 && waits < 1000) }' stats.txt || fail "stats: no waits in kernels: $(cat stats.txt)"

# One profile of two devices and their host: nothing joins the host to the kernels, and all times are of one clock. A
# message joins ranks, so two processes with a message in one direction are refused.
profile() { printf '[{"ph":"X","name":"host","pid":4000,"tid":1,"ts":0,"dur":50}'
    for at in 10 30; do for device in 0 1; do
        printf ',\n{"ph":"X","name":"ncclDevKernel_AllReduce_Sum(x)","pid":%d,"tid":7,"ts":%d.001,"dur":8,"args":{"Seq":%d,"Process Group Name":"0"}}' $device $((at + device)) $at
    done; done; echo "${1-}]"; }
profile >profile.json
correct -o out.json profile.json >report.txt 2>error.txt || fail "a profile: exit $?: $(cat error.txt)"
told "5 events of one file, without sessions and messages: taken to be of one clock"
told "collectives: 2, left before all had entered: 0 before, 0 after"
correct --json -o out.json profile.json | grep -q '"source": "one_clock"' || fail "a profile: no source one_clock"
profile ',{"ph":"X","name":"s","pid":0,"tid":1,"ts":1,"dur":1,"args":{"send_to":4000}},{"ph":"X","name":"r","pid":4000,"tid":1,"ts":2,"dur":1,"args":{"recv_from":0}}' >sends.json
refused "rank 4000: there are bounds from above only" sends.json

# The files of rank 0 are missing: global time is the clock of the lowest rank, whose times are the truth then.
"$python" - <<'END' || fail "no trace without rank 0"
lines = [line.split(",") for line in open("hole.csv").read().split()]
place = lines[0].index("true_ns")
for line in lines[1:]:
    line[place] = str(int(line[place]) + 3000000000 + round(4e-6 * int(line[place])))
open("lower.csv", "w").writelines(",".join(line) + "\n" for line in lines if line[0] != "0")
END
aligned 2500 lower.csv
told "evidence: rank 0 has no events, so global time is the clock of rank 1"
correct --json -o out.csv lower.csv | grep -q '"reference_rank": 1' || fail "lower.csv: not of rank 1"

# Sessions of rank 1 only: rank 2 is corrected by its barriers with the others. Without any, it is refused.
"$python" - <<'END' || fail "no sessions"
with open("sync.csv", "w") as file:
    file.write("session,rank,send_ns,master_ns,receive_ns\n")
    for session, at in enumerate((900_000_000, 1_600_000_000)):
        own = lambda at: at + 3_000_000_000 + int(4e-6 * at)
        file.write(f"{session},1,{own(at)},{at + 1000},{own(at + 2000) + 1}\n")
END
aligned 2500 hole.csv --sync sync.csv
told "corrected by the sessions of the file"
told "evidence: ranks without sessions are corrected by messages and collectives"
correct --sync sync.csv --json -o out.csv hole.csv | grep -q '"calls_missing": 2' || fail "no evidence about rank 2"
{ cat hole.csv && echo 3,5,event,alone,0,,,5; } >alone.csv
correct --sync sync.csv -o no.csv alone.csv >/dev/null 2>error.txt && fail "a rank without evidence: no error"
grep -qF "nothing is known of the clock of rank 3" error.txt || fail "not about rank 3: $(cat error.txt)"

# The report in JSON.
correct --json -o out.csv barriers.csv >report.json || fail "--json: exit $?"
"$python" - <<'END' || fail "wrong evidence in JSON"
import json
evidence = json.load(open("report.json"))["evidence"]
assert evidence["collectives"] == 20 and evidence["calls_missing"] == 0 and evidence["first_hole"] == ""
[rank] = evidence["ranks"]
assert rank["rank"] == 1 and rank["messages"]["above"] == 0 and rank["collectives"]["below"] == 20
assert rank["collectives"]["tightest_above"] > 0
END

# Messages in one direction and collectives in the other: together they bound both sides.
{
    grep -v '^1,.*,end,' bcast.csv | grep -v '^0,.*,begin,' | head -n 1 | sed 's/$/,peer,tag/'
    grep MPI_ bcast.csv | sed 's/$/,,/'
    awk -F, '$1 == 1 && $3 == "end" { printf "1,%s,send,,,,,%s,0,4\n", $2, $8 }' bcast.csv
    awk -F, '$1 == 1 && $3 == "end" { printf "0,%.0f,recv,,,,,%s,1,4\n", $8 + 1500, $8 + 1500 }' bcast.csv
} >mixed.csv
correct -o out.csv mixed.csv >report.txt || fail "mixed.csv: exit $?"
judge out.csv >/dev/null || fail "mixed.csv: bounds do not hold"
told "one-sided: the messages of rank 1 bound its clock from below only"
told "one-sided: the collectives of rank 1 bound its clock from above only"
# --causal repairs collectives that are spans, as those of begins and ends: sessions with wide bounds place the clock of rank 1 40 us too
# early and late in turn. Lengths stay at least 0, and spans of a thread nest as they did.
"$python" - <<'END'
import json, random
random.seed(8)
spans, lines = [], ["rank,time_ns,kind,name,communicator,root"]
for i in range(400):
    base, late = 1000 * i, 40 if i // 50 % 2 else -40
    enters = [base + random.randrange(100), base + random.randrange(100)]
    for rank in (0, 1):
        shift = late if rank else 0
        begin, end = enters[rank] + shift, max(enters) + 3 + random.randrange(5) + shift
        outer = begin - random.randrange(20), end + random.randrange(20)
        inner = begin + 1, begin + 1 + random.randrange(max(1, end - begin - 1))
        for name, (a, b) in (("step", outer), ("MPI_Allreduce", (begin, end)), ("copy", inner)):
            spans.append({"ph": "X", "name": name, "pid": rank, "tid": 0, "ts": a, "dur": b - a, "args": {}})
json.dump(spans, open("spans.json", "w"))
END
printf 'session,rank,send_ns,master_ns,receive_ns\n0,1,0,100000,200000\n1,1,410000000,410100000,410200000\n' >wide.csv
correct --sync wide.csv -o plain.json spans.json >report.txt || fail "spans: exit $?"
grep -qE 'left before all had entered: [1-9][0-9]* before, [1-9][0-9]* after' report.txt || fail "there is nothing to repair: $(cat report.txt)"
correct --sync wide.csv --causal --stretch 0.1 -o repaired.json spans.json >report.txt || fail "spans, --causal: exit $?"
grep -qE 'left before all had entered: [1-9][0-9]* before, 0 after' report.txt || fail "spans are not repaired: $(cat report.txt)"
"$python" - <<'END' || fail "spans do not nest after a repair"
import json
def read(name):
    all = [e for e in json.load(open(name))["traceEvents"] if e["ph"] == "X"]
    return [(e["pid"], e["name"], round(1000 * e["ts"]), round(1000 * e["ts"]) + round(1000 * e["dur"])) for e in all]
was, now = read("plain.json"), read("repaired.json")
assert len(was) == len(now) == 2400
moved = 0
for i in range(0, len(was), 3):
    moved += was[i + 1][2:] != now[i + 1][2:]
    for group in (was, now):
        outer, call, inner = group[i:i + 3]
        assert outer[2] <= call[2] <= inner[2] <= inner[3] <= call[3] <= outer[3], (i, group[i:i + 3])
assert moved > 100, moved
END
exit $((failures > 0))
