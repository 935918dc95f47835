#!/bin/sh
# check-clocks.sh RANKS [LAUNCHER...]: checks before a job that the clock CLOCK_MONOTONIC is common to the ranks of each node, and that
# RANKS ranks were compared. The second check matters: under the launcher of another MPI each rank is a world of one.
#
#     srun --ntasks=64 ...            in a batch script: ./check-clocks.sh "$SLURM_NTASKS" srun || exit
#     * || check_cmd_status -t 60 -r 0 /usr/local/sbin/check-clocks.sh 2          in nhc.conf, for Node Health Check
#
# 0: so it is; 1: the clocks differ, or other than RANKS ranks were compared; 2: could not be measured; 64: wrong usage; 70: internal.
set -u
case ${1:-} in '' | *[!0-9]*) echo "usage: check-clocks.sh RANKS [LAUNCHER...]" >&2; exit 64 ;; esac
ranks=$1 code=0
shift
[ $# -gt 0 ] || set -- mpirun -n "$ranks"
verdict=$("$@" ordo-mpi verify --require monotonic --json --quiet) || code=$?
compared=$(echo "$verdict" | jq '[.nodes[].ranks[]] | length') || exit 70
[ "$compared" = "$ranks" ] || { echo "check-clocks.sh: ${compared:-0} ranks were compared, not $ranks" >&2; exit $((code > 1 ? code : 1)); }
[ $code -eq 0 ] || echo "check-clocks.sh: the clock monotonic is not proved to be common to the ranks of each node" >&2
exit $code
