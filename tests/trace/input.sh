#!/bin/bash
# input.sh BIN: tests how ordo-trace reads numbers, ranks and threads that other programs write: times in any notation,
# ranks of any size, threads of several processes, clocks with one session. Time and memory grow with the size of a
# file, not with the numbers in it.
set -u
bin=$1
. "$(dirname "$0")/../kit.sh"
work=$scratch shown=()
cd "$work" || exit 1

trace() { "$bin/ordo-trace" "$@"; }
# refused WORDS ARGUMENT...: ordo-trace must end with 64 and one line that has the words.
refused() {
    local words=$1 said code
    shift
    said=$(trace "$@" 2>&1 >/dev/null)
    code=$?
    [ $code = 64 ] && [ "$(wc -l <<<"$said")" = 1 ] && [[ $said == *"$words"* ]] ||
        fail "$*: exit $code, and '$words' is not in: $said"
}
# event PHASE NAME TS [MEMBERS [PID TID]]: prints an event in Chrome's JSON.
event() { echo "{\"ph\":\"$1\",\"name\":\"$2\",\"ts\":$3,\"pid\":${5:-0},\"tid\":${6:-0}${4:+,$4}}"; }
# json FILE: makes a file of the events on stdin, one a line.
json() { { echo "["; paste -sd,; echo "]"; } >"$1"; }
echo session,rank,send_ns,master_ns,receive_ns >head.csv
{ cat head.csv; echo 0,1,0,0,0; echo 1,1,100000000000,100000000000,100000000000; } >two.csv
head -n 2 two.csv >one.csv

# Times in Chrome's JSON are read exactly in every notation. They are rounded down to nanoseconds, so that the error is
# within the granule of 1 ns. A span ends at the sum of its begin and its duration.
{
    event i whole 1672924880617123
    event i places 1700000000123456.789
    event i exponent 1.700000000123456789e+15
    event i digits 17000000001234567890123456789e-13
    event i below 1700000000123456.7899999
    event i before -0.0001
    event i little 0.00100000000000000000000000000000000001
    event i nothing 0e99
    event X span 10.0007 '"dur":0.0006'
} | json numbers.json
trace correct --sync two.csv --to csv -o numbers.csv numbers.json >/dev/null || fail "numbers: exit $?"
cut -d, -f2,4 numbers.csv | sed 1d | tr '\n' ' ' >numbers.txt
expected="1672924880617123000,whole 1700000000123456789,places 1700000000123456789,exponent 1700000000123456789,digits"
expected+=" 1700000000123456789,below -1,before 1,little 0,nothing 10000,span 10001,span "
[ "$(cat numbers.txt)" = "$expected" ] || fail "numbers: $(cat numbers.txt), not $expected"
trace correct --sync two.csv -o same.json numbers.json >/dev/null || fail "numbers as JSON: exit $?"
grep -q '"ts":1700000000123456.789' same.json && grep -q '"ts":1672924880617123.000' same.json || fail "numbers as JSON: $(cat same.json)"
# odd NAME...: ordo-trace counts each of these oddities of far.json once, and refuses the file with --strict.
odd() {
    [ "$(trace info --json far.json | sed -n 's/.*"what": "\([a-z_]*\)".*/\1/p' | tr '\n' ' ')" = "$* " ] || fail "$*: $(trace info --json far.json)"
    refused "row 1: has " info --strict far.json
}
event i far 1e300 | json far.json
odd far_time
event i far 2305843009213694 | json far.json
odd far_time
event X far 1 '"dur":9e99999999999999999999' | json far.json
odd no_duration
event X back 1 '"dur":-1' | json far.json
odd negative_duration
event i none '"soon"' | json far.json
odd no_time

# Kinds in the words of OTF2; a message without a peer is an event, also if the peer precedes the kind.
printf 'peer,rank,time_ns,kind,name\n,0,1,ENTER,a\n,0,2,MPI_SEND,\n7,0,3,mpi_isend,\n,0,4,leave,a\n' >words.csv
[ "$(trace info --json words.csv | grep -cE '"(points|begins|ends|sends)": 1,')" = 4 ] || fail "words of OTF2: $(trace info words.csv 2>&1)"
refused "row 2: kind is 'MPI_COLLECTIVE_BEGIN', and not event" info <(printf 'rank,time_ns,kind\n0,1,MPI_COLLECTIVE_BEGIN\n')

# A file whose only row is no event is refused, although no newline ends it: nothing of it is whole. A row behind whole
# rows, or behind the names of CSV, may be cut.
for text in '{}' '{"a":1}{"b":2}' '{"data":[]}'; do
    refused "row 1: " info <(printf '%s' "$text")
    refused "row 1: " info --partial <(printf '%s' "$text")
done
refused "row 1: the file ends within it, before its first event: copy it again" info --partial <(printf '{"a":1')
for form in jsonl ctf ftrace perf; do refused "row 1: " info --from $form <(printf '\0\0'); done
refused "a byte 0 is behind it (byte 0): name the form" info --from spans <(printf '\0\0')
for text in 'rank,time_ns\n0,' '{"rank":0,"time_ns":1}\n{"rank"'; do
    # shellcheck disable=SC2059 # the text is a format
    printf "$text" >cut.txt
    trace info cut.txt | grep -q "ends too early: 1, the first at row 2" || fail "cut: $(trace info cut.txt 2>&1)"
done

# An output replaces no input that it does not contain. A trace may be corrected in place.
printf 'rank,time_ns\n0,1\n1,2\n' | tee kept.csv >kept.before
cp two.csv kept-sync.csv
ln -sf kept.csv link.csv
run 0 trace correct --sync two.csv --to csv -o here.csv kept.csv
for command in "report -o kept.csv" "plot -o link.csv" "correct -o here.csv --offsets kept.csv" \
    "correct -o kept-sync.csv" "correct -o here.csv --offsets kept-sync.csv" "report -o ./kept-sync.csv"; do
    # shellcheck disable=SC2086 # words
    refused "is an input, and is not replaced" $command --sync kept-sync.csv kept.csv
done
refused "is the file of --output too" correct -o new.csv --offsets new.csv --sync two.csv kept.csv
refused "here.csv: is an input" correct -o here.csv --offsets ./here.csv --sync two.csv kept.csv
cmp -s kept.csv kept.before && cmp -s kept-sync.csv two.csv && [ ! -e new.csv ] || fail "an input is replaced"
run 0 trace correct --sync two.csv -o kept.csv kept.csv
cmp -s kept.csv here.csv || fail "corrected in place, it is another trace"

# Words that JSON does not have become texts, so that the output is JSON.
echo '[{"ph":"i","pid":NaN,"tid":True,"more":1.x,"ts":1,"name":"a","args":{"a":undefined,"b":[None,'"'c\\d'"'],"c":-inf,"d":[true,false,null,-1e5]}}]' >words.json
run 0 trace correct -o words.out words.json
run 0 trace correct --sync two.csv -o twice.out words.json words.json
python3 - <<'END' || fail "words: $(cat words.out twice.out)"
import json
events = json.load(open("words.out"), parse_constant=int)["traceEvents"] + json.load(open("twice.out"), parse_constant=int)["traceEvents"]
events = [event for event in events if event["ph"] == "i"]
assert len(events) == 3 and events[0]["pid"] == "NaN" and len({event["pid"] for event in events}) == 3
for event in events:
    assert event["tid"] == "True" and event["more"] == "1.x" and {key: event["args"][key] for key in "abcd"} == {
        "a": "undefined", "b": ["None", "'c\\d'"], "c": "-inf", "d": [True, False, None, -1e5]}, event
END
odd_words=$(trace info words.json)
[[ $odd_words == *"words that JSON does not have, such as NaN, which are written as texts: 1, the first at row 1"* ]] || fail "words: $odd_words"

# Times in columns and keys must be whole nanoseconds, in any notation, such as 1.7e18. A fraction of a nanosecond is
# refused, because it shows that the unit is another one.
printf 'rank,time_ns\n0,1.700000000123456789e18\n0,1700000000123456790.000\n0,17000000001234567910e-1\n' >numbers.csv
printf '{"rank":0,"time_ns":1.700000000123456789E+18}\n{"rank":0,"time_ns":17000000001234567910e-1}\n' >numbers.jsonl
trace info --json numbers.csv numbers.jsonl | grep -cE '"(first|last)_ns": 17000000001234567(89|91)' | grep -qx 4 || fail "numbers of columns"
printf 'rank,time_ns\n0,1700000000.123456789\n' >seconds.csv
refused "row 2: time_ns is '1700000000.123456789', and not whole nanoseconds" info seconds.csv
printf 'rank,time_s,kind,name\n0,1700000000.123456789,event,a\n0,1.7000000015e9,event,b\n' >unit.csv
[ "$(trace info --json unit.csv | grep -cE '"(first_ns": 1700000000123456789|last_ns": 1700000001500000000)')" = 2 ] || fail "a column time_s"
trace info --json --time-unit s --column time_ns=time_ns seconds.csv | grep -q '"first_ns": 1700000000123456789' || fail "--time-unit s: $(trace info --time-unit s seconds.csv 2>&1)"
printf '{"rank":0,"time_ms":1.5}\n' >unit.jsonl
trace info --json --time-unit ms unit.jsonl | grep -q '"first_ns": 1500000' || fail "--time-unit ms of JSON Lines"
event i nano 1672924880617123457 | json nano.json
trace info --json --time-unit ns nano.json | grep -q '"first_ns": 1672924880617123457' || fail "--time-unit ns of Chrome's form"
trace info --json --time-unit ns nano.json | grep -q '"odd": \[\]' || fail "--time-unit ns is odd"
refused "--time-unit h: is not one of s, ms, us, ns" info --time-unit h unit.csv
printf 'rank,time_s\n0,1e300\n' >far.csv
refused "row 2: time_s is '1e300', and not within 73 years of 0" info far.csv
printf 'rank,time_ns\n0,1e300\n' >seconds.csv
refused "row 2: time_ns is '1e300', and not nanoseconds within 73 years of 0" info seconds.csv
{ cat head.csv; echo 0,1,1.7e18,1.7e18,1700000000000000100; echo 1,1,1.70000001e18,17000000100000000000e-1,1700000010000000100; } >double.csv
printf 'rank,time_ns\n1,1700000005000000000\n' >event.csv
trace correct --sync double.csv -o - event.csv 2>/dev/null | grep -q '^1,1700000005000000000,1700000004999999950,' || fail "sessions in doubles"

# The reported bound of a rank holds for each of its events. If there is only one session, the bound is "unbounded", not
# 0.
bound() { python3 -c 'import json, sys; print({r["rank"]: r["bound_ns"] for r in json.load(sys.stdin)["ranks"]}[1])'; }
printf 'rank,time_ns,kind,name\n1,50000000001,event,a\n0,7,event,b\n' >inside.csv
printf 'rank,time_ns,kind,name\n1,500000000001,event,a\n0,7,event,b\n' >outside.csv
for events in inside outside; do
    [ "$(trace correct --json --sync one.csv -o o.csv $events.csv | bound)" = None ] || fail "one session, $events: the bound is not null"
    trace correct --sync one.csv -o o.csv $events.csv | grep -qE '^ *1 .* unbounded$' || fail "one session, $events: is not unbounded"
    trace correct --sync one.csv -o o.csv $events.csv | grep -qE '^ *0 .* 0\.[05]$' || fail "$events: the clock of rank 0 is not exact"
done
{ cat head.csv; echo 0,1,0,500000,1000000; echo 1,1,100000000000,100000000000,100000000010; } >wide.csv
printf 'rank,time_ns,kind,name\n1,500011,event,a\n1,50000000001,event,b\n' >knot.csv
{ cat head.csv; echo 0,1,0,4000,8000; echo 1,1,100000000000,100000000000,100000000000; } >tilted.csv
printf 'rank,time_ns,kind,name\n1,10001,event,a\n1,44000000001,event,b\n1,90000000003,event,c\n' >top.csv
printf 'rank,time_ns,kind,name\n1,1000000,event,a\n1,50000000000,event,b\n1,90000000000,event,c\n' >coarse.csv
{ cat head.csv; echo 0,1,1,2,7; echo 1,1,100000000001,100000000002,100000000007; } >fine.csv
for case in two:inside two:outside wide:knot tilted:top fine:coarse fine:outside; do
    trace correct --json --sync ${case%:*}.csv -o o.csv ${case#*:}.csv >o.json || fail "$case: exit $?"
    awk -F, -v bound="$(bound <o.json)" 'NR > 1 && $1 == 1 && ($NF - $(NF - 1)) / 2 > bound { wide = 1 } END { exit wide }' o.csv ||
        fail "$case: the bound $(bound <o.json) does not hold for $(cat o.csv)"
done

# A thread is identified by its process and its name in the process; each of them is a number or a text.
{ event B a 10 '' 7 1; event B b 11 '' 8 1; event E a 12 '' 7 1 | sed 's/"name":"a",//'; event E b 20 '' 8 1 | sed 's/"name":"b",//'; } | json processes.json
sed '1s/.*/{"distributedInfo":{"rank":0},"traceEvents":[/; $s/.*/]}/' processes.json >process.json
{ event B m 100 '' 5 '"Main"'; event B w 105 '' 5 '"Worker"'; event E m 200 '' 5 '"Main"'; event E w 205 '' 5 '"Worker"'; } | sed '/"E"/s/"name":"[mw]",//' | json texts.json
{ event B m 100 '' 5 123145410768896; event B w 105 '' 5 123145410772992; event E m 200 '' 5 123145410768896; event E w 205 '' 5 123145410772992; } |
    sed '/"E"/s/"name":"[mw]",//' | json wide.json
stats() { trace stats --raw --csv "$1" | sed 1d | cut -d, -f1-3 | sort | tr '\n' ' '; }
[ "$(stats process.json)" = '"a",1,2000 "b",1,9000 ' ] || fail "two processes of a rank: $(stats process.json)"
for file in texts wide; do
    [ "$(stats $file.json)" = '"m",1,100000 "w",1,100000 ' ] || fail "threads in $file.json: $(stats $file.json)"
done
{ event X a 1 '"dur":10' 0 7; event X b 5 '"dur":10' 1 7; event X c 20 '"dur":1' 0 7; event X d 20 '"dur":1' 2 1; event X e 20 '"dur":1' 2 '"x"'; event X far 30 '"dur":1' 3 1073741824
  for tid in 0 1 2 8; do [ $tid = 1 ] || event X keeps$tid 30 '"dur":1' 0 $tid; done; event X long 30 '"dur":1' 0 123145410768896
  for pid in 0 1; do event M thread_name 0 "\"args\":{\"name\":\"of $pid\"}" $pid 7; done
  event M process_name 0 '"args":{}' 1 0; } | json tracks.json
# Arrows and asynchronous events: equal ids of several files are kept apart. In a single file, whose pids are the ranks,
# ids do not change.
for rank in 0 1; do
    { event s go $((rank * 100 + 1)) '"id":1,"cat":"c"' 3 3; event f go $((rank * 100 + 2)) '"cat":"c","id":1,"bp":"e"' 4 3
      event b call $((rank * 100 + 3)) '"id":"0x1f","cat":"c"'; event e call $((rank * 100 + 4)) '"id":"0x1f","cat":"c"'
      event X bound $((rank * 100 + 5)) '"dur":1,"bind_id":"0x2","flow_out":true'; event X plain $((rank * 100 + 6)) '"dur":1,"id":1'; } | json ids.$rank.json
done
trace correct --sync two.csv -o tracks.out tracks.json tracks.json >/dev/null || fail "tracks: exit $?"
trace correct --sync two.csv -o ids.out ids.0.json ids.1.json >/dev/null || fail "ids: exit $?"
{ event s go 1 '"id":9,"cat":"c"' 0 1; event f go 2 '"id":9,"cat":"c"' 1 1; } | json across.json
trace correct --sync two.csv -o across.out across.json >/dev/null || fail "ids across ranks: exit $?"
python3 - <<'END' || fail "tracks and ids: $(cat tracks.out ids.out across.out)"
import collections, json
events = json.load(open("tracks.out"))["traceEvents"]
ranks = {e["pid"]: e["args"]["rank"] for e in events if e["name"] == "ordo_rank"}
assert sorted(ranks.values()) == [0] * 4 + [1] * 4, ranks # pids 0 to 3 in each of two files
assert {pid for pid in ranks if ranks[pid] == 0} == {0, 1, 2, 3}, ranks
names = {e["pid"]: e["args"].get("labels") for e in events if e["name"] in ("process_name", "process_labels")}
assert len(names) == 8 and all(name is None or name.startswith(f"rank {ranks[pid]}: pid ") for pid, name in names.items()), names
threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
events = [e for e in events if e["ph"] != "M"]
tracks = [{e["name"]: (e["pid"], e["tid"]) for e in events if ranks[e["pid"]] == rank} for rank in (0, 1)]
assert tracks[0].keys() == tracks[1].keys() and not set(tracks[0].values()) & set(tracks[1].values()), tracks
assert tracks[0]["a"] == tracks[0]["c"] == (0, 7) and tracks[0]["b"] == (1, 7) and tracks[0]["e"] == (2, "x"), tracks
assert [tracks[0][name] for name in ("keeps2", "long", "far")] == [(0, 2), (0, 123145410768896), (3, 1073741824)], tracks
assert all(threads[tracks[rank][name]] == "of " + pid for rank in (0, 1) for name, pid in (("a", "0"), ("b", "1"))), threads
events = json.load(open("ids.out"))["traceEvents"]
ends = collections.Counter((e["name"], e["id"]) for e in events if e["ph"] in "sfbe")
assert len(ends) == 4 and set(ends.values()) == {2}, ends
assert len({e["bind_id"] for e in events if "bind_id" in e}) == 2, events
assert [e["id"] for e in events if e["name"] == "plain"] == [1, 1], events
assert [e["id"] for e in json.load(open("across.out"))["traceEvents"]] == [9, 9]
END

# Frames of stacks: those of all files are kept, and equal numbers of several ranks are kept apart, in events and in parents.
for rank in 0 1; do
    frames="\"stackFrames\":{\"1\":{\"name\":\"main of $rank\"},\"2\":{\"category\":\"c\",\"parent\":$([ $rank = 0 ] && echo 1 || echo '"1"'),\"name\":\"leaf of $rank\"}}"
    events=$(event X work 5 '"dur":9,"sf":2,"esf":"1"')
    [ $rank = 0 ] && echo "{$frames,\"traceEvents\":[$events]}" >frames.0.json || echo "{\"traceEvents\":[$events],\"other\":1,$frames}" >frames.1.json
done
trace correct --sync two.csv -o frames.out frames.0.json frames.1.json >/dev/null || fail "frames: exit $?"
trace correct --sync two.csv -o frame.out frames.1.json >/dev/null || fail "frames of one file: exit $?"
python3 - <<'END' || fail "frames: $(cat frames.out frame.out)"
import json
document = json.load(open("frames.out"))
def stack(frame, names=()):
    of = document["stackFrames"][str(frame)]
    return stack(of["parent"], names + (of["name"],)) if "parent" in of else names + (of["name"],)
events = [e for e in document["traceEvents"] if e["ph"] == "X"]
assert [stack(e["sf"]) for e in events] == [(f"leaf of {rank}", f"main of {rank}") for rank in (0, 1)], events
assert [stack(e["esf"]) for e in events] == [(f"main of {rank}",) for rank in (0, 1)], events
assert len(document["stackFrames"]) == 4
alone = json.load(open("frame.out"))
assert alone["stackFrames"] == json.load(open("frames.1.json"))["stackFrames"] and alone["other"] == 1 and alone["traceEvents"][0]["sf"] == 2
END

# Files of two forms, written as Chrome's JSON: a span stays one event, with its length and the bounds of both ends.
printf 'rank,time_ns,kind,name,peer\n0,7,event,e,\n0,8,send,m,1\n' >mixed.csv
{ event X span 5 '"dur":2'; event B go 9; event E go 10; event i now 11; event C level 12; event M process_name 0; } | json mixed.json
trace correct --to chrome --sync two.csv -o mixed.out mixed.csv mixed.json >/dev/null || fail "two forms: exit $?"
trace correct --sync two.csv -o mixed.csv.out mixed.csv mixed.json >/dev/null || fail "two forms as CSV: exit $?"
python3 - <<'END' || fail "two forms: $(cat mixed.out mixed.csv.out)"
import json
events = {e["name"] + e["ph"]: e for e in json.load(open("mixed.out"))["traceEvents"]}
assert sorted(events) == ["ei", "goB", "goE", "mX", "messages", "nowi", "spanX"], sorted(events)
span = events["spanX"]
assert span["ts"] == 5 and span["dur"] == 2 and span["pid"] == 1, span
assert span["args"]["end_latest_ns"] - span["args"]["latest_ns"] == 2000, span
END
[ "$(grep -c ,span, mixed.csv.out)" = 2 ] || fail "two forms as CSV: $(cat mixed.csv.out)"

# Memory grows with the number of events, not with the numbers in them.
# mib ARGUMENT...: prints the memory that ordo-trace takes, in MiB. Under AddressSanitizer it only checks that the
# command succeeds, because the sanitizer keeps freed memory and needs more address space than a limit would allow.
mib() { python3 -c 'import os, resource, subprocess, sys
sanitized = "ASAN_OPTIONS" in os.environ
sanitized or resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31)) # fails before it fills the machine
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
print(0 if sanitized else resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)' "$bin/ordo-trace" "$@"; }
# within WHAT ARGUMENT...: the command must take at most 64 MiB more than for the smallest file.
base=$(mib info inside.csv)
within() {
    local what=$1 taken
    shift
    taken=$(mib "$@") || fail "$what: failed"
    [ $((taken - base)) -le 64 ] || fail "$what: takes $((taken - base)) MiB"
}
awk 'BEGIN { print "rank,time_ns,kind,name"; for (i = 0; i < 500; i++) for (k = 0; k < 2; k++) print "1048575," i * 10 + k "," (k ? "end" : "begin") ",name" i }' >highest.csv
awk 'BEGIN { print "rank,time_ns,kind,name"; for (i = 0; i < 8000; i++) for (k = 0; k < 2; k++) print i * 131 "," i * 10 + k "," (k ? "end" : "begin") ",name" i }' >many.csv
awk 'BEGIN { print "rank,time_ns,kind,name"; for (i = 0; i < 3; i++) for (k = 0; k < 2; k++) print 1048573 + i "," 90 + i * k "," (k ? "end" : "begin") ",MPI_Scan" }' >scan.csv
awk 'BEGIN { print "rank,time_ns,kind,name,communicator"; for (i = 0; i < 500000; i++) for (k = 0; k < 2; k++) for (r = 0; r < 2; r++) print r "," 1000 * i + 500 * k + r "," (k ? "end" : "begin") ",MPI_Barrier,0" }' >barriers.csv
printf 'rank,time_ns,kind,name,peer\n0,5,send,m,1048575\n1048575,15,recv,m,0\n1048575,25,send,m,0\n0,35,recv,m,1048575\n' >messages.csv
printf '%s\n' rank,time_ns,kind,peer,tag 0,1000001,send,1048575,1 1048575,999001,recv,0,1 1048575,1009001,send,0,2 0,1008001,recv,1048575,2 >loop.csv
sed 's/^\([01]\),1,/\1,1048575,/' two.csv >far.csv
{ cat head.csv; for rank in 1 500000 1048575; do for at in 1 2; do echo "$at,$rank,${at}000000000,${at}000000050,${at}000000100"; done; done; } >ranks.csv
for file in highest many scan messages; do
    within "stats $file.csv" stats --raw $file.csv
    [ $file = scan ] || [ $file = messages ] || within "plot $file.csv" plot --raw -o o.svg $file.csv
done
# A compressed file of 300 KB that unpacks to 300 MB: a member, and an event.
python3 - <<'END'
import gzip
event = b'{"ph":"i","name":"a","pid":1,"ts":1}'
for name, before, behind in (("member", b'{"m":"', b'","traceEvents":[' + event + b"]}"), ("event", b'[{"m":"', b'"},' + event + b"]")):
    with gzip.open(name + ".bomb", "wb", 1) as file:
        file.write(before)
        for i in range(300):
            file.write(b"a" * 1000000)
        file.write(behind)
END
if trace info inside.csv member.bomb >/dev/null 2>&1; then # a build without zlib refuses both
    within "a large member" info member.bomb
    trace info member.bomb | grep -q "members beside the events of more than 32 MiB, which are left out: 1, the first" || fail "a large member: $(trace info member.bomb)"
    refused "row 1: has more than 16777216 letters" info event.bomb
fi
within "correct by sessions" correct --sync ranks.csv -o o.csv highest.csv
within "the collectives that all ranks have left" correct --sync two.csv --to csv -o - barriers.csv
within "correct by messages" correct --causal -o o.csv messages.csv
within "correct a loop of messages" correct --causal --stretch 0.112 --sync far.csv -o o.csv loop.csv
trace correct --offsets o.offsets --json --sync ranks.csv -o o.csv highest.csv | grep -q '"rank": 1048575' || fail "the highest rank is not in the report"
cut -d, -f1 o.offsets | sort -u | tr '\n' ' ' | grep -qx '1048575 location ' || fail "offsets: $(cat o.offsets)"
trace stats --raw --csv many.csv | grep -q '^"name5",1,1,1,1,799900.00,' || fail "the mean is not over the ranks that there are"
awk 'BEGIN { print "rank,time_ns,kind,name"; for (k = 0; k < 2; k++) for (i = 0; i < 900; i++) print i * 1000 "," i + k * 5000 "," (k ? "end" : "begin") ",MPI_Barrier" }' >sparse.csv
within "plot --skew sparse.csv" plot --skew --raw -o o.svg sparse.csv
[ "$(grep -c 'class="late"' o.svg)" = 225 ] && grep -q '<title>rank 896000: last 1 times' o.svg || fail "plot --skew of ranks far apart"
trace stats --raw --json sparse.csv | grep -A2 '"rank": 899000' | grep -q '"last_to_enter": 1' || fail "stats does not name the last of distant ranks"

# Time also grows with the number of events. Each of these commands takes some tenths of a second; if the time grew
# quadratically, it would take minutes.
# soon WHAT ARGUMENT...: the command must take at most 10 seconds of CPU time.
soon() {
    local what=$1
    shift
    (ulimit -t 10 && trace "$@" >/dev/null 2>&1) || fail "$what: exit $?"
}
awk 'BEGIN { print "rank,time_ns,kind,name,thread"; for (i = 0; i < 400000; i++) for (k = 0; k < 2; k++) print "0," i * 10 + k "," (k ? "end" : "begin") ",a," 400000 - i }' >threads.csv
soon "stats of many threads" stats --raw threads.csv
# Each of many brackets could be the end of the events, because members follow it.
python3 - <<'END'
span, members = '{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2}', ",".join('"k%d":[0]' % i for i in range(28000))
open("tail-args.json", "w").write('{"traceEvents":[%s,{"ph":"i","ts":3,"args":{%s}}]}' % (span, members))
open("tail-open.json", "w").write('{"traceEvents":[%s],%s' % (span, members))
open("head.json", "w").write('{%s,"traceEvents":[%s]}' % (members, span))
END
for file in tail-args tail-open head; do soon "brackets in $file.json" info $file.json; done
awk 'BEGIN { print "rank,time_ns,kind,name"
    for (i = 0; i < 120000; i++) { for (k = 0; k < 4; k++) print k % 2 "," i * 100 + k "," (k > 1 ? "end" : "begin") ",MPI_Barrier"
        for (k = 0; k < 2; k++) print "0," i * 100 + 10 + k "," (k ? "end" : "begin") ",r" i } }' >names.csv
soon "plot --skew of many names" plot --skew --raw -o o.svg names.csv
awk 'BEGIN { n = 160000; print "rank,time_ns,kind,name"
    for (k = 0; k < 2; k++) for (i = 0; i < n; i++) print (k ? i : n - 1 - i) "," (k * n + i) * 10 "," (k ? "end" : "begin") ",MPI_Scan" }' >scans.csv
soon "a scan of many ranks" stats --raw scans.csv
awk 'BEGIN { print "rank,time_ns,kind,name,number"; print "0,1,begin,MPI_Scan,0"
    for (k = 0; k < 2; k++) for (i = 0; i < 100000; i++) print "1," k * 1000000 + i * 7 + 8 "," (k ? "begin" : "end") ",MPI_Scan,0" }' >again.csv
soon "a repair of one scan that comes again and again" correct --causal --stretch 0.5 --sync ranks.csv -o o.csv again.csv
{ cat head.csv; awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%d,1,%.0f,%.0f,%.0f\n", i, i * 1e6, i * 1e6 + 50, i * 1e6 + 100 }'; } >sessions.csv
awk 'BEGIN { print "rank,time_ns"; for (i = 0; i < 200000; i++) printf "1,%.0f\n", i % 2 * 99999e6 + 3 }' >turns.csv
soon "events from session to session" correct --sync sessions.csv -o o.csv turns.csv

exit $((failures > 0))
