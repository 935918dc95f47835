# shellcheck shell=bash
#
# Shared by the tests on skewed machines; sourced with $skew_machine, the program that changes the machine. The programs under
# test are of the build whose clocks come from $ORDO_SKEW_FILE, so they run at full speed, and on every host.
[ "$(nproc)" -ge 2 ] || { echo "one CPU: nothing can be skewed"; exit 77; }
. "$(dirname "$0")/../kit.sh"
export ORDO_RECORD=$scratch/boundary ORDO_SKEW_FILE=$scratch/machine
touch "$scratch/out" "$scratch/err"

# machine SPEC...: from now on, the clocks have these skews (machine.c), and all other clocks are true.
machine() { env -u ORDO_SKEW_FILE "$skew_machine" "$ORDO_SKEW_FILE" true "$@" || { echo "skew-machine $*: exit $?"; exit 70; }; }

# find_cpus ORDO: sets $cpus to the CPUs that ORDO would calibrate, and $first and $second to the first two of them.
find_cpus() {
    machine
    cpus=$("$1" calibrate --dry-run --json --quiet --runs 30 --repeat 2 --force 2>"$scratch/err" | jq '.cpus[]')
    { read -r first && read -r second; } <<<"$cpus" || { fail "the CPUs cannot be found"; exit 1; }
}

# eventually WHAT COMMAND...: the command must succeed in one of six tries. Under other load an interval is wide and
# proves little.
eventually() {
    local what=$1
    shift
    for _ in 1 2 3 4 5 6; do "$@" && return; done
    fail "$what"
}
