#!/bin/bash
# suites.sh SUITE [SOURCE]: runs the test suite of an unmodified program of Debian without and with `ordo run`, and compares
# which tests pass.
#
#     postgresql   installcheck: pg_regress against Debian's server. SOURCE: of `apt-get source postgresql-15`. Needs
#                  postgresql-15 and the headers of postgresql-server-dev-15 ($HEADERS: their folder), and root
#     redis        runtest with Debian's redis-server. SOURCE: of `apt-get source redis`. Needs redis-server and tclsh.
#                  $WORDS are words for runtest (default: --clients 4, all tests)
#     python3      test.test_time. Needs python3 and libpython3-testsuite
#
# $ORDO names the tool (default: build/bin/ordo), $ORDER the order (default: ordered), $ORDO_RECORD the record, and $KEEP a
# folder for the logs. Exit 0: each test that passes without passes with `ordo run`; 1: some do not, and are listed; 2: a
# program or the source is missing.
set -eu
cd "$(dirname "$0")/.."
ordo=${ORDO:-$PWD/build/bin/ordo} order=${ORDER:-ordered} suite=${1-} source=${2:+$(realpath "$2")}
served=("$ordo" run --require --order "$order" --)

stop() { echo "suites.sh: $2" >&2 && exit "$1"; }
need() { [ -e "$1" ] || command -v "$1" >/dev/null || stop 2 "$1 is missing: ${2-see the head of this script}"; }

# unprivileged COMMAND...: PostgreSQL refuses root.
unprivileged() { setpriv --reuid postgres --regid postgres --clear-groups env HOME="$scratch" "$@"; }

# Builds what installcheck loads into the server: functions in C, and two modules that Debian ships.
prepare_postgresql() {
    local headers=${HEADERS:-/usr/include/postgresql/15/server} name
    need "$source/src/test/regress/regress.c" "give the source of postgresql-15"
    need "$headers/postgres.h" "install postgresql-server-dev-15, or set HEADERS"
    cc -O2 -w -shared -fPIC -I"$headers" "$source/src/test/regress/regress.c" -o "$scratch/regress.so"
    for name in autoinc refint; do ln -s "$bin/../lib/$name.so" "$scratch"; done
    chown -R postgres "$scratch"
}

# test_postgresql SERVER...: prints the tests that pass with a server under this wrapper.
test_postgresql() {
    local bin=/usr/lib/postgresql/15/bin data=$scratch/data tries
    need "$bin/postgres" "install postgresql-15"
    [ -e "$scratch/regress.so" ] || prepare_postgresql
    rm -rf "$data" && unprivileged "$bin/initdb" -D "$data" -U postgres -A trust --no-sync --no-locale -E UTF8 >/dev/null
    setpriv --reuid postgres --regid postgres --clear-groups env "$@" "$bin/postgres" -D "$data" -k "$scratch" -h '' \
        -c fsync=off >"$scratch/server" 2>&1 &
    local server=$! # of the server itself, because setpriv and ordo run become it
    for ((tries = 0; tries < 600; tries++)); do
        ! unprivileged "$bin/pg_isready" -q -h "$scratch" || break
        sleep 0.1
    done
    unprivileged "$bin/../lib/pgxs/src/test/regress/pg_regress" --bindir="$bin" --dlpath="$scratch" --host="$scratch" \
        --user=postgres --inputdir="$source/src/test/regress" --outputdir="$scratch/out" --max-concurrent-tests=20 \
        --schedule="$source/src/test/regress/parallel_schedule" >"$log" 2>&1 || :
    kill -INT $server && wait $server || :
    sed -n 's/^\(test \)\? *\([a-z0-9_.]*\) *\.\.\. ok .*/\2/p' "$log"
}

# test_redis SERVER...: redis's script starts its servers and clients from its own source folder. Some tests draw how often they
# run and with which numbers, which are part of their names: each name counts once, without numbers, and only if none of its runs has failed.
test_redis() {
    local name tree=$scratch/redis
    need "$source/runtest" "give the source of redis"
    need redis-server "install redis-server"
    [ -d "$tree" ] || cp -r "$source" "$tree"
    for name in server cli benchmark check-aof check-rdb; do ln -sf "$(command -v redis-$name)" "$tree/src/redis-$name"; done
    # shellcheck disable=SC2086 # several words
    (cd "$tree" && "$@" ./runtest ${WORDS:---clients 4}) >"$log" 2>&1 || :
    sed -n 's/\x1b\[[0-9;]*m//g; s/^\[ok\]: \(.*\) ([0-9]* ms)$/\1/p' "$log" | sed 's/[0-9][0-9]*/N/g' | sort -u >"$scratch/passed"
    sed -n 's/\x1b\[[0-9;]*m//g; s/^\[\(err\|exception\)\]: \(.*\) in tests.*/\2/p' "$log" | sed 's/[0-9][0-9]*/N/g' | sort -u >"$scratch/failed"
    comm -23 "$scratch/passed" "$scratch/failed"
}

test_python3() {
    "$@" /usr/bin/python3 -m test -v test_time >"$log" 2>&1 || :
    sed -n 's/^\(test_[^ ]*\) .*\.\.\. ok$/\1/p' "$log"
}

case $suite in
postgresql | redis | python3) ;;
*) sed -n '2,13s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
need "$ordo" "build it, or set ORDO"
"${served[@]}" true || stop 2 "no record: run 'ordo calibrate', or set ORDO_RECORD"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
keep=${KEEP:-$scratch} && mkdir -p "$keep"
for way in without with; do
    log=$keep/$suite-$way.log
    if [ $way = without ]; then wrapper=(env); else wrapper=("${served[@]}"); fi
    "test_$suite" "${wrapper[@]}" | sort >"$scratch/$way"
done
lost=$(comm -23 "$scratch/without" "$scratch/with")
echo "$suite: $(wc -l <"$scratch/without") tests pass without, $(wc -l <"$scratch/with") with ($order)"
[ -z "$lost" ] || { echo "pass only without:" && echo "$lost" && exit 1; }
[ -s "$scratch/without" ] || stop 2 "no test passes: see $log"
