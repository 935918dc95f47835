#!/bin/sh
# agent.sh [OPTION...] HOST COMMAND...: a launcher runs it in the place of ssh. COMMAND runs on this machine, under the host name
# HOST and in a time namespace of its own: node3's CLOCK_MONOTONIC is 3000 s ahead. If the file HOST exists in $RECORDS, it is the
# boundary that is published there.
while :; do
    case $1 in -*) shift ;; *) break ;; esac
done
host=$1
shift
[ ! -e "${RECORDS:-}/$host" ] || export ORDO_RECORD="$RECORDS/$host"
ahead=$(echo "$host" | tr -cd 0-9)000
exec unshare --uts --time --monotonic "$ahead" --boottime "$ahead" --fork sh -c 'hostname "$1"; eval "$2"' sh "$host" "$*"
