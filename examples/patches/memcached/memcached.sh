#!/bin/bash
# memcached.sh: tries memcached.patch; see README.md, and ../patch.sh for the options.
package=memcached version=1.6.18-1
. "$(dirname "$0")/../patch.sh"

build_tree() { cd "$1" && ./configure && nice -n 10 make -j2 CPPFLAGS="$2"; }

# ids_rise TREE RECORD BOUND WITHDRAW: sets and counts on one key by two connections. Each id must be greater than the
# one before, also over flush_all; the first must be less than BOUND if BOUND is negative, and else greater.
ids_rise() {
    ORDO_RECORD=$2 "$1/memcached" -u root -s "$work/socket" &
    local server=$! result
    python3 - "$work/socket" "$2" "$3" "$4" <<'PYTHON'
import socket, sys, time
path, record, bound, withdraw = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "withdraw"
def connect():
    for _ in range(100):
        try:
            s = socket.socket(socket.AF_UNIX); s.connect(path); return s.makefile("rwb")
        except OSError:
            time.sleep(0.05)
    sys.exit("no server")
links = [connect() for _ in range(4)]
def ask(k, text):
    links[k % 4].write(text.encode() + b"\r\n"); links[k % 4].flush()
    return links[k % 4].readline().split()
def identity(k):
    line = ask(k, "gets n")
    links[k % 4].readline(); links[k % 4].readline()
    return int(line[4])
last = 0
for k in range(8000):
    if withdraw and k == 4000:
        with open(record, "r+b") as f:
            f.seek(16); f.write(bytes.fromhex("6cb695eab10b5cd1"))
    if k % 1000 == 0:
        assert ask(k, "flush_all")[0] == b"OK" and ask(k + 1, "get n") == [b"END"], k
    assert ask(k, "set n 0 0 1\r\n5") == [b"STORED"] if k % 10 == 0 else ask(k, "incr n 1"), k
    now = identity(k + 1)
    assert now > last, (k, last, now)
    if k == 0:
        assert now < -bound if bound < 0 else now > bound, now
    last = now
PYTHON
    result=$?
    kill $server && wait $server
    return $result
}
with_record() { copy_record "$work/record" && ids_rise "$1" "$work/record" 1000000000 keep; }
with_withdrawal() { copy_record "$work/record" && ids_rise "$1" "$work/record" 1000000000 withdraw; }
without_record() { ids_rise "$1" "$work/none" -1000 keep; }
own_tests() {
    cd "$1" && ./testapp && prove -I t/lib t/{cas,binary,flush-all,flags,expirations,incrdecr,metaget,restart,stats,touch,multiversioning,slabs_reassign}.t
}

test_tree() {
    passes "ids come from the clock and rise" with_record "$1"
    passes "ids rise over a withdrawal of the record" with_withdrawal "$1"
    passes "without a record ids are counted from 1" without_record "$1"
    passes "testapp, and memcached's tests of ids, flushes, restarts, expiry and counters" own_tests "$1"
}

# taking_time TREE THREADS: prints the nanoseconds of CPU time in which one of the threads takes an id.
taking_time() {
    [ -x "$1/taking" ] || {
        cat >"$1/taking.c" <<'EOF'
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
uint64_t get_cas_id(void);
extern void cas_id_init(void) __attribute__((weak));
static void *take_ids(void *count)
{
    for (long i = 0; i < (long)count; i++)
        (void)get_cas_id();
    return NULL;
}
int main(int argc, char **argv)
{
    long threads = argc > 1 ? atol(argv[1]) : 1, each = 2000000 / threads;
    struct timespec a, b;
    pthread_t thread[64];
    if (cas_id_init)
        cas_id_init();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (long k = 0; k < threads; k++)
        pthread_create(&thread[k], NULL, take_ids, (void *)each);
    for (long k = 0; k < threads; k++)
        pthread_join(thread[k], NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    return printf("%.3f\n", ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / (each * threads)) < 0;
}
EOF
        # Of memcached's objects, only items.o; get_cas_id calls nothing of the others.
        cc -O2 -pthread -no-pie -Wl,--unresolved-symbols=ignore-all "$1/taking.c" "$1/memcached-items.o" -o "$1/taking" || return
    }
    "$1/taking" "$2"
}
stock_one() { taking_time "$stock" 1; }
patched_one() { taking_time "$patched" 1; }
stock_four() { taking_time "$stock" 4; }
patched_four() { taking_time "$patched" 4; }

# set_time TREE: prints the nanoseconds of the server's CPU time for a pipelined set, of 4 threads and 4 connections.
set_time() {
    "$1/memcached" -u root -t 4 -s "$work/socket" 2>"$work/server" &
    local server=$! ticks
    ticks=$(python3 - "$work/socket" $server <<'PYTHON'
import os, socket, sys, threading, time
def used():
    return sum(map(int, open(f"/proc/{sys.argv[2]}/stat").read().split()[13:15]))
def connect():
    for _ in range(100):
        try:
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); return s
        except OSError:
            time.sleep(0.05)
    os._exit(1)
def load(k):
    s = connect()
    batch = b"".join(b"set k%d-%d 0 0 1 noreply\r\nx\r\n" % (k, i) for i in range(1000))
    for _ in range(250):
        s.sendall(batch)
    s.sendall(b"version\r\n"); s.recv(100)
connect(); before = used()
threads = [threading.Thread(target=load, args=(k,)) for k in range(4)]
for t in threads: t.start()
for t in threads: t.join()
print(used() - before)
PYTHON
    )
    kill $server && wait $server
    echo $((ticks * (1000000000 / $(getconf CLK_TCK)) / 1000000))
}
stock_set() { set_time "$stock"; }
patched_set() { set_time "$patched"; }

measure_trees() {
    compare "ns of CPU an id, 1 thread" stock_one patched_one
    compare "ns of CPU an id, 4 threads" stock_four patched_four
    compare "ns of CPU a pipelined set, 4 threads" stock_set patched_set
}

try_patch "$@"
