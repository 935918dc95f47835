#!/bin/bash
# net.sh SOURCE BIN: tests ordo-net as a person calls it. `--write` as a third argument writes the golden texts anew.
set -u
source=$1 bin=$2 mode=${3:-}
. "$(dirname "$0")/../kit.sh"
export COLUMNS=80
PATH=$bin:$PATH

run 0 ordo-net --help && golden help
for command in agent audit measure cores; do
    run 0 ordo-net $command --help && golden help-$command
done
manual "$source/calib/ordo-net/ordo-net.1"
run 64 ordo-net cores --estimator mean && complains_once "--estimator mean: not one of "
for command in measure cores; do
    run 0 ordo-net $command --list
    for estimator in lp min-rtt ols svm; do
        grep -q "^$estimator " "$scratch/out" || fail "$command --list lacks $estimator"
    done
done
run 64 ordo-net cores --runs 2 --sweeps 3 && complains_once "--runs: fewer runs than the 3 sweeps"

exit $((failures > 0))
