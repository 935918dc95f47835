#!/bin/bash
# readme.sh SOURCE BIN: checks that every command in the README and the documents runs, and that the simulation prints
# the documented result. programs.sh checks their C blocks.
#
# `./bootstrap test` is skipped, because this test is a part of it, and `./bootstrap check`, because it builds another
# tree. A ctest command only lists its tests. Benchmarks are shortened: fewer rounds, unless the curves need intervals;
# fewer rows; less time.
set -u
source=$1 bin=$2
documents=("$source"/README.md "$source"/CONTRIBUTING.md "$source"/doc/*.md "$source"/doc/lab/*.md "$source"/examples/README.md)
. "$(dirname "$0")/../kit.sh"
export ORDO_RECORD=$scratch/boundary PATH=$bin:$PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# blocks LANGUAGE DOCUMENT: prints the lines of the document's fenced blocks of LANGUAGE, with a form feed after each
# block.
blocks() {
    awk -v begin="^\`\`\`$1\$" '$0 ~ begin {inside = 1; next} /^```/ {if (inside) print "\f"; inside = 0} inside' "$2"
}

# try COMMAND: runs the command in its intended folder.
try() {
    local command=$1 place=$scratch code
    case $command in
    "./bootstrap test"* | "./bootstrap check"*) return 0 ;;
    ./* | cmake* | ctest* | *tests/machines/*) place=$source ;;
    esac
    case $command in ordo-bench*--json*) ;; ordo-bench*) command=${command/--runs 7/--runs 1} ;; esac
    command=${command/--rows 65536/--rows 4096}
    command=${command/%ordo-mpi verify/ordo-mpi verify --rounds 5 --seconds 0.5}
    command=${command/--runs 301/--runs 11}
    command=${command/compare --runs 7/compare --runs 2}
    command=${command/%--rows 10000/--rows 10000 --threads 1}
    command=${command/--hosts 16 --seconds 8/--hosts 16 --seconds 5}
    command=${command/drift --seconds 10/drift --seconds 2}
    command=${command/%lab testbed/lab testbed --seconds 20000} # lab.sh runs it in full length
    command=${command/--seconds 2 --engine/--seconds 0.5 --engine}
    case $command in ctest*) command="$command -N | tee /dev/stderr | grep -Eq '^Total Tests: [1-9]'" ;; esac
    for _ in 1 2 3; do # a command that asks to measure again, because the machine was busy, runs again
        (cd "$place" && eval "$command") >"$scratch/out" 2>&1 </dev/null
        code=$?
        [ $code -ne 0 ] && grep -Eq "measure again|did not answer" "$scratch/out" || break
    done
    case $command in "ordo-mpi simulate"*) cp "$scratch/out" "$scratch/$command" ;; esac
    case $code:$command in 0:*) return 0 ;; 2:mpirun*) return 0 ;; esac # 2: inconclusive, because the machine was busy
    if [ $code -eq 2 ] && grep -q "no corrected times here" "$scratch/out"; then
        echo "left out, since RDTSCP does not name the CPU on this machine: $command"
        return 0
    fi
    fail "$2: exit $code: $command"
    cat "$scratch/out"
}

commands=0
declare -A tried
for document in "${documents[@]}"; do
    while IFS= read -r command; do
        case $command in $'\f' | "") continue ;; esac
        [ -z "${tried[$command]:-}" ] || continue
        tried[$command]=yes
        commands=$((commands + 1))
        try "$command" "${document#"$source"/}"
    done < <(blocks sh "$document")
done
[ $commands -ge 30 ] || fail "only $commands commands were found"

# The simulation is deterministic: its durations are the documented ones.
row='$1 ~ /^(jk|hca3|h2hca)$/ && $NF == "hold" {print $1, $2, $3; rows++} END {exit rows != 6}'
awk "$row" "$source/doc/cluster-time.md" >"$scratch/said" || fail "doc/cluster-time.md shows no simulation"
{ cat "$scratch/ordo-mpi simulate" && ordo-mpi simulate --resync 60; } | awk "$row" | diff "$scratch/said" - || fail "the simulation prints something else"

exit $((failures > 0))
