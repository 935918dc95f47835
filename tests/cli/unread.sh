#!/bin/bash
# unread.sh ORDO UNREAD: a watcher that cannot read the record for a moment (UNREAD is libordo-unread.so) reads it later.
set -u
ordo=$1 unread=$2
scratch=$(mktemp -d)
watcher=''
trap '[ -z "$watcher" ] || kill -KILL $watcher; rm -rf "$scratch"' EXIT
export ORDO_RECORD=$scratch/boundary ORDO_UNREAD=$scratch/sign
log=$scratch/log
"$ordo" calibrate --quiet --runs 300 --repeat 2 --force >"$scratch/out" 2>&1 || { cat "$scratch/out"; exit 1; }

# met N PATTERN: N such lines, within 30 s.
met() {
    for _ in $(seq 300); do
        [ "$(grep -c "$2" "$log" 2>/dev/null)" -ge "$1" ] && return
        sleep 0.1
    done
    echo "FAILED: not $1 times in the log: $2"
    cat "$log"
    exit 1
}

touch "$ORDO_UNREAD"
LD_PRELOAD=$unread "$ordo" watch --quiet --log "$log" 2>"$scratch/err" &
watcher=$!
met 1 'Too many open files in system'
sleep 2.5 # several looks
[ "$(grep -c 'Too many open files' "$log")" -eq 1 ] || { echo "FAILED: the same is told again"; exit 1; }
rm "$ORDO_UNREAD"
met 1 'generation 1, boundary'
kill $watcher
wait $watcher || { echo "FAILED: the watcher ends with $?"; exit 1; }
watcher=''
