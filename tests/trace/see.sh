#!/bin/bash
# see.sh BIN: tests plot, stats and info on a known trace of three ranks with ten barriers. Rank 2 is always 900 ns
# late, which its clock hides, because it is 1 us behind.
set -u
bin=$1
. "$(dirname "$0")/../kit.sh"
work=$scratch shown=()
cd "$work" || exit 1

trace() { "$bin/ordo-trace" "$@"; }
# drawn FILE PATTERN COUNT: the picture must contain PATTERN exactly COUNT times.
drawn() { [ "$(grep -c -- "$2" "$1")" = "$3" ] || fail "$1: $(grep -c -- "$2" "$1") of '$2', not $3"; }

{
    echo rank,time_ns,kind,name,peer,tag,bytes,global_ns,earliest_ns,latest_ns
    for ((i = 1; i <= 10; i++)); do
        for rank in 0 1 2; do
            begin=$((i * 10000 + (rank == 2 ? 900 : 0))) end=$((i * 10000 + 1000)) slow=$((rank == 2 ? 1000 : 0))
            echo "$rank,$((begin - slow)),begin,MPI_Barrier,,,,$begin,$((begin - 200)),$((begin + 200))"
            echo "$rank,$((end - slow)),end,MPI_Barrier,,,,$end,$((end - 200)),$((end + 200))"
        done
        echo "0,$((i * 10000 + 2000)),begin,MPI_Recv,,,,$((i * 10000 + 2000)),0,0"
        echo "1,$((i * 10000 + 2500)),send,,0,1,8,$((i * 10000 + 2500)),0,0"
        echo "0,$((i * 10000 + 3000)),recv,,1,1,8,$((i * 10000 + 3000)),0,0"
        echo "0,$((i * 10000 + 3000)),end,MPI_Recv,,,,$((i * 10000 + 3000)),0,0"
    done
} >known.csv

# The table: 10 x (1000 + 1000 + 100) ns are spent in barriers, and two ranks wait 900 ns each; 10 x 1000 ns are spent
# in receives, whose message is 500 ns late.
trace stats --csv known.csv >stats.csv || fail "stats: exit $?"
grep -qx '"MPI_Barrier",30,21000,700,1000,42.86,18000,900' stats.csv || fail "stats: $(cat stats.csv)"
grep -qx '"MPI_Recv",10,10000,1000,1000,200.00,5000,500' stats.csv || fail "stats: $(cat stats.csv)"
trace stats known.csv | grep -qx "rank 2 is the last to enter 10 of 10 collectives" || fail "stats does not name rank 2"
trace stats --raw known.csv >/dev/null || fail "stats --raw: exit $?"
cut -d, -f1-7 known.csv >raw.csv
trace stats --raw raw.csv | grep -q "rank 2 is the last" && fail "the raw clocks show what only corrected ones can"

# A part of the trace: whole calls, calls that the window cuts, and an empty part. Times count from the first event, which
# is at 10000 ns.
row() { grep -qx -- "$1" part.csv || fail "part of the trace: no row $1: $(cat part.csv)"; }
part() { trace stats --csv "$@" >part.csv || fail "stats $*: exit $?"; }
part --begin 0.00001 --end 0.00002 known.csv
row '"MPI_Barrier",3,2100,700,1000,42.86,1800,900'
row '"MPI_Recv",1,1000,1000,1000,200.00,500,500'
part --begin 0.0000105 --end 0.0000127 known.csv
row '"MPI_Barrier",3,1100,367,500,36.36,1800,900'
row '"MPI_Recv",1,700,700,700,200.00,0,0' # the message is received after the window
part --begin 0.000005 --end 0.000009 known.csv
[ "$(wc -l <part.csv)" = 1 ] || fail "a part without calls: $(cat part.csv)"
trace stats --json --begin 0.000005 --end 0.000009 known.csv | jq -e '.events == 0 and .first_ns == 15000' >/dev/null || fail "a part without events"
# A span without an end lasts to the last event, also of those after the window.
printf '[{"ph":"X","name":"open","pid":0,"tid":1,"ts":1000000},{"ph":"i","name":"last","pid":0,"tid":1,"ts":4000000}]' >open.json
for window in "--begin 0.5 --end 1.5:1000" "--around open:3000"; do
    trace stats --json ${window%:*} open.json 2>/dev/null | jq -e ".calls[] | select(.name == \"open\") | .total_ns == ${window#*:}000000" >/dev/null || fail "a span without an end, $window"
done
# The trace lasts until the last span ends, which is after the last event.
printf '[{"ph":"X","name":"long","pid":0,"tid":1,"ts":0,"dur":10000000},{"ph":"X","name":"short","pid":0,"tid":1,"ts":1,"dur":2000000}]' >span.json
part --begin 4 span.json
row '"long",1,6000000000,6000000000,6000000000,0.00,0,0'
part --begin 0.0000001 span.json
row '"short",1,2000000000,2000000000,2000000000,0.00,0,0'
trace stats --json --begin 1 --end 3 span.json | jq -e '.last_ns == 3000000000' >/dev/null || fail "the end of a part"
trace info span.json | grep -qF ", 10.000000000 s from 0 ns on" || fail "info: not 10 s: $(trace info span.json)"
trace report -o span.html span.json && grep -q '"from_ns":0,"to_ns":10000000000' span.html || fail "report: not 10 s"
trace plot --begin 4 -o span.svg span.json || fail "plot: exit $?"
part --around MPI_Recv --call 3 known.csv # 31000 to 34000 ns, which is when a barrier ends
row '"MPI_Recv",1,1000,1000,1000,200.00,500,500'
[ "$(wc -l <part.csv)" = 2 ] || fail "around a call: $(cat part.csv)"
part --around MPI_Barrier known.csv
row '"MPI_Barrier",3,2100,700,1000,42.86,1800,900'
trace plot -o around.svg --around MPI_Recv --call 3 known.csv || fail "plot --around: exit $?"
drawn around.svg '<title>MPI_Recv: 1 us<' 1
drawn around.svg '<title>MPI_Barrier' 3 # the ranks leave the barrier when the window begins

# The end of the first session, the latest of all ranks: as the recorder marks it, or as the exchanges of the clocks have it.
{
    echo rank,time_ns,kind,name
    for rank in 0 1; do
        echo "$rank,1000,begin,ordo_trace_timesync"
        echo "$rank,$((5000 + 2000 * rank)),end,ordo_trace_timesync"
        echo "$rank,8000,begin,step"
        echo "$rank,9000,end,step"
        echo "$rank,20000,begin,ordo_trace_timesync"
        echo "$rank,21000,end,ordo_trace_timesync"
    done
} >marked.csv
part --raw --zero session --end 0.0000015 marked.csv
row '"step",2,1000,500,500,0.00,0,0'
[ "$(wc -l <part.csv)" = 2 ] || fail "from the session on: $(cat part.csv)"
grep -v timesync marked.csv >unmarked.csv
printf '%s\n' session,rank,send_ns,master_ns,receive_ns 0,1,6900,6950,7000 0,1,6000,6050,6100 1,1,20000,20050,20100 >marked.sync
part --sync marked.sync --zero session --begin 0.000001 --end 0.0000015 unmarked.csv
awk -F, '/"step",2/ { found = $3 > 960 && $3 < 1040 } END { exit !found }' part.csv || fail "from the exchanges on: $(cat part.csv)"
for wrong in "--zero noon known.csv" "--zero session known.csv" "--around none known.csv" "--around MPI_Recv --call 11 known.csv" "--call 2 known.csv" \
    "--around MPI_Recv --begin 1 known.csv" "--begin 2 --end 1 known.csv" "--begin 5 known.csv"; do
    # shellcheck disable=SC2086
    trace stats $wrong >wrong.txt 2>&1
    code=$?
    [ $code = 64 ] && [ "$(wc -l <wrong.txt)" -le 3 ] || fail "stats $wrong: exit $code: $(cat wrong.txt)"
done
trace plot --skew --begin 1 -o wrong.svg known.csv 2>/dev/null
[ $? = 64 ] || fail "--skew with --begin is not refused"

# The chart: bars, edges that show the bounds, and arrows; and options that select them.
trace plot -o all.svg known.csv || fail "plot: exit $?"
drawn all.svg '<title>MPI_Barrier' 30
drawn all.svg '<title>MPI_Recv: 1 us<' 10
drawn all.svg '<line .*marker-end' 10
drawn all.svg 'class="edge"' 60
drawn all.svg '>rank [012]<' 3
trace plot -o some.svg --begin 0.0000095 --end 0.0000295 --ranks 1,2 --names MPI_Barrier --no-messages known.csv || fail "plot, chosen: exit $?"
drawn some.svg '<title>MPI_Barrier' 4
drawn some.svg '<title>MPI_Recv' 0
drawn some.svg marker-end 0
drawn some.svg '>rank [012]<' 2
trace plot -o skew.svg --skew known.csv || fail "plot --skew: exit $?"
drawn skew.svg 'median 900 ns' 1
drawn skew.svg '<title>rank 2: last 10 times' 1
drawn skew.svg '<title>rank [01]: last 0 times' 2
for picture in all some skew; do
    python3 -c "import sys, xml.dom.minidom as x; x.parse('$picture.svg')" || fail "$picture.svg is no XML"
done

# Names from other programs: characters that are invalid in XML, a terminal or CSV are left out, letters of all
# languages are kept, and long names are cut.
esc=$(printf '\033') letter=$(printf '\303\251') bad=$(printf '\377\300\200') none=$(printf '\357\277\277') long=$(printf '%05000d' 0)
{
    echo rank,time_ns,kind,name
    for name in "<&>\"\"]]>" "$esc[31mred" "${letter}t${letter}" "$bad" "$none" "$long" ""; do
        echo "0,$((++i * 1000)),begin,\"$name\""
        echo "0,$((++i * 1000)),end,\"$name\""
    done
} | cut -c1-4000 | sed -E 's/(0{3000})0*$/\1"/' >odd.csv
trace plot -o odd.svg --raw odd.csv || fail "plot of odd names: exit $?"
trace stats --raw odd.csv >odd.txt && trace stats --raw --csv odd.csv >odd.stats && trace stats --raw --json odd.csv >odd.json || fail "stats of odd names"
python3 - <<'END' || fail "odd names: $(cat odd.txt)"
import csv, json, xml.dom.minidom
titles = [t.firstChild.data.rsplit(":", 1)[0] for t in xml.dom.minidom.parse("odd.svg").getElementsByTagName("title")]
assert titles[:5] == ['<&>"]]>', "?[31mred", "\u00e9t\u00e9", "???", "???"], titles
assert len(titles[5]) == 200 and titles[5].endswith("..."), len(titles[5])
text = open("odd.txt", "rb").read()
assert all(c >= 0x20 or c == 10 for c in text) and "\u00e9t\u00e9 ".encode() in text, text
assert len({len(line) for line in text.decode().splitlines()}) == 1, text
names = [row[0] for row in csv.reader(open("odd.stats", encoding="utf-8"))]
assert '<&>"]]>' in names and "\u00e9t\u00e9" in names, names
assert len(json.load(open("odd.json"))["calls"]) == 7
END

# Many ranks share the height of one picture. At ten minutes, the axis still shows microseconds.
{
    echo rank,time_ns,kind,name
    for ((rank = 0; rank < 900; rank++)); do echo "$rank,$((600000000000 + rank)),begin,MPI_Barrier"; done
    for ((rank = 0; rank < 900; rank++)); do echo "$rank,$((600000005000 + rank)),end,MPI_Barrier"; done
    echo 0,0,event,first
} >many.csv
trace plot --raw -o many.svg --begin 599.999999 many.csv || fail "plot of many ranks: exit $?"
drawn many.svg '<title>MPI_Barrier' 900
[ "$(grep -oE 'height="[0-9]+"' many.svg | head -n 1 | tr -dc 0-9)" -lt 3000 ] || fail "the picture is too high: $(sed -n 2p many.svg)"
drawn many.svg '>600.000001 s<' 1
[ "$(grep -oE '>[0-9.]+ s<' many.svg | sort | uniq -d | wc -l)" = 0 ] || fail "two ticks have one label"
trace plot --raw --skew -o many.svg many.csv || fail "plot --skew of many ranks: exit $?"
drawn many.svg 'class="late"' 225

# A region inside another region is visible, because inner regions are drawn later.
printf 'rank,time_ns,kind,name\n0,0,begin,outer\n0,100,begin,inner\n0,200,end,inner\n0,900,end,outer\n' >deep.csv
trace plot --raw -o deep.svg deep.csv || fail "plot of regions in regions: exit $?"
[ "$(grep -oE '<title>(inner|outer)' deep.svg | tr -d '\n')" = "<title>outer<title>inner" ] || fail "the inner region is hidden"

# The option --granule also affects which messages are certainly in the wrong order, and the width of the hatched edges
# of a bar.
printf '%s\n' session,rank,send_ns,master_ns,receive_ns 0,1,1,2,3 1,1,1000000001,1000000002,1000000003 >step.sync.csv
printf '%s\n' rank,time_ns,kind,name,peer 0,5001,send,,1 1,4503,recv,,0 0,6007,begin,a, 0,9013,end,a, >step.csv
for granule_ns in 1 1000; do
    told="--sync step.sync.csv --max-wander-ppb 0.1 --granule $granule_ns"
    trace stats --json $told step.csv | python3 -c 'import json, sys; print(json.load(sys.stdin)["causality"]["messages_contradicting_bounds"])' >step.$granule_ns ||
        fail "stats --granule $granule_ns"
    trace plot $told -o step.$granule_ns.svg step.csv || fail "plot --granule $granule_ns: exit $?"
done
[ "$(cat step.1 step.1000 | tr '\n' ' ')" = "1 0 " ] || fail "stats --granule: contradicting bounds are $(cat step.1 step.1000)"
cmp -s step.1.svg step.1000.svg && fail "plot --granule: changes nothing"

# Refusals leave no picture.
for wrong in "--begin 5 known.csv" "--names none --no-messages known.csv" "--skew raw.csv --raw --ranks 0" "absent.csv"; do
    [[ $wrong == --skew* ]] && sed -i /MPI_Barrier/d raw.csv
    said=$(trace plot -o none.svg $wrong 2>&1) && fail "plot $wrong: exit 0"
    [ "$(wc -l <<<"$said")" = 1 ] && [ ! -e none.svg ] || fail "plot $wrong: $said"
done

# A trace without regions and messages has no picture; the refusal names another command.
printf 'rank,time_ns,kind,name\n0,1,event,a\n1,5,event,b\n' >points.csv
trace plot --raw -o none.svg points.csv 2>&1 | grep -q "neither regions nor messages.* see its events with 'ordo-trace report'" || fail "plot of events only"
trace plot --raw -o none.svg --names none --no-messages known.csv 2>&1 | grep -q "no region and no message is in this range" || fail "plot of an empty range"

# `info` describes the content of a file.
trace info known.csv >info.txt || fail "info: exit $?"
grep -q '^known.csv: csv, 100 events of ranks 0 to 2, .* in global time$' info.txt || fail "info: $(cat info.txt)"
grep -q '^  40 begins 40 ends 10 sends 10 receives$' info.txt || fail "info: $(cat info.txt)"
trace info --json known.csv | python3 -c 'import json, sys
file, = json.load(sys.stdin)["files"]
assert file["corrected"] and file["events"] == 100 and file["highest_rank"] == 2 and file["of_kind"]["sends"] == 10' || fail "info --json"
trace stats --json known.csv | python3 -c 'import json, sys
found = json.load(sys.stdin)
call, = (c for c in found["calls"] if c["name"] == "MPI_Barrier")
assert call["count"] == 30 and call["wait_ns"] == 18000 and call["longest_wait_ns"] == 900, call
assert found["ranks"][2] == {"rank": 2, "events": 20, "last_to_enter": 10} and found["causality"]["collectives"] == 10' || fail "stats --json"

exit $((failures > 0))
