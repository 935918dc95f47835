#!/bin/bash
# fio.sh: tries fio.patch; see README.md, and ../patch.sh for the options.
package=fio version=3.33-3
. "$(dirname "$0")/../patch.sh"

build_tree() {
    cd "$1" && ./configure --disable-native && nice -n 10 make -j2 fio t/time-test EXTFLAGS="$2"
}

# chosen TREE: prints the clock that fio chooses at a start, 3 for the CPU clock.
chosen() { "$1/fio" --debug=time --name=n --ioengine=null --size=4k 2>&1 | sed -n 's/.*clocksource=//p' | tail -n 1; }

# run_null TREE RUNTIME OPTION...: prints the nanoseconds of CPU time for an I/O of the engine null.
run_null() {
    local tree=$1 runtime=$2
    shift 2
    "$tree/fio" --name=n --ioengine=null --rw=randread --bs=4k --size=1t --norandommap --random_generator=lfsr \
        --runtime="$runtime" --time_based --output-format=json --output="$work/json" "$@" || return
    jq '.jobs[0] | (.usr_cpu + .sys_cpu) / 100 * .read.runtime * 1e6 / .read.total_ios' "$work/json"
}

own_test() { cd "$1" && make test; }
agrees_with_kernel() { # fio measures the duration of a run by its clock, this test by the kernel's
    local begin end
    begin=$(date +%s%N) && run_null "$1" 2 --clocksource=cpu && end=$(date +%s%N) &&
        [ "$(jq '.jobs[0].read.runtime' "$work/json")" -ge 1999 ] && [ $((end - begin)) -lt 4000000000 ]
}
survives_withdrawal() { # a run whose record is withdrawn after a second still ends after two, as fio counts
    local copy=$work/record
    copy_record "$copy"
    (sleep 1 && withdraw "$copy") &
    ORDO_RECORD=$copy run_null "$1" 2 && wait && jq -e '.jobs[0].read.runtime | . >= 1999 and . < 2200' "$work/json" &&
        [ "$(ORDO_RECORD=$copy chosen "$1")" = 2 ]
}
never_refuses() {
    local i
    for ((i = 0; i < 20; i++)); do [ "$(chosen "$1")" = 3 ] || return; done
}

# fio's test reads the counter unordered, so it fails on some machines whose counters agree: the patch does not change it.
cpuclock_as_stock() { "$1/fio" --cpuclock-test || ! "$stock/fio" --cpuclock-test; }

test_tree() {
    command -v jq >/dev/null || stop 2 "no jq; install it"
    passes "make test" own_test "$1"
    passes "t/time-test, fio's test of its conversion of ticks" "$1/t/time-test"
    passes "fio --cpuclock-test, or stock fails it too" cpuclock_as_stock "$1"
    passes "a run takes the time that the kernel's clock shows" agrees_with_kernel "$1"
    passes "a run goes on if the record is withdrawn, and the next start takes the kernel's clock" survives_withdrawal "$1"
    passes "20 of 20 starts choose the CPU clock" never_refuses "$1"
}

stock_io() { run_null "$stock" 300ms; }
stock_kernel_io() { run_null "$stock" 300ms --clocksource=clock_gettime; }
patched_io() { run_null "$patched" 300ms; }
start_time() { # CPU milliseconds of a start
    { TIMEFORMAT='%U %S' && time "$1/fio" --name=n --ioengine=null --size=4k >/dev/null; } 2>&1 | awk '{ print ($1 + $2) * 1000 + 0.1 }'
}
stock_start() { start_time "$stock"; }
patched_start() { start_time "$patched"; }

measure_trees() {
    local i refused=0
    for ((i = 0; i < 40; i++)); do [ "$(chosen "$stock")" = 3 ] || refused=$((refused + 1)); done
    echo "stock fio refuses this counter at $refused of 40 starts"
    compare "ns of CPU an I/O, stock as it chooses its clock" stock_io patched_io
    compare "ns of CPU an I/O, stock with clock_gettime" stock_kernel_io patched_io
    compare "ms of CPU a start" stock_start patched_start
}

try_patch "$@"
