#!/bin/bash
# mpi.sh MPIRUN TOOL SKEWED MACHINE MOVE all|library: tests ordo-mpi on one MPI library, as a user calls it.
#
# - Common clocks are never called INVALID, under any load.
# - Differences are proved, and the interval contains the true difference.
# - Namespaces turn this machine into a cluster.
#
# `library` leaves out the tests that take long or do not depend on the library. They run on the first library only.
set -u
mpirun=$1 tool=$2 skewed_tool=$3 machine=$4 move=$5 what=$6
here=$(cd "$(dirname "$0")" && pwd)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
. "$(dirname "$0")/../kit.sh"
hogs=()
trap '[ ${#hogs[@]} -eq 0 ] || kill "${hogs[@]}"; rm -rf "$scratch"' EXIT
"$mpirun" --version 2>&1 | grep -Eqi 'open.?mpi|openrte' && openmpi=yes || openmpi=no
brief="--rounds 3 --seconds 0.2"
common='["tsc","cntvct","monotonic","monotonic_raw","realtime","boottime","gettimeofday"]'

# may_be_asked_again EXPECTED CODE: true if a command that ended with CODE may be run again: because the result was inconclusive
# (2), or because a rank without a CPU was taken for lost (Open MPI's ranks spin while they wait, and starve each other on a slow
# machine), or because MPICH's launcher ended by SIGPIPE (141: it wrote to ranks that had ended at once).
may_be_asked_again() {
    [[ "|$1|" != *"|$2|"* ]] && { [ "$2" -eq 2 ] || [ "$2" -eq 141 ] || grep -q 'did not answer for' "$scratch/err"; }
}

# run EXIT WORD...: the command must end with EXIT, or with one of "A|B". It is run again, as a user would, if may_be_asked_again.
run() {
    local expected=$1 code
    shift
    for _ in 1 2 3; do
        timeout 300 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
        code=$?
        may_be_asked_again "$expected" $code || break
    done
    [[ "|$expected|" == *"|$code|"* ]] || fail "$*: exit $code, expected $expected"
    ! grep -hE "$plural_of_one" "$scratch/out" "$scratch/err" || fail "$*: several of one"
}
plural_of_one='(^|[^0-9.,-])1 (ranks|nodes|sockets|CPUs|runs|rounds|bytes|bounds|checks)\b'

ranks() { run "$1" "$mpirun" -n "$2" "$tool" "${@:3}"; }
# Runs a command on the first CPU that it may use.
bound=(sh -c 'exec taskset -c "$(taskset -pc $$ | sed "s/.* //; s/[-,].*//")" "$@"' sh)
json() { jq -e --argjson common "$common" "$@" "$scratch/out" >/dev/null || fail "JSON: $*"; }

# --- usage: a mistake is always reported, by one rank
ranks 64 2 verify --nonsense
[ "$(grep -c "not an option" "$scratch/err")" -eq 1 ] || fail "not exactly one complaint"
ranks 64 2 verify --nonsense --json # also one JSON object
json -s 'length == 1 and .[0].schema == "ordo-verify/1" and .[0].error.code == 64 and (.[0].error.text | contains("--nonsense"))'
if [ "$what" = all ]; then # the following tests need no launcher, and do not depend on the MPI library
    for command in verify sync check compare roundtime; do
        run 64 "$tool" $command --nonsense
        run 64 "$tool" $command surplus
        run 64 "$tool" $command --clock sundial && complains "not a clock"
    done
    run 64 "$tool" verify --inject tsc:1
    run 64 "$tool" verify --json --nhc
    run 64 "$tool" nonsense && complains "is not a command"
    run 64 "$tool" sync --alg hac3 && complains "not an algorithm"
    run 64 "$tool" sync --alg hca3:fti=3 && complains "not a parameter"
    for key in $(sed 's/.*not a parameter: //; s/,//g; s/ or / /' "$scratch/err"); do # the help names all parameters
        run 0 "$tool" sync --help && grep -q "[ ,]$key=" "$scratch/out" || fail "--help does not know $key"
    done
    run 64 "$tool" sync --alg hca3:fit=3,fit=4 && complains "given twice"
    run 64 "$tool" sync --alg hca3 --intra jk && complains "no such level"
    run 64 "$tool" sync --intra h2hca:fit
    run 64 "$tool" sync --unverified --fallback && complains "only one of them"
    run 64 "$tool" sync --alg hca3 --alg jk && complains "at most 1"
    run 64 "$tool" compare --alg hca3 --alg jk --intra hca3 && complains "no such level"
    run 64 "$tool" compare --runs 0
    run 64 "$tool" check --wait 3,2
    run 64 "$tool" check --sample 0%
    run 64 "$tool" roundtime --op allreduce,allredcue && complains "not an operation"
    run 64 "$tool" roundtime --size 7
    run 64 "$tool" drift --json --csv && complains "only one of them"
    run 64 "$tool" drift --interval 0.01 --seconds 86400 && complains "more than 100000"
    run 0 "$tool" roundtime --list && says "double-ring" && says "MPI_Barrier"
    run 64 "$tool" roundtime --barrier=ring && complains "not a barrier"
    run 64 "$tool" sync --deadline 0.01 && complains "--deadline"
    run 0 "$tool" --help && says roundtime
    run 0 "$tool" sync --list && says h3hca

    # --- a simulated cluster, whose truth is known
    run 64 "$tool" simulate --alg h4hca && complains "not an algorithm"
    run 64 "$tool" simulate --clocks core && complains "not rank, socket or node"
    run 0 "$tool" simulate --ranks 96 --json # readme.sh simulates the usual cluster, also with JK
    json '.schema == "ordo-simulation/1" and (.algorithms | length == 3 and all(.bounds_broken == 0 and .messages > 0 and .worst_error_ns[1] < 1500)) and
          (.algorithms | .[2].duration_s < .[1].duration_s and .[2].messages < .[1].messages / 10)'
    run 0 "$tool" simulate --ranks 1 --alg hca3 && says "1 rank, "
    run 1 "$tool" simulate --ranks 64 --clocks socket --alg h2hca && says "not shown to read one clock"
    run 0 "$tool" simulate --ranks 64 --clocks socket --alg h3hca && says hold
    run 1 "$tool" simulate --ranks 8 --clocks rank --alg jk --wander-ppb 50000 --max-wander-ppb 100 --later 20 && says BROKEN

    run 0 "$tool" simulate --alg hca3 --alg h2hca --max-wander-ppb 100 --json
    json '.algorithms | .[0].worst_bound_ns[0] <= 12000 and .[1].worst_bound_ns[0] <= 8000'
    run 0 "$tool" simulate --alg h2hca --max-wander-ppb 100 --resync 60 --json
    json '.resync_s == 60 and (.algorithms[0] | .bounds_broken == 0 and .worst_bound_ns[1] <= 50000)'
    run 1 "$tool" simulate --ranks 8 --clocks rank --alg jk --wander-ppb 50000 --max-wander-ppb 100 --resync 20 && says "contradicts itself"
    run 64 "$tool" simulate --resync 0
    for command in sync simulate; do run 64 "$tool" $command --late-wander-ppb 2ppm; done
fi

# --- the launcher of another MPI makes each process a world of its own: nothing is compared, which is no success
for other in mpirun.openmpi mpirun.mpich; do
    command -v $other >/dev/null || continue
    [ "$(readlink -f "$(command -v $other)")" != "$(readlink -f "$(command -v "$mpirun")")" ] || continue
    for command in "verify --nhc --require mpi_wtime" sync clocks; do
        "$other" -n 2 "$tool" $command -q >"$scratch/out" 2>"$scratch/err"
        [ $? -eq 2 ] || fail "$other $command: the exit code is not 2"
        complains "the launcher started 2 processes, and MPI_COMM_WORLD has 1: nothing was compared"
        [ "$(grep -c "nothing was compared" "$scratch/err")" -eq 1 ] || fail "$other $command: not exactly one message that nothing was compared"
    done
    # Below the other launcher, the tool's own launcher counts.
    "$other" -n 1 env OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4 PMI_RANK=1 PMI_SIZE=4 "$mpirun" -n 1 "$tool" clocks >"$scratch/out" 2>"$scratch/err" ||
        fail "below $other: a world of one that was asked for"
    "$other" -n 2 "$tool" verify --json >"$scratch/out" 2>"$scratch/err"
    json -s 'length == 1 and .[0].error.code == 2 and (.[0].error.text | contains("nothing was compared"))'
done
run 2 "$tool" verify $brief --nhc && complains "one rank, and no launcher that was asked for one"
ranks '0|2' 1 verify $brief --clock monotonic --json && json '.nodes | length == 1 and .[0].compared == (.[0].cpus > 1)'
run 0 "$mpirun" -n 1 "${bound[@]}" "$tool" verify $brief --clock monotonic --nhc
says ": one rank on one CPU: nothing was compared"

# --- common clocks, and a clock per process
nothing_refuted='[.nodes[].clocks[] | select(.clock as $c | $common | index($c))] |
    length >= 3 and all(.verdict != "INVALID" and (.theta_ns[0] <= 0) and (.theta_ns[1] == null or .theta_ns[1] >= 0))'
ranks '0|2' 2 verify $brief --json
json "$nothing_refuted"
json '.schema == "ordo-verify/1" and has("verdict") and (.nodes | length == 1) and (.nodes[0].ranks | length == 2) and
      (.nodes[0].ranks | all(has("boot_id") and has("time_namespace") and has("clocksource") and has("trust") and has("mpi") and has("binding"))) and
      (.nodes[0].clocks | all(has("clock") and has("verdict") and has("theta_ns") and has("pairs") and has("drift_ppb") and
                              has("certified_residual_ns") and has("reasons") and has("remedy")))'
if [ $openmpi = yes ]; then
    json '.nodes[0].clocks[] | select(.clock == "mpi_wtime") | .verdict == "INVALID" and .theta_ns[1] < 0 and
          (.reasons | length > 0) and (.remedy | length > 0) or .verdict == "INCONCLUSIVE"'
    ranks '1|2' 2 verify $brief --clock monotonic --require mpi_wtime
    ranks 0 2 check --clock mpi_wtime --fallback --intra hca3:fit=20,pingpong=10,window=20ms
    ranks '1|2' 2 sync --clock mpi_wtime --json && complains "nothing was synchronised"
    json '.schema == "ordo-sync/1" and .error.code == 1 and (.error.text | startswith("nothing was synchronised: mpi_wtime on "))'
    ranks 1 2 roundtime --clock mpi_wtime --unverified --json && complains "is not common"
    json '.schema == "ordo-roundtime/1" and .error.code == 1 and (.error.text | test("is not common"))'
fi
ranks 0 2 verify $brief --clock realtime_coarse --tolerance 1000000000 --require realtime_coarse
ranks '0|2' 1 verify $brief --require monotonic
one=(--alg hca3:fit=4,pingpong=3,window=5ms)
ranks 0 1 sync "${one[@]}" && says "1 rank"
if [ "$what" = all ]; then
    ranks 0 1 check "${one[@]}" --wait 0 && says "1 rank, "
    ranks 0 1 compare "${one[@]}" --runs 1 --wait 0 && says "1 rank, "
    ranks 0 1 roundtime "${one[@]}" --op barrier --seconds 0.05 && says "1 rank, "
fi
ranks 1 2 verify $brief --clock monotonic --inject monotonic:1:1000000000 --require monotonic --json
json '.nodes[0].clocks[0].theta_ns | .[0] <= 1000000000 and .[1] >= 1000000000 and .[0] > 0'
ranks 1 2 verify $brief --clock monotonic --inject monotonic:0:0:500000 --require monotonic --json
json '.nodes[0].clocks[0].drift_ppb | .[0] <= -333333333 and .[1] >= -333333334 and .[1] < 0'
ranks 2 2 verify $brief --clock tsc --record "$scratch/nowhere" --json && complains "nowhere"
json -s 'length == 1 and .[0].schema == "ordo-verify/1" and .[0].error.code == 2 and (.[0].error.text | contains("nowhere"))'
ranks 2 2 sync --clock realtime --tolerance 1 && complains "nothing is proved against it"
! grep -F "nothing was synchronised" "$scratch/err" | grep -Fq -- --clock || fail "another clock is named, and this one is not refuted"
ranks '0|2' 2 verify $brief --nhc && grep -Eq '^(OK|UNKNOWN) ' "$scratch/out" || fail "the health check prints neither OK nor UNKNOWN"

# --- ranks that share no memory: on one node the result is inconclusive; if the library says so, each is a node of its own
if [ $openmpi = yes ]; then
    run 2 "$mpirun" --mca osc ^sm -n 2 "$tool" verify $brief --clock monotonic --json
    json '.nodes | length == 1 and (.[0].shared_memory | not) and (.[0].clocks[0] | .verdict == "INCONCLUSIVE" and .theta_ns == [null, null])'
else
    run 0 env MPIR_CVAR_NOLOCAL=1 "$mpirun" -n 2 "$tool" verify $brief --clock monotonic --tolerance 1000000000 --json
    json '.nodes | length == 2'
fi

# --- the report contains nothing that libraries print to stdout: without /sys, some do
no_sys=(unshare --mount sh -c 'umount --lazy /sys && exec "$@"' sh)
if "${no_sys[@]}" true 2>/dev/null; then
    run '0|2' "${no_sys[@]}" "$mpirun" -n 2 "$tool" verify $brief --clock monotonic --json
    json '.schema == "ordo-verify/1"'
fi

# --- a clock of which the kernel saw a fault is refused, even if its readings agree
echo "[    1.0] tsc: Marking TSC unstable due to clocksource watchdog" >"$scratch/kmsg"
faulted=(unshare --mount sh -c 'mount --bind "$0" /dev/kmsg && exec "$@"' "$scratch/kmsg")
if [ "$(uname -m)" = x86_64 ] && "${faulted[@]}" true 2>/dev/null; then
    run 1 "${faulted[@]}" "$mpirun" -n 2 "$tool" verify $brief --clock tsc --require tsc --json
    json '.nodes[0].clocks[0] | .verdict == "INVALID" and (.reasons[0] | contains("faulted: the kernel saw a fault"))'
fi

# --- under load, with more ranks than CPUs
for _ in $(seq "$(nproc)"); do
    sh -c 'while :; do :; done' &
    hogs+=($!)
done
sizes="4 8"
[ "$what" = all ] || sizes=4
for size in $sizes; do
    ranks '0|2' $size verify $brief --exchanges 10 --clock tsc --clock monotonic --clock realtime --json
    json "$nothing_refuted"
done
kill "${hogs[@]}"
hogs=()

# --- every algorithm: no bound may be refuted. No algorithm sees MPI, so on a second library one with all levels is enough.
algorithms="jk hca hca2 hca3 h2hca h3hca"
[ "$what" = all ] || algorithms=h3hca
for alg in $algorithms; do
    ranks 0 4 check --alg $alg:fit=10,pingpong=5,window=5ms --fallback \
        --tolerance 1000000000 --json
    json '.verdict == "holds" and .sync_seconds > 0 and
          (.checks[0].ranks | length == 3 and all(.measured_ns[0] <= .claimed_ns[1] and .measured_ns[1] >= .claimed_ns[0]))'
done
ranks 0 4 compare --alg jk:fit=10,pingpong=5,window=5ms --alg hca3:fit=10,pingpong=5,window=5ms --runs 3 --wait 0,0.1 --json
json '.schema == "ordo-comparison/1" and .refuted == 0 and (.algorithms | length == 2 and .[0].share_of_first.median == 1 and
      all(.sync_seconds.level == 0.75 and .sync_seconds.median > 0 and (.checks | length == 2 and all(.worst_offset_ns.median > 0 and .share_of_first.median > 0))))'
if [ "$what" = all ]; then
    ranks 0 2 sync --clock monotonic --alg hca3:fit=10,pingpong=5,window=5ms && complains "is steered"
    ranks 0 2 sync --clock monotonic --alg hca3:fit=10,pingpong=5,window=5ms --max-wander-ppb 100000
    ! grep -Fq steered "$scratch/err" || fail "a declared rate causes a warning that the clock is steered"
fi
ranks 0 4 check --alg prop --tolerance 1000000000 --json
json '.verdict == "holds" and (.checks[0].ranks | length == 3)'
ranks 0 4 check --alg hca3:fit=10,pingpong=5,window=5ms --sample 34% --wait 0,0.1 --json
json '.checks | length == 2 and all(.ranks | length == 2)'
ranks '0|2' 2 roundtime --tolerance 1000000000 --seconds 0.1 --rounds 100 --slack 50 --op barrier,allreduce --barrier --json
json '.schema == "ordo-roundtime/1" and (.operations | length == 2 and
      all(.valid_rounds + .invalid_rounds > 0 and (.valid_rounds == 0 or (.run_time_ns.median > 0 and .exit_skew_ns.median >= 0))))'
json '[.clock_before, .clock_after] as $clock | ([$clock[].bound_ns] | max) as $bound | $bound > 0 and
      ($clock | all(.worst_rank == 1 and .measured_ns[0] <= .measured_ns[1])) and
      (.operations | all(.valid_rounds == 0 or (.run_time_below_bound == (.run_time_ns.median < $bound) and
                                                .exit_skew_below_bound == (.exit_skew_ns.median < 2 * $bound))))'
# Drift: every rank has a point each 0.1 s, and a line through all of them and through those of the first second.
ranks 0 3 drift --seconds 2 --interval 0.1 --first 1 --json
json '.schema == "ordo-drift/1" and (.ranks | map(.rank)) == [1, 2] and all(.ranks[];
    (.seconds | length) == 21 and (.offset_ns | length) == 21 and .whole.points == 21 and
    .first.points >= 1 and .first.points < 14 and (.whole.slope_ppb | fabs) < 100000)'
ranks 0 2 drift --seconds 1 --interval 0.5 --csv && [ "$(wc -l <"$scratch/out")" -eq 4 ] || fail "drift --csv: not three lines"
ranks 2 1 drift --seconds 1 --svg "$scratch/one.svg" --json && complains "nothing to draw"
jq -es 'length == 1 and .[0].error.code == 2' "$scratch/out" >/dev/null || fail "drift --svg --json: not one document"
ranks 0 2 drift --seconds 1 --interval 0.5 --first 0.1 --json && json '.ranks[0].first | .slope_ppb == null and .r_squared == null'

# Barriers with a name: each measures the operation as three benchmarks do, and its own imbalance.
ranks '0|2' 3 roundtime --tolerance 1000000000 --seconds 0.1 --rounds 50 --slack 50 --op allreduce --json \
    --barrier=mpi,linear,tree,double-ring,recursive-doubling,bruck
json '[.operations[] | select(.valid_rounds > 0) | .barrier_schemes | (map(.barrier) | join(" ")) ==
        "mpi linear tree double-ring recursive-doubling bruck" and
    all(.osu_mean_ns > 0 and .osu_mean_ns <= .intel_max_ns and .repro_median_ns.median > 0)] | all'
json '.barriers | all(.barrier != "mpi" and .valid_rounds > 0 and .imbalance_ns.median >= 0 and
    .imbalance_max_ns >= .imbalance_ns.median)'
ranks '0|2' 2 roundtime --tolerance 1000000000 --seconds 0.1 --rounds 100 --slack 50 --op barrier && says "global time before: every rank within" &&
    says "global time after:" && says "rank 1, the worst, measured in ["

# --- a lost rank, if the launcher does not end the job: the others know by the deadline, name it and exit 70. (The launcher's own
# exit code then differs.)
cat >"$scratch/lose" <<'EOF'
#!/bin/bash
# lose VICTIM SIGNAL SECONDS OUT COMMAND...: the rank VICTIM gets the signal after SECONDS; OUT.RANK gets each exit code
victim=$1 signal=$2 seconds=$3 out=$4 rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
shift 4
trap '' TERM
"$@" &
tool=$!
[ "$rank" != "$victim" ] || {
    sleep "$seconds"
    kill -"$signal" $tool
    [ "$signal" = KILL ] && exit
    for _ in $(seq $((50 * seconds))); do # the victim stays stopped until the other two ranks have ended
        [ "$(ls "$out".* 2>/dev/null | wc -l)" -lt 2 ] || break
        sleep 0.1
    done
    kill -KILL $tool
} &
wait $tool
echo $? >"$out.$rank"
EOF
chmod +x "$scratch/lose"
lose() { # VICTIM SIGNAL TOOL-WORD...: loses a rank of the tool; tries again with more time if the ranks did not start in time
    local scale
    for scale in 1 2 4 6; do
        rm -f "$scratch"/end.*
        timeout $((60 * scale)) "$mpirun" $recover -n 3 "$scratch/lose" "$1" "$2" $((2 * scale)) "$scratch/end" "$tool" "${@:3}" \
            --deadline $((4 * scale)) >"$scratch/out" 2>"$scratch/err" </dev/null
        [ $? -ne 124 ] || fail "rank $1 keeps the others waiting: ${*:3}"
        grep -q "rank $1 did not answer" "$scratch/err" && break
    done
    complains "rank $1 did not answer"
}
recover=
if [ $openmpi = yes ]; then
    recover=--enable-recovery
    lose 1 KILL sync --alg hca3:window=60s
    grep -qx 70 "$scratch"/end.* || fail "no rank ends with 70: $(tail -n 1 "$scratch"/end.* | tr '\n' ' ')"
    lose 0 KILL check --alg jk:window=60s
    lose 1 KILL verify --seconds 20 --rounds 21
fi # MPICH's launcher ends with an error of its own when a process is killed
lose 1 STOP sync --alg hca3:window=60s --json
json '.schema == "ordo-sync/1" and .error.code == 70 and (.error.text | startswith("rank 1 "))'

# --- one rank in a shifted time namespace, on the same node
shifted="unshare --time --monotonic 12345 --boottime 12345 --fork"
if $shifted true 2>/dev/null; then
    pair() { run "$1" "$mpirun" -n 1 "$tool" "${@:2}" : -n 1 $shifted "$tool" "${@:2}"; }
    pair 1 verify $brief --require monotonic --json
    json '.nodes | length == 1'
    json '[.nodes[0].clocks[] | select(.clock == "monotonic" or .clock == "monotonic_raw")] | length == 2 and
          all(.verdict == "INVALID" and .theta_ns[0] <= 12345000000000 and .theta_ns[1] >= 12345000000000 and .theta_ns[0] > 0)'
    json '[.nodes[0].clocks[] | select(.clock == "realtime" or .clock == "tsc")] | length >= 1 and all(.verdict != "INVALID")'
    if [ "$what" = all ]; then
        pair 0 verify $brief --require realtime --tolerance 1000000000
        pair 1 check --clock monotonic --unverified && complains "rank 1's global clock is off by"
        pair 1 sync --clock monotonic --unverified && complains "rank 1's global clock is off by"
        pair 0 check --clock monotonic --fallback --intra hca3:fit=10,pingpong=5,window=5ms
    fi
    pair '1|2' sync --clock monotonic && complains "rank 1's monotonic minus rank 0's"
else
    echo "no time namespaces here: that part is left out"
fi

# --- two nodes, each with a name and a time namespace of its own
if [ $openmpi = yes ]; then
    cluster=(--mca plm rsh --mca plm_rsh_agent "$here/agent.sh" --host node1:2,node2:2 --map-by slot --mca btl self,vader,tcp)
else
    cluster=(-localhost 127.0.0.1 -launcher ssh -launcher-exec "$here/agent.sh" -hosts node1:2,node2:2)
fi
if unshare --uts --time --monotonic 1 --fork true 2>/dev/null; then
    run '0|2' "$mpirun" "${cluster[@]}" -n 4 "$tool" verify $brief --json
    json '.nodes | length == 2 and .[0].host == "node1" and .[1].host == "node2" and all(.ranks | length == 2)'
    json "$nothing_refuted"
    run 0 "$mpirun" "${cluster[@]}" -n 4 "$tool" sync --clock monotonic --inter hca3:fit=10,pingpong=5,window=5ms --tolerance 1000000000 --json
    json '.verified and (.models | length == 4 and (.[2:] | all(.offset_interval_ns | .[0] <= 1000000000000 and .[1] >= 1000000000000)) and
          (.[1].offset_interval_ns | .[0] <= 0 and .[1] >= 0))'
    run 0 "$mpirun" "${cluster[@]}" -n 4 "$tool" check --clock monotonic --inter hca3:fit=10,pingpong=5,window=5ms --tolerance 1000000000 --wait 0,0.2
    [ "$what" = library ] || run 0 "$mpirun" "${cluster[@]}" -n 4 "$tool" compare --alg hca3:fit=10,pingpong=5,window=5ms \
        --alg h2hca:fit=10,pingpong=5,window=5ms --runs 2 --wait 0 --tolerance 1000000000
    run 2 "$mpirun" "${cluster[@]//:2/:1}" -n 2 "${bound[@]}" "$tool" verify $brief --clock monotonic --nhc
    [ "$(grep -c '^UNKNOWN node[12]: one rank on one CPU: nothing was compared$' "$scratch/out")" -eq 2 ] || fail "two nodes of one rank"
    # each publishes a boundary, and the two differ
    export RECORDS="$scratch/records"
    mkdir "$RECORDS"
    for node in 1 2; do
        run '0|2' "$(dirname "$tool")/ordo" calibrate --quiet --repeat 2 --runs 1000 --margin ${node}000000000 --output "$RECORDS/node$node"
    done
    if [ -e "$RECORDS/node1" ] && [ -e "$RECORDS/node2" ]; then
        run '0|2' "$mpirun" "${cluster[@]}" -n 4 "$tool" verify $brief --clock tsc --json
        json '[.nodes[].published_boundary_ns] | .[0] > 0 and .[1] > .[0] * 1.9'
        run '0|1|2' "$mpirun" "${cluster[@]}" -n 4 "$tool" verify $brief --clock tsc --inject tsc:1:30000000000 --inject tsc:3:30000000000 --json
        json '[.nodes[].clocks[0].reasons | index("the published boundary is exceeded") != null] == [true, true]'
        run '0|1|2' "$mpirun" "${cluster[@]}" -n 4 "$tool" verify $brief --clock tsc --inject tsc:1:600000000 --inject tsc:3:600000000 --json
        json '[.nodes[].clocks[0].reasons | index("the published boundary is exceeded") != null] == [true, false]'
        : >"$RECORDS/node2" # a file that is no record is ignored, unless --record names it
        run '0|2' "$mpirun" "${cluster[@]}" -n 4 "$tool" verify $brief --clock tsc --json
        json '[.nodes[].published_boundary_ns] | .[0] > 0 and .[1] == null'
        run 2 "$mpirun" "${cluster[@]}" -n 4 sh -c 'exec "$0" verify --record "$RECORDS/$(hostname)" "$@"' "$tool" $brief --clock tsc
    fi
else
    echo "no name and time namespaces here: that part is left out"
fi

# --- a machine whose CPUs disagree, and are sockets: a model can be copied within a socket at most. (No clock sees MPI, so one
# library is enough.)
if [ "$what" = library ]; then
    :
elif [ "$(nproc)" -ge 2 ]; then
    "$machine" "$scratch/machine" 1:3000000000
    skewed() {
        run "$1" env HWLOC_SYNTHETIC="pack:2 core:1 pu:1" HWLOC_THISSYSTEM=1 "$mpirun" -n 4 \
            bash -c 'exec taskset -c $((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} % 2)) env ORDO_SKEW_FILE="$0" "$@"' \
            "$scratch/machine" "$skewed_tool" "${@:2}"
    }
    skewed 1 verify $brief --exchanges 50 --clock tsc --require tsc --tolerance 1000000000 --json
    json '.nodes[0].clocks[0] | .verdict == "INVALID" and .theta_ns[0] > 0'
    json '.hierarchy.tsc == "socket" and ([.nodes[0].ranks[].socket] == [0, 1, 0, 1])'
    # The published boundary also applies to CPUs to which a rank may migrate. The record is refused if the rank starts
    # on the skewed CPU; the test then tries again.
    run '0|2' "$(dirname "$tool")/ordo" calibrate --quiet --repeat 2 --runs 1000 --output "$scratch/boundary"
    for _ in $(seq 20); do
        [ -e "$scratch/boundary" ] || break
        run '0|2' "$mpirun" -n 1 env ORDO_SKEW_FILE="$scratch/machine" "$skewed_tool" verify $brief --clock tsc \
            --record "$scratch/boundary" --json
        ! jq -e .error "$scratch/out" >/dev/null || continue # this rank started on the skewed CPU
        json '.nodes[0].clocks[0].reasons | index("the published boundary is exceeded") != null'
        break
    done
    # The tick rate is that of one CPU, although the rank is moved between its readings: the distance is 3e9 ticks. Without the
    # thread on one CPU, about half of these runs are wrong.
    for _ in 1 2 3 4; do
        [ -e "$scratch/boundary.json" ] || break
        run '0|2' "$mpirun" -n 1 env ORDO_SKEW_FILE="$scratch/machine" LD_PRELOAD="$move" "$skewed_tool" verify $brief --clock tsc --json
        json --slurpfile record "$scratch/boundary.json" \
            '.nodes[0].clocks[0].cpu_pairs[0].theta_ns | map(. * $record[0].tick_hz / 3e18) | all(0.99 < . and . < 1.01)'
    done
    skewed 1 sync --clock tsc --alg h2hca --tolerance 1000000000
    skewed 0 check --clock tsc --alg h3hca --socket hca3:fit=10,pingpong=5,window=5ms --tolerance 1000000000
else
    echo "one CPU: that part is left out"
fi
exit $((failures > 0))
