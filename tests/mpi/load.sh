#!/bin/bash
# load.sh MPIRUN TOOL ROUNDS: repeats a verification under load, with 2, 4 and 8 ranks. The verdict about a common clock
# must never be INVALID, under any scheduling.
set -u
mpirun=$1 tool=$2 rounds=$3
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
hogs=()
for _ in $(seq $(($(nproc) * 2))); do
    sh -c 'while :; do :; done' &
    hogs+=($!)
done
trap 'kill "${hogs[@]}"' EXIT
for ranks in 2 4 8; do
    result=$("$mpirun" -n $ranks "$tool" verify --rounds "$rounds" --seconds 5 --exchanges 5 --json 2>/dev/null)
    echo "$result" | jq -c '[.nodes[].clocks[] | {clock, verdict, theta_ns, drift_ppb, reasons}]'
    # MPI_Wtime is not common. A clock without an interval was not measured.
    echo "$result" | jq -e '[.nodes[].clocks[] | select(.clock != "mpi_wtime")] | length > 3 and
        all(.verdict != "INVALID" and .theta_ns[0] <= 0 and .theta_ns[1] >= 0)' >/dev/null || exit 1
done
