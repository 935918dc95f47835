#!/bin/bash
# net.sh SOURCE BIN: tests ordo-net as a person calls it. `--write` as a third argument writes the golden texts anew.
set -u
source=$1 bin=$2 mode=${3:-}
. "$(dirname "$0")/../kit.sh"
export COLUMNS=80
PATH=$bin:$PATH

run 0 ordo-net --help && golden help
for command in agent audit measure cores jitter judge evaluate; do
    run 0 ordo-net $command --help && golden help-$command
done
manual "$source/calib/ordo-net/ordo-net.1"
run 64 ordo-net simulate && complains_once "'simulate' has moved: call 'ordo-lab simulate'"
run 64 ordo-net cores --estimator mean && complains_once "--estimator mean: not one of "
for command in measure cores; do
    run 0 ordo-net $command --list
    for estimator in lp min-rtt ols svm; do
        grep -q "^$estimator " "$scratch/out" || fail "$command --list lacks $estimator"
    done
done
run 64 ordo-net cores --runs 2 --sweeps 3 && complains_once "--runs: fewer runs than the 3 sweeps"

# --- limits have a unit; a name that would need quoting is refused
measure="ordo-net measure --key none --peers 127.0.0.1,127.0.0.2"
for time in 1 1.5 ms nan inf -1s 0s 0ns 0.1ns 1.0000000001s 1e3ms '1 s' 0x1s 99999999999999999999s 32000000000s 1.s 1s1; do
    run 64 $measure --max-offset "$time" && complains_once "--max-offset '${time:0:40}': not a time with a unit, such as 250us or 1.5s, from 1 ns to 1000000000 s"
    run 64 $measure --max-bound "$time" && complains_once "--max-bound '"
done
run 70 $measure --max-offset 0.5d --max-bound 1.5us && complains_once "none: " # the limits are accepted, but there is no key
run 64 $measure --clear-after 0 && complains_once "--clear-after"
run 64 $measure --log events && complains_once "--log: there are events only with --follow or --windows"
(umask 077 && od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$scratch/key")
for name in 'a"b' 'a\b' "a'b" 'a<b' 'a>b' 'a&b' 'a{b' $'a\eb' $'a\303\244b' 'a$b' 'fe80::1%e"h'; do
    run 64 ordo-net measure --key "$scratch/key" --peers "127.0.0.1,$name" && complains_once "has a character that no name of a host has: write the host's address"
done
run 70 ordo-net measure --key "$scratch/key" --peers 127.0.0.1,127.0.0.2 --svg "$scratch/absent/file" && complains_once "absent"

exit $((failures > 0))
