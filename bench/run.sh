#!/bin/bash
# run.sh WHAT [ROUNDS]: measures programs with and without `ordo run`, in alternating rounds, by their CPU time.
#
#     readings   cost of a reading by the kernel and by the counter, in each order
#     postgres   PostgreSQL's EXPLAIN ANALYZE of a nested loop over 10^6 rows (as root: it becomes the user postgres)
#     fio        null engine, clocksource clock_gettime ($FIO_CLOCK: another): CPU time of an I/O in ns. By default fio reads the
#                counter itself where its own test accepts it
#
# $ORDO names the tool (default: build/bin/ordo), $ORDER the order (default: durations), $ORDO_RECORD the record. Run it on an
# otherwise idle machine; with 2 as exit status a program is missing.
set -eu
cd "$(dirname "$0")/.."
ordo=${ORDO:-$PWD/build/bin/ordo} order=${ORDER:-durations} rounds=${2:-9}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

need() { command -v "$1" >/dev/null || { echo "run.sh: $1 is missing: install $2" >&2 && exit 2; }; }

# median FILE: prints the median of a column of numbers.
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# compare: reads lines "WITHOUT WITH" of CPU times, and prints both medians and the median of the paired ratios.
compare() {
    awk -v folder="$scratch" '{ print $1 >(folder "/a"); print $2 >(folder "/b"); print $2 / $1 >(folder "/r") }'
    echo "without $(median "$scratch/a"), with $(median "$scratch/b") ($order), ratio $(median "$scratch/r") in $rounds rounds"
}

readings() {
    local each
    for each in ordered raised durations; do
        "$ordo" run --measure --json --order $each -- true |
            jq -r --arg order $each '.clocks[:2][] | "\($order) \(.clock): kernel \(.kernel_ns) ns, counter \(.counter_ns) ns"'
    done
}

# session WRAPPER...: starts a server under the wrapper, explains the query once to warm up and four times to measure, and
# prints the CPU time of a query in us.
session() {
    local bin
    bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
    setpriv --reuid postgres --regid postgres --clear-groups env ORDO_RECORD="$ORDO_RECORD" "$@" "$bin/postgres" -D "$scratch/data" \
        -k "$scratch" -h '' -c max_parallel_workers_per_gather=0 -c jit=off -c fsync=off >"$scratch/log" 2>&1 &
    local server=$! i
    for i in $(seq 100); do
        ! setpriv --reuid postgres --regid postgres --clear-groups psql -h "$scratch" -qc 'SELECT 1' >/dev/null 2>&1 || break
        sleep 0.1
    done
    setpriv --reuid postgres --regid postgres --clear-groups psql -h "$scratch" -qAt -v ON_ERROR_STOP=1 <<'SQL' | tail -n 1
CREATE FUNCTION pg_temp.cpu_ns() RETURNS bigint LANGUAGE sql AS
$$ SELECT split_part(pg_read_file('/proc/self/schedstat', 0, 200), ' ', 1)::bigint $$;
SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off;
\o /dev/null
EXPLAIN ANALYZE SELECT count(*) FROM generate_series(1, 1000) a, generate_series(1, 1000) b;
\o
SELECT pg_temp.cpu_ns() AS before \gset
\o /dev/null
EXPLAIN ANALYZE SELECT count(*) FROM generate_series(1, 1000) a, generate_series(1, 1000) b;
EXPLAIN ANALYZE SELECT count(*) FROM generate_series(1, 1000) a, generate_series(1, 1000) b;
EXPLAIN ANALYZE SELECT count(*) FROM generate_series(1, 1000) a, generate_series(1, 1000) b;
EXPLAIN ANALYZE SELECT count(*) FROM generate_series(1, 1000) a, generate_series(1, 1000) b;
EXPLAIN ANALYZE SELECT count(*) FROM generate_series(1, 1000) a, generate_series(1, 1000) b;
\o
SELECT (pg_temp.cpu_ns() - :before) / 4000;
SQL
    kill -INT $server
    wait $server || :
}

measure_postgres() {
    local i
    need psql postgresql
    export ORDO_RECORD=${ORDO_RECORD:-/run/ordo/boundary}
    chown postgres "$scratch"
    setpriv --reuid postgres --regid postgres --clear-groups "$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)/initdb" -D "$scratch/data" >/dev/null
    for i in $(seq "$rounds"); do
        echo "$(session env) $(session "$ordo" run --require --order "$order" --)"
    done | compare
}

# io WRAPPER...: prints the CPU time of an I/O in ns.
io() {
    "$@" fio --name=null --ioengine=null --size=100G --number_ios=2000000 --rw=randread --bs=4k --thread --clocksource="${FIO_CLOCK:-clock_gettime}" --output-format=json 2>/dev/null |
        jq '.jobs[0] | (.usr_cpu + .sys_cpu) / 100 * .job_runtime * 1e6 / .read.total_ios'
}

measure_fio() {
    local i
    need fio fio
    for i in $(seq "$rounds"); do echo "$(io env) $(io "$ordo" run --require --order "$order" --)"; done | compare
}

need jq jq
case ${1-} in
readings) readings ;;
postgres) measure_postgres ;;
fio) measure_fio ;;
*) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
