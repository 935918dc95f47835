#!/bin/bash
# timed.sh SOURCE BIN: tests ordo-timed as a person calls it. `--write` as a third argument writes the golden texts anew.
set -u
source=$1 bin=$2 mode=${3:-}
. "$(dirname "$0")/../kit.sh"
export COLUMNS=80 ORDO_TIME=$scratch/time
PATH=$bin:$PATH
running=()

finish() {
    [ ${#running[@]} -eq 0 ] || kill -9 "${running[@]}" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$scratch"
}
trap finish EXIT

run 0 ordo-timed --help && golden help
run 0 ordo-timed publish --help && golden help-publish
run 0 ordo-timed show --help && golden help-show
manual "$source/calib/ordo-timed/ordo-timed.1"
[ -z "$mode" ] || exit 0

run 0 ordo-timed publish --list && matches "^timed +the page of ordo-timed"
key=$scratch/key
od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$key" && chmod 600 "$key"
refused() { # refused CODE TEXT OPTION...
    local code=$1 text=$2
    shift 2
    run "$code" timeout 20 ordo-timed publish "$@" && complains_once "$text"
}
refused 64 "no reference: give --reference HOST=ERROR"
refused 64 "no key: give --key FILE" --reference 127.0.0.1=1ms
refused 64 "'127.0.0.1': give its largest error" --key "$key" --reference 127.0.0.1
refused 64 "'127.0.0.1': give its largest error" --key "$key" --reference 127.0.0.1=5
refused 64 "'127.0.0.1': give its largest error" --key "$key" --reference 127.0.0.1=-1ms
refused 64 "'127.0.0.1': give its largest error" --key "$key" --reference 127.0.0.1=2h
refused 64 "'127.0.0.1': give its largest error" --key "$key" --reference 127.0.0.1=nan
refused 64 "no name of a reference" --key "$key" --reference =1ms
refused 64 "is given twice" --key "$key" --reference 127.0.0.1=1ms --reference 127.0.0.1=2ms
refused 64 "are one host" --key "$key" --reference 127.0.0.1=1ms --reference 1@127.0.0.1=2ms
refused 64 "is not the number of a key" --key "$key" --reference x@127.0.0.1=1ms
refused 64 "has no key 7" --key "$key" --reference 7@127.0.0.1=1ms
refused 64 "not an address" --key "$key" --reference 127.0.0.1:0=1ms
refused 64 "--source hourglass: no such source: see --list" --source hourglass
refused 64 "is the page of this command" --source timed
refused 64 "is the page of this command" --source "timed:$scratch/own" --output "$scratch/own"
refused 64 "is the page of this command" --source "timed:$scratch/own" --output "$scratch/./own"
ln -s own "$scratch/link" # the page is not there yet
refused 64 "is the page of this command" --source "timed:$scratch/link" --output "$scratch/own"
refused 64 "--liars 1: of 1 references" --key "$key" --reference 127.0.0.1=1ms --liars 1
refused 64 "--clock sundial: not one of auto, counter, kernel" --key "$key" --reference 127.0.0.1=1ms --clock sundial
refused 64 "--every '1ns': not a time with a unit" --key "$key" --reference 127.0.0.1=1ms --every 1ns
refused 64 "less than twice --every" --key "$key" --reference 127.0.0.1=1ms --every 5s --void-after 6s
refused 64 "--slots" --key "$key" --reference 127.0.0.1=1ms --slots 3
mapfile -t many < <(seq -f '--reference=127.0.0.%g=1ms' 33)
refused 64 "more than 32 references" --key "$key" "${many[@]}"
refused 70 "there is no key" --key "$scratch/absent" --reference 127.0.0.1=1ms
refused 2 "" --key "$key" --reference 127.0.0.1=1ms --clock counter --record "$scratch/absent"
refused 70 "$scratch/absent: No such file" --key "$key" --reference 127.0.0.1=1ms --output "$scratch/absent/deep/time" --clock kernel
refused 70 "absent" --key "$key" --reference 127.0.0.1=1ms --vmclock "$scratch/absent" --clock kernel
head -c 4096 /dev/zero >"$scratch/vmclock"
refused 2 "cannot read the clock" --key "$key" --reference 127.0.0.1=1ms --vmclock "$scratch/vmclock" --clock kernel
run 2 ordo-timed show && complains_once "no such page: run 'ordo-timed publish'"
run 2 ordo-timed show --json && json '.schema == "ordo-time/1" and .error.code == 2'
echo nonsense >"$scratch/nonsense"
run 2 ordo-timed show --page "$scratch/nonsense" && complains_once "the page is damaged"
run 2 ordo-timed show --page "$scratch" && complains_once "$scratch: "
run 64 ordo-timed show --page

# A page of the counter if this machine has a boundary, and of the kernel's clock.
for _ in 1 2 3 4 5; do # tries other ports until one is free
    agent=127.0.0.1:$((20000 + RANDOM % 10000))
    ordo-net agent --key "$key" --listen $agent >/dev/null 2>"$scratch/agent" &
    running+=($!)
    wait_for 5 grep -q $agent "$scratch/agent" && kill -0 "${running[-1]}" 2>/dev/null && break
done
ordo-timed publish --key "$key" --reference $agent=1ms --vmclock none >"$scratch/counts" 2>"$scratch/events" &
daemon=$!
running+=($daemon)
wait_for 30 ordo-timed show || fail "nothing is published"
before=$(date +%s%N)
run 0 ordo-timed show --json
after=$(date +%s%N)
json --argjson before "$before" --argjson after "$after" '.earliest_ns <= $after and $before <= .latest_ns and .status == "valid" and .sources == 1'
run 0 ordo-timed show && matches "^status +valid, 1 references"
refused 70 "another ordo-timed publishes it: stop that one first" --key "$key" --reference $agent=1ms
kill -USR1 $daemon
wait_for 10 grep -q "^slots [1-9]" "$scratch/counts" || fail "SIGUSR1 prints no counts"
chmod g+w "$ORDO_TIME"
run 2 ordo-timed show && complains_once "others than its owner may write it"
chmod g-w "$ORDO_TIME"

# This page is a source of another one.
ordo-timed publish --source "timed:$ORDO_TIME=1us" --output "$scratch/second" --vmclock none >/dev/null 2>"$scratch/second.events" &
running+=($!)
wait_for 30 ordo-timed show --page "$scratch/second" || fail "a source is no reference"
kill -TERM $daemon
wait $daemon || fail "SIGTERM: exit $?"
run 0 ordo-timed show # until it is void
exit $((failures > 0))
