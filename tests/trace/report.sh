#!/bin/bash
# report.sh BIN: tests the page of `report` without a browser, on known traces: its data and tables, hostile names, its
# policy, and its errors.
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$1
. "$here/../kit.sh"
cd "$scratch" || exit 1

trace() { "$bin/ordo-trace" "$@"; }

# make_trace NAME...: writes a trace of 3 ranks. Rank 2 is 900 ns late to each of 10 barriers; then one region of each
# NAME follows, a point, and things that are odd: an end and a begin without the other, and a message that is never
# received.
make_trace() {
    local i rank name row=400000 begin end
    echo rank,time_ns,kind,name,peer,tag,bytes,thread,global_ns,earliest_ns,latest_ns
    for ((i = 1; i <= 10; i++)); do
        for rank in 0 1 2; do
            begin=$((i * 10000 + (rank == 2 ? 900 : 0))) end=$((i * 10000 + 1000))
            echo "$rank,$((begin + 5 * rank)),begin,MPI_Barrier,,,,0,$begin,$((begin - 200)),$((begin + 300))"
            echo "$rank,$((end + 5 * rank)),end,MPI_Barrier,,,,0,$end,$((end - 200)),$((end + 300))"
        done
        echo "0,$((i * 10000 + 2000)),begin,MPI_Recv,,,,0,$((i * 10000 + 2000)),0,0"
        echo "1,$((i * 10000 + 2505)),send,,0,1,8,7,$((i * 10000 + 2500)),0,0"
        echo "0,$((i * 10000 + 3000)),recv,,1,1,8,0,$((i * 10000 + 3000)),0,0"
        echo "0,$((i * 10000 + 3000)),end,MPI_Recv,,,,0,$((i * 10000 + 3000)),0,0"
    done
    for name in "$@"; do
        for kind in begin end; do
            row=$((row + 1000))
            echo "0,$row,$kind,\"${name//\"/\"\"}\",,,,0,$row,$row,$row"
        done
    done
    echo "0,500000,event,point,,,,0,500000,500000,500000"
    echo "0,500001,end,alone,,,,0,500001,500001,500001"
    echo "1,500002,begin,open,,,,0,500002,500002,500002"
    echo "1,500003,send,,0,9,8,0,500003,500003,500003"
}

make_trace solve >known.csv
trace report -o known.html known.csv || fail "report: exit $?"
trace stats --csv known.csv >stats.csv || fail "stats: exit $?"
trace stats --json known.csv >stats.json || fail "stats --json: exit $?"
trace info --json known.csv >info.json || fail "info: exit $?"
python3 "$here/page.py" known known.html known.csv stats.csv stats.json info.json || fail "the page of the known trace is wrong"
trace report -o - known.csv >stdout.html && cmp -s known.html stdout.html || fail "report to stdout differs"
cut -d, -f1-8 known.csv >raw.csv
trace report --raw -o raw.html raw.csv || fail "report --raw: exit $?"
python3 "$here/page.py" raw raw.html || fail "the page of the recorded times is wrong"
printf '[{"ph":"X","pid":0,"tid":1,"name":"a","ts":1,"dur":5},\n{"ph":"X","pid":1,"tid":1,"name":"a","ts":2,"dur":5}]' >spans.json
trace report --raw -o spans.html spans.json || fail "report of spans: exit $?"
python3 "$here/page.py" spans spans.html || fail "the page of spans is wrong"

# Bounds of 64 bits, whose differences do not fit into 64 bits.
largest=9223372036854775807
echo "[{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"name\":\"a\",\"ts\":1,\"dur\":5,\"args\":{\"global_ns\":1,\"earliest_ns\":-$largest,\"latest_ns\":$largest}},
{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"name\":\"b\",\"ts\":-2305843009213693,\"dur\":9,\"args\":{\"global_ns\":1,\"earliest_ns\":$largest,\"latest_ns\":-$largest}}]" >wide.json
trace report -o wide.html wide.json || fail "report of wide bounds: exit $?"
python3 "$here/page.py" wide wide.html || fail "the page of wide bounds is wrong"

trace report --begin 0.000025 --end 0.000045 --title "a part" -o part.html known.csv || fail "report of a part: exit $?"
python3 "$here/page.py" part part.html || fail "the page of a part is wrong"
# The second barrier begins 10 us after the first, and lasts 1 us.
trace report --around MPI_Barrier --call 2 --title "a part" -o around.html known.csv || fail "report around a call: exit $?"
grep -qE "\"from_ns\":9000,\"to_ns\":12000," around.html || fail "the page around a call is not three times as long as the call"
grep -o '"begin":[0-9-]*,"end":[0-9-]*' around.html part.html known.html

# Names that try to end an element, to open one, or to be a script. The page has the same elements as with plain names,
# and shows the names literally.
letter=$(printf '\303\251') bad=$(printf '\377\300\200') separators=$(printf '\342\200\250\342\200\251') bell=$(printf '\007\033[31m')
hostile=('</script <b ' '</script><script>window.hacked=1</script>' '"><img src=x onerror=window.hacked=1>' '</title><b>' '<!--' '-->' ']]>'
    "'onmouseover='window.hacked=1" '&lt;b&gt; &amp;' '\u003c/script>\' "$letter$separators" "$bad" "$bell" '</td></tr></table>' '${hacked}`'
    "$(printf '%03000d' 0)")
plain=()
for i in "${!hostile[@]}"; do plain+=("plain$i"); done
make_trace "${hostile[@]}" >hostile.csv
make_trace "${plain[@]}" >plain.csv
cp hostile.csv '<img src=x>&.csv'
trace report -o plain.html plain.csv || fail "report of plain names: exit $?"
trace report -o hostile.html --title '</title><script>window.hacked=1</script>' '<img src=x>&.csv' || fail "report of hostile names: exit $?"
python3 "$here/page.py" hostile plain.html hostile.html || fail "hostile names get into the page"

# Errors: one line, the exit code, the old file, and no new file.
mkdir new && echo old >new/old.html
refuse() {
    local code=$1 text=$2
    shift 2
    run "$code" trace report -o new/old.html "$@" && complains "$text" && one_line
    [ "$(cat new/old.html)" = old ] && [ "$(ls -A new)" = old.html ] || fail "report $*: something was written"
}
refuse 64 "No such file" none.csv
printf 'rank,time_ns,kind\n0,1,event\n0,x,event\n' >broken.csv
refuse 64 "broken.csv: row 3" broken.csv
echo rank,time_ns,kind >empty.csv
refuse 64 "has no event" --raw empty.csv
refuse 1 "0 sessions" empty.csv
refuse 64 "--begin 7: the trace ends" --begin 7 known.csv
refuse 64 "choose a shorter time with --begin and --end" --most 9 known.csv
refuse 64 "too many for an overview of 2" --most 9 known.csv
refuse 64 "takes a file" <(cat known.csv)
run 64 trace report -o new/none/x.html known.csv && one_line
run 0 trace report --most 42 -o most.html known.csv
[ ! -s err ] || fail "a page of all bars is called an overview"
# With more bars, short ones are merged; the page and standard error tell how many, and below which length.
run 0 trace report --most 40 -o most.html known.csv
complains "an overview: 40 bars and points shorter than 65.54 us are merged"
grep -q 'data-odd="merged-bars".*>40<' most.html || fail "the page does not count the merged bars: $(grep merged-bars most.html)"
grep -q '"(several shorter than 65.54 us)"' most.html || fail "merged bars have no name"
drawn=$(grep -oE 'class="bars" data-count="[0-9]+"' most.html | grep -oE '[0-9]+' | awk '{ sum += $1 } END { print sum + 0 }')
[ "$drawn" -le 10 ] || fail "$drawn bars are drawn, and 10 are allowed"
[ ! -w /dev/full ] || { run "70|64" trace report -o /dev/full known.csv && one_line; }
exit $((failures > 0))
