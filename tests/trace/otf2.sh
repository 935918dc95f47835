#!/bin/bash
# otf2.sh BIN: archives of OTF2 with known truth, written by make-otf2, read and corrected by ordo-trace. otf2-print, otf2-estimator
# and OTF2's bindings for Python read them independently.
set -u
bin=$1 here=$(cd "$(dirname "$0")" && pwd)
. "$here/../kit.sh"
cd "$scratch" || exit 1
for python in python3 /usr/bin/python3 none; do "$python" -c 'import otf2' 2>/dev/null && break; done
[ "$python" != none ] && command -v otf2-print >/dev/null || { echo "OTF2 is missing: install python3-otf2 and otf2-tools"; exit 77; }

trace() { "$bin/ordo-trace" "$@"; }
reads() { "$python" "$here/read_otf2.py" "$@"; }
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
    for rank in 1 2 3; do echo "0,$rank,0,0,0"; echo "1,$rank,99999999,99999999,99999999"; done
} >same.csv

# Every record is read as OTF2's own bindings read it, at each resolution of the clock.
for hz in 1000000000 2500000000 1000000 3579545; do
    "$bin/make-otf2" plain.$hz 4 20 $hz 0 $hz >plain.truth || fail "no archive of $hz Hz"
    quietly trace correct --sync same.csv --to csv -o plain.$hz.csv plain.$hz/traces.otf2
    quietly reads records plain.$hz/traces.otf2 plain.$hz.csv $hz
done
run 0 trace info --json plain.1000000000/traces.otf2
others=$(otf2-print plain.1000000000/traces.otf2 | grep -cE '^(METRIC|THREAD_FORK|MPI_ISEND_COMPLETE|MPI_IRECV_REQUEST|MPI_COLLECTIVE_BEGIN|MPI_COLLECTIVE_END) ')
says "\"others\": $others"

# A corrected archive has the records of every kind of its source, with the attributes, properties and markers; only the bounds are added.
# If the library has a kind that make-otf2-kinds does not write, the test fails.
"$bin/make-otf2-kinds" kinds || fail "no archive of all kinds"
run 0 trace correct --sync same.csv -o kinds.global kinds/traces.otf2
complains_once "kinds/traces.otf2: odd: snapshots and thumbnails of OTF2, which are left out: 1, the first at row 1"
refused "has snapshots and thumbnails" info --strict kinds/traces.otf2
shows() {
    otf2-print "$1/traces.otf2" | sed '/^=== Snapshots/,$d; s/, ("ordo: [a-z]*" <[0-9]>; INT64; [0-9-]*)//g
        s/ADDITIONAL ATTRIBUTES: ("ordo: earliest".*/ADDITIONAL ATTRIBUTES: /; /ADDITIONAL ATTRIBUTES: *$/d; s/^=== OTF2-PRINT.*//'
    otf2-print -I "$1/traces.otf2" | grep -E '^(Machine|Description|Property)' | grep -v -A 1 ORDO::
}
shows kinds >kinds.txt
shows kinds.global | grep -vE 'ORDO::|^Property value +0$' >global.txt
diff kinds.txt global.txt >kinds.diff || fail "records are lost: $(head -n 5 kinds.diff)"
written=$(grep -oE '^[A-Z0-9_]+ +[01] ' kinds.txt | cut -d' ' -f1 | sort -u | wc -l)
known=$(echo '#include <otf2/OTF2_EvtReaderCallbacks.h>' | cc -E -P - | grep -oE 'OTF2_EvtReaderCallbacks_Set[A-Za-z]+Callback' | grep -vc Unknown)
[ "$written" = "$known" ] || fail "$written kinds were written, and the library has $known"
for archive in kinds kinds.global; do "$bin/make-otf2-kinds" --markers $archive/traces.otf2 | sort >$archive.markers; done
[ "$(wc -l <kinds.markers)" = 5 ] && cmp -s kinds.markers kinds.global.markers || fail "markers: $(cat kinds.global.markers)"
run 0 trace correct --sync same.csv --to csv -o kinds.csv kinds/traces.otf2
grep -q '^1,1700,event,the thread is late,' kinds.csv || fail "a marker is no event: $(grep late kinds.csv)"

# The times of markers are corrected as those of their ranks: the clock of rank 1 is 500 ns behind.
printf 'session,rank,send_ns,master_ns,receive_ns\n0,1,0,500,0\n1,1,99999999,100000499,99999999\n' >behind.csv
quietly trace correct --sync behind.csv -o kinds.shifted kinds/traces.otf2
"$bin/make-otf2-kinds" --markers kinds.shifted/traces.otf2 | sort >shifted.markers
sed 's/^1700 /2200 /; s/^1300 /1800 /' kinds.markers | sort | diff - shifted.markers >log || fail "markers of rank 1: $(cat log)"

# Messages of a channel are matched in the order in which their receives were posted, and not in that of their completion.
run 0 trace stats --json --raw plain.1000000000/traces.otf2
says '"messages": 200' && says '"unmatched": 0'
"$python" - plain.1000000000.csv <<'END' || fail "messages are paired wrongly"
import csv, sys
ends = {}
for row in csv.DictReader(open(sys.argv[1])):
    if row["kind"] in ("send", "recv"):
        pair = (row["rank"], row["peer"]) if row["kind"] == "send" else (row["peer"], row["rank"])
        ends.setdefault((pair, row["communicator"], row["number"]), set()).add(row["bytes"])
assert len(ends) == 200 and all(len(sizes) == 1 for sizes in ends.values())
END

# Clock offset records are sessions. The corrected archive has the records of the source, in global time, with bounds that hold the
# truth; its clock counts ns, and it has no offsets.
for hz in 1000000000 2500000000; do
    "$bin/make-otf2" drift.$hz 4 500 $hz 5 3 >drift.truth || fail "no archive with offsets"
    run 0 trace correct -o global.$hz drift.$hz/traces.otf2
    says "corrected by the sessions in the trace"
    quietly reads truth global.$hz/traces.otf2 drift.$hz/traces.otf2 drift.truth
    otf2-print -G global.$hz/traces.otf2 >global.txt
    grep -q "CLOCK_PROPERTIES .*Ticks per Seconds: 1000000000," global.txt || fail "the clock does not count ns"
    otf2-print -C global.$hz/traces.otf2 | grep -q CLOCK_OFFSET && fail "there are clock offsets"
    otf2-print -A global.$hz/traces.otf2 | grep -q "Creator *ordo-trace" || fail "the creator is another one"
    refused "is in global time already" correct -o again global.$hz/traces.otf2
    [ ! -e again ] || fail "a refused archive was written"
done

# otf2-print applies clock offsets linearly. Without a better estimate it agrees with ours within the errors of the records.
lines() { otf2-print "$1" | awk '/^[A-Z_]+ +[0-9]+ +[0-9]+/ { print $2, $1, $3 }' | sort -s -k1,1n; }
"$bin/make-otf2" even 4 500 1000000000 5 4 >/dev/null || fail "no archive whose global clock is that of rank 0"
quietly trace correct -o even.global even/traces.otf2
lines even/traces.otf2 >theirs.txt
lines even.global/traces.otf2 >ours.txt
[ "$(wc -l <ours.txt)" -gt 60000 ] || fail "otf2-print shows $(wc -l <ours.txt) events"
paste -d' ' theirs.txt ours.txt | awk '{ d = $3 - $6; if (d < 0) d = -d; if ($1 != $4 || $2 != $5 || d > 300) wrong++ }
    END { exit wrong > 0 }' || fail "otf2-print does not agree"

# An archive that is made of another form: its records are those of the table, and a row comes back as it was.
"$python" - plain.1000000000.csv table.csv <<'END'
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
csv.writer(open(sys.argv[2], "w", newline=""), lineterminator="\n").writerows(row[:11] for row in rows)
END
quietly trace correct --sync same.csv --to otf2 -o made table.csv
quietly trace correct --sync same.csv -o table.global.csv table.csv
run 0 trace info --json made/traces.otf2
says '"corrected": true'
quietly reads records made/traces.otf2 table.global.csv 1000000000
trace stats --csv table.global.csv | sort >table.stats
trace stats --csv made/traces.otf2 | sort >made.stats
diff table.stats made.stats >stats.diff || fail "the archive has other statistics: $(head -n 3 stats.diff)"
cat >odd.csv <<'END'
rank,time_ns,kind,name,thread
1,50,begin,inner,0
1,-10,begin,outer,0
1,60,end,inner,0
1,70,end,outer,0
0,5,event,"a, ""point""",7
END
run 0 trace correct --sync same.csv --to otf2 -o odd odd.csv
run 0 otf2-print odd/traces.otf2
says 'Value: "a, "point""'
[ "$(grep -oE '^(ENTER|LEAVE) .*"(inner|outer)"' out | sed -E 's/ +.*"(.*)"/ \1/' | paste -sd,)" = "ENTER outer,ENTER inner,LEAVE inner,LEAVE outer" ] ||
    fail "events out of order are not sorted"
run 0 trace info odd/traces.otf2
says "5 events of ranks 0 to 1" && says "from -10 ns on"

# Spans become regions that nest, also those that begin or end together.
echo '[{"ph":"X","name":"a","pid":0,"tid":1,"ts":1,"dur":9},{"ph":"X","name":"b","pid":0,"tid":1,"ts":1,"dur":9},
{"ph":"X","name":"c","pid":0,"tid":1,"ts":2,"dur":8},{"ph":"M","name":"x"}]' >spans.json
run 0 trace correct --sync same.csv --to otf2 -o spans spans.json
run 0 otf2-print spans/traces.otf2
[ "$(grep -oE '^(ENTER|LEAVE) .*"' out | sed -E 's/ +.*"(.*)"/ \1/' | paste -sd,)" = "ENTER a,ENTER b,ENTER c,LEAVE c,LEAVE b,LEAVE a" ] ||
    fail "spans do not nest"

# otf2-estimator says how large the events of a location can be at most.
quietly reads sizes global.1000000000/traces.otf2
awk '$1 == 0 && $2 == 0' log >sizes.txt
{
    printf 'set %s 100\n' String Region Attribute Comm Metric Parameter
    awk '{ print $3 == "Metric" ? "get Metric 1" : "get " $3 }' sizes.txt
    printf 'get Timestamp\nget AttributeList INT64 INT64\nexit\n'
} | otf2-estimator >estimates.txt
most=$(awk 'NR == FNR { size[$1] = $NF; next } { sum += $5 * (size[$3] + size["Timestamp"] + size["AttributeList"]) } END { print sum }' estimates.txt sizes.txt)
real=$(stat -c %s global.1000000000/traces/0.evt)
[ "$most" -gt 100000 ] && [ "$real" -le $((most + 1000)) ] || fail "$real bytes of events, and otf2-estimator says $most"

# Nothing is replaced, and nothing is left of a failure.
refused "exists" correct -o made plain.1000000000/traces.otf2
refused "is a folder of files" correct --sync same.csv -o - plain.1000000000/traces.otf2
printf '0,0,0\n' >bad.csv
refused "row 1" correct --sync bad.csv -o none plain.1000000000/traces.otf2
python3 -c 'print("[{\"ph\":\"X\",\"pid\":0,\"tid\":0,\"ts\":1,\"dur\":2,\"name\":\"" + "n" * 300000 + "\"}]")' >long.json
refused "a name is too long for it: write another form" correct --sync same.csv --to otf2 -o none long.json
refused "most ranks below 1000000 have no events" correct --sync same.csv --to otf2 -o none <(printf 'rank,time_ns,peer,kind\n0,1,1000000,send\n')
printf '\3BOTF2' >short.otf2
refused "its anchor file" info short.otf2
echo text >text.otf2
refused "is no anchor file" info --from otf2 text.otf2
[ ! -e none ] && [ -z "$(find . -maxdepth 1 -name '*.new-*')" ] || fail "something is left: $(ls)"

# Archives that lack definitions: what depends on them has no name or is another event, and the rest is read; an archive without
# locations has no events.
for sort in strings regions processes groups communicators clock; do
    "$bin/make-otf2" lacks.$sort 4 20 1000000000 0 1 $sort >lacks.truth || fail "no archive without $sort"
    run 0 trace info --json lacks.$sort/traces.otf2
    # Each event whose name or rank is lost is counted, and --strict refuses the archive.
    case $sort in
    strings) json '.files[0].odd == [{"what": "undefined", "count": 80, "first_row": 3}]' ;;
    regions) json '.files[0] | .odd[0].what == "undefined" and .odd[0].count == .of_kind.begins + .of_kind.ends' ;;
    groups | communicators) json '.files[0].odd[0] | .what == "undefined" and .count >= 400' ;;
    *) json '.files[0].odd == []' ;;
    esac
    case $sort in
    strings | regions | groups | communicators) refused "events whose region or rank is not defined" info --strict lacks.$sort/traces.otf2 ;;
    esac
    [ $sort != strings ] || run 0 trace info --json lacks.$sort/traces.otf2
    says "\"events\": $(wc -l <lacks.truth)"
    case $sort in
    groups | communicators) says '"sends": 0' && says '"begins": 760' ;;
    *) says '"sends": 200' && says '"begins": 760' ;;
    esac
    quietly trace correct --sync same.csv --to csv -o lacks.$sort.csv lacks.$sort/traces.otf2
    run "0|64" trace correct --sync same.csv -o lacks.$sort.again lacks.$sort/traces.otf2
done
"$bin/make-otf2" lacks.locations 4 20 1000000000 0 1 locations >lacks.truth
run 0 trace info lacks.locations/traces.otf2
says " 0 events"
refused "has no event" correct --sync same.csv -o none lacks.locations/traces.otf2

# A damaged location: --partial takes the events before the damage, and all of the other locations.
cp -r plain.1000000000 torn
size=$(stat -c %s torn/traces/1.evt)
truncate -s $((size / 2)) torn/traces/1.evt
refused "with --partial" correct --sync same.csv -o none torn/traces.otf2
run 0 trace correct --partial --sync same.csv --to csv -o torn.csv torn/traces.otf2
complains "a place where the file ends too early: 1"
[ "$(grep -v ^1, torn.csv | sort | sha256sum)" = "$(grep -v ^1, plain.1000000000.csv | sort | sha256sum)" ] || fail "other locations lose events"
[ "$(grep -c ^1, torn.csv)" -gt 100 ] || fail "only $(grep -c ^1, torn.csv) events are before the damage"

cp -r kinds marked
size=$(stat -c %s marked/traces.marker)
truncate -s $((size - 30)) marked/traces.marker
refused "with --partial" correct --sync same.csv -o none marked/traces.otf2
run 0 trace info marked/traces.otf2
says "a place where the file ends too early: 1" && says "from 1010 ns on" && says " 1 points"
run 0 trace correct --partial --sync same.csv -o marked.global marked/traces.otf2

# An anchor file that announces more properties than there is memory ends at once.
cp -r plain.1000000000 announces
"$python" - announces/traces.otf2 <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[32], data[47], data[63] = 0xf8, 5, 0x39
open(sys.argv[1], "wb").write(data)
END
seconds=10
run 64 "$bin/ordo-trace" info announces/traces.otf2
seconds=''
mentions "its anchor file"

# Damaged archives: a file that is cut, changed or missing. ordo-trace ends with a code and one line, also if the
# library crashes.
"$python" - "$bin/ordo-trace" plain.1000000000 "${ORDO_OTF2_SEED:-1}" "${ORDO_OTF2_COUNT:-150}" <<'END' || fail "damaged archives"
import os, random, shutil, subprocess, sys
program, sound, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
random.seed(seed)
files = [os.path.join(folder, name) for folder, _, names in os.walk(sound) for name in names]
refused = 0
for i in range(count):
    shutil.rmtree("damaged", ignore_errors=True)
    shutil.rmtree("written", ignore_errors=True)
    shutil.copytree(sound, "damaged")
    path = random.choice(files).replace(sound, "damaged", 1)
    with open(path, "rb") as file:
        data = bytearray(file.read())
    how = random.choice(["cut", "change", "drop", "remove"])
    if how == "cut":
        del data[random.randrange(len(data)):]
    elif how == "change":
        for _ in range(random.randrange(1, 4)):
            data[random.randrange(len(data))] = random.randrange(256)
    elif how == "drop":
        at = random.randrange(len(data))
        del data[at:at + random.randrange(1, 20)]
    os.unlink(path)
    if how != "remove":
        with open(path, "wb") as file:
            file.write(data)
    for command in (["info"], ["correct", "--sync", "same.csv", "-o", "written"]):
        done = subprocess.run([program, *command, "damaged/traces.otf2"], capture_output=True, text=True, errors="replace", timeout=120)
        refused += done.returncode == 64
        told = done.returncode == 0 or (done.stderr.count("\n") == 1 and "damaged" in done.stderr)
        if done.returncode not in (0, 1, 64) or not told or (done.returncode and os.path.exists("written")):
            print(i, how, path, command, done.returncode, done.stderr)
            sys.exit(1)
sys.exit(not refused)
END
# If the disk is full, which a limit of the size of files imitates, the message says so, and nothing is left.
said=$( (trap '' XFSZ; ulimit -f 1; trace correct --to otf2 -o full plain.1000000000/traces.otf2) 2>&1 >/dev/null)
code=$?
[ $code = 64 ] && [[ $said == *"correct: full: "*": make room on its disk" ]] || fail "full: exit $code: $said"
[ -z "$(ls -d full*)" ] || fail "a full disk leaves $(ls -d full*)"

exit $((failures > 0))
