#!/bin/bash
# run.sh SOURCE BIN READS COMPILER: tests `ordo run` with the program READS, whose readings are known (run_reads.c).
here=$(dirname "$0") source=$1 bin=$2 reads=$3 compiler=$4
. "$here/../kit.sh"
PATH=$bin:$PATH
export ORDO_RECORD=$scratch/boundary
set -u

publish() { quietly ordo calibrate --runs 300 --repeat 2 --force --quiet; }

# --- without a record: one line, and the program runs
run 0 ordo run -- "$reads" served && says "loaded, the kernel's" && complains_once "there is no boundary record"
run 2 ordo run --require -- "$reads" served && complains_once "not started (--require)"
[ ! -s "$scratch/out" ] || fail "--require started the program"

publish
# --- served, and the exit status is the program's
run 0 ordo run -- "$reads" served && says "loaded, served"
[ ! -s "$scratch/err" ] || fail "a served program gets a message"
run 0 ordo run --require --order durations -- "$reads" served && says "loaded, served"
run 7 ordo run -- sh -c 'exit 7'
run 127 ordo run -- "$scratch/none" && complains_once "No such file"
run 127 ordo run -- no-such-program-anywhere && one_line
run 126 ordo run -- "$scratch" && one_line
run 126 ordo run -- /etc/passwd && one_line
run 64 ordo run && complains "give -- COMMAND"
run 64 ordo run --order fast -- true && complains "--order 'fast'"
run 64 ordo run --max-boundary 31us -- true
run 64 ordo run --json -- true && complains "only with --measure"
# a record elsewhere, whose path is relative although the program leaves its folder
cp "$ORDO_RECORD" "$scratch/elsewhere"
(cd "$scratch" && env ORDO_RECORD="$scratch/none" ordo run --require --record elsewhere -- env -C / "$reads" served) >"$scratch/out" 2>"$scratch/err" || fail "--record: exit $?: $(cat "$scratch/err")"
says "loaded, served"
run 0 ordo run --record "$scratch/none" -- "$reads" served && says "the kernel's" && complains_once "$scratch/none"
run 0 ordo run --max-boundary 1ns -- "$reads" served && says "the kernel's" && complains_once "above --max-boundary"
run 0 env LD_PRELOAD=/nonexistent.so ordo run -- sh -c 'echo $LD_PRELOAD' && matches 'libordo-clock.so:/nonexistent.so$'
# shellcheck disable=SC2016
run 0 ordo run -- sh -c 'echo $ORDO_CLOCK' && says "order=ordered,max-boundary-ns=10000,reopen=1,record=$ORDO_RECORD"
run 0 env ORDO_CLOCK=nonsense LD_PRELOAD="$(dirname "$bin")/lib/preload/libordo-clock.so" "$reads" served && says "the kernel's"

# --- order: threads, signal handlers, fork and vfork, exec
for order in ordered raised; do
    run 0 ordo run --order $order -- "$reads" monotone 300 && says monotone
done
run 0 ordo run -- env "$reads" monotone 100
run 0 ordo run --require --order durations -- "$reads" within 300 && says monotone
run 0 ordo run -- "$reads" zones 2000000 && says "0 back"

# --- difference from the kernel's own answers. The test is no measurement: a descheduled thread only widens the kernel's interval.
run 0 ordo run -- "$reads" same 300
boundary_ns=$(ordo show --boundary-ns)
while read -r clock ns; do
    most=$((2000 + 4 * boundary_ns + 3000))
    case $clock in 0 | 7 | 11) most=$((most + 2000)) ;; esac
    [ "$ns" -le $most ] || fail "clock $clock differs by $ns ns, allowed are $most ns"
done <"$scratch/out"

# --- errors are those of the kernel
"$reads" errors >"$scratch/expected"
run 0 ordo run -- "$reads" errors
diff "$scratch/expected" "$scratch/out" || fail "errors differ from those without the preload"

# --- a record withdrawn during a run
ordo run -- "$reads" until "$scratch/stop" >"$scratch/out" 2>"$scratch/err" &
child=$!
sleep 0.3
printf '\x6c\xb6\x95\xea\xb1\x0b\x5c\xd1' | dd of="$ORDO_RECORD" bs=1 seek=16 conv=notrunc status=none # ORDO_RECORD_DISRUPTED
run 2 ordo show && says disrupted
touch "$scratch/stop"
wait $child || fail "readings after the withdrawal are not the kernel's: $(cat "$scratch/out")"
rm "$scratch/stop" "$ORDO_RECORD" && publish

# --- superseded: the new record is opened, unless --no-reopen
for words in "again" "until --no-reopen"; do
    read -r what reopen <<<"$words"
    ordo run $reopen -- "$reads" "$what" "$scratch/stop" >"$scratch/out" 2>"$scratch/err" &
    child=$!
    sleep 0.3
    publish
    sleep 0.1
    touch "$scratch/stop"
    wait $child || fail "readings after a new record${reopen:+, $reopen}: exit $?: $(cat "$scratch/out")"
    rm "$scratch/stop"
done

# --- programs that are not reached
cat >"$scratch/tiny.c" <<'TEXT'
int main(void) { return 3; }
TEXT
if "$compiler" -static "$scratch/tiny.c" -o "$scratch/static" 2>/dev/null; then
    run 3 ordo run -- "$scratch/static" && complains_once "linked statically"
    run 2 ordo run --require -- "$scratch/static" && one_line
    run 3 ordo run --measure -- "$scratch/static" && complains_once "not counted"
else
    echo "left out: no static C library"
fi
# the loader loads the preload for the program that it is given
loader=$(ldd "$reads" | sed -n 's/^[[:space:]]*\(\/[^ ]*\/ld[-.][^ ]*\) .*/\1/p')
run 0 ordo run --require -- "$loader" "$reads" served && says "loaded, served"
cp "$reads" "$scratch/other" && printf '\x28\x00' | dd of="$scratch/other" bs=1 seek=18 conv=notrunc status=none
run "2|126|127" ordo run -- "$scratch/other" && complains "another processor"
cp "$reads" "$scratch/small" && printf '\x01' | dd of="$scratch/small" bs=1 seek=4 conv=notrunc status=none
run "2|64|126|127" ordo run -- "$scratch/small" && complains "32-bit"
printf '\x7fELF\x02\x01\x01' | cat - /dev/zero | head -c 600 >"$scratch/torn" && chmod +x "$scratch/torn"
run "2|126|127" ordo run -- "$scratch/torn" && complains "another processor"
printf '#!/usr/bin/env -S %s served\n' "$reads" >"$scratch/script" && chmod +x "$scratch/script"
run 0 ordo run -- "$scratch/script" && says served
echo 'exit 5' >"$scratch/bare" && chmod +x "$scratch/bare"
run 5 ordo run -- "$scratch/bare"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 711 "$scratch" && cp "$reads" "$scratch/rights" && chown 65533 "$scratch/rights" && chmod 4755 "$scratch/rights" && chmod 644 "$ORDO_RECORD"
    run 0 ordo run -- "$scratch/rights" served && complains_once "more rights than its caller"
else
    echo "left out: only root can make a set-user-ID program"
fi

# --- musl
if command -v musl-gcc >/dev/null && musl-gcc -O1 -I"$source/lib" "$here/run_reads.c" "$source/lib/preload/vdso.c" -o "$scratch/musl" 2>"$scratch/log"; then
    run 0 ordo run -- "$scratch/musl" served && says "loaded, served"
    run 0 ordo run -- "$scratch/musl" monotone 100 && says monotone
    run 0 ordo run --measure --json -- "$scratch/musl" count 100 && json '.clocks[0].clock_gettime == 100'
else
    echo "left out: no musl-gcc"
fi

# --- counting
export TMPDIR=$scratch/counts
mkdir "$TMPDIR"
run 0 ordo run --measure --json -- sh -c "$reads count 1000; $reads count 500"
json '[.clocks[] | select(.clock != "other") | .clock_gettime] == [1500, 1500, 1500, 1500, 1500]'
json '.clocks[1].gettimeofday == 1500 and .clocks[1].timespec_get == 1500 and .clocks[5].clock_gettime == 1500'
json '.programs >= 2 and .usable and .exit_status == 0 and .clocks[0].kernel_ns > 0 and .clocks[0].counter_ns > 0'
json '.order == "ordered" and (.effective_order == "ordered" or .effective_order == "raised")'
run 0 ordo run --measure --json --order durations -- true && json '.order == "durations" and .effective_order == "durations"'
run 0 ordo run --measure --json --max-boundary 1ns -- true && json '.effective_order == null and (.usable | not)'
run 9 ordo run --measure -- sh -c 'exit 9' && says "readings"
run 143 ordo run --measure -- sh -c 'kill -TERM $$'
for signal in TERM:143 USR1:138 USR2:140; do
    ordo run --measure --json -- sleep 30 >"$scratch/out" 2>"$scratch/err" &
    child=$!
    sleep 0.3
    kill -"${signal%:*}" $child
    code=0
    wait $child || code=$?
    [ $code -eq "${signal#*:}" ] && json ".exit_status == $code" || fail "${signal%:*} is not forwarded: exit $code"
done
run 70 env TMPDIR="$scratch/nowhere" ordo run --measure -- true && complains_once "set TMPDIR"
[ -z "$(ls "$TMPDIR")" ] || fail "a file of counts remains"
exit $((failures > 0))
