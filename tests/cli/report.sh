#!/bin/bash
# report.sh BIN MAKE_REPORT: tests reports of this machine and of large synthetic machines: content, size, anonymity,
# the refusal of damaged files, and the comparison of reports.
set -u
PATH=$1:$PATH make_report=$2
. "$(dirname "$0")/../kit.sh"
tries=3 seconds=60
export ORDO_RECORD=$scratch/boundary COLUMNS=80

# --- no record, and wrong usage
run 2 ordo report && complains "there is no boundary record: run 'ordo calibrate'" && one_line
run 64 ordo report surplus && complains "to write a report there, give --output" && one_line
run 64 ordo report --json && complains "only with --compare"
run 64 ordo report --validate && complains "give it the FILE" && one_line
run 64 ordo report --compare one && complains "two files, A and B, not 1" && one_line
run 64 ordo report --compare one two three
run 64 ordo report --validate --compare one two && complains "not both"
run 64 ordo report --validate --output x one && complains "leave them out"
run 70 ordo report --output "$scratch/none/report" && one_line && complains "No such file or directory: create it"
run 64 ordo report --output "" && complains "--output '': names no file" && one_line
ln -s around "$scratch/record-around"
ln -s record-around "$scratch/around"
run 2 ordo report --path "$scratch/around" && complains "symbolic links: name the file itself" && one_line
rm "$scratch/around" "$scratch/record-around"
run 70 ordo report --output "$scratch/$(head -c 300 /dev/zero | tr '\0' a)" && complains "the name is too long: name a shorter one" && one_line
run 64 ordo report --path= && complains "--path '': names no record" && one_line

# --- this machine: the numbers of the calibration, and of the machine only words and rounded numbers
run 0 ordo calibrate --runs 300 --repeat 2 --force --json
cp "$scratch/out" "$scratch/calibration"
run 0 ordo report
cp "$scratch/out" "$scratch/mine"
json ".schema == \"ordo-report/1\" and .month == \"$(date -u +%Y-%m)\" and .topology.cpus == ($(jq '.cpus | length' "$scratch/calibration"))"
json "[.boundary_ticks, .granule_ticks, .delta_ticks, .drift_ppb, .runs] ==
      $(jq -c '[.boundary_ticks, .granule_ticks, .delta_ticks, .drift_ppb, .runs]' "$scratch/calibration")"
json '.machine.counter_read_ns > 0 and .machine.kernel_clock_read_ns > 0'
json '[.tick_hz, (.machine.nominal_hz // 0)] | all(tostring | sub("0+$"; "") | length <= 4)'
json '.machine | [.counter_read_ns, .kernel_clock_read_ns] | all(tostring | sub("[.]0*$"; "") | sub("[.]"; "") | length <= 3)'
[ "$(wc -c <"$scratch/out")" -lt 100000 ] || fail "100000 bytes or more"
run 0 ordo report --path "$ORDO_RECORD" --output "$scratch/report"
[ ! -s "$scratch/out" ] || fail "--output prints as well"
run 0 ordo report --validate "$scratch/report" "$scratch/mine" && says "$scratch/report: valid: "
[ "$(wc -l <"$scratch/out")" -eq 2 ] || fail "not one line for each file"

# --- the output: files that it replaces, and files that it must not
spared() { # OUTPUT: a report must not be written to OUTPUT, which belongs to the record and stays unchanged
    cp -a "$scratch/boundary" "$scratch/before"
    run 64 ordo report --output "$1" && complains "is a record, or belongs to one: name another file" && one_line
    cmp -s "$scratch/boundary" "$scratch/before" || { fail "$1: the record was replaced"; cp -a "$scratch/before" "$scratch/boundary"; }
}
ln -s boundary "$scratch/link" && ln "$scratch/boundary" "$scratch/hard" && cp "$scratch/boundary" "$scratch/copy"
mkdir -p "$scratch/sub"
for output in boundary link hard copy boundary.json boundary.monotonic boundary.monotonic.json sub/../boundary sub/../boundary.monotonic; do
    spared "$scratch/$output"
done
rm "$scratch/link" "$scratch/hard" "$scratch/copy"
(cd "$scratch" && rm -f boundary.monotonic.json && timeout 60 ordo report --output boundary.monotonic.json 2>/dev/null)
[ $? -eq 64 ] && [ ! -e "$scratch/boundary.monotonic.json" ] || fail "a relative name beside the record is written"
echo old >"$scratch/kept" && chmod 600 "$scratch/kept" && ln -s kept "$scratch/to-kept"
run 0 ordo report --output "$scratch/to-kept"
[ -L "$scratch/to-kept" ] && [ "$(stat -c %a "$scratch/kept")" = 600 ] || fail "an output loses its link or its mode"
run 0 ordo report --validate "$scratch/kept"
run 0 ordo report --output - && json '.schema == "ordo-report/1"'
[ ! -e ./- ] || fail "--output - makes a file"
if [ "$(id -u)" -eq 0 ]; then
    chown 65534 "$scratch/kept"
    run 70 ordo report --output "$scratch/kept" && complains "is a file of another user (65534), and is not replaced: name another" && one_line
fi

# Every text in the report is a word of the sources, or digits. Nothing in it identifies this machine.
jq -r '.. | strings' "$scratch/mine" | grep -vxE '[0-9]+([.-][0-9]+)*' | sort -u >"$scratch/words"
while read -r word; do
    grep -rqF "\"$word\"" "$(dirname "$0")/../../lib/calibrate/collection" "$(dirname "$0")/../../lib/machine/topology" \
        "$(dirname "$0")/../../include/ordo/record.h" || fail "'$word' is no word of reports"
done <"$scratch/words"
identities() {
    hostname
    hostname -f
    id -un
    cat /etc/machine-id /proc/sys/kernel/random/boot_id /sys/class/net/*/address /sys/class/dmi/id/*_serial /sys/class/dmi/id/*_uuid
    hostname -I | tr ' ' '\n'
    uname -r
    uname -v
    echo "$scratch"
    sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo
    jq '.tick_hz | floor, .as_of_ns, .as_of_ticks, .void_after_ns' "$scratch/calibration"
    date +%Y-%m-%d
}
identities 2>/dev/null | sort -u | while read -r identity; do
    [ ${#identity} -ge 5 ] && [ "$identity" != 00:00:00:00:00:00 ] || continue
    ! grep -Fqi -- "$identity" "$scratch/mine" || { fail "the report has '$identity' of this machine"; echo x >"$scratch/leak"; }
done
[ ! -e "$scratch/leak" ] || failures=$((failures + 1))

# Names that an operator has chosen, of a host, a user or a path, do not appear in the report.
cp "$scratch/boundary" "$scratch/SECRET-host"
run 0 env HOSTNAME=SECRET-host USER=SECRET ordo report --path "$scratch/SECRET-host"
! grep -q SECRET "$scratch/out" || fail "a path or a name is in the report"

# --- a damaged record is refused
damage() { # OFFSET: overwrites 8 bytes of a copy of the record, which must then be refused
    cp "$scratch/boundary" "$scratch/SECRET-host"
    dd if=/dev/urandom of="$scratch/SECRET-host" bs=1 seek="$1" count=8 conv=notrunc status=none
    run 2 ordo report --path "$scratch/SECRET-host" && one_line
}
damage 160 && complains "checksum"
damage $((($(od -An -tu4 -j188 -N4 "$scratch/boundary") + 63) / 64 * 64)) && complains "matrix is damaged: run 'ordo calibrate'"

# --- large machines: size and detail
large() { # DESCRIPTION CPUS FILTER
    "$make_report" "$1" 5 >"$scratch/out" 2>"$scratch/err" || fail "make_report $1"
    [ "$(wc -c <"$scratch/out")" -lt 100000 ] || fail "$1: $(wc -c <"$scratch/out") bytes"
    json ".topology.cpus == $2 and ($3)"
    cp "$scratch/out" "$scratch/$2"
    run 0 ordo report --validate "$scratch/$2" && says "valid: $2 CPUs, vouched"
}
large "pack:2 numa:1 l3:8 core:8 pu:1" 128 '.detail == "pairs" and (.delta_ticks | length) == 128'
large "pack:2 numa:1 l3:8 core:8 pu:2" 256 '.detail == "rounded" and (.delta_rounded | length) == 256 and all(.delta_rounded[]; length == 256)'
large "pack:8 numa:1 l3:8 core:8 pu:1" 512 '.detail == "l3" and (.blocks.max_ticks | length) == 64 and (.per_cpu.offset_ticks | length) == 512'
large "pack:8 numa:2 l3:4 core:8 pu:2" 1024 '.per_cpu != null and (.worst_pairs | length) == 64'

# --- strangers' files
refused() { # EXIT TEXT FILE...
    local expected=$1 text=$2
    shift 2
    run "$expected" ordo report --validate "$@" && complains "$text" && one_line
}
change() { jq -c "$1" "$scratch/mine" >"$scratch/changed" || fail "jq $1"; }
change '.host = "alice"' && refused 1 "changed: \$.host: a key that no such document has; remove it: a report is anonymous" "$scratch/changed"
change '.machine.serial = 1' && refused 1 '$.machine.serial: ' "$scratch/changed"
change '.boundary_ticks -= 1 | .corrected_boundary_ticks = null | .per_cpu.correction_ticks = null' && [ "$(jq '.topology.cpus' "$scratch/mine")" -gt 1 ] && refused 1 'is above boundary_ticks' "$scratch/changed"
change '.tick_hz += 139806' && refused 1 '$.tick_hz: an exact rate: more than four digits; make it anew' "$scratch/changed"
change '.machine.counter_read_ns = 24.412345678901' && refused 1 '$.machine.counter_read_ns: more than three digits' "$scratch/changed"
change '.month = "2026-11-28"' && refused 1 'not of the form YYYY-MM' "$scratch/changed"
"$(command -v ordo)" advise --json >"$scratch/changed" && refused 1 '$.schema: "ordo-advise/1", and not ordo-report/1; give the file of a report' "$scratch/changed"
echo null >"$scratch/changed" && refused 1 'null, and not an object' "$scratch/changed"
change '.tick_hz = 1e300' && refused 1 '$.tick_hz: ' "$scratch/changed"
change '.trust = "incapable" | .forced = false' && refused 1 '$.trust: ' "$scratch/changed"
: >"$scratch/empty" && refused 1 'empty: line 1' "$scratch/empty"
head -c 300 "$scratch/mine" >"$scratch/cut" && refused 1 'cut: line 1' "$scratch/cut"
head -c 99000 /dev/zero | tr '\0' '[' >"$scratch/deep" && refused 1 'deep: line 1' "$scratch/deep"
head -c 50000000 /dev/zero | tr '\0' ' ' >"$scratch/long" && refused 1 '100000 bytes or more' "$scratch/long"
head -c 5000 /dev/urandom >"$scratch/noise" && refused 1 'noise: ' "$scratch/noise"
sed 's/"forced":/"forced":true,"forced":/' "$scratch/mine" >"$scratch/changed" && refused 1 'duplicate' "$scratch/changed"
sed 's/"vouched"/"\x1b]0;owned\x07"/' "$scratch/512" >"$scratch/changed" && refused 1 'changed: ' "$scratch/changed"
! grep -q $'[\x1b\x07]' "$scratch/err" || fail "a control character reaches the terminal"
cp "$scratch/empty" "$scratch/"$'name\nof two lines' && refused 1 'name?of two lines: ' "$scratch/"$'name\nof two lines'
refused 2 "No such file or directory: give the file of a report" "$scratch/absent"
ln -s around "$scratch/around" && refused 2 "symbolic links: name the file itself" "$scratch/around"
refused 2 "File name too long: name it by a shorter path" "$scratch/$(head -c 5000 /dev/zero | tr '\0' a)"
refused 2 "not a regular file" "$scratch"
mkfifo "$scratch/fifo" && refused 2 "not a regular file" "$scratch/fifo"
refused 2 "not a regular file" /dev/zero
# Several files: an unreadable file or a valid one does not hide an invalid one.
run 1 ordo report --validate "$scratch/absent" "$scratch/cut" "$scratch/mine" && says "mine: valid"
[ "$(wc -l <"$scratch/err")" -eq 2 ] || fail "not one line for each file"

# --- two of them
run 0 ordo report --compare "$scratch/128" "$scratch/512" && says "boundary, ns" && says "B / A" && says "different numbers of CPUs"
run 0 ordo report --compare "$scratch/128" "$scratch/512" --json
json '.schema == "ordo-report-comparison/1" and .a.cpus == 128 and .b.cpus == 512'
json ".quantities.boundary_ns | (.a - $(jq '.boundary_ticks / .tick_hz * 1e9' "$scratch/128") | fabs) < 1e-6 and (.factor - .b / .a | fabs) < 1e-6"
run 0 ordo report --compare "$scratch/mine" "$scratch/mine" --json && json '[.quantities[].factor | select(. != null)] | all(. == 1)'
run 1 ordo report --compare "$scratch/mine" "$scratch/cut" && one_line
run 2 ordo report --compare "$scratch/absent" "$scratch/mine" --json && json '.error.code == 2'
ordo report --compare "$scratch/mine" "$scratch/mine" >/dev/full 2>"$scratch/err"
[ $? -eq 70 ] || fail "a full standard output is not noticed"
ordo report >/dev/full 2>"$scratch/err"
[ $? -eq 70 ] || fail "a full standard output is not noticed"
exit $((failures > 0))
