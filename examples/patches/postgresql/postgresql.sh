#!/bin/bash
# postgresql.sh: tries postgresql.patch; see README.md, and ../patch.sh for the options. About 15 minutes of CPU time.
package=postgresql-15 version=15.18-0+deb12u1
. "$(dirname "$0")/../patch.sh"

build_tree() {
    local compiler=cc
    command -v ccache >/dev/null && compiler="ccache cc"
    cd "$1" && ./configure --prefix="$1/installed" --without-readline --without-zlib --without-icu CC="$compiler" CFLAGS=-O2 \
        CPPFLAGS="${2:+-DUSE_ORDO_RECORD $2}" && nice -n 10 make -j2 -C src all && make -C src install
}

# unprivileged COMMAND...: PostgreSQL refuses root.
unprivileged() {
    if [ "$(id -u)" -eq 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$work" "$@"; else "$@"; fi
}
open_to_all() { [ "$(id -u)" -ne 0 ] || { chmod a+rx "$work" && chown -R 65534:65534 "$1"; }; }

start_server() { # start_server TREE DATA OPTION...
    local tree=$1 data=$2
    shift 2
    [ -d "$data" ] || unprivileged "$tree/installed/bin/initdb" -D "$data" -U postgres -A trust --no-sync >/dev/null
    unprivileged "$tree/installed/bin/pg_ctl" -s -w -D "$data" -l "$data/log" -o "-k $data -h '' $*" start
}
stop_server() { unprivileged "$1/installed/bin/pg_ctl" -s -w -D "$2" -m fast stop; }
ask() { # ask TREE DATA SQL
    unprivileged "$1/installed/bin/psql" -h "$2" -U postgres -d postgres -qAtX -c "$3"
}

own_tests() { open_to_all "$1" && unprivileged make -C "$1/src/test/regress" check NO_LOCALE=1; }
chooses() { # chooses TREE WORDS OPTION...: the log of a server with these options names this clock
    local tree=$1 words=$2 data=$1/data
    shift 2
    open_to_all "$tree" && start_server "$tree" "$data" "$@" && stop_server "$tree" "$data"
    grep "timing clock:" "$data/log" | tail -n 1 | grep -F "$words"
}
chooses_system() { chooses "$1" clock_gettime -c timing_clock_source=system; }
chooses_record() { chooses "$1" boundary; }
chooses_without() { ORDO_RECORD=$work/none chooses "$1" clock_gettime; }
survives_withdrawal() { # EXPLAIN ANALYZE of a query that sleeps, while the record is withdrawn, agrees with the kernel
    local data=$1/data took
    copy_record "$work/record" && chmod a+r "$work/record" && open_to_all "$1"
    ORDO_RECORD=$work/record start_server "$1" "$data" || return
    (sleep 0.5 && withdraw "$work/record") &
    took=$(ask "$1" "$data" "EXPLAIN (ANALYZE, TIMING) SELECT pg_sleep(2)" | sed -n 's/^Execution Time: \([0-9]*\).*/\1/p')
    stop_server "$1" "$data"
    [ "$took" -ge 1999 ] && [ "$took" -lt 2500 ]
}

test_tree() {
    passes "auto takes the counter if there is a record" chooses_record "$1"
    passes "auto takes the kernel's clock if there is none" chooses_without "$1"
    passes "system takes the kernel's clock" chooses_system "$1"
    passes "pg_test_timing" "$1/installed/bin/pg_test_timing" -d 2
    passes "a timing goes on if the record is withdrawn" survives_withdrawal "$1"
    passes "make check of src/test/regress" own_tests "$1"
}

# explain_time TREE: prints the milliseconds of CPU time of EXPLAIN ANALYZE of a nested loop over 10^6 rows. The server
# counts the time of a process only when it has reaped it, which is after psql has ended.
explain_time() {
    local data=$1/data process before after
    process=$(head -n 1 "$data/postmaster.pid")
    before=$(awk '{ print $16 + $17 }' "/proc/$process/stat")
    ask "$1" "$data" "EXPLAIN (ANALYZE, TIMING) SELECT count(*) FROM generate_series(1, 1000) a, generate_series(1, 1000) b" >/dev/null
    while ps -o cmd= --ppid "$process" | grep -qE 'postgres: postgres|defunct'; do sleep 0.02; done
    after=$(awk '{ print $16 + $17 }' "/proc/$process/stat")
    echo $(((after - before) * 1000 / $(getconf CLK_TCK)))
}
stock_explain() { explain_time "$stock"; }
patched_explain() { explain_time "$patched"; }
reading_time() { "$1/installed/bin/pg_test_timing" -d 1 | sed -n 's/^Per loop.*: \([0-9.]*\) ns/\1/p'; }
stock_reading() { reading_time "$stock"; }
patched_reading() { reading_time "$patched"; }

measure_trees() {
    local tree
    for tree in "$stock" "$patched"; do
        open_to_all "$tree" && start_server "$tree" "$tree/data" -c max_parallel_workers_per_gather=0 -c jit=off || stop 70 "$tree does not start"
    done
    compare "ms of CPU of EXPLAIN ANALYZE, nested loop over 10^6 rows" stock_explain patched_explain
    for tree in "$stock" "$patched"; do stop_server "$tree" "$tree/data"; done
    compare "ns a loop of pg_test_timing" stock_reading patched_reading
}

try_patch "$@"
