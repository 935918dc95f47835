#!/bin/bash
# lab.sh SOURCE BIN: tests ordo-lab as a person calls it. `--write` as a third argument writes the golden texts anew.
set -u
source=$1 bin=$2 mode=${3:-}
. "$(dirname "$0")/../kit.sh"
export COLUMNS=80
PATH=$bin:$PATH
small="--hosts 12 --seconds 0.2 --quiet"

# --- usage
run 0 ordo-lab --help && golden help
run 0 ordo-lab simulate --help && golden help-simulate
run 0 ordo-lab replay --help && golden help-replay
run 0 ordo-lab testbed --help && golden help-testbed
run 0 ordo-lab evaluate --help && golden help-evaluate
run 0 ordo-lab figures --help && golden help-figures
run 0 ordo-lab cores --help && golden help-cores
run 0 ordo-lab figures --list
listed=$(awk '/^[a-z]/ { document = $1 } /^  / { print document, $1 }' "$scratch/out")
written=$(awk '/^## / { document = $2 ":" } /^\| [a-z0-9]+ \|/ && $2 != "figure" { print document, $2 }' "$source/doc/lab/figures.md")
[ "$listed" = "$written" ] || fail "doc/lab/figures.md does not have the figures of ordo-lab figures --list: write it anew with --markdown"
grep -q "^(The text of this paper was not available" "$scratch/out" || fail "--list does not say that the text of a paper was missing"
grep -q "^The text of this paper was not available" "$source/doc/lab/figures.md" || fail "figures.md does not say so"

# The line of a figure names the cause if its program fails.
mkdir "$scratch/broken"
cp "$bin/ordo-lab" "$scratch/broken"
printf '#!/bin/sh\nexit 1\n' >"$scratch/broken/ordo-mpi"
printf '#!/bin/sh\necho "ordo-trace: broken" >&2\nexit 3\n' >"$scratch/broken/ordo-trace"
chmod +x "$scratch/broken/"*
run 2 "$scratch/broken/ordo-lab" figures itc sessions
complains_once "failed, exit 3: ordo-trace: broken"
says "0 reproduced, 0 different, 1 that cannot be had here"
manual "$source/lab/ordo-lab/ordo-lab.1"
run 64 ordo-lab simulate && complains_once "no protocol: name some"
run 64 ordo-lab simulate huygen && complains_once "'huygen' is not a protocol; take one of "
run 64 ordo-lab simulate firefly:round-ms=0 && complains_once "firefly: 'round-ms=0' is wrong: give round-ms=1..1000000"
run 64 ordo-lab simulate firefly:rounds-ms=1 && complains_once "firefly: 'rounds-ms' is not an option of it; it takes peers, every-us, round-ms"
run 64 ordo-lab simulate firefly:round-ms && complains_once "'round-ms' is wrong: give round-ms=1..1000000"
run 0 ordo-lab simulate --list && says "         estimator=" && says "coding=yes|no" && says "poll-ms=1..1000000"
run 0 ordo-lab evaluate --list && says "chrony     chronyd, of Debian's package chrony"
run 64 ordo-lab simulate huygens:estimator=mean && complains_once "huygens: 'estimator=mean' is wrong: give estimator=" && complains_once "min-rtt"
run 64 ordo-lab simulate huygens:peers=none && complains_once "'peers=none' is wrong: give peers=1..1000"
run 64 ordo-lab simulate ntp --shape torus && complains_once "--shape torus: not one of star, chain, ring, tree, clos, line, fat-tree"
run 64 ordo-lab simulate ntp --load 100 && complains_once "--load"
run 64 ordo-lab simulate ntp --json --csv
run 2 ordo-lab simulate ntp --hosts 8 --seconds 0.01 --delay-ns 100000000 && complains_once "no claim in 0.01 s: simulate for longer"

# --- results: every shape and traffic, and the same again
# shellcheck disable=SC2086
for shape in line star chain ring tree fat-tree clos; do
    for traffic in poisson bursty incast; do
        run 0 ordo-lab simulate huygens:peers=4,ntp:poll-ms=10 $small --shape $shape --traffic $traffic --json
        json ".network.shape == \"$shape\" and .network.traffic == \"$traffic\""
        json '[.protocols[].protocol] == ["huygens:peers=4", "ntp:poll-ms=10"]'
        json 'all(.protocols[]; .bound_held and .bound_ns > .error_ns.max and .error_ns.p50 <= .error_ns.p99 and .bytes_per_second_per_host > 0)'
        json '.edges | length == 1'
    done
done
cp "$scratch/out" "$scratch/first"
# shellcheck disable=SC2086
run 0 ordo-lab simulate huygens:peers=4,ntp:poll-ms=10 $small --traffic incast --json
cmp -s "$scratch/out" "$scratch/first" || fail "the same seed gives another result"
# shellcheck disable=SC2086
for clocks in ordinary boundary transparent; do
    run 0 ordo-lab simulate ptp:clocks=$clocks:sync-ms=10,ptp:clocks=$clocks:sync-ms=10:stamps=software --hosts 12 --seconds 1 --quiet --shape ring --json
    json 'all(.protocols[]; .bound_ns == null and .converged_after_s < 1) and .protocols[0].error_ns.p75 < .protocols[1].error_ns.p75'
done
# shellcheck disable=SC2086
{
    run 0 ordo-lab simulate ntp:poll-ms=10,ntp:poll-ms=10:servers=4:false=1 $small --json
    json '.servers | length == 1 and (.[0].servers | map(.false) == [false, false, false, true])'
    json '.servers[0].servers | .[3].rejected_share > 0.95 and .[0].rejected_share < 0.5'
    json '.protocols[1].bound_held and .servers[0].undecided_share < 0.05'
    run 1 ordo-lab simulate ntp:poll-ms=10:servers=3:false=2 $small && says "server 2 is false, and was BELIEVED" && says BROKEN
    run 0 ordo-lab simulate ntp:poll-ms=10:servers=4:false=1:wrong-us=0:late-us=500 $small && says "server 3 is false, and was rejected"
    run 2 ordo-lab simulate ntp:poll-ms=10:servers=2:false=1 $small && complains_once "no majority of the 2 servers agreed, so the clocks ran free: give more servers"
    run 2 ordo-lab simulate ntp:poll-ms=10:servers=2:false=1,ntp:poll-ms=10 $small --json && complains_once "no majority of the 2 servers agreed"
    json '[.protocols[].protocol] == ["ntp:poll-ms=10"] and .protocols[0].bound_held and .servers == []'
    run 2 ordo-lab simulate ntp:poll-ms=10,ntp:poll-ms=10:servers=2:false=1 $small && says held
    run 2 ordo-lab simulate ntp:poll-ms=10:servers=2:false=1 $small --json && json '.error.code == 2'
    run 1 ordo-lab simulate ntp:poll-ms=10:servers=3:false=2,ntp:poll-ms=10:servers=2:false=1 $small && says BROKEN
    run 2 ordo-lab simulate ntp:poll-ms=10:servers=4:false=2 $small && complains_once "no majority of the 4 servers agreed"
    run 0 ordo-lab simulate ntp:poll-ms=10:servers=4:reference-ns=25000,ntp:poll-ms=10:servers=5:false=1:reference-ns=25000 $small --json
    json 'all(.servers[]; .undecided_share < 0.05) and all(.protocols[]; .bound_held and .error_ns.mean_absolute < 7000)'
    json '.servers[1].servers | .[4].rejected_share > 0.95'
    run 64 ordo-lab simulate ntp:servers=12 $small && complains_once "'servers=12' is wrong: give servers=1..8"
    run 64 ordo-lab simulate ntp:wrong-us=99999999999 $small && complains_once "give wrong-us=0..1000000"
    run 64 ordo-lab simulate ntp:servers=2:servers=3 $small && complains_once "ntp: 'servers' is given twice: leave one out"
    run 64 ordo-lab simulate ntp:servers=3:false=4 $small && complains_once "4 false of 3 servers"
    run 64 ordo-lab simulate ntp:servers=2 --hosts 2 && complains_once "2 servers among 2 hosts: leave one that asks"
    run 64 ordo-lab simulate ntp:poll-ms=1:servers=2:late-us=1000 $small && complains_once "take less"
}
run 64 ordo-lab simulate ptp:delay=p2p --hosts 4 && complains_once "delay=p2p needs a clock at both ends of each link"
run 64 ordo-lab simulate ptp:delay=far && complains_once "'delay=far' is wrong: give delay=e2e|p2p"
run 64 ordo-lab simulate ptp:clocks=atomic && complains_once "'clocks=atomic' is wrong: give clocks=ordinary|boundary|transparent"
# shellcheck disable=SC2086
run 0 ordo-lab simulate huygens:peers=4,ntp:poll-ms=10 $small --csv && [ "$(wc -l <"$scratch/out")" -eq 3 ] || fail "not three lines"
[ "$(awk -F, '{ print NF }' "$scratch/out" | sort -u)" = 14 ] || fail "not 14 fields a line"
# shellcheck disable=SC2086
run 0 ordo-lab simulate huygens:peers=4 $small && says "12 hosts, clos of 10 Gbit/s" && says "held" && says "probes pure"

# --- the published test bed: predictions are as published, and the bytes are those that were counted
run 64 ordo-lab testbed --json --csv
run 0 ordo-lab testbed --json
json '[.rows[].figures[] | select(.use == "predicted")] | length == 10 and all(.[]; .holds)'
json 'all(.traffic[]; .counted_bytes_per_second / (.arithmetic_bytes_per_second + .announce_bytes_per_second) | . > 0.95 and . < 1.05)'
json 'all(.traffic[] | select(.protocol == "ntp"); .counted_bytes_per_second == 23 * .clients)'
# So short a simulation may miss the expected figures. It prints its figures in either case, and its exit code says if
# they hold.
run "0|1" ordo-lab testbed --seconds 3000 --json
[ "$code" = "$(jq 'if all(.rows[].figures[]; .holds) then 0 else 1 end' "$scratch/out")" ] || fail "exit $code is not what the figures say"
run "0|1" ordo-lab testbed --seconds 3000 --csv && says "offset,ptp,12,1,stddev_ns,513.7,"
[ "$(wc -l <"$scratch/out")" -eq 33 ] || fail "not 33 lines"

if command -v gnuplot >/dev/null; then
    # shellcheck disable=SC2086
    run 0 ordo-lab simulate huygens:peers=4,ntp $small --svg "$scratch/curves.svg"
    grep -q '</svg>' "$scratch/curves.svg" || fail "the picture is not whole"
    grep -q 'huygens:peers=4' "$scratch/curves.svg" || fail "the picture has no name"
fi

# --- the physical layer: DTP as it should be, and with each of its conditions broken
seven="--shape line --hosts 7 --skew-ppb 99945 --seconds 0.1 --quiet"
# shellcheck disable=SC2086
{
    run 0 ordo-lab simulate dtp:beacon-ticks=4000:oscillators=extreme $seven --json
    json '.counters[0] | .hops == 6 and .bound_ticks == 24 and .worst_ticks <= 24 and .violations == 0 and .rate_held'
    json '.protocols[0] | .bound_held and .bound_ns == 153.6 and .bytes_per_second_per_host == 0'
    run 1 ordo-lab simulate dtp:beacon-ticks=20000:oscillators=extreme $seven --json
    json '.counters[0] | .worst_ticks > 24 and .violations > 0 and .rate_held'
    run 1 ordo-lab simulate dtp:alpha=0 $seven --json
    json '.protocols[0].bound_held and (.counters[0] | .violations == 0 and .counter_ppm > .fastest_oscillator_ppm + 1000 and (.rate_held | not))'
    run 1 ordo-lab simulate dtp:fault-ppm=1000 $seven && says "TOO FAST" && says "oscillators at"
    run 1 ordo-lab simulate dtp $seven --asymmetry-ns 1000 && says BROKEN
    run 64 ordo-lab simulate dtp:ticks=10 $seven && complains_once "'ticks=10' is wrong: give ticks=1000..2000000000"
    run 2 ordo-lab simulate dtp:ticks=1000 $seven && complains_once "its counters meet within"

    # --- OSMOSIS
    run 0 ordo-lab simulate osmosis:cuts=8:beacon-us=5000,dtp:ticks=1000000,ntp:poll-ms=10 --shape ring --hosts 40 --seconds 0.5 --quiet --json
    json '.trees | length == 1 and (.[0] | .cuts == 8 and .reroutes > 0 and .register_bits == 20 and .tagged_share > 0)'
    json '[.protocols[].protocol] == ["osmosis:cuts=8:beacon-us=5000", "dtp:ticks=1000000", "ntp:poll-ms=10"] and .protocols[0].bound_ns == null'
    run 0 ordo-lab simulate osmosis:cuts=1 $small --shape ring && says "real-time registers need 14 bits" && says "1 channel lost"
    run 64 ordo-lab simulate osmosis:beacon-us=1 $small --delay-ns 5000 && complains_once "give a larger beacon-us"
    run 0 ordo-lab replay figure2 --svg "$scratch/figure.svg" && says "P12 then follows P9 by the redundant channel"
    [ "$(grep -c '<circle' "$scratch/figure.svg")" -eq 60 ] || fail "not 15 processes in each of four panels"
    [ "$(grep -c "stroke='#b00020'" "$scratch/figure.svg")" -eq 3 ] || fail "the channel is not cut in three panels"
    ! command -v python3 >/dev/null || python3 -c "import sys, xml.dom.minidom as xml; xml.parse(sys.argv[1])" "$scratch/figure.svg" 2>"$scratch/err" ||
        fail "the picture is not XML"
    run 64 ordo-lab replay figure3 && complains_once "give figure2"
    run 64 ordo-lab replay && complains_once "no figure"
    run 70 ordo-lab replay figure2 --svg "$scratch/absent/figure.svg" && complains_once "absent"
}

# --- a command that has moved
run 64 ordo-lab jitter x && complains_once "'jitter' has moved: call 'ordo-net jitter'"

exit $((failures > 0))
