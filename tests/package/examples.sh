#!/bin/bash
# examples.sh SOURCE BUILD GENERATOR COMPILER FLAGS: checks that every example, copied out of the tree, builds against
# the installed package and prints the expected result.
set -u
source=$1 build=$2 generator=$3 compiler=$4 flags=${5:-}
. "$(dirname "$0")/../kit.sh"
shown=("$scratch/out")
export ORDO_RECORD=$scratch/boundary
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
built=0
timed_running=() # daemons of timed_page

# prints LINE COMMAND...: the command must exit with 0, and LINE, an extended regular expression, must match a whole
# line of its output.
prints() {
    local line=$1
    shift
    timeout 120 "$@" >"$scratch/out" 2>&1 </dev/null || fail "$*: exit $?"
    grep -Eqx -- "$line" "$scratch/out" || fail "$*: no line '$line'"
}

# minds COMMAND...: the command must exit with 1 if its output cannot be written.
minds() {
    timeout 120 "$@" </dev/null >/dev/full 2>"$scratch/out"
    [ $? -eq 1 ] || fail "$*: it does not mind that nobody can read it"
}

# answers LINE: the next line of the server must match LINE.
answers() {
    local line
    read -r -t 60 line <&"${SERVER[0]}" || line="(nothing)"
    [[ $line =~ ^$1$ ]] || fail "$name: '$line', expected '$1'"
}

# advances: the next line of the server must be a time, at least the last one.
advances() {
    local line
    read -r -t 60 line <&"${SERVER[0]}" || line="(nothing)"
    [[ $line =~ ^([0-9]+)\ ns$ ]] && [ "${BASH_REMATCH[1]}" -ge "$last_ns" ] || fail "$name: '$line' after $last_ns ns"
    last_ns=${BASH_REMATCH[1]:-$last_ns}
}

# force_record: makes a record by --force, while the kernel appears to report a fault. Does nothing if /dev/kmsg cannot
# be replaced here.
force_record() {
    echo "[    1.0] tsc: Marking TSC unstable due to clocksource watchdog" >"$scratch/kmsg"
    [ "$(uname -m)" = x86_64 ] && unshare -m mount --bind "$scratch/kmsg" /dev/kmsg 2>/dev/null || return 0
    unshare -m sh -c "mount --bind '$scratch/kmsg' /dev/kmsg && exec '$ordo' calibrate --runs 3000 --repeat 2 --force --quiet --output '$scratch/forced'" \
        >"$scratch/out" 2>&1 || fail "calibrate --force: exit $?"
}

# withdraw RECORD: withdraws the record, by writing the status word of `ordo check --mark`, lowest byte first.
withdraw() { printf '\x6c\xb6\x95\xea\xb1\x0b\x5c\xd1' | dd of="$1" bs=1 seek=16 conv=notrunc 2>"$scratch/dd"; }

# timed_page: publishes the time of day at $scratch/time by an agent on this host, if ordo-timed is installed.
timed_page() {
    local tools=$scratch/installed/bin agent
    servers=()
    [ -x "$tools/ordo-timed" ] || return
    ORDO_TIME=$scratch/time "$tools/ordo-timed" show >"$scratch/out" 2>&1 && return
    (umask 077 && od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$scratch/time.key")
    for _ in 1 2 3 4 5; do # tries other ports until one is free
        agent=127.0.0.1:$((20000 + RANDOM % 10000))
        timeout 300 "$tools/ordo-net" agent --listen $agent --key "$scratch/time.key" >"$scratch/time.agent" 2>&1 </dev/null &
        timed_running+=($!)
        wait_for 5 grep -q $agent "$scratch/time.agent" && kill -0 $! 2>/dev/null && break
    done
    timeout 300 "$tools/ordo-timed" publish --key "$scratch/time.key" --reference $agent=1us --output "$scratch/time" --vmclock none \
        >"$scratch/time.counts" 2>&1 </dev/null &
    timed_running+=($!)
    wait_for 30 env ORDO_TIME="$scratch/time" "$tools/ordo-timed" show || fail "ordo-timed publishes nothing"
}

# trace_with_lttng PROGRAM: traces the program with the plug-in, as an unprivileged user, and checks every time in the
# trace.
trace_with_lttng() {
    local program=$1 home=$scratch/lttng as="" daemon clock boundary
    for tool in lttng lttng-sessiond babeltrace2 setpriv; do
        command -v $tool >/dev/null || return 0
    done
    mkdir "$home"
    [ "$(id -u)" -ne 0 ] || { chmod 755 "$scratch" && chown 65534:65534 "$home"; as="setpriv --reuid=65534 --regid=65534 --clear-groups"; }
    as="$as env HOME=$home LTTNG_HOME=$home LTTNG_UST_CLOCK_PLUGIN=${program%/*}/liblttng-clock-plugin.so"
    $as timeout 100 lttng-sessiond --no-kernel >"$scratch/daemon" 2>&1 </dev/null &
    daemon=$!
    for _ in {1..100}; do
        $as lttng --no-sessiond list >/dev/null 2>&1 && break
        sleep 0.1
    done
    {
        $as lttng --no-sessiond create events --output="$home/trace" &&
            $as lttng --no-sessiond enable-event --userspace 'lttng_ust_tracef:*' && $as lttng --no-sessiond start &&
            $as env LTTNG_UST_REGISTER_TIMEOUT=-1 timeout 60 "$program" && $as lttng --no-sessiond destroy
    } >"$scratch/out" 2>&1 || fail "lttng-clock: it cannot be traced"
    kill "$daemon" && wait "$daemon"
    boundary=$(sed -n 's/^200 events, boundary \([0-9]*\) ticks$/\1/p' "$scratch/out")
    clock=$(find "$home/trace" -name metadata -printf '%h\n' -quit)
    babeltrace2 --output-format=ctf-metadata "$clock" >"$scratch/out" 2>&1
    grep -Fq "description = \"hardware clock, boundary $boundary ticks\"" "$scratch/out" || fail "lttng-clock: the trace has another clock"
    # The time of an event is not certainly earlier than the time that its thread read before. (10# because numbers
    # begin with zeros.)
    babeltrace2 --clock-cycles "$home/trace" >"$scratch/out" 2>&1
    [ "$(sed -nE 's/^\[([0-9]+)\].* read ([0-9]+)".*/10#\1 + '"$boundary"' >= \2/p' "$scratch/out" |
        while read -r holds; do ((holds)) && echo "$holds"; done | wc -l)" -eq 200 ] || fail "lttng-clock: not 200 events, each after its reading"
}

cmake --install "$build" --prefix "$scratch/installed" >"$scratch/out" 2>&1 || { fail "the installation"; exit 1; }
ordo=$scratch/installed/bin/ordo
"$ordo" calibrate --runs 3000 --repeat 2 --force --quiet >"$scratch/out" 2>&1 || { fail "no record"; exit 1; }
force_record

for folder in "$source"/examples/*/; do
    name=$(basename "$folder")
    program=$(cd "$folder" && ls "$name".* check-clocks.sh README.md 2>/dev/null)
    case $name in commit-order | event-log | perf-merge | lttng-clock | late-sender | lease-once | disrupted) most=250 ;; *) most=80 ;; esac
    [ "$(wc -l <"$folder/$program")" -le $most ] || fail "$program has more than $most lines"
    grep -Fq "($name/$program)" "$source/examples/README.md" || fail "examples/README.md does not list $name"
    [ -e "$folder/CMakeLists.txt" ] || continue # scripts and files for other programs are tested below
    case $name in global-time | late-sender) [ -x "$scratch/installed/bin/ordo-mpi" ] || continue ;; esac # this build has no MPI
    [ "$name" != lttng-clock ] || pkg-config --exists lttng-ust 2>/dev/null || continue # no tracer here
    cp -r "$folder" "$scratch/$name"
    cmake -S "$scratch/$name" -B "$scratch/$name/build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" \
        -DCMAKE_C_FLAGS="$flags -Wall -Wextra -Werror" -DCMAKE_CXX_FLAGS="$flags -Wall -Wextra -Werror" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PREFIX_PATH="$scratch/installed" >"$scratch/out" 2>&1 &&
        cmake --build "$scratch/$name/build" >"$scratch/out" 2>&1 || { fail "$name does not build"; continue; }
    built=$((built + 1))
    program=$scratch/$name/build/$name
    case $name in
    order-events)
        prints "after waiting, event 2 against event 1: later" "$program"
        prints "and event 1 against event 2: earlier" "$program"
        ;;
    snapshot) prints "[1-9][0-9]* snapshots, 0 wrong, x ends as 500000" "$program" ;;
    rlu-move) prints "40000 moves, [1-9][0-9]* sections, 0 wrong, 64 keys" "$program" ;;
    bank)
        prints "[1-9][0-9]* audits, 0 wrong, total 100000" "$program"
        prints "[1-9][0-9]* audits, 0 wrong, total 100000" "$program" logical
        ;;
    stm-transfer) prints "[1-9][0-9]* sums, 0 wrong, total 25600" "$program" ;;
    mvrlu-routes) prints "40000 moves, up to [0-9]+ within a section; [1-9][0-9]* sections, 0 wrong, 512 keys" "$program" ;;
    oplog-hits) prints "400000 hits, [1-9][0-9]* reports, 0 wrong" "$program" ;;
    seats) prints "2000 of 2000 seats sold, [0-9]+ retries" "$program" ;;
    cpp-order) prints "[0-9]+ certain, [0-9]+ unordered, 0 wrong" "$program" ;;
    disrupted)
        prints "ordo: 50000, 50000 acknowledged" "$program" 50000
        cp "$ORDO_RECORD" "$scratch/withdrawn"
        ORDO_RECORD=$scratch/withdrawn timeout 120 "$program" >"$scratch/out" 2>&1 </dev/null &
        server=$!
        wait_for 30 grep -q serving "$scratch/out"
        sleep 0.2
        withdraw "$scratch/withdrawn"
        wait "$server" || fail "$name: exit $? once the record is withdrawn"
        grep -q "going on with a counter" "$scratch/out" || fail "$name: it does not learn that the record is withdrawn"
        awk '/^logical/ { good = $2 + 0 == $3 && $3 > 20000 } END { exit !good }' "$scratch/out" || fail "$name: acknowledged requests are lost"
        ;;
    host-order)
        od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$scratch/key" && chmod 600 "$scratch/key"
        for _ in 1 2 3 4 5; do # tries other ports until one is free
            agent=127.0.0.1:$((20000 + RANDOM % 10000))
            "$scratch/installed/bin/ordo-net" agent --listen $agent --clock monotonic --key "$scratch/key" >"$scratch/agent" 2>&1 </dev/null &
            server=$!
            wait_for 5 grep -q $agent "$scratch/agent" && kill -0 "$server" 2>/dev/null && break
        done
        prints "the second event is certainly later" "$program" $agent "$scratch/key"
        kill "$server" && wait "$server"
        timeout 60 "$program" 127.0.0.1:1 "$scratch/key" >"$scratch/out" 2>&1 && fail "$name: it does not mind that no agent answers"
        ;;
    commit-order | lease-once)
        timed_page || continue
        if [ "$name" = lease-once ]; then
            ORDO_TIME=$scratch/time timeout 60 "$program" "$scratch/register" one 1 >"$scratch/out" 2>&1 && grep -qE "^[0-9]+ [0-9]+$" "$scratch/out" ||
                fail "$name: holds no lease"
            continue
        fi
        for port in 7101 7102; do # without more hosts, two servers of one host
            ORDO_TIME=$scratch/time "$program" serve $port >"$scratch/serve$port" 2>&1 </dev/null &
            servers+=($!)
            wait_for 10 grep -q serves "$scratch/serve$port" || fail "$name: does not serve"
        done
        prints "1000 transactions, 0 inversions, .*, 0 not committed" "$program" drive 1000 4 127.0.0.1:7101 127.0.0.1:7102
        kill "${servers[@]}"
        wait "${servers[@]}" 2>/dev/null
        ;;
    global-time) prints "3 events, 0 pairs in the wrong order" mpirun -n 3 "$program" ;;
    late-sender)
        trace=$scratch/installed/bin/ordo-trace
        # The recorder is also tested as a linked library, because a recorder built for a sanitizer cannot be preloaded
        # into a program that was not.
        prints "4 ranks, 200 iterations, rank 2 has the most to do" env ORDO_TRACE_LOGFILE_NAME="$scratch/linked" mpirun -n 4 "$program"
        [ -s "$scratch/linked.3.otrace" ] || fail "$name: it left no trace"
        case $flags in *sanitize*) ;; *)
            for _ in 1 2 3 4 5; do # on a busy machine another rank may be late
                prints "ordo-trace run: 4 traces of 4 ranks, .*" "$trace" run --output "$scratch/late" -- mpirun -n 4 "$program"
                "$trace" stats "$scratch"/late.*.otrace >"$scratch/out" 2>&1
                grep -Eq "^rank 2 is the last to enter [1-9][0-9]* of [0-9]+ collectives" "$scratch/out" && break
            done
            grep -Fq "rank 2 is the last" "$scratch/out" || fail "$name: its trace does not show the late rank"
            ;;
        esac
        ;;
    clock-choice)
        prints "era 1: counter .*no boundary record.*" env ORDO_RECORD="$scratch/none" "$program"
        export ORDO_RECORD=$scratch/served # a record that is withdrawn below
        "$ordo" calibrate --runs 3000 --repeat 2 --force --quiet >"$scratch/out" 2>&1
        coproc SERVER { "$program"; }
        server=$SERVER_PID
        forced=no
        ! "$ordo" show | grep -Eq '^flags.*forced' || forced=yes # the measured record had to be forced
        [ $forced = yes ] && answers "era 1: counter \(the record was forced.*" ||
            answers "era 1: hardware clock, (vouched|measured), boundary [0-9]+ ns"
        echo request >&"${SERVER[1]}" && answers "later in era 1"
        if [ $forced = no ]; then
            "$ordo" calibrate --runs 3000 --repeat 2 --force --quiet >"$scratch/out" 2>&1
            ! "$ordo" show | grep -Eq '^flags.*forced' || forced=yes
            echo request >&"${SERVER[1]}" && answers "era 2: (hardware clock|counter \(the record was forced).*" && answers "later in era 2"
        fi
        [ ! -e "$scratch/forced" ] || prints "era 1: counter \(the record was forced\)" env ORDO_RECORD="$scratch/forced" "$program"
        case $(uname -m)-$forced in *-yes) ;; x86_64* | aarch64* | riscv64*)
            withdraw "$ORDO_RECORD"
            echo request >&"${SERVER[1]}" && answers "era 3: counter .*clocks disagree.*" && answers "later in era 3"
            ;;
        esac
        kill "$server" 2>/dev/null
        wait "$server" 2>/dev/null
        export ORDO_RECORD=$scratch/boundary
        ;;
    tsc-gate)
        export ORDO_RECORD=$scratch/gate # a record that is withdrawn below
        last_ns=0
        coproc SERVER { exec "$program" 100000000; }
        server=$SERVER_PID
        answers "clock: monotonic .*no boundary record.*"
        echo request >&"${SERVER[1]}" && advances
        # A reload opens the record, unless its calibration had to be forced.
        "$ordo" calibrate --runs 3000 --repeat 2 --force --quiet >"$scratch/out" 2>&1
        counter="clock: (tsc|cntvct|time) \((vouched|measured)\)"
        ! "$ordo" show | grep -Eq '^flags.*forced' || counter="clock: monotonic \(the record was forced\)"
        for _ in 1 2 3; do # SIGHUP and the request also meet a server that is not waiting
            kill -HUP "$server" && echo request >&"${SERVER[1]}" && answers "$counter" && advances
        done
        case $(uname -m)-$counter in *monotonic*) ;; x86_64* | aarch64* | riscv64*)
            withdraw "$ORDO_RECORD"
            echo request >&"${SERVER[1]}" && answers "clock: monotonic .*" && advances
            ;;
        esac
        kill "$server" 2>/dev/null
        wait "$server" 2>/dev/null
        prints "clock: monotonic .*" env ORDO_RECORD="$scratch/none" "$program"
        [ ! -e "$scratch/forced" ] || prints "clock: monotonic \(the record was forced\)" env ORDO_RECORD="$scratch/forced" "$program"
        env ORDO_RECORD="$scratch/none" "$program" </dev/null >/dev/full 2>"$scratch/out" && fail "$name: nobody reads it, and it does not mind"
        export ORDO_RECORD=$scratch/boundary
        ;;
    one-header)
        # Without a record the program calibrates; with a record it opens the record. If the CPUs are busy, the program
        # fails and runs again.
        for record in none boundary; do
            for _ in 1 2 3 4 5 6 7 8 9 10; do
                ORDO_RECORD=$scratch/$record timeout 120 "$program" >"$scratch/once" 2>&1 </dev/null && break
            done
            cp "$scratch/once" "$scratch/out"
            kind=private
            [ $record = none ] || kind=published
            grep -Eqx "$kind, (vouched|measured|faulted|incapable), boundary [1-9][0-9]* ns" "$scratch/out" || fail "$name: not $kind"
            grep -Fqx "the second event is certainly later" "$scratch/out" || fail "$name: the events are not in order"
            grep -Eqx "[12] looks, nothing against it" "$scratch/out" || fail "$name: not looked at"
        done
        prints "3 starts, median [0-9.]+ ms" "$program" 3
        minds "$program" 1
        # Builds the example with no file of Ordo except the one header.
        mkdir "$scratch/one"
        cp "$folder/$name.c" "$scratch/installed/include/ordo-amalgamated.h" "$scratch/one"
        "$compiler" $flags -Wall -Wextra -Werror -I"$scratch/one" "$scratch/one/$name.c" -pthread -o "$scratch/one/$name" >"$scratch/out" 2>&1 ||
            fail "$name does not build with one header alone"
        prints "3 starts, median [0-9.]+ ms" "$scratch/one/$name" 3
        ;;
    calibrate-and-open)
        export ORDO_RECORD=$scratch/own/boundary
        prints "calibrated [1-9][0-9]* CPUs, generation 1" "$program" force
        grep -Fqx "the second event is certainly later" "$scratch/out" || fail "$name: the events are not in order"
        grep -Fqx "calibration: 100%" "$scratch/out" || fail "$name: it does not say how far it is"
        prints "the second event is certainly later" "$program"
        ! grep -q calibrated "$scratch/out" || fail "$name: calibrates although there is a record"
        prints "calibrated [1-9][0-9]* CPUs, generation 2" "$program" anew force
        export ORDO_RECORD=$scratch/boundary
        ;;
    event-log)
        prints "800 lines, [0-9]+ uncertain, of these [0-9]+ because the stamp is unordered; [0-9]+ late, 0 wrong" "$program"
        prints "[ ~!] +[0-9.]+ us  thread [0-2]: request 199 ends" "$program" 100
        minds "$program"
        ;;
    perf-merge)
        prints "[0-9]+ events of [0-9]+ CPUs, [0-9]+ uncertain, [0-9]+ late, 0 inverted, .*" "$program"
        prints "136 events of 2 CPUs, 1 uncertain, 0 late, 0 inverted, .*" "$program" replay
        minds "$program" replay
        ;;
    lttng-clock)
        prints "200 events, boundary [0-9]+ ticks" "$program"
        minds "$program"
        case $flags in *sanitize*) ;; *) trace_with_lttng "$program" ;; esac # the tracer's daemon loads the plug-in too
        ;;
    *) fail "$name: nothing says what it prints" ;;
    esac
done
# --- folders without a program that is built
PATH=$scratch/installed/bin:$PATH
if [ -x "$scratch/installed/bin/ordo-mpi" ]; then
    check=$source/examples/deployment/check-clocks.sh
    timeout 120 env -u OMPI_ALLOW_RUN_AS_ROOT -u OMPI_ALLOW_RUN_AS_ROOT_CONFIRM "$check" 2 >"$scratch/out" 2>&1
    [ $? -le 2 ] || fail "check-clocks.sh: exit $?"
    ! grep -q "ranks were compared" "$scratch/out" || fail "check-clocks.sh: two ranks of two are not compared"
    timeout 120 "$check" 4 mpirun -n 2 >"$scratch/out" 2>&1 && fail "check-clocks.sh does not mind that two of four ranks were compared"
    grep -q "2 ranks were compared, not 4" "$scratch/out" || fail "check-clocks.sh does not say how many ranks were compared"
    for words in "" 0 02 x; do
        # shellcheck disable=SC2086
        timeout 120 "$check" $words >"$scratch/out" 2>&1
        [ $? -eq 64 ] || fail "check-clocks.sh '$words' is not refused"
    done
    timeout 120 "$check" 2 no-such-launcher >"$scratch/out" 2>&1
    [ $? -eq 70 ] || fail "check-clocks.sh without a launcher: not 70"
    timeout 120 "$check" 2 env >"$scratch/out" 2>&1 # a world of one, as under the launcher of another MPI
    [ $? -eq 2 ] && grep -q "0 ranks were compared, not 2" "$scratch/out" && ! grep -q "jq:" "$scratch/out" ||
        fail "check-clocks.sh does not notice a world of one"
    (cd "$scratch" && timeout 60 "$source/examples/two-nodes/two-nodes.sh" localhost:2 a/b true) >"$scratch/out" 2>&1
    [ $? -eq 64 ] || fail "two-nodes.sh: an output in a folder is not refused"
    late=$scratch/late-sender/build/late-sender
    if [ -x "$late" ] && [[ $flags != *sanitize* ]] && unshare --uts --time --monotonic 1 --fork true 2>/dev/null; then
        (
            mkdir "$scratch/nodes" && cd "$scratch/nodes" || exit
            export SSH=$source/tests/mpi/agent.sh
            MPIRUN="mpirun --mca plm rsh --mca plm_rsh_agent $SSH --map-by slot --mca btl self,vader,tcp" \
                timeout 200 "$source/examples/two-nodes/two-nodes.sh" node1:2,node2:2 trace "$late"
        ) >"$scratch/out" 2>&1 || fail "two-nodes.sh: exit $?"
        grep -q '</svg>' "$scratch/nodes/trace.svg" && grep -q '^3,' "$scratch/nodes/trace.csv" || fail "two-nodes.sh draws nothing, or not all ranks"
    fi
fi
# The commands that build the container.
mkdir "$scratch/image" && cp -r "$source/examples/tsc-gate" "$scratch/image" && ln -s "$scratch/installed" "$scratch/image/ordo"
sed -n 's/^RUN cmake /cmake /p' "$source/examples/deployment/Containerfile" | sed "s|=/ordo|=$scratch/image/ordo|" >"$scratch/build.sh"
[ -s "$scratch/build.sh" ] && (cd "$scratch/image" && sh -e "$scratch/build.sh") >"$scratch/out" 2>&1 && [ -x "$scratch/image/build/tsc-gate" ] ||
    fail "the commands of the Containerfile build no server"
# The systemd of this machine must know every directive of the units, and an instance must answer on its socket.
if command -v systemd-analyze >/dev/null; then
    mkdir "$scratch/units"
    cp "$source/examples/deployment/tsc-gate.socket" "$scratch/units"
    sed "s|/usr/local/bin/tsc-gate|$scratch/image/build/tsc-gate|" "$source/examples/deployment/tsc-gate@.service" >"$scratch/units/tsc-gate@.service"
    systemd-analyze verify "$scratch/units/tsc-gate.socket" "$scratch/units/tsc-gate@.service" >"$scratch/out" 2>&1
    ! grep -E "tsc-gate.*(Unknown|Failed|Invalid)" "$scratch/out" || fail "a unit has a directive that systemd does not know"
fi
if command -v systemd-socket-activate >/dev/null; then
    systemd-socket-activate --accept --inetd --setenv=ORDO_RECORD --listen="$scratch/socket" "$scratch/image/build/tsc-gate" >"$scratch/activated" 2>&1 </dev/null &
    server=$!
    wait_for 30 test -S "$scratch/socket"
    timeout 30 python3 - "$scratch/socket" >"$scratch/out" 2>&1 <<'PYTHON' || fail "the server does not answer on its socket"
import socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
requests, answers = connection.makefile("w"), connection.makefile("r")
assert answers.readline().startswith("clock: ")
for _ in range(2):
    requests.write("request\n")
    requests.flush()
    assert answers.readline().endswith(" ns\n")
PYTHON
    kill "$server" && wait "$server"
fi
[ ${#timed_running[@]} -eq 0 ] || kill "${timed_running[@]}" 2>/dev/null
[ $built -ge 5 ] || fail "only $built examples were built"
exit $((failures > 0))
