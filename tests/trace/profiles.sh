#!/bin/bash
# profiles.sh BIN: reads traces in the shapes of many profilers (profiles.py), and compares the numbers of events of each kind and of
# oddities with the known ones. Each trace passes through a correction with its tracks, names, bars, arrows and members; traces of several ranks
# are merged without collisions. A single trace needs no sessions.
set -u
bin=$1 here=$(cd "$(dirname "$0")" && pwd)
. "$here/../kit.sh"
cd "$scratch" || exit 1
trace() { "$bin/ordo-trace" "$@"; }
python3 "$here/profiles.py" make . || { fail "no profiles"; exit 1; }

# A build without zlib names the program that unpacks a file. The unpacked file keeps its name, because its form is known by its content.
for packed in *.gz; do
    said=$(trace info "$packed" 2>&1) && continue
    [[ $said == *"is compressed by gzip"*"unpack it with gunzip"* ]] && [ "$(wc -l <<<"$said")" = 1 ] && gunzip <"$packed" >plain &&
        mv plain "$packed" && echo "$packed: left out: built without zlib" || fail "$packed: $said"
done

shopt -s nullglob
trace info --json ./*.json ./*.pfw ./*.jsonl ./*.gz >info.out 2>info.err || fail "info: exit $?: $(cat info.err)"
python3 - <<'END' || fail "counts"
import json
expected, wrong = json.load(open("expected")), []
files = {file["file"][2:]: file for file in json.load(open("info.out"))["files"]}
for name, file in files.items():
    kinds = {kind: count for kind, count in file["of_kind"].items() if count}
    odd = {odd["what"]: odd["count"] for odd in file["odd"]}
    if kinds != expected[name]["of_kind"] or odd != {k: v for k, v in expected[name]["odd"].items() if v} or file["form"] != "chrome":
        wrong.append((name, kinds, odd, expected[name]))
print(*wrong, sep="\n")
assert not wrong and len(files) > 25
END

for file in $(python3 -c 'import json; print(*json.load(open("expected")))'); do
    [ -e "$file" ] || continue
    trace correct -o out.json "$file" >log 2>&1
    code=$?
    case $file in
        empty.json | remarks.json) # there is no event
            [ $code = 64 ] && grep -q "has no event" log || fail "correct $file: exit $code: $(cat log)"
            continue ;;
    esac
    [ $code = 0 ] || { fail "correct $file: exit $code: $(cat log)"; continue; }
    python3 "$here/profiles.py" same "$file" out.json || fail "$file is not the same after a correction"
    trace info --json out.json >again.out && grep -q '"corrected": true' again.out || fail "$file: the output is not read as corrected"
    trace stats "$file" >stats.out 2>log || fail "stats $file: exit $?: $(cat log)"
    trace correct --to csv -o out.csv "$file" >log 2>&1 || fail "correct --to csv $file: exit $?: $(cat log)"
    case $file in counters.json) continue ;; esac # it has no bars
    trace plot -o out.svg "$file" >log 2>&1 || fail "plot $file: exit $?: $(cat log)"
done

# Two ranks become one file, of which each event has its rank again.
printf 'session,rank,send_ns,master_ns,receive_ns\n0,1,1766000012000000000,1766000012000005000,1766000012000010000\n1,1,1766000072000000000,1766000072000005000,1766000072000010000\n' >sync.csv
trace correct --sync sync.csv -o merged.json rank0.pt.trace.json rank1.pt.trace.json >log 2>&1 || fail "merge: $(cat log)"
python3 "$here/profiles.py" merged merged.json rank0.pt.trace.json rank1.pt.trace.json || fail "the ranks are not the same after a merge"
[ "$(trace stats --json merged.json | grep -c '"rank":')" = 2 ] || fail "the merged file has not two ranks: $(trace stats --json merged.json)"
trace stats --csv merged.json | sort >merged.stats
trace stats --csv --sync sync.csv rank0.pt.trace.json rank1.pt.trace.json | sort | cmp -s - merged.stats || fail "stats of the merged file differ"

exit $((failures > 0))
