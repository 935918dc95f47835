#!/bin/bash
# order.sh SOURCE ARCHITECTURE: checks that each ordered read of a clock, also of the portable clock, has the fences
# before and after it that the argument in its header requires. Inspects the instructions from every installed compiler,
# because running the code does not show the order of a counter's read.
set -eu
source=$1 architecture=$2
case $architecture in
x86_64)
    read='lfence,rdtsc,lfence' full='lock,lfence,rdtsc,lfence' exchange='lock,lfence,rdtsc'
    after='lfence,rdtsc' after_full='lock,lfence,rdtsc' before='rdtsc,lfence'
    loads='lfence' all='lock,lfence' ;;
aarch64)
    read='dsb ishld,isb,mrs cntvct_el0,isb' full='dsb ish,isb,mrs cntvct_el0,isb' exchange=$full
    after='dsb ishld,isb,mrs cntvct_el0' after_full='dsb ish,isb,mrs cntvct_el0' before='mrs cntvct_el0,isb'
    loads='dsb ishld,isb' all='dsb ish,isb' ;;
riscv64)
    read='fence r i,rdtime,fence i iorw' full='fence rw i,rdtime,fence i iorw' exchange=$full
    after='fence r i,rdtime' after_full='fence rw i,rdtime' before='rdtime,fence i iorw'
    loads='fence iorw iorw' all=$loads ;;
*) echo "nothing is known of $architecture" && exit 77 ;;
esac
portable=$loads,clock_gettime,$loads portable_full=$all,clock_gettime,$loads

# instructions FUNCTION: prints the fences and the clock read of the function, in order, from the assembly on standard
# input.
instructions() {
    awk -v function_name="$1" '
        $1 == function_name ":" { inside = 1; next }
        $1 == ".size" && $2 ~ "^" function_name { inside = 0 }
        !inside { next }
        { sub(/[;#\/].*/, ""); gsub(/,/, " "); $1 = $1 }
        $1 ~ /^(dsb|dmb|isb|sb|fence(\.[a-z]+)?|lfence|mfence|sfence|lock|rdtscp?|rdtime)$/ {
            text = $1
            if ($1 ~ /^(dsb|dmb)$/) text = $1 " " $2
            if ($1 == "fence") text = NF == 1 ? "fence iorw iorw" : $0
            print text
        }
        $1 == "mrs" { print $1, tolower($NF) }
        /clock_gettime/ { print "clock_gettime" }' | paste -sd,
}

status=0 compiled=0
# check WANTED FUNCTION COMPILER...: the instructions of the function must be WANTED.
check() {
    local wanted=$1 function=$2 found
    shift 2
    found=$("$@" -std=c11 -O2 -fcf-protection=none -I"$source/include" -S "$source/tests/header/order.c" -o - |
        instructions "$function")
    compiled=$((compiled + 1))
    [ "$found" = "$wanted" ] || { echo "$*: $function: $found, not $wanted"; status=1; }
}

# clang needs the target, and the headers of libc for this architecture, which come with its gcc.
for compiler in "$architecture-linux-gnu-gcc" \
    "clang --target=$architecture-linux-gnu -isystem /usr/$architecture-linux-gnu/include"; do
    command -v "${compiler%% *}" >/dev/null || continue
    # shellcheck disable=SC2086 # the compiler is several words
    echo '#include <time.h>' | $compiler -xc -fsyntax-only - 2>/dev/null || continue # libc is not installed for this architecture
    # shellcheck disable=SC2086
    {
        check "$read" ordered_read $compiler
        check "$full" ordered_read_full $compiler
        check "$exchange" ordered_after_exchange $compiler
        check "$loads,$before" ordered_any $compiler
        check "$all,$before" ordered_any_full $compiler
        check "clock_gettime,$loads" ordo_any_kernel_fenced $compiler
        check "$after" ordered_side_after $compiler
        check "$after_full" ordered_side_after_full $compiler
        check "$before" ordered_side_before $compiler
        [ $architecture != x86_64 ] || check "rdtscp,lfence" ordered_cpu $compiler
        [ $architecture != x86_64 ] || check "lock,rdtscp,lfence" ordered_full_cpu $compiler
        [ $architecture != x86_64 ] || check "rdtscp" ordered_side_after_cpu $compiler
        [ $architecture != x86_64 ] || check "lock,rdtscp" ordered_side_after_full_cpu $compiler
        check "$loads,clock_gettime" ordered_side_after $compiler -DORDO_CLOCK_POSIX
        check "$all,clock_gettime" ordered_side_after_full $compiler -DORDO_CLOCK_POSIX
        check "clock_gettime,$loads" ordered_side_before $compiler -DORDO_CLOCK_POSIX
        check "$portable" ordered_read $compiler -DORDO_CLOCK_POSIX
        check "$portable_full" ordered_read_full $compiler -DORDO_CLOCK_POSIX
        check "$portable_full" ordered_after_exchange $compiler -DORDO_CLOCK_POSIX
    }
done
echo "$architecture: $compiled reads looked at"
[ $compiled -gt 0 ] || { echo "no compiler for $architecture is installed"; exit 77; }
exit $status
