#!/bin/bash
# browsed.sh BIN: a trace that Chromium itself writes in Perfetto's form has as many begins, ends and events for ordo-trace as for the
# reader of perfetto.py.
set -u
bin=$1 here=$(cd "$(dirname "$0")" && pwd)
. "$here/../kit.sh"
cd "$scratch" || exit 1

browser=''
for program in chromium-headless-shell chromium google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $program)
done
if [ -z "$browser" ]; then
    echo "no browser: apt-get install chromium-headless-shell"
    exit 77
fi
page='data:text/html,<script>for(let i=0;i<1e6;i++)Math.sqrt(i)</script>'
HOME=$scratch timeout 100 "$browser" --headless --no-sandbox --disable-gpu --trace-startup --trace-startup-duration=3 --trace-startup-format=proto \
    --trace-startup-file="$scratch/trace.pftrace" --timeout=6000 --dump-dom "$page" >out 2>err
[ -s trace.pftrace ] || fail "the browser wrote no trace"
python3 "$here/perfetto.py" count trace.pftrace >counted || fail "the trace cannot be counted"
count() { awk -v type="$1" '$1 == type { n = $2 } END { print n + 0 }' counted; }
run 0 "$bin/ordo-trace" info trace.pftrace
for pair in 1:begins 2:ends 3:points; do
    grep -q " $(count "${pair%:*}") ${pair#*:}" out || fail "not $(count "${pair%:*}") ${pair#*:}"
done
[ "$(count 1)" -gt 100 ] || fail "the trace has $(count 1) begins"
run 0 "$bin/ordo-trace" correct --to chrome -o chrome.json trace.pftrace
python3 - <<'END' || fail "the events are not within a minute, or their threads have no names"
import json
events = json.load(open("chrome.json"))["traceEvents"]
times = [float(e["ts"]) for e in events if e["ph"] in "BEi"]
names = [e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"]
raise SystemExit(not (0 < max(times) - min(times) < 60e6 and any("Main" in name for name in names)))
END
exit $((failures > 0))
