#!/bin/bash
# paraver.sh BIN: traces of Paraver with known truth, written here by the description of the format, read and corrected by ordo-trace,
# and read here again.
set -u
bin=$1 here=$(cd "$(dirname "$0")" && pwd)
. "$here/../kit.sh"
cd "$scratch" || exit 1

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
{
    echo session,rank,send_ns,master_ns,receive_ns
    for rank in 1 2; do echo "0,$rank,0,0,0"; echo "1,$rank,99999999,99999999,99999999"; done
} >same.csv

# Every kind of record, with names and without. Tasks are ranks. A value of 0 ends the region of its type that began last; an end
# without its begin is another event. The application has a communicator of some tasks: a collective that does not name its
# communicator binds no ranks.
cat >x.prv <<'END'
#Paraver (10/04/2014 at 12:02):1000_ns:2(2,2):1:3(2:1,1:1,1:2),2
c:1:1:3:1:2:3
c:1:2:2:1:3
# a comment
1:1:1:1:1:0:100:1
2:1:1:1:1:0:50000001:0:42000050:77
2:1:1:1:1:100:60000019:5:50000001:1
2:1:1:1:1:101:60000019:6
2:1:1:1:1:102:60000019:0
3:1:1:1:1:110:120:4:1:3:1:300:400:64:9
2:2:1:1:2:120:70:2
2:1:1:1:1:500:50000001:0:60000019:0
2:1:1:1:1:600:50000002:8:50100004:1
2:1:1:1:1:700:50000002:0:50100004:1
2:1:1:1:1:800:50000002:8:50100004:2
2:1:1:1:1:900:50000002:0:50100004:2
2:1:1:1:1:950:50000002:8
2:1:1:1:1:960:50000002:0
END
cat >x.pcf <<'END'
DEFAULT_OPTIONS
UNITS NANOSEC

STATES
0 Idle
1     Running code

EVENT_TYPE
9    50000001    MPI Point-to-point
VALUES
1   MPI_Send
0   End

EVENT_TYPE
9    50000002    MPI Collective Comm
VALUES
8   MPI_Barrier
0   End

EVENT_TYPE
0    60000019    User function
0    60000020    Another
VALUES
5   main, [x.c]

EVENT_TYPE
0 70 Phase
VALUES
2 second phase
END
run 0 trace correct --sync same.csv --to csv -o x.csv x.prv
cut -d, -f1-10 x.csv >x.txt
diff x.txt - >x.diff <<'END' || fail "records: $(cat x.diff)"
rank,time_ns,kind,name,peer,tag,bytes,thread,communicator,root
0,0,begin,Running code,,,,1048576,-1,
0,100,end,Running code,,,,1048576,-1,
0,100,begin,"main, [x.c]",,,,0,-1
0,100,begin,MPI_Send,,,,0,-1,
0,101,begin,region 6,,,,0,-1,
0,102,end,region 6,,,,0,-1,
0,110,send,,2,9,64,0,0,
0,120,event,second phase,,,,1,0,
2,400,recv,,0,9,64,0,0,
0,500,end,MPI_Send,,,,0,-1,
0,500,end,"main, [x.c]",,,,0,-1
0,600,begin,MPI_Barrier,,,,0,0,
0,700,end,MPI_Barrier,,,,0,0,
0,800,begin,MPI_Barrier,,,,0,2,
0,900,end,MPI_Barrier,,,,0,2,
0,950,begin,MPI_Barrier,,,,0,-1,
0,960,end,MPI_Barrier,,,,0,-1,
END
run 0 trace info --json x.prv
says '"others": 8' && says '"form": "paraver"'
mkdir bare && cp x.prv bare
trace correct --sync same.csv --to csv -o bare.csv bare/x.prv >/dev/null || fail "without names: exit $?"
[ "$(cut -d, -f4 bare.csv | sort -u | paste -sd,)" = ",name,region 1,region 5,region 6,region 8,state 1" ] ||
    fail "without names: $(cut -d, -f4 bare.csv | sort -u | paste -sd,)"

# The names of a compressed trace are found too.
gzip -k x.prv
if trace info x.prv.gz 2>&1 | grep -q "is compressed by gzip, .*: unpack it with gunzip$"; then
    echo "compressed traces: left out: built without zlib"
else
    [ "$(trace stats --raw x.prv.gz)" = "$(trace stats --raw x.prv)" ] || fail "compressed: $(trace stats --raw x.prv.gz 2>&1)"
fi

# Times without _ns are microseconds; several applications have their ranks one after the other.
printf '#Paraver (1/2/03 at 4:05):9:0:2:1(1:1):2(1:1,1:1)\n2:0:2:2:1:7:60000019:1\n2:0:1:1:1:8:60000019:1\n' >us.prv
trace correct --sync same.csv --to csv -o us.csv us.prv >/dev/null || fail "microseconds: exit $?"
[ "$(sed 1d us.csv | cut -d, -f1-4 | paste -sd' ')" = "2,7000,begin,region 1 0,8000,begin,region 1" ] || fail "microseconds: $(cat us.csv)"

# Many messages are under way at once: receives come at their times. Records of several threads at one time stay apart.
python3 - >flight.prv <<'END'
import random
random.seed(2)
print("#Paraver (01/01/2020 at 00:00):9_ns:1(3):1:3(2:1,2:1,2:1)")
for i in range(300):
    for rank in (1, 2, 3):
        for thread in (1, 2):
            print(f"2:{rank}:1:{rank}:{thread}:{100 * i}:77:{i}")
    first = 100 * i + 50 + random.randrange(5000)
    print(f"3:1:1:1:1:{100 * i}:{100 * i + 1}:2:1:2:1:{first}:{first + random.randrange(5000)}:1:1")
END
trace correct --sync same.csv --to csv -o flight.csv flight.prv >/dev/null || fail "messages under way: exit $?"
sed 1d flight.csv | awk -F, '$2 < last { wrong++ } { last = $2 } END { exit wrong > 0 || NR != 600 }' || fail "receives do not come at their times"
trace correct --sync same.csv -o flight flight.prv >/dev/null || fail "messages under way, the same form: exit $?"
cut -d: -f1-6 flight.prv | grep ^2 | sort >flight.in
cut -d: -f1-6 flight/trace.prv | grep ^2 | sort | cmp -s flight.in - || fail "records at one time are confused"
grep ^3: flight.prv | sort >flight.in
grep ^3: flight/trace.prv | sort | cmp -s flight.in - || fail "messages under way are confused"

# Corrected: clocks with offsets and rates, and true times within the bounds. All else is as it was, in the order of time.
for step in make check; do
    [ $step = make ] || run 0 trace correct --sync sync.csv -o global drift.prv
    python3 - $step <<'END' || fail "truth: $step"
import random, sys
random.seed(5)
ranks, steps = 3, 300
clocks = [(5000, 1.0), (-700 + 90000, 1 + 9e-6), (40000, 1 - 15e-6)]
def local(rank, time):
    return int(clocks[rank][0] + time * clocks[rank][1])
def shown(rank, time):  # global time: that of rank 0's clock
    return clocks[0][0] + time * clocks[0][1]
records = []  # (local line, [(rank, true time) of each time], constant fields)
for step in range(steps):
    base = 1000000 * step
    for rank in range(ranks):
        at = base + random.randrange(50000)
        place = f"{rank + 1}:1:{rank + 1}:1"
        other = (rank + 1) % ranks
        far = f"{other + 1}:1:{other + 1}:1"
        records.append((f"1:{place}:%d:%d:1", [(rank, at), (rank, at + 300000)]))
        records.append((f"2:{place}:%d:60000019:{step + 1}:42:{step}", [(rank, at + 10)]))
        records.append((f"2:{place}:%d:60000019:0", [(rank, at + 299000)]))
        records.append((f"3:{place}:%d:%d:{far}:%d:%d:{step}:7", [(rank, at + 1000), (rank, at + 1100), (other, at + 90000), (other, at + 99000)]))
if sys.argv[1] == "make":
    with open("drift.prv", "w") as file:
        file.write("#Paraver (01/01/2020 at 00:00):999999999_ns:1(3):1:3(1:1,1:1,1:1),1\nc:1:1:3:1:2:3\n")
        lines = sorted(((local(*times[0]), form % tuple(local(*t) for t in times)) for form, times in records))
        file.write("".join(line + "\n" for _, line in lines))
    with open("drift.pcf", "w") as file:
        file.write("STATES\n1 Running\n")
    with open("drift.row", "w") as file:
        file.write("LEVEL NODE SIZE 1\nhost\n")
    with open("sync.csv", "w") as file:
        file.write("session,rank,send_ns,master_ns,receive_ns\n")
        for rank in (1, 2):
            for session, time in enumerate((0, 150000000, 310000000)):
                file.write(f"{session},{rank},{local(rank, time)},{local(0, time + 700)},{local(rank, time + 1500)}\n")
    sys.exit(0)
expected = {}
for form, times in records:
    key = form.replace("%d", "T")
    expected.setdefault(key, []).append([shown(*t) for t in times])
lines = open("global/trace.prv").read().splitlines()
assert lines[0].startswith("#Paraver (01/01/2020 at 00:00):") and lines[0].endswith("_ns:1(3):1:3(1:1,1:1,1:1),1"), lines[0]
assert lines[1] == "# ordo-trace: global time in ns is the time here plus 0" and lines[2] == "c:1:1:3:1:2:3", lines[1:3]
duration = int(lines[0].split("):")[1].split("_")[0])
last = 0
for line in lines[3:]:
    fields = line.split(":")
    kind, low, high = fields[0], 2000, 2000
    if kind == "2":
        assert fields[6] == "68000004" and fields[8] == "68000005", line
        low, high = int(fields[7]), int(fields[9])
        del fields[6:10]
    places = {"1": [5, 6], "2": [5], "3": [5, 6, 11, 12]}[kind]
    times = [int(fields[i]) for i in places]
    assert times[0] >= last and max(times) <= duration, line
    last = times[0]
    for i in places:
        fields[i] = "T"
    found = [true for true in expected[":".join(fields)] if all(t - low - 1 <= x <= t + high + 1 for t, x in zip(times, true))]
    assert len(found) == 1, (line, expected[":".join(fields)])
    expected[":".join(fields)].remove(found[0])
assert not any(expected.values()) and len(lines) == len(records) + 3
END
done
grep -q "^1 Running" global/trace.pcf && grep -q "68000004    ns since" global/trace.pcf || fail "the names were not passed on"
cmp -s drift.row global/trace.row || fail "the names of rows were not passed on"
refused "is in global time already" correct --sync same.csv -o again global/trace.prv

# Made of another form, and read again: the same statistics of its regions, messages and collectives, and the same bounds.
python3 - >table.csv <<'END'
import random
random.seed(3)
print("rank,time_ns,kind,name,peer,tag,bytes,thread,communicator,root")
for step in range(200):
    for rank in (1, 0, 2):
        t = 5000000000 + 100000 * step + random.randrange(1000)
        thread = 7 if step % 5 == 0 else 0
        print(f"{rank},{t},begin,work of {step % 9},,,,{thread},-1,")
        print(f"{rank},{t + 5000},end,work of {step % 9},,,,{thread},-1,")
        print(f"{rank},{t + 6000},begin,MPI_Send,,,,0,-1,")
        print(f"{rank},{t + 6100},send,,{(rank + 1) % 3},4,{step},0,0,")
        print(f"{rank},{t + 6500},end,MPI_Send,,,,0,-1,")
        print(f"{rank},{t + 9000},recv,,{(rank + 2) % 3},4,{step},0,0,")
        print(f"{rank},{t + 20000},begin,MPI_Bcast,,,,0,77,2")
        print(f"{rank},{t + 30000},end,MPI_Bcast,,,,0,77,2")
        print(f"{rank},{t + 31000},event,a point,,,,0,0,")
END
run 0 trace correct --sync same.csv --to paraver -o made table.csv
quietly trace correct --sync same.csv -o table.global.csv table.csv
calls() { trace stats --csv "$1" | grep -vE '^("?(Running|Blocking Send|Group Communication)"?),' | sort; }
calls table.global.csv >table.stats
calls made/trace.prv >made.stats
diff table.stats made.stats >stats.diff || fail "the trace has other statistics: $(head -n 4 stats.diff)"
for name in table.global.csv made/trace.prv; do
    trace stats --json $name | python3 -c 'import json, sys; print(json.load(sys.stdin)["causality"])' >${name##*.}.causality
done
cmp -s csv.causality prv.causality && grep -q "'messages': 600.*'collectives': 200," prv.causality || fail "causality: $(cat csv.causality prv.causality)"
run 0 trace info made/trace.prv
says "from 5000000" && says "in global time" && says " 600 points"
head -n 1 made/trace.prv | grep -qE '^#Paraver \([0-9]{2}/[0-9]{2}/[0-9]{2} at [0-9]{2}:[0-9]{2}\):[0-9]+_ns:1\(6\):1:3\(2:1,2:1,2:1\),2$' ||
    fail "the header: $(head -n 1 made/trace.prv)"
grep -q '^c:1:1:3:1:2:3$' made/trace.prv && grep -q '^c:1:2:3:1:2:3$' made/trace.prv || fail "the communicators: $(sed -n 2,5p made/trace.prv)"
[ "$(grep -c ^3: made/trace.prv)" = 600 ] && [ "$(sed -n '/LEVEL THREAD SIZE/,$p' made/trace.row | wc -l)" = 7 ] || fail "messages or rows"
grep '^[123]:' made/trace.prv | awk -F: '$6 < last { wrong++ } { last = $6 } END { exit wrong > 0 || NR < 5000 }' || fail "the records are not in order"

# Ends of calls and of messages that lack the other part.
cat >odd.csv <<'END'
rank,time_ns,kind,name,peer
0,9,begin,f,
0,2,send,,1
0,30,end,,
1,-3,event,"",
END
run 0 trace correct --sync same.csv --to paraver -o odd odd.csv
run 0 trace info odd/trace.prv
says "from -3 ns on" && says "1 begins 1 ends"
grep -q ':68000002:2$' odd/trace.prv || fail "an end of a message is lost: $(cat odd/trace.prv)"
refused "most ranks below 1000000 have no events" correct --sync same.csv --to paraver -o none <(printf 'rank,time_ns,peer,kind\n0,1,1000000,send\n')

# A damaged record is counted and named once, with its first row, and the records around it are read; --strict refuses it.
damaged=(2:1:1:4:1:5:9:9 2:1:2:1:1:5:9:9 2:1:1:1:0:5:9:9 2:1:1:1:1:5:9 2:1:1:1:1:5:9:9:8 2:1:1:1:1:5 2:1:1:1:1:-5:9:9 1:1:1:1:1:9:5:1
    3:1:1:1:1:1:2:3 9:1 2:1:1:1:1:9223372036854775807:9:9 text)
header='#Paraver (1/2/03 at 4:05):9_ns:0:1:3(1:1,1:1,1:1)'
for record in "${damaged[@]}" "$(printf '%s\n' "${damaged[@]}")"; do
    printf '%s\n2:1:1:1:1:5:9:9\n%s\n2:1:1:1:1:6:8:8:7:7\n' "$header" "$record" >wrong.prv
    run 0 trace info --json wrong.prv
    json --argjson count "$(wc -l <<<"$record")" \
        '.files[0] | .events == 3 and .odd == [{"what": "record", "count": $count, "first_row": 3}]'
    refused "wrong.prv: row 3: has damaged records" info --strict wrong.prv
    refused "wrong.prv: row 3: has damaged records" correct --strict --sync same.csv --to csv -o none wrong.prv
    run 0 trace correct --sync same.csv --to csv -o wrong.csv wrong.prv
    complains_once "wrong.prv: odd: damaged records, which are left out: $(wc -l <<<"$record"), the first at row 3"
done
# A file of damaged records alone is no trace, and a record without its end shows that the file is cut.
printf '%s\n9:1\ntext\n' "$header" >wrong.prv
refused "wrong.prv: row 2: is no record of Paraver, and neither is any other row" info wrong.prv
printf '%s\n2:1:1:1:1:5:9:9\n3:1:1' "$header" >wrong.prv
refused "wrong.prv: row 3: is no record of Paraver" correct --sync same.csv --to csv -o none wrong.prv
run 0 trace correct --partial --sync same.csv --to csv -o wrong.csv wrong.prv
complains_once "a place where the file ends too early: 1, the first at row 3"
echo '#Paraver (1/2/03 at 4:05):9_ns:0:1:99999999(1:1)' >wrong.prv
refused "row 1: its applications" info wrong.prv
echo '#Paraver (1/2/03 at 4:05):9_ns' >wrong.prv
refused "row 1: is no header of Paraver" info wrong.prv
# If the disk is full, which a limit of the size of files imitates, the message has the cause.
said=$( (trap '' XFSZ; ulimit -f 1; trace correct --sync same.csv -o full flight.prv) 2>&1 >/dev/null)
code=$?
[ $code = 64 ] && [[ $said == *"full: File too large" ]] || fail "full: exit $code: $said"
[ ! -e none ] && [ ! -e full ] && [ -z "$(find . -maxdepth 1 -name '*.new-*')" ] || fail "something is left: $(ls)"
exit $((failures > 0))
