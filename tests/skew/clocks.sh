#!/bin/bash
# clocks.sh ORDO MACHINE STEP: tests `ordo clocks` on clocks that disagree, that drift, and that are set during the
# measurement. Every proved interval must contain the truth, whatever else runs on this machine.
set -u
ordo=$1 skew_machine=$2
. "$(dirname "$0")/common.sh"
cp "$3" "$scratch/step.so" # LD_PRELOAD cannot take a path with blanks
machine

# holds WHAT FILTER [ARGUMENT...]: the jq filter must be true for the last result.
holds() { jq -e "${@:3}" "$2" "$scratch/out" >/dev/null || fail "$1: $2"; }

"$ordo" clocks --seconds 0.2 --json >"$scratch/out" 2>"$scratch/err" || fail "exit $?"
reference=$(jq .reference_cpu "$scratch/out")
other=$(jq '.cpus[1]' "$scratch/out")
tsc='.clocks[] | select(.clock == "tsc")'
holds "clocks that agree" 'all(.clocks[]; .rate_ppm as $r | $r[0] == null or ($r[0] <= $r[1]))'
holds "clocks that agree" "$tsc | .jumps_seen == 0 and .across[0].backward_ns == 0 and (.fitness.order | .fit != \"no\" or (.reason | contains(\"kernel\")))"
holds "clocks that agree" "$tsc | .across[0] | .ordered and .offset_ns[0] <= 0 and .offset_ns[1] >= 0 and .drift_ppm[0] <= 0 and .drift_ppm[1] >= 0"

# drifts CPU PPM EXPECTED SECONDS: lets the clock of CPU drift by PPM. The tool must report EXPECTED as the drift of the
# second CPU against the first.
drifts() {
    machine "$1:0:$2"
    "$ordo" clocks --seconds "$4" --cpus "$reference,$other" --json \
        >"$scratch/out" 2>"$scratch/err" || fail "drift $2: exit $?"
    holds "drift of $2 ppm on cpu $1" "$tsc | .across[0].drift_ppm | .[0] <= \$rate and .[1] >= \$rate" --argjson rate "$3"
    # The kernel's clocks are true, and the tool reports no fault of them.
    holds "drift of $2 ppm on cpu $1" 'all(.clocks[] | select(.clock != "tsc"); .across[0].drift_ppm | .[0] <= 0 and .[1] >= 0)'
    holds "drift of $2 ppm on cpu $1" 'all(.clocks[] | select(.clock != "tsc"); .across[0].backward_ns == 0)'
    holds "drift of $2 ppm on cpu $1" 'all(.clocks[] | select(.clock == "tsc" or .clock == "monotonic_raw"); .rate_ppm | .[0] <= 0 and .[1] >= 0)'
}

# 50 ppm in 2 s are 100 us, which is proved unless all of about 100 messages were slow. In that case the test measures
# for longer.
refused="$tsc | .fitness | .order.fit == \"no\" and .duration.fit == \"no\" and .node.fit == \"no\""
for seconds in 2 4 8 16; do
    drifts "$other" 50 50 $seconds
    jq -e "$refused" "$scratch/out" >/dev/null && break
done
holds "50 ppm" "$refused"
holds "50 ppm" "$tsc | .fitness.order.reason | test(\"ppm fast|showed\")"
drifts "$reference" 50 -49.9975 1

# A skew far above the time of a message appears as a step back, and the counter is refused.
for ticks in 100000 -100000 100000000; do
    machine "$other:$ticks"
    "$ordo" clocks --seconds 0.2 --cpus "$reference,$other" --json \
        >"$scratch/out" 2>"$scratch/err" || fail "skew $ticks: exit $?"
    holds "skew $ticks" "(\$ticks * 1e9 / ((.tick_hz[0] + .tick_hz[1]) / 2)) as \$ns | $tsc | .across[0] |
        .offset_ns[0] <= \$ns and .offset_ns[1] >= \$ns and .backward_ns > 0 and .backward_ns <= (\$ns | fabs) and (.ordered | not)" \
        --argjson ticks "$ticks"
    holds "skew $ticks" "$tsc | .fitness.order.fit == \"no\" and (.fitness.order.reason | length) > 0 and .fitness.node.fit == \"no\""
done

machine
# The time of day is set ahead and back: the step is found, dated and measured, and no other clock is blamed.
for step in 5000000 -70000000; do
    env ORDO_STEP="$step:900:$scratch/moment" LD_PRELOAD="$scratch/step.so" "$ordo" clocks --seconds 2 --json \
        >"$scratch/out" 2>"$scratch/err" || fail "step $step: exit $?"
    jq -e --argjson moment "$(cat "$scratch/moment")" '$moment > .begin_raw_ns' "$scratch/out" >/dev/null ||
        { echo "step $step: this machine was too slow to begin before it"; continue; }
    holds "step $step" '.begin_raw_ns as $begin | .clocks[] | select(.clock == "realtime") | .jumps_seen == 1 and
        (.jumps[0].change_ns | .[0] <= $step and $step <= .[1]) and
        (.jumps[0].between_s | .[0] <= ($moment - $begin) / 1e9 and ($moment - $begin) / 1e9 <= .[1])' \
        --argjson step "$step" --argjson moment "$(cat "$scratch/moment")"
    holds "step $step" 'all(.clocks[] | select(.clock != "realtime"); .jumps_seen == 0)'
    # The step does not change the reported rate of the time of day.
    holds "step $step" '.clocks[] | select(.clock == "realtime") | .rate_ppm | .[0] > -1000 and .[1] < 1000'
done
exit $((failures > 0))
