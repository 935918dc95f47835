#!/bin/bash
# audit.sh SOURCE BIN PAGE SHIFT: tests ordo-net audit on hosts whose pages and clocks this test makes. The hosts are
# time namespaces, 49 s apart. Exit 77 if namespaces are refused.
source=$1 bin=$2 page=$3 shift=$4
[ -n "${inside:-}" ] || {
    [ "$(id -u)" = 0 ] && unshare --net --time --monotonic 1 --fork true 2>/dev/null || {
        echo "audit: needs root, and namespaces of network and time"
        exit 77
    }
    export inside=yes
    exec unshare --net --fork --kill-child "$0" "$@"
}
set -u
. "$(dirname "$0")/../kit.sh"
"$page" loopback up || exit 1
seconds=120
PATH=$bin:$PATH
running=()

finish() {
    [ ${#running[@]} -eq 0 ] || kill -9 "${running[@]}" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$scratch"
}
trap finish EXIT

key=$scratch/key
od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$key" && chmod 600 "$key"

# --- usage
run 64 ordo-net audit && complains_once "no hosts: give --peers"
run 64 ordo-net audit --peers a,b && complains_once "no key: give --key FILE"
run 64 ordo-net audit --peers 127.0.0.1,127.0.0.2 --key "$key" --window 2 && complains_once "--window '2': not a time with a unit"
run 64 ordo-net audit --peers 127.0.0.1,127.0.0.2 --key "$key" --authority 127.0.0.3 && complains_once "--authority 127.0.0.3: not one of the hosts of --peers"
run 64 ordo-net audit --peers 127.0.0.1,127.0.0.2 --key "$key" --authority 127.0.0.1=1 && complains_once "--authority 127.0.0.1=1: not a time from 1ns to 1000s"
run 64 ordo-net audit --peers 127.0.0.1,127.0.0.2 --key "$key" --authority 127.0.0.1,127.0.0.1=1s && complains_once "is given twice"
run 64 ordo-net agent --key "$key" --claims sundial && complains_once "--claims sundial: not one of chrony, clockbound, fbclock, kernel, ptp, "
run 64 ordo-net agent --key "$key" --claims fbclock= && complains_once "--claims fbclock=: not one of "
run 0 ordo-net audit --list && matches '^clockbound +ClockBound' && matches '^vmclock ' && matches '^timed '
run 2 ordo-net audit --peers 127.0.0.1:9,127.0.0.1:10 --key "$key" --window 100ms && complains_once "does not answer"

# host NUMBER CLAIMS: starts the agent of a host, whose page of NAME is $scratch/NAME.NUMBER.
host() {
    local i=$1 pages=''
    for name in ${2//,/ }; do pages+=$name=$scratch/$name.$i,; done
    "$page" shift "$scratch/shift.$i" off=0
    NET_SHIFT=$scratch/shift.$i LD_PRELOAD=$shift unshare --time --monotonic $((49 * i)) --boottime $((49 * i)) --fork --kill-child \
        "$bin/ordo-net" agent --key "$key" --clock monotonic --listen "127.0.0.1:$((22000 + i))" --claims "${pages%,}" \
        >"$scratch/agent$i.out" 2>"$scratch/agent$i.err" </dev/null &
    running+=($!)
    wait_for 30 grep -q "clock monotonic" "$scratch/agent$i.err" || fail "agent $i does not start: $(cat "$scratch/agent$i.err")"
    inner[i]=$(tr -d ' ' <"/proc/${running[-1]}/task/${running[-1]}/children")
}

# on NUMBER KIND VALUE...: writes the page of a host, with the clocks of the host.
on() {
    local i=$1 kind=$2 name=${2%3}
    shift 2
    nsenter "--time=/proc/${inner[i]}/ns/time" "$page" "$kind" "$scratch/$name.$i" "$@" || fail "page $kind $i"
}

# audit CODE ARGUMENT...: audits the hosts, and tries again if a busy machine has left a host unproved. It never refutes a true
# claim, so an accusation of honest hosts is not tried again.
audit() {
    local expected=$1 try
    shift
    for try in 1 2 3 4; do
        code=0
        timeout 60 ordo-net audit --key "$key" --window 300ms --json "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || code=$?
        ran="audit $*"
        [ "$code" = "$expected" ] && ! grep -q 'is void, written\|is half-written' "$scratch/out" && return
        [ "$expected" != 0 ] || [ "$code" != 1 ] || break
    done
    [ "$code" = "$expected" ] || fail "audit $*: exit $code, expected $expected"
}

# verdict NUMBER SOURCE VERDICT: the verdict about a claim of the last audit.
verdict() { json --arg h "127.0.0.1:$((22000 + $1))" --arg s "$2" --arg v "$3" '[.claims[] | select(.host == $h and .source == $s)] | length == 1 and .[0].verdict == $v'; }

declare -a inner
for i in 0 1 2; do host $i clockbound,fbclock,vmclock; done
for i in 3 4; do host $i clockbound; done
peers=127.0.0.1:22000,127.0.0.1:22001,127.0.0.1:22002

honest() {
    local i
    for i in 0 1 2 3 4; do
        on $i clockbound bound=300000
        [ $i -gt 2 ] || on $i vmclock bound=300000
        "$page" shift "$scratch/shift.$i" off=0
    done
}

# fbclock's page is void after a second, so a loop keeps it fresh; its offset is in a file.
echo 0 >"$scratch/off"
for i in 0 1 2; do
    (while sleep 0.2; do on $i fbclock bound=500000 "off=$([ $i = 2 ] && cat "$scratch/off" || echo 0)"; done) &
    running+=($!)
done
sleep 0.5

# --- honest claims are consistent, with and without an authority
honest
audit 0 --peers $peers
json '.refuted == 0 and .disputed == 0 and .claims_sound and .least_wrong == 0 and ([.claims[].verdict] | all(. == "consistent") and length == 9)'
json '.hosts[1].proved_offset_ns[0] <= 49000000000 and .hosts[1].proved_offset_ns[1] >= 49000000000 and .hosts[1].clock == "monotonic"'
jq -r '"widest proof: \([.hosts[].proved_offset_ns | .[1] - .[0]] | max) ns"' "$scratch/out"
audit 0 --peers $peers --authority 127.0.0.1:22001 --wrong 0
json '.authority_ns[0] <= .authority_ns[1] and .promised.authorities[0].bound_ns == null'
audit 0 --peers $peers --authority 127.0.0.1:22001=1ms
json '[.claims[] | select(.source == "authority")] | .[0].verdict == "no-claim" and (.[0].evidence | test("does not measure with CLOCK_REALTIME"))'

# --- hostile pages are no claims, and say why
rm "$scratch/vmclock.0" && mkfifo "$scratch/vmclock.0"
"$page" half "$scratch/fbclock.x" && rm -f "$scratch/vmclock.1" && ln -s fbclock.x "$scratch/vmclock.1"
chmod 666 "$scratch/vmclock.2"
on 1 clockbound left=-5000000000 age=10800000000000
audit 0 --peers $peers
json '[.claims[] | select(.source == "vmclock") | .evidence] | (.[0] | test("neither a file nor a device")) and (.[1] | test("is a symbolic link")) and (.[2] | test("may forge it"))'
json '[.claims[] | select(.source == "clockbound")] | .[1].verdict == "no-claim" and (.[1].evidence | test("is void since [0-9]+ s"))'
rm -f "$scratch"/vmclock.?
honest

# --- a jump, as after a live migration: the clock of host 2 jumps, and its page does not notice
"$page" shift "$scratch/shift.2" off=8000000
audit 1 --peers $peers
verdict 2 clockbound refuted && verdict 1 clockbound consistent
json '.refuted == 1 and .disputed >= 0 and .least_wrong == 1'
json '.claims[] | select(.verdict == "refuted") | .against.gap_ns > 5000000 and .against.gap_ns < 8000000 and .hosts_against >= 2 and .against.host != null'
"$page" shift "$scratch/shift.2" off=0

# --- a dispersion too small
on 2 clockbound bound=300000
on 2 clockbound3 bound=1000 off=9000000
audit 1 --peers $peers
verdict 2 clockbound refuted && json '.refuted == 1'
honest

# --- a daemon that died: hours later its bound is 15 s, and the clock is 21 s off
"$page" shift "$scratch/shift.2" off=-21000000000
on 2 clockbound bound=1000000 drift_ppb=500000 age=30000000000 left=1000000000000
audit 1 --peers $peers
verdict 2 clockbound refuted
honest

# --- two hosts: it is not known which of them is wrong, unless one is an authority
"$page" shift "$scratch/shift.4" off=8000000
two=127.0.0.1:22003,127.0.0.1:22004
audit 1 --peers $two
verdict 3 clockbound disputed && verdict 4 clockbound disputed
json '.refuted == 0 and .disputed == 2 and .claims_sound'
audit 1 --peers $two --wrong 0 && json '.claims_sound == false and .least_wrong == 1'
audit 1 --peers $two --authority 127.0.0.1:22003
verdict 4 clockbound refuted && verdict 3 clockbound consistent
run 1 ordo-net audit --key "$key" --window 300ms --peers $two --authority 127.0.0.1:22003
matches '^127.0.0.1:22004 +clockbound .* REFUTED: at least [67][.0-9]* ms from clockbound of 127.0.0.1:22003' && says "by it, UTC minus the clock of"
honest

# --- the audit finds lies that begin while it runs; on an idle machine within two windows
timeout 300 ordo-net audit --key "$key" --window 1s --peers $peers --follow --json --metrics "$scratch/metrics" >"$scratch/follow" 2>"$scratch/err" &
audits=$!
running+=("$audits")
wait_for 30 test -s "$scratch/follow" || fail "no window"
slowest=0
for lie in 1 2 3; do
    sleep "0.$((3 * lie))"
    before=$(wc -l <"$scratch/follow") begin=$(date +%s%N)
    case $lie in
    1) "$page" shift "$scratch/shift.2" off=8000000 ;;
    2) echo -8000000 >"$scratch/off" ;;
    3) on 1 clockbound3 bound=1000 off=-8000000 ;;
    esac
    found() { tail -n "+$((before + 1))" "$scratch/follow" | jq -e 'select(.refuted > 0)' | grep -q schema; }
    wait_for 60 found || fail "lie $lie is not found"
    took=$((($(date +%s%N) - begin) / 1000000))
    [ "$took" -le "$slowest" ] || slowest=$took
    grep -q '^ordo_audit_verdict{host="127.0.0.1:2200[12]",source="[a-z]*"} 3$' "$scratch/metrics" || fail "no metric of lie $lie"
    echo 0 >"$scratch/off"
    honest
    sleep 2
done
echo "the slowest of 3 lies was found after $slowest ms"
kill -TERM "$audits"
wait "$audits" || fail "the audit ends with $? after SIGTERM"

# --- a real chronyd: its claim is read, and is consistent with the kernel's clock of another host
if command -v chronyd >/dev/null; then
    printf 'local stratum 1\nallow 127.0.0.1\nport 0\nbindcmdaddress 127.0.0.1\nbindcmdaddress /\npidfile %s/chronyd.pid\n' "$scratch" >"$scratch/chrony.conf"
    chronyd -x -d -f "$scratch/chrony.conf" >"$scratch/chronyd.out" 2>&1 &
    running+=($!)
    ordo-net agent --key "$key" --clock monotonic --listen 127.0.0.1:22005 --claims chrony >"$scratch/agent5.out" 2>"$scratch/agent5.err" &
    running+=($!)
    wait_for 20 chronyc -h 127.0.0.1 tracking || fail "chronyd does not answer"
    audit 0 --peers "$peers,127.0.0.1:22005"
    verdict 5 chrony consistent
    json '.claims[] | select(.source == "chrony") | .evidence | test("root delay 0.0.*root dispersion.*stratum 1")'
else
    echo "audit: left out: chronyd is not installed"
fi
exit $((failures > 0))
