#!/bin/sh
# run.sh TOOL PLATFORM HOSTS SLOTS [ARGUMENT...]: runs ordo-mpi.smpi with these arguments on the first HOSTS hosts of a platform
# file of this folder, SLOTS ranks on each.
#
# The settings:
# - computing time is not simulated, because only messages matter;
# - latencies are those of the platform, without factors that were fitted to another cluster;
# - no message delays the acknowledgement of another message;
# - the precision is a picosecond;
# - every rank has a stack of 256 KiB, and all ranks share their variables;
# - collective operations use trees. Those that SimGrid chooses by default, or to imitate an MPI library, are partly linear:
#   their cost grows with the square of the number of ranks.
set -eu
tool=$1 platform=$2 hosts=$3 slots=$4
shift 4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
name=$(basename "$platform" .xml)
host=0
while [ "$host" -lt "$hosts" ]; do
    echo "$name-$host:$slots"
    host=$((host + 1))
done >"$scratch/hosts"
tool=$(realpath "$tool")
platform=$(realpath "$platform")
cd "$scratch"
# Removes smpirun's line about a failure from stdout, because the exit status already reports the failure.
{
    smpirun -quiet -np $((hosts * slots)) -platform "$platform" -hostfile "$scratch/hosts" -no-privatize \
        --cfg=smpi/simulate-computation:no --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 --cfg=network/crosstraffic:0 \
        --cfg=smpi/send-is-detached-thresh:0 --cfg=surf/precision:1e-12 --cfg=contexts/stack-size:256 \
        --cfg=smpi/bcast:binomial_tree --cfg=smpi/allreduce:rdb --cfg=smpi/barrier:ompi_recursivedoubling \
        --log=root.thresh:critical "$tool" "$@" && status=0 || status=$?
    echo "$status" >"$scratch/status"
} | sed '/^Execution failed with code [0-9]*\.$/d'
exit "$(cat "$scratch/status")"
