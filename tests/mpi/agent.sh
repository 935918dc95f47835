#!/bin/sh
# agent.sh [OPTION...] HOST COMMAND...: replaces ssh for a launcher. Runs COMMAND on this machine, under the host name
# HOST and in a new time namespace: CLOCK_MONOTONIC of node3 is 3000 s ahead. If $RECORDS contains a file HOST, this
# file is the boundary published there.
while :; do
    case $1 in -*) shift ;; *) break ;; esac
done
host=$1
shift
[ ! -e "${RECORDS:-}/$host" ] || export ORDO_RECORD="$RECORDS/$host"
ahead=$(echo "$host" | tr -cd 0-9)000
exec unshare --uts --time --monotonic "$ahead" --boottime "$ahead" --fork sh -c 'hostname "$1"; eval "$2"' sh "$host" "$*"
