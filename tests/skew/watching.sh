#!/bin/bash
# watching.sh ORDO MACHINE WATCH [MARGIN SEED...]: tests the watcher on clocks that jump or drift while it runs. If the
# clock of one CPU jumps, programs that have the record open learn it, and the watcher names the CPU and publishes the
# next generation. The watcher warns of a drift before the drift has used up the boundary. MARGIN is added to the
# boundary for the drifts, and each SEED draws one drift. With seeds, the jumps have the smallest size that the watcher
# must notice. If other load keeps the CPUs from answering, the test is inconclusive (77).
set -u
ordo=$1 skew_machine=$2 watch=$3
. "$(dirname "$0")/common.sh"
margin=${4:-1000000}
seeds=${*:5}
watcher=''
trap '[ -z "$watcher" ] || kill -KILL $watcher; rm -rf "$scratch"' EXIT
log=$scratch/log
busy=0 least=100000
shown=("$log" "$scratch/err" "$scratch/told")
[ -z "$seeds" ] || least=5000

# too_busy: true if most looks found a CPU busy, so that the watcher could not notice anything.
too_busy() {
    local looks unanswered
    looks=$(sed -n 's/^ordo_looks_total //p' "$scratch/metrics") unanswered=$(sed -n 's/^ordo_looks_unanswered_total //p' "$scratch/metrics")
    [ $((2 * ${unanswered:-0})) -gt "${looks:-0}" ] || [ "${calibrated:-0}" -gt 1000000 ]
}
excused() {
    too_busy 2>/dev/null && echo "too busy to tell: $*" && busy=$((busy + 1))
}

# calibrate ARGUMENT...: calibrates on clocks that agree.
calibrate() {
    machine
    "$ordo" calibrate --quiet --runs 1000 --repeat 2 --force "$@" >"$scratch/err" 2>&1 ||
        fail "calibration: exit $?"
    calibrated=$("$ordo" show --json | jq '.boundary_ticks - .margin_ticks') # large if other work ran during the measurement
}

# begin SPEC: starts a watcher, and applies SPEC to the machine. Sets $begun to the time of the start.
begin() {
    : >"$log"
    begun=$(awk '{ printf "%.0f", $1 * 1e9 }' /proc/uptime)
    machine "$1"
    "$ordo" watch --log "$log" --metrics "$scratch/metrics" --quiet 2>"$scratch/err" &
    watcher=$!
}

# met EVENT SECONDS: true if the log has the event within that time.
met() { wait_for "$2" grep -q "\"event\": \"$1\"" "$log"; }

end() {
    kill "$watcher"
    wait "$watcher" || fail "the watcher ends with $?"
    watcher=''
}

# event NAME FILTER: prints FILTER of the first such event.
event() { jq -r "select(.event == \"$1\") | $2" "$log" | head -n 1; }

find_cpus "$ordo"
hz=$("$ordo" calibrate --dry-run --json --quiet --runs 30 --repeat 2 --force 2>"$scratch/err" | jq '.tick_hz | floor')

# jump CPU SIGN: tests a jump by the boundary plus $least ticks, two seconds after the start.
jump() {
    local by generation at
    calibrate
    generation=$("$ordo" show --json | jq .generation)
    by=$(($("$ordo" show --json | jq .boundary_ticks) + least))
    "$watch" "$ORDO_RECORD" 60 >"$scratch/told" &
    local reader=$!
    begin "$1:$2$by@2"
    if ! met disrupted 20; then
        fail "a jump of cpu $1 by $2$by is not noticed"
        kill $reader
        end
        return
    fi
    [ "$(event disrupted .cpu)" = "$1" ] || fail "a jump of cpu $1 by $2$by: names cpu $(event disrupted .cpu)"
    wait $reader
    grep -q '^DISRUPTED' "$scratch/told" || fail "a jump of cpu $1: a program that has the record open does not see it"
    met published 40 || fail "after a jump of cpu $1 nothing is published"
    at=$(event disrupted .boottime_ns)
    jq -es --argjson by $by --argjson last "$generation" 'map(select(.event == "published"))[0] |
        .generation == $last + 1 and .boundary_ticks >= $by' "$log" >/dev/null || fail "a jump of cpu $1: the next generation"
    end
    "$ordo" show >"$scratch/err" 2>&1 || fail "after a jump of cpu $1 no record is left"
    echo "jump of cpu $1 by $2$by ticks: noticed after $(((at - begun) / 1000000 - 2000)) ms"
}

# drift SEED: tests a drift of 50 ppm, of a random CPU, in a random direction, from a random time on.
drift() {
    RANDOM=$1
    local cpu=$first sign='' after used_up at boundary
    [ $((RANDOM % 2)) -eq 0 ] || cpu=$second
    [ $((RANDOM % 2)) -eq 0 ] || sign=-
    after=$((2 * hz + RANDOM * (hz / 16384)))
    calibrate --margin "$margin"
    boundary=$("$ordo" show --json | jq .boundary_ticks)
    begin "$cpu:0:${sign}50@$(awk "BEGIN { printf \"%.6f\", $after / $hz }")"
    if ! met drift 30; then
        fail "seed $1: a drift of cpu $cpu by ${sign}50 ppm is not noticed"
        end
        return
    fi
    at=$(event drift .boottime_ns)
    used_up=$((begun + (after + boundary * 20000) / (hz / 1000) * 1000000))
    [ "${at:-$used_up}" -lt "$used_up" ] || fail "seed $1: warned $(((at - used_up) / 1000000)) ms too late"
    # The measured rate of a drift that has just begun is too small.
    jq -es --argjson sign "$([ "$cpu$sign" = "$second" ] || [ "$cpu$sign" = "$first-" ] && echo 1 || echo -1)" \
        'map(select(.event == "drift"))[0] | (.drift_ppb * $sign | . > 500 and . < 100000) and .left_s > 0' "$log" >/dev/null ||
        fail "seed $1: the drift is $(event drift .drift_ppb) ppb, $(event drift .left_s) s are left"
    [ "$(grep -n '"drift"' "$log" | head -n 1 | cut -d : -f 1)" -lt "$(grep -n '"disrupted"' "$log" | head -n 1 | cut -d : -f 1 | grep . || echo 999)" ] ||
        fail "seed $1: disrupted before it was warned"
    end
    echo "seed $1: cpu $cpu by ${sign}50 ppm: warned $(((used_up - at) / 1000000)) ms before the boundary of $boundary was used up"
}

if [ -z "$seeds" ]; then
    jump "$second" +
    jump "$first" -
    drift 1
else
    for seed in $seeds; do
        drift "$seed"
    done
    for _ in 1 2 3; do
        for sign in + -; do
            jump "$first" $sign
            jump "$second" $sign
        done
    done
fi
[ $failures -eq 0 ] || exit 1
[ $busy -eq 0 ] || { echo "too busy to tell, $busy times"; exit 77; }
