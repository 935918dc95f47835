#!/bin/sh
# check-clocks.sh RANKS [LAUNCHER...]: checks before a job that the clock CLOCK_MONOTONIC is common to the ranks of each node, and that
# RANKS ranks were compared. The second check matters: under the launcher of another MPI each rank is a world of one.
#
#     srun --ntasks=64 ...            in a batch script: ./check-clocks.sh "$SLURM_NTASKS" srun || exit
#     * || check_cmd_status -t 60 -r 0 /usr/local/sbin/check-clocks.sh 2          in nhc.conf, for Node Health Check
#
# 0: the clock is common, and RANKS ranks were compared
# 1: the clocks differ, or another number of ranks was compared
# 2: could not be measured
# 64: wrong usage
# 70: the launcher or jq failed
set -u
case ${1:-} in '' | *[!0-9]* | 0*) echo "usage: check-clocks.sh RANKS [LAUNCHER...]; RANKS is a number from 1 on" >&2; exit 64 ;; esac
ranks=$1 code=0
shift
[ $# -gt 0 ] || set -- mpirun -n "$ranks"
# Node Health Check runs as root, and Open MPI's mpirun refuses root otherwise.
[ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
verdict=$("$@" ordo-mpi verify --require monotonic --json --quiet) || code=$?
case $code in 0 | 1 | 2) ;; *) echo "check-clocks.sh: $1 ended with $code" >&2; exit 70 ;; esac
compared=$(echo "$verdict" | jq -s 'if length == 1 then [.[].nodes[]?.ranks[]?] | length else 0 end') || exit 70
[ "$compared" -eq "$ranks" ] || { echo "check-clocks.sh: $compared ranks were compared, not $ranks" >&2; exit $((code > 1 ? code : 1)); }
[ $code -eq 0 ] || echo "check-clocks.sh: the clock monotonic is not proved to be common to the ranks of each node" >&2
exit $code
