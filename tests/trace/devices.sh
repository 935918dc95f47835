#!/bin/bash
# devices.sh SOURCE BIN: profiles of a host and its devices, whose clocks are known to the test.
set -u
source=$(realpath "$1") bin=$(realpath "$2") python=$(command -v python3) || exit 77
. "$(dirname "$0")/../kit.sh"
cd "$scratch" || exit 1

correct() { "$bin/ordo-trace" correct "$@"; }
judge() { "$python" "$source/tests/trace/devices.py" --judge "$@"; }

# corrected TRACE NS: the kernels are within NS of their true times, and the true times within the bounds.
corrected() {
    correct -o out.json "$1" >report.txt 2>error.txt || fail "$1: exit $?: $(cat error.txt)"
    judge out.json "$2" >judged.txt || fail "$1: $(cat judged.txt)"
}

# told TEXT: the last report has this text. left TRACE: the correction changes no time.
told() { grep -qF -- "$1" report.txt || fail "'$1' is not in: $(cat report.txt)"; }
left() {
    correct --json -o out.json "$@" >report.json 2>error.txt || fail "$1: exit $?: $(cat error.txt)"
    grep -qF '"changed_times": 0' report.json || fail "$1: times were changed"
}

# damaged TEXT: a file with this text is read or refused in one line; nothing crashes.
damaged() {
    printf '%s' "$1" >odd.json
    timeout 20 "$bin/ordo-trace" correct -o odd.out odd.json >report.txt 2>error.txt
    case $? in 0 | 1 | 64) ;; *) fail "exit $? for $1" ;; esac
    [ "$(wc -l <error.txt)" -le 2 ] || fail "not one line for $1: $(cat error.txt)"
}

"$python" "$source/tests/trace/devices.py" . || fail "no traces"

# A device that is 5 ms behind is moved; its neighbour, which agrees with the host, is not.
corrected behind.json 4000
told "device 0: 215 kernels, 0 without launch; begun before the launch: 215 before, 0 after"
told "agrees with its host, left as it is"
correct --no-devices -o out.json behind.json >report.txt || fail "--no-devices: exit $?"
told "215 before, 215 after"
told "left as it is, though no offset of 0 is possible"
left --no-devices behind.json

# A device that is ahead and drifts by 20 ppm.
corrected drift.json 3000
told "ended after a synchronisation returned: 3000 before, 0 after"

# Synchronisations do not state their stream: the only one is taken, and with several streams none.
corrected unnoted.json 4000
told "synchronisations taken to be of the only device or stream of the process"
left unknown.json
correct -o out.json unknown.json >report.txt
told "18 synchronisations not used"
told "offset at most 20034"

# Some synchronisations return before the only stream is idle, so none is taken to wait for it.
corrected premature.json 8000
told "71 before, 0 after; ended after a synchronisation returned: 0 before, 0 after"

# Without correlations the ids of operators join calls and kernels.
corrected external.json 4000
told "100 kernels, 0 without launch; begun before the launch: 100 before, 0 after"

# With clocks that step by 1 ms, a kernel may seem to end after the synchronisation that waited for it.
cat >coarse.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 4, "tid": 4, "ts": 1000, "dur": 1000,
 "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "pid": 4, "tid": 4, "ts": 12000, "dur": 17000,
 "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10000, "dur": 20000,
 "args": {"correlation": 1, "device": 0, "stream": 7}}
]}
END
left --granule=1000000 coarse.json

# Launches alone bound the offset from one side: the least shift is taken.
corrected launches.json 8000
told "200 before, 0 after"

# The report counts dropped launches and kernels.
correct -o out.json holes.json >report.txt || fail "holes.json: exit $?"
told "169 kernels, 41 without launch"
told "23 launches without a kernel; the first at row"

# The clock was set in the middle: no line meets the bounds.
left steps.json
correct -o out.json steps.json >report.txt
told "no straight line meets all bounds, left as it is"

# Two ranks whose kernels of NCCL align them: the kernels' times are those of the corrected devices. If the offset of a
# device is known within 900 us only, so is that of its host.
for late in 0 900000; do
    for rank in 0 1; do
        "$python" "$source/tests/trace/devices.py" --nccl $rank $late nccl.$rank.json || fail "no kernels of NCCL"
    done
    correct -o out.json nccl.0.json nccl.1.json >report.txt 2>error.txt || fail "nccl: exit $?: $(cat error.txt)"
    judge out.json 60000 >judged.txt || fail "nccl, $late ns late: $(cat judged.txt)"
    told "evidence: collectives gave"
done

# Without synchronisations nothing bounds the ends of the kernels of rank 0, and their likely ends prove nothing.
"$python" - <<'END' || fail "no trace without synchronisations"
import json
trace = json.load(open("nccl.0.json"))
trace["traceEvents"] = [event for event in trace["traceEvents"] if "Sync" not in event["name"]]
json.dump(trace, open("open.0.json", "w"))
END
correct -o out.json open.0.json nccl.1.json >report.txt 2>error.txt && fail "open: exit 0"
grep -qF "nothing is known of the clock of rank 1: there are bounds from above only" error.txt || fail "open: $(cat error.txt)"

# The sessions of a file, and devices.
printf 'session,rank,send_ns,master_ns,receive_ns\n1,1,1000,1500,2000\n2,1,900000000,900000500,900001000\n' >sync.csv
correct --sync sync.csv -o out.json behind.json >report.txt 2>error.txt || fail "--sync: exit $?: $(cat error.txt)"
told "device 0: 215 kernels"
judge out.json 4000 >judged.txt || fail "--sync: $(cat judged.txt)"

# The report in JSON is as the schema says.
correct --json -o out.json behind.json >report.json || fail "--json: exit $?"
"$python" - report.json <<'END' || fail "wrong devices in JSON"
import json, sys
devices = json.load(open(sys.argv[1]))["devices"]
one, two = devices["all"]
assert one["verdict"] == "corrected" and two["verdict"] == "agrees", devices
assert one["offset_low_ns"] <= -5000000 <= one["offset_high_ns"], one
assert one["violations_before"]["begun_before_launch"] == 215 and two["offset_ns"] == 0
END
if "$python" -c 'import jsonschema' 2>/dev/null; then
    "$python" -W ignore -m jsonschema -i report.json "$source/doc/schemas/ordo-trace-1.json" || fail "the schema refuses the report"
fi

# A page has a row for each stream of a device, behind the threads of the host, and an arrow for each launch.
"$bin/ordo-trace" report -o page.html behind.json >out.txt 2>&1 || fail "report: $(cat out.txt)"
"$python" - page.html <<'END' || fail "wrong rows or arrows in the page"
import json, re, sys
facts = json.loads(re.search(r'id="facts"[^>]*>(.*?)</script>', open(sys.argv[1]).read(), re.S).group(1))
titles = {row[2] for row in facts["rows"] if len(row) == 4}
assert titles == {f"device {d}, stream {s}" for d in (0, 1) for s in (7, 20)}, facts["rows"]
assert 'data-odd="kernels-before"' in open(sys.argv[1]).read()
assert facts["arrows"] == 400, facts["arrows"]
assert "4000/4000" in {row[2] for row in facts["rows"] if len(row) == 3}, facts["rows"]
END
"$bin/ordo-trace" stats behind.json >out.txt 2>&1 || fail "stats: $(cat out.txt)"

# Hostile input: times and durations at the limits, correlations of every kind, devices and streams that are no numbers.
kernel() { printf '{"ph":"X","cat":"kernel","name":"k","pid":%s,"tid":%s,"ts":%s,"dur":%s,"args":{"correlation":%s,"device":%s,"stream":%s}}' "$@"; }
call() { printf '{"ph":"X","cat":"cuda_runtime","name":"%s","pid":9,"tid":9,"ts":%s,"dur":%s,"args":{"correlation":%s}}' "$@"; }
for far in 2300000000000000 -2300000000000000 9e15 1e300; do
    damaged "[$(call cudaLaunchKernel 1 1 1),$(kernel 0 7 $far 1 1 0 7),$(kernel 0 7 1 $far 1 0 7),$(call cudaDeviceSynchronize -$far 3 2),$(call cudaDeviceSynchronize $far 3 2)]"
done
damaged "[$(call cudaLaunchKernel 5 1 1),$(kernel '"a"' '"b"' 1 1 1 '"x"' '[]'),$(kernel '"a"' '"b"' 1 1 -1 '{}' null)]"
damaged "[$(call cudaLaunchKernel 5 1 1),$(call cudaLaunchKernel 50 1 1),$(kernel 0 7 1 1 1 0 7),$(call cudaMemcpy 2 1 1)]"
damaged '[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1},{"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":0,"tid":7,"ts":1,"dur":-1}]'
damaged '[{"ph":"X","cat":"cuda_sync","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{"correlation":3}},{"ph":"X","cat":"\"","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":3}]'
exit $((failures > 0))
