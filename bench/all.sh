#!/bin/sh
# all.sh BUILD DIRECTORY [OPTION...]: runs every benchmark at every thread count, writes the results into DIRECTORY, and
# packs DIRECTORY into one archive. A result that exists already is not measured again, so an interrupted run can be
# continued. Every command gets the options. A continued run must have the options of the first run.
set -eu
bench=$1/bin/ordo-bench named=$2 directory=$2

refuse() {
    echo "bench --all: directory '$named': $*" >&2
    exit 64
}

while [ "$directory" != "${directory%/}" ]; do directory=${directory%/}; done
case $directory in
-*) refuse "an option: give the directory first" ;;
'' | . | .. | */. | */..) refuse "has no name, as which the archive could stand beside it: give another" ;;
esac
shift 2
mkdir -p "$directory" 2>/dev/null && [ -w "$directory" ] && [ -w "$(dirname "$directory")" ] ||
    refuse "cannot be made or written to, or no archive beside it: give another"
archive=$directory.tar.gz
[ ! -d "$archive" ] && [ ! -d "$archive.part" ] || refuse "$archive or $archive.part is a directory: give another"
printf '%s\n' "$*" >"$directory/options.part"
if [ -f "$directory/options" ] && ! cmp -s "$directory/options" "$directory/options.part"; then
    rm -f "$directory/options.part"
    refuse "was begun with other options, '$(cat "$directory/options")': give those, or another directory"
fi
mv "$directory/options.part" "$directory/options"

# step N NAME COMMAND...: writes the result of a command to NAME.json, and draws NAME.svg; removes an incomplete result.
steps=9 failed=0
step() {
    number=$1 name=$2
    shift 2
    printf 'bench --all: %d of %d: %s\n' "$number" "$steps" "$name" >&2
    [ ! -s "$directory/$name.json" ] || return 0
    code=0
    "$bench" "$@" --json >"$directory/$name.part" || code=$?
    if [ $code -gt 1 ]; then # 1: the result is complete, and says that an audit failed
        echo "bench --all: $name could not be measured (exit code $code)" >&2
        rm -f "$directory/$name.part"
        failed=$((failed + 1))
        return 0
    fi
    mv "$directory/$name.part" "$directory/$name.json"
    "$bench" plot --output "$directory/$name.svg" "$directory/$name.json" 2>/dev/null ||
        echo "bench --all: $name.svg is not drawn: install gnuplot-nox" >&2
}

{
    "$bench" --version
    uname -srm
    grep -m 1 'model name' /proc/cpuinfo || true
    cat /sys/devices/system/clocksource/clocksource0/current_clocksource
    cat /proc/loadavg
} >"$directory/provenance.txt" 2>&1

step 1 clock clock "$@"
step 2 rlu rlu "$@"
step 3 txn txn --workload ycsb-a,ycsb-b,ycsb-c,tpcc,smallbank "$@"
step 4 txn-skewed txn --workload ycsb-a --theta 0.9 "$@"
step 5 stm stm "$@"
step 6 oplog oplog "$@"
step 7 merge merge "$@"
step 8 trace trace "$@"
step 9 contention contention "$@"
tar -C "$(dirname "$directory")" --force-local --no-unquote -czf "$archive.part" -- "$(basename "$directory")"
mv "$archive.part" "$archive"
echo "$archive"
[ $failed -eq 0 ] || exit 2
