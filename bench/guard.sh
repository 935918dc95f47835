#!/bin/sh
# guard.sh AFTER BEFORE DIRECTORY [ROUNDS]: measures two builds alternately, and lists the results in which AFTER is
# slower than BEFORE. Each round measures both; every other round in the opposite order. Exit codes: those of
# ordo-bench compare.
set -eu
after=$1 before=$2 directory=$3 rounds=${4:-9}
mkdir -p "$directory"

# measure BUILD FILE COMMAND...: writes the result of a short run to FILE; a failed run leaves no FILE
measure() {
    bench=$1/bin/ordo-bench file=$2
    shift 2
    code=0
    "$bench" "$@" --runs 1 --json >"$file.part" 2>"$file.said" || code=$?
    [ $code -eq 0 ] || {
        echo "bench --guard: $bench $* ends with exit code $code: $(head -n 1 "$file.said")" >&2
        exit $((code > 1 ? 2 : 1)) # 1: an audit failed, which a higher speed does not excuse
    }
    rm "$file.said"
    mv "$file.part" "$file"
}

slower=0
guard() {
    name=$1
    shift
    files=
    round=1
    while [ "$round" -le "$rounds" ]; do
        printf 'bench --guard: %s, round %d of %d\n' "$name" "$round" "$rounds" >&2
        a=$directory/$name.$round.before.json b=$directory/$name.$round.after.json
        if [ $((round % 2)) -eq 1 ]; then
            measure "$before" "$a" "$@"
            measure "$after" "$b" "$@"
        else
            measure "$after" "$b" "$@"
            measure "$before" "$a" "$@"
        fi
        files="$files $a $b"
        round=$((round + 1))
    done
    code=0
    # shellcheck disable=SC2086
    "$after/bin/ordo-bench" compare $files || code=$?
    [ $code -le 1 ] || exit $code
    [ $code -eq 0 ] || slower=1
}

guard clock clock ${GUARD_OPTIONS:-}
guard rlu rlu --structure hash ${GUARD_OPTIONS:-}
guard stm stm ${GUARD_OPTIONS:-}
guard oplog oplog ${GUARD_OPTIONS:-}
guard txn txn --theta 0.9 ${GUARD_OPTIONS:-}
exit $slower
