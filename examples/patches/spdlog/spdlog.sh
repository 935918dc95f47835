#!/bin/bash
# spdlog.sh: tries spdlog.patch; see README.md, and ../patch.sh for the options. Debian's spdlog needs fmt: libfmt-dev.
package=spdlog version=1:1.10.0+ds-0.4
. "$(dirname "$0")/../patch.sh"

compile() { # compile TREE INCLUDES PROGRAM SOURCE...
    local tree=$1 includes=$2 program=$3
    shift 3
    # shellcheck disable=SC2086 # INCLUDES are several words
    nice -n 10 c++ -std=c++11 -O2 -DSPDLOG_FMT_EXTERNAL -DFMT_HEADER_ONLY -I"$tree/include" ${includes:+-DSPDLOG_ORDO_RECORD $includes} \
        "$@" -o "$program" -pthread
}

build_tree() {
    local unit sources=()
    echo '#include <fmt/core.h>' | c++ -x c++ -fsyntax-only - || stop 2 "no fmt/core.h; install libfmt-dev"
    mkdir -p "$1/tests/catch2" && cp "$1/tests/catch.hpp" "$1/tests/catch2" || return
    for unit in main utils test_async test_mpmc_q test_misc; do sources+=("$1/tests/$unit.cpp"); done
    cat >"$1/producers.cpp" <<'EOF'
#include <spdlog/async.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <thread>

// Prints the nanoseconds of CPU time of a message, formatted and passed to a sink that drops it.
int main(int argc, char **argv)
{
    long threads = argc > 1 ? atol(argv[1]) : 1, each = 200000 / threads;
    struct timespec a, b;
    spdlog::init_thread_pool(8192, 1);
    auto log = spdlog::create_async<spdlog::sinks::null_sink_mt>("n");
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    std::vector<std::thread> producers;
    for (long k = 0; k < threads; k++)
        producers.emplace_back([&, k] {
            for (long i = 0; i < each; i++)
                log->info("thread {} message {}", k, i);
        });
    for (auto &p : producers)
        p.join();
    log.reset();
    spdlog::shutdown();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    printf("%.1f\n", ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / (each * threads));
}
EOF
    compile "$1" "$2" "$1/producers" "$1/producers.cpp" && compile "$1" "$2" "$1/units" -I"$1/tests" "${sources[@]}"
}

own_tests() { cd "$1" && mkdir -p test_logs && ./units; }
own_tests_without() { ORDO_RECORD=$work/none own_tests "$1"; }
withdrawn() { # a record that is withdrawn in the middle of a run: it ends, and loses no message
    copy_record "$work/record"
    (sleep 0.3 && withdraw "$work/record") &
    ORDO_RECORD=$work/record "$1/producers" 4 && wait && ORDO_RECORD=$work/record own_tests "$1"
}

test_tree() {
    passes "spdlog's tests of the asynchronous logger and its queue" own_tests "$1"
    passes "the same without a record" own_tests_without "$1"
    passes "the same with a record that was withdrawn, after a run in which it is withdrawn" withdrawn "$1"
}

stock_one() { "$stock/producers" 1; }
patched_one() { "$patched/producers" 1; }
stock_four() { "$stock/producers" 4; }
patched_four() { "$patched/producers" 4; }

measure_trees() {
    compare "ns of CPU a message, 1 thread" stock_one patched_one
    compare "ns of CPU a message, 4 threads" stock_four patched_four
}

try_patch "$@"
