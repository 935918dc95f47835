#!/bin/bash
# advise.sh SOURCE BIN: checks that `ordo advise` judges every machine of tests/machines correctly, fits on one screen
# and answers within a second. For a folder that describes no machine it must print one line and exit with 2.
set -u
source=$1 ordo=$2/ordo
machines=$source/tests/machines
. "$(dirname "$0")/../kit.sh"
export ORDO_RECORD=$scratch/none

# --- every machine, by the table of expected answers
answer() {
    "$ordo" advise --json --machine "$machines/$1" | jq -r '[.trust, .why, .kernel.source, .kernel.chosen, .reading.vdso, .counter] as $head
        | (.programs | map({(.program): .setting}) | add) as $set
        | $head + ($ARGS.positional | map($set[.])) | join("\t")' --args "${columns[@]:7}"
}
count=0
IFS=$'\t' read -r -a columns <"$machines/expected.tsv"
while IFS= read -r line; do
    machine=${line%%$'\t'*}
    [ -d "$machines/$machine" ] || fail "$machine: there is no such folder"
    answered=$machine$'\t'$(answer "$machine")
    count=$((count + 1))
    [ "$answered" != "$line" ] || continue
    IFS=$'\t' read -r -a expected <<<"$line"
    IFS=$'\t' read -r -a got <<<"$answered"
    for i in "${!columns[@]}"; do
        [ "${expected[i]-}" = "${got[i]-}" ] || fail "$machine: ${columns[i]} is '${got[i]-}', expected '${expected[i]-}'"
    done
done < <(tail -n +2 "$machines/expected.tsv")
[ "$("$ordo" advise --json | jq -r '.programs[].program' | sort)" = "$(printf '%s\n' "${columns[@]:7}" | sort)" ] ||
    fail "the programs and the columns of expected.tsv differ"
[ $count -ge 24 ] || fail "only $count machines"
[ "$count" -eq "$(find "$machines" -mindepth 1 -maxdepth 1 -type d | wc -l)" ] || fail "a folder has no line in expected.tsv"
for folder in "$machines"/*/; do
    grep -q "^| \`$(basename "$folder")\` | ." "$machines/README.md" || fail "README.md does not say after what $folder is built"
done

# --- no advice contradicts the class
for folder in "$machines"/*/; do
    "$ordo" advise --json --machine "${folder%/}" >"$scratch/out"
    jq -e '.counter == "yes" or (.programs | all((.setting | IN("clocksource=tsc", "clocksource=cpu", "ClockSourceType::Tsc",
        "timing_clock_source = '"'tsc'"'", "CFLAGS=-DUSE_PROCESSOR_CLOCK")) | not))' "$scratch/out" >/dev/null ||
        fail "$folder: a program is told to read a counter that may not be used"
    jq -e '.counter != "no" or (.next == "none")' "$scratch/out" >/dev/null || fail "$folder: the next step leads nowhere"
done

# --- one screen, with the class first
for folder in "$machines"/*/; do
    "$ordo" advise --machine "${folder%/}" >"$scratch/out" || fail "$folder: exit $?"
    [ "$(wc -l <"$scratch/out")" -le 40 ] || fail "$folder: more than 40 lines"
    [ "$(wc -L <"$scratch/out")" -le 100 ] || fail "$folder: a line of more than 100 columns"
    head -n 1 "$scratch/out" | grep -Eq '^(vouched|measured|faulted|incapable) ' || fail "$folder: no class in the first line"
    grep -Pq '[^\x20-\x7e]' "$scratch/out" && fail "$folder: a character that is not printable"
done

# --- no text promises what another machine or a missing record cannot give
"$ordo" advise --machine "$machines/gvisor" >"$scratch/out"
grep -q 'CLOCK_MONOTONIC not measured: another machine' "$scratch/out" || fail "gvisor: a cost is called unknown"
"$ordo" advise --machine "$machines/two-socket-xeon" >"$scratch/out"
! grep -q "'ordo show'" "$scratch/out" || fail "two-socket-xeon: without a record it names the boundary of 'ordo show'"

# --- this machine, within a second
begin=$(date +%s%N)
"$ordo" advise >"$scratch/out" || fail "exit $? for this machine"
took_ms=$((($(date +%s%N) - begin) / 1000000))
[ $took_ms -lt 1000 ] || { begin=$(date +%s%N) && "$ordo" advise >/dev/null && took_ms=$((($(date +%s%N) - begin) / 1000000)); }
[ $took_ms -lt 1000 ] || fail "took $took_ms ms"
grep -q '^record       none that holds: ' "$scratch/out" || fail "it does not say that there is no record"
"$ordo" advise --json | jq -e '.machine == null and .record == null and .reading.monotonic_ns > 0 and .reading.counter_ns > 0' >/dev/null ||
    fail "this machine as JSON"

# --- folders that show no machine: one line, exit 2, and no waiting
refused() {
    local object=$1
    timeout 10 "$ordo" advise --machine "$scratch/m" >"$scratch/out" 2>"$scratch/err" </dev/null
    local code=$?
    [ $code -eq 2 ] || fail "$object: exit $code, expected 2"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] && [ ! -s "$scratch/out" ] || fail "$object: not one line on stderr alone"
}
# told OBJECT FILTER: the folder must be judged despite OBJECT, and the jq filter must hold for the answer.
told() {
    timeout 10 "$ordo" advise --json --machine "$scratch/m" >"$scratch/out" 2>"$scratch/err" </dev/null || fail "$1: exit $?"
    jq -e "$2" "$scratch/out" >/dev/null || fail "$1: $2"
    timeout 10 "$ordo" advise --machine "$scratch/m" 2>&1 </dev/null | grep -Pq '[^\x20-\x7e]' && fail "$1: a character that is not printable"
}
fresh() {
    rm -rf "$scratch/m"
    cp -r "$machines/${1:-kvm-tsc}" "$scratch/m"
}
sources=sys/devices/system/clocksource/clocksource0
refused "a missing folder"
"$ordo" advise --machine "$scratch/"$'m\033[2J' 2>&1 | grep -Pq '[^\x20-\x7e]' && fail "a path that is not printable is printed"
ORDO_RECORD=$scratch/$'m\033[2J\nx' "$ordo" advise 2>&1 | grep -Pq '[^\x20-\x7e]' && fail "the path of a record that is not printable is printed"
mkdir "$scratch/m" && refused "an empty folder"
fresh && rm "$scratch/m/arch" && refused "no arch"
fresh && echo sparc64 >"$scratch/m/arch" && refused "an unknown arch"
fresh && rm "$scratch/m/arch" && mkfifo "$scratch/m/arch" && refused "a pipe as arch"
fresh && rm "$scratch/m/cpuid" && refused "no cpuid"
fresh && rm "$scratch/m/cpuid" && ln -s cpuid "$scratch/m/cpuid" && refused "a loop of links as cpuid"
rm -rf "$scratch/m" && : >"$scratch/m" && refused "a file in the place of the folder"
rm -rf "$scratch/m" && ln -s m "$scratch/m" && refused "a loop of links as folder"
fresh && rm "$scratch/m/$sources/"* && mkfifo "$scratch/m/$sources/current_clocksource" "$scratch/m/dev/vmclock0"
told "pipes as clock sources" '.trust == "measured" and .kernel.source == "unknown"'
fresh && rm "$scratch/m/dev/kmsg" && mkfifo "$scratch/m/dev/kmsg" && told "a pipe as log" '.trust == "vouched"'
fresh && truncate -s 1G "$scratch/m/dev/kmsg" && told "a log of 1 GB" '.trust == "vouched"'
fresh && yes '[    1.0] usb 1-4: new high-speed USB device' | head -c 60M >"$scratch/m/dev/kmsg" && told "a log of 60 MB" '.trust == "vouched"'
fresh && head -c 3M /dev/urandom >"$scratch/m/dev/kmsg" && told "noise as log" '.trust == "vouched"'
malformed() { # OBJECT LINE
    refused "$1"
    grep -Fq "cpuid: line $2: not LEAF SUBLEAF EAX EBX ECX EDX" "$scratch/err" || fail "$1: stderr does not name line $2"
}
fresh && head -c 3M /dev/urandom >"$scratch/m/cpuid" && refused "noise as cpuid"
fresh && sed -i '2s/ [^ ]*$//' "$scratch/m/cpuid" && malformed "five numbers in a line of cpuid" 2
fresh && sed -i '3s/ [^ ]*$/ 100000000/' "$scratch/m/cpuid" && malformed "a number of 33 bits in cpuid" 3
fresh && sed -i '1s/^/x/' "$scratch/m/cpuid" && malformed "a word in cpuid" 1
fresh && for _ in 1 2 3 4 5 6 7 8 9; do cat "$machines/cpuid-raw-form/cpuid"; done >"$scratch/m/cpuid" && told "many CPUs in cpuid" '.trust == "vouched"'
fresh xen-pv-invariant && told "Xen without a bit in CPUID" '.hypervisor == "xen" and .why == "hypervisor"'
fresh && printf '\033[2Jtsc\n' >"$scratch/m/$sources/current_clocksource" && printf 'tsc=\033[2J\n' >"$scratch/m/proc/cmdline" && told "escape sequences" '.trust == "vouched"'
fresh && head -c 100K /dev/zero | tr '\0' x >"$scratch/m/$sources/available_clocksource" && told "a long list" '.trust == "measured"'
fresh && rm "$scratch/m/proc/cmdline" && ln -s cmdline "$scratch/m/proc/cmdline" && told "a loop of links" '.trust == "vouched"'
fresh && echo 'monotonic nan' >"$scratch/m/costs" && told "costs that are no numbers" '.reading.monotonic_ns == null'
fresh && mkdir "$scratch/m/proc/version2" && rm -r "$scratch/m/proc" && told "no proc" '.trust == "vouched"'

for words in "--machine" "--machine=" "--nonsense" "surplus"; do
    # shellcheck disable=SC2086
    "$ordo" advise $words >/dev/null 2>&1
    [ $? -eq 64 ] || fail "advise $words: no usage error"
done
exit $((failures > 0))
