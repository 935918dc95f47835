#!/bin/bash
# unread.sh ORDO UNREAD: checks that a watcher reads the record later if it cannot read it for some time. UNREAD is
# libordo-unread.so.
set -u
ordo=$1 unread=$2
. "$(dirname "$0")/../kit.sh"
at_once=yes shown=("$scratch/out" "$scratch/log")
watcher=''
trap '[ -z "$watcher" ] || kill -KILL $watcher; rm -rf "$scratch"' EXIT
export ORDO_RECORD=$scratch/boundary ORDO_UNREAD=$scratch/sign
log=$scratch/log
"$ordo" calibrate --quiet --runs 300 --repeat 2 --force >"$scratch/out" 2>&1 || fail "ordo calibrate: exit $?"

# met PATTERN: a line of the log must match within 30 s.
met() { wait_for 30 grep -q "$1" "$log" || fail "the log lacks '$1'"; }

touch "$ORDO_UNREAD"
LD_PRELOAD=$unread "$ordo" watch --quiet --log "$log" 2>"$scratch/err" &
watcher=$!
met 'Too many open files in system'
sleep 2.5 # the watcher tries several times
[ "$(grep -c 'Too many open files' "$log")" -eq 1 ] || fail "the same is told again"
rm "$ORDO_UNREAD"
met 'generation 1, boundary'
kill $watcher
wait $watcher || fail "the watcher ends with $?"
watcher=''
