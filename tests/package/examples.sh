#!/bin/bash
# examples.sh SOURCE BUILD GENERATOR COMPILER FLAGS: every example, copied out of the tree, builds from the installed package, and
# prints what it is for.
set -u
source=$1 build=$2 generator=$3 compiler=$4 flags=${5:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export ORDO_RECORD=$scratch/boundary
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
failures=0 built=0

fail() {
    echo "FAILED: $*"
    tail -n 20 "$scratch/out" | sed 's/^/    /'
    failures=$((failures + 1))
}

# prints LINE COMMAND...: a whole line of what it prints is LINE, an extended regular expression, and it exits with 0.
prints() {
    local line=$1
    shift
    timeout 120 "$@" >"$scratch/out" 2>&1 </dev/null || fail "$*: exit $?"
    grep -Eqx -- "$line" "$scratch/out" || fail "$*: no line '$line'"
}

# answers LINE: the next line of the server is so.
answers() {
    local line
    read -r -t 60 line <&"${SERVER[0]}" || line="(nothing)"
    [[ $line =~ ^$1$ ]] || fail "clock-choice: '$line', expected '$1'"
}

cmake --install "$build" --prefix "$scratch/installed" >"$scratch/out" 2>&1 || { fail "the installation"; exit 1; }
ordo=$scratch/installed/bin/ordo
"$ordo" calibrate --runs 3000 --repeat 2 --force --quiet >"$scratch/out" 2>&1 || { fail "no record"; exit 1; }

for folder in "$source"/examples/*/; do
    name=$(basename "$folder")
    [ "$(wc -l <"$folder/$name.c")" -le 80 ] || fail "$name.c has more than 80 lines"
    grep -Fq "($name/$name.c)" "$source/examples/README.md" || fail "examples/README.md does not list $name"
    [ "$name" != global-time ] || [ -x "$scratch/installed/bin/ordo-mpi" ] || continue # built without MPI
    cp -r "$folder" "$scratch/$name"
    cmake -S "$scratch/$name" -B "$scratch/$name/build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" \
        -DCMAKE_C_FLAGS="$flags -Wall -Wextra -Werror" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PREFIX_PATH="$scratch/installed" >"$scratch/out" 2>&1 &&
        cmake --build "$scratch/$name/build" >"$scratch/out" 2>&1 || { fail "$name does not build"; continue; }
    built=$((built + 1))
    program=$scratch/$name/build/$name
    case $name in
    order-events)
        prints "after waiting, event 2 against event 1: later" "$program"
        prints "and event 1 against event 2: earlier" "$program"
        ;;
    snapshot) prints "[1-9][0-9]* snapshots, 0 wrong, x ends as 500000" "$program" ;;
    rlu-move) prints "40000 moves, [1-9][0-9]* sections, 0 wrong, 64 keys" "$program" ;;
    bank)
        prints "[1-9][0-9]* audits, 0 wrong, total 100000" "$program"
        prints "[1-9][0-9]* audits, 0 wrong, total 100000" "$program" logical
        ;;
    global-time) prints "3 events, 0 pairs in the wrong order" mpirun -n 3 "$program" ;;
    clock-choice)
        prints "era 1: counter .*no boundary record.*" env ORDO_RECORD="$scratch/none" "$program"
        export ORDO_RECORD=$scratch/served # it is withdrawn below
        "$ordo" calibrate --runs 3000 --repeat 2 --force --quiet >"$scratch/out" 2>&1
        coproc SERVER { "$program"; }
        server=$SERVER_PID
        answers "era 1: hardware clock, boundary [0-9]+ ns"
        echo request >&"${SERVER[1]}" && answers "later in era 1"
        "$ordo" calibrate --runs 3000 --repeat 2 --force --quiet >"$scratch/out" 2>&1
        echo request >&"${SERVER[1]}" && answers "era 2: hardware clock, .*" && answers "later in era 2"
        # Withdrawn: the word that `ordo check --mark` writes, lowest byte first.
        case $(uname -m) in x86_64 | aarch64 | riscv64)
            printf '\x6c\xb6\x95\xea\xb1\x0b\x5c\xd1' | dd of="$ORDO_RECORD" bs=1 seek=16 conv=notrunc 2>"$scratch/out"
            echo request >&"${SERVER[1]}" && answers "era 3: counter .*clocks disagree.*" && answers "later in era 3"
            ;;
        esac
        kill "$server" 2>/dev/null
        wait "$server" 2>/dev/null
        export ORDO_RECORD=$scratch/boundary
        ;;
    calibrate-and-open)
        export ORDO_RECORD=$scratch/own/boundary
        prints "calibrated [1-9][0-9]* CPUs, generation 1" "$program" force
        grep -Fqx "the second event is certainly later" "$scratch/out" || fail "$name: the events are not in order"
        grep -Fqx "calibration: 100%" "$scratch/out" || fail "$name: it does not say how far it is"
        prints "the second event is certainly later" "$program"
        ! grep -q calibrated "$scratch/out" || fail "$name: calibrates although there is a record"
        prints "calibrated [1-9][0-9]* CPUs, generation 2" "$program" anew force
        export ORDO_RECORD=$scratch/boundary
        ;;
    *) fail "$name: nothing says what it prints" ;;
    esac
done
[ $built -ge 5 ] || fail "only $built examples were built"
exit $((failures > 0))
