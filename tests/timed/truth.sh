#!/bin/bash
# truth.sh SOURCE BIN READER WORLD [READINGS EVERY-US]: tests ordo-timed on a simulated machine (world.h), whose clock drifts by up
# to 450 ppm while the promise is 500, is stepped and suspended, while the daemon is killed and the disk is full, and one of three
# references lies, always or now and then. No reading may be outside of the truth. Exit 77 if namespaces are refused.
set -u
source=$1 bin=$2 reader=$3 world=$4 readings=${5:-300000} every_us=${6:-400}
. "$(dirname "$0")/../kit.sh"
PATH=$bin:$PATH
daemon='' agents=() reading=''

finish() {
    [ -z "$daemon" ] || kill -9 "$daemon" 2>/dev/null
    [ -z "$reading" ] || kill -9 "$reading" 2>/dev/null
    [ ${#agents[@]} -eq 0 ] || kill -9 "${agents[@]}" 2>/dev/null
    wait 2>/dev/null
    umount "$scratch/run" 2>/dev/null
    rm -rf "$scratch"
}
trap finish EXIT

[ "$(id -u)" = 0 ] && unshare --mount --net --time --monotonic 1 --fork true 2>/dev/null || {
    echo "truth: needs root, and namespaces of mounts, network and time"
    exit 77
}
# The rest runs in a mount namespace and a network namespace of its own.
[ -n "${ORDO_TIMED_INSIDE:-}" ] || {
    rm -rf "$scratch"
    trap - EXIT
    ORDO_TIMED_INSIDE=yes exec unshare --mount --net --kill-child --fork "$0" "$@"
}
ip link set lo up
mkdir "$scratch/run"
mount -t tmpfs -o size=160k none "$scratch/run"
page=$scratch/run/time
export TIMED_WORLD=$scratch/world
od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$scratch/key" && chmod 600 "$scratch/key"

# Two honest references, and one in a time namespace, whose clock is 7 s ahead.
for port in 1 2; do
    ordo-net agent --key "$scratch/key" --listen 127.0.0.1:2100$port --clock monotonic -q >/dev/null 2>&1 &
    agents+=($!)
done
unshare --time --monotonic 7 --fork --kill-child ordo-net agent --key "$scratch/key" --listen 127.0.0.1:21003 --clock monotonic -q >/dev/null 2>&1 &
agents+=($!)

machine() { LD_PRELOAD=$world "$@"; }
start() {
    LD_PRELOAD=$world ordo-timed publish --key "$scratch/key" --clock kernel --liars 1 --every 50ms --void-after 1s --slots 64 --vmclock none \
        --reference 127.0.0.1:21001=2us --reference 127.0.0.1:21002=2us --reference 127.0.0.1:21003=2us --output "$page" >>"$scratch/counts" 2>>"$scratch/events" &
    daemon=$!
}
quietly "$reader" begin
start
wait_for 20 machine ordo-timed show --page "$page" || fail "nothing was published"
machine ordo-timed show --page "$page"
shown=("$scratch/read" "$scratch/events" "$scratch/counts")

LD_PRELOAD=$world "$reader" read "$page" "$readings" "$every_us" >"$scratch/read" 2>&1 & # no function: $! must be the reader itself
reading=$!
turn=0
while kill -0 "$reading" 2>/dev/null; do
    case $((turn++ % 8)) in
    0 | 4) "$reader" drift $((RANDOM % 900001 - 450000)) ;;
    1) "$reader" step $(((RANDOM % 7 - 3) * 700000000 + RANDOM)) ;;
    2) # killed, and started again
        kill -9 $daemon
        wait $daemon 2>/dev/null
        [ $((turn % 16)) -lt 8 ] || sleep 1.3 # longer than the interval stays valid
        start
        ;;
    3 | 6) # a suspend: all programs of the machine stand still
        kill -STOP $daemon $reading
        before=$(date +%s%N)
        sleep 0.$((RANDOM % 7 + 1))
        "$reader" suspend $(($(date +%s%N) - before + 137))
        kill -CONT $reading
        sleep 0.02 # the reader runs before the daemon does
        kill -CONT $daemon
        ;;
    5) # a full disk, over the end of a file
        dd if=/dev/zero of="$scratch/run/full" bs=1k count=300 2>/dev/null
        sleep 3.5
        rm "$scratch/run/full"
        ;;
    7) "$reader" suspend $((RANDOM * 30)) ;; # too short to be told from a step
    esac
    sleep 0.$((RANDOM % 5 + 1))
done
wait $reading || fail "a reading was outside of the truth"
reading=''
cat "$scratch/read"
for event in "the machine was suspended" "127.0.0.1:21003 is wrong by more than its error" "not published"; do
    grep -q "$event" "$scratch/events" || fail "no event: $event"
done
for status in valid superseded disrupted moved; do
    grep -qE " $status [1-9]" "$scratch/read" || fail "no reading was $status"
done

# A suspend by a time namespace: a program that has the page open, and then enters a namespace with other clocks.
"$reader" drift 0
wait_for 20 machine ordo-timed show --page "$page" || fail "nothing was published"
run 0 machine "$reader" enter "$page"
cat "$scratch/out"
run 0 machine "$reader" cached "$scratch/own"
kill -TERM $daemon
wait $daemon || fail "the daemon did not end with 0"
daemon=''
grep -qE "^slots [1-9]" "$scratch/counts" || fail "no counts"

# A liar whose clock swings to and fro contradicts itself at most answers. It is one liar, and may not stop the page.
LD_PRELOAD=$world TIMED_SWING=8000000 ordo-net agent --key "$scratch/key" --listen 127.0.0.1:21004 --clock monotonic -q >/dev/null 2>&1 &
agents+=($!)
ordo-timed publish --key "$scratch/key" --clock kernel --liars 1 --vmclock none --reference 127.0.0.1:21001=50us \
    --reference 127.0.0.1:21002=50us --reference 127.0.0.1:21004=50us --output "$scratch/swung.page" >"$scratch/swung" 2>&1 &
daemon=$!
wait_for 20 grep -q "127.0.0.1:21004" "$scratch/swung" || fail "the swinging clock was not noticed"
sleep 2
shown=("$scratch/swung")
run 0 ordo-timed show --page "$scratch/swung.page"
kill -TERM $daemon
wait $daemon || fail "the daemon beside a swinging clock did not end with 0"
daemon=''
[ "$(grep -c "21004 is wrong" "$scratch/swung")" = 1 ] || fail "the swinging clock is reported again and again"
grep -q "withdrawals 0," "$scratch/swung" || fail "a swinging clock withdrew the page"
exit $((failures > 0))
