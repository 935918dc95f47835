#!/bin/bash
# readme.sh SOURCE BIN: every command of the README's sh blocks runs, and its C example compiles and runs.
#
# `./bootstrap test` is passed over: this is part of it.
set -u
source=$1 bin=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export ORDO_RECORD=$scratch/boundary PATH=$bin:$PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
failures=0

# blocks LANGUAGE: the lines of the README's fenced blocks of that language.
blocks() { awk -v begin="^\`\`\`$1\$" '$0 ~ begin {inside = 1; next} /^```/ {inside = 0} inside' "$source/README.md"; }

commands=0
while IFS= read -r command; do
    case $command in "./bootstrap test"* | "") continue ;; esac
    case $command in ./bootstrap*) place=$source ;; *) place=$scratch ;; esac
    commands=$((commands + 1))
    (cd "$place" && eval "$command") >"$scratch/out" 2>&1 </dev/null
    case $?:$command in 0:*) continue ;; 2:mpirun*) continue ;; esac # 2: could not tell, on a busy machine
    {
        echo "FAILED: $command"
        cat "$scratch/out"
        failures=$((failures + 1))
    }
done < <(blocks sh)
[ $commands -ge 8 ] || { echo "FAILED: only $commands commands found"; failures=1; }

blocks c >"$scratch/example.c"
cc -std=c11 -Wall -Wextra -Werror -I"$source/include" "$scratch/example.c" -o "$scratch/example" &&
    "$scratch/example" | grep -q '^boundary [0-9]* ns$' || { echo "FAILED: the example"; failures=1; }
# The simulation is deterministic: what it takes is what the README says.
row='$1 ~ /^(jk|hca3|h2hca)$/ && $NF == "hold" {print $1, $2, $3}'
diff <(awk "$row" "$source/README.md") <({ ordo-mpi simulate && ordo-mpi simulate --resync 60; } | awk "$row") || { echo "FAILED: the simulation"; failures=1; }
exit $((failures > 0))
