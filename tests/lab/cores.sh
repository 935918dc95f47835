#!/bin/bash
# cores.sh BIN: tests ordo-lab cores as a person calls it.
set -u
bin=$1
. "$(dirname "$0")/../kit.sh"
PATH=$bin:$PATH
brief="--seconds 0.00002"
one="rlu --threads 1,4 $brief --stamp ordo --update-percent 20"

# --- usage, and refusals
run 0 ordo-lab cores --list && matches '^epyc-512 +512 CPUs  '
run 0 ordo-lab cores --list --json
json '.schema == "ordo-lab-cores/1" and (.machines | length >= 20 and all(.[]; .cpus >= 1 and (.title | length > 0)))'
json 'any(.machines[]; .name == "epyc-512" and .cpus == 512)'
run 64 ordo-lab cores && complains_once "name a machine and a command"
run 64 ordo-lab cores epyc-512 && complains_once "give a command of ordo-bench behind --"
run 64 ordo-lab cores epyc-512 --json -- rlu && complains_once "--json without --list"
run 64 ordo-lab cores epyc-513 -- rlu && complains_once "epyc-513: no machine has this name"
run 64 ordo-lab cores epyc-513 -- rlu --json && complains_once "epyc-513" && json '.schema == "ordo-bench/1" and .error.code == 64'
run 64 ordo-lab cores ./absent.json -- rlu && complains_once "absent.json"
run 64 ordo-lab cores epyc-512 -- model && complains_once "'model' is not a command"
run 64 ordo-lab cores epyc-512 --sed 2 -- rlu && complains_once "did you mean --seed?"
run 64 ordo-lab cores epyc-512 --skew -1 -- rlu && complains_once "--skew '-1': not a whole number"
run 64 ordo-lab cores epyc-512 --machine-cpus 0 -- rlu && complains_once "--machine-cpus"
run 64 ordo-lab cores epyc-512 -- rlu --baseline lfht && complains_once "--baseline lfht: liburcu cannot be simulated"
run 64 ordo-lab cores epyc-512 -- rlu --baseline=mutex,rcu-qsbr && complains_once "--baseline rcu-qsbr: liburcu"
run 2 ordo-lab cores graviton2 -- rlu --threads 65 && complains_once "65 threads"
run 0 ordo-lab cores epyc-512 -- rlu --help && says "Usage: ordo-lab cores rlu"

# A file that cannot be written is refused before the measurement.
for command in "calibrate --output /nonexistent/m.json" "predict superdome-28-ratio --output /nonexistent"; do
    # shellcheck disable=SC2086
    run 70 timeout 2 ordo-lab cores $command && complains_once "/nonexistent: No such file or directory: create it"
done

# A copy of the program without its helper says so.
mkdir "$scratch/alone" && cp "$bin/ordo-lab" "$scratch/alone/"
run 2 "$scratch/alone/ordo-lab" cores epyc-512 -- rlu && complains_once "this build has no simulated machines (ordo-bench-cores): install libcapstone-dev"
run 2 "$scratch/alone/ordo-lab" cores lines epyc-512 -- rlu && complains_once "(ordo-bench-cores): install libcapstone-dev"
run 2 "$scratch/alone/ordo-lab" cores predict skylake-4-add && complains_once "(ordo-bench-cores): install libcapstone-dev"

# A simulation that fails its audit is no prediction.
cat > "$scratch/alone/ordo-bench-cores" <<'END'
#!/bin/sh
echo '{"schema": "ordo-bench/1", "results": [{"algorithm": "add", "audit": "failed", "thread_ns_per_op": {"median": 2, "low": 1, "high": 3}}]}'
END
chmod +x "$scratch/alone/ordo-bench-cores"
run 2 "$scratch/alone/ordo-lab" cores predict skylake-4-add && complains_once "skylake-4-add at 1 cores: 'add' failed its audit"
sed -i 's/"failed"/"ok"/' "$scratch/alone/ordo-bench-cores"
run 0 "$scratch/alone/ordo-lab" cores predict skylake-4-add
echo 'exit 1' >>"$scratch/alone/ordo-bench-cores"
run 2 "$scratch/alone/ordo-lab" cores predict skylake-4-add && complains_once "skylake-4-add at 1 cores: "
mkdir -p "$scratch/installed/bin" "$scratch/installed/libexec/ordo"
cp "$bin/ordo-lab" "$scratch/installed/bin" && cp "$bin/ordo-bench-cores" "$scratch/installed/libexec/ordo"
for words in "here --" "lines here --"; do
    # shellcheck disable=SC2086
    run 0 "$scratch/installed/bin/ordo-lab" cores $words contention --algorithm add --threads 2 --seconds 0.00002
done
run 0 "$scratch/installed/bin/ordo-lab" cores predict skylake-4-add

# --- every result says that it is simulated
# shellcheck disable=SC2086
run 0 ordo-lab cores epyc-7742-2 --seed 7 --skew 40 -- $one
[ "$(head -n 1 "$scratch/out")" = "SIMULATED on epyc-7742-2, seed 7, skew 40 ticks: a prediction, no measurement" ] || fail "the first line is another one"
says "not over measured rounds" && says "boundary 340 ticks" && says "rounds 3, trials of 2e-05 s"
# shellcheck disable=SC2086
run 0 ordo-lab cores epyc-7742-2 --seed 7 --skew 40 --stall-ns 500 --stall-each-ns 4000 -- $one --json
json '.provenance.simulated | .machine == "epyc-7742-2" and .seed == 7 and .skew_ticks == 40 and .stall_ns == 500 and .stall_each_ns == 4000'
json '.provenance.simulated.ranges.overlap | .[0] < .[1] and .[1] < .[2]'
json '.provenance.clock == "simulated" and .provenance.boundary_ticks == 340 and (.provenance.cpus | length == .[-1] + 1)'
json 'all(.results[].ops_per_s; .low <= .median and .median <= .high) and any(.results[].ops_per_s; .low < .high)'

# --- the same bytes again, also in another folder and another environment; another seed has other bytes
# shellcheck disable=SC2086
again() { ordo-lab cores graviton2 --seed "$1" --skew 200 --stall-ns 300 --stall-each-ns 2000 -- $one --json; }
run 0 again 1 && cp "$scratch/out" "$scratch/first"
run 0 again 1 && { cmp -s "$scratch/out" "$scratch/first" || fail "the second run has other bytes"; }
elsewhere() { cd / && HOME=/nowhere LANG=C.UTF-8 FILLER=$(printf '%5000s' x) again 1; }
run 0 elsewhere && { cmp -s "$scratch/out" "$scratch/first" || fail "a folder or an environment changes the bytes"; }
cd "$OLDPWD" 2>/dev/null || true
run 0 again 2 && { ! cmp -s <(jq .results "$scratch/out") <(jq .results "$scratch/first") || fail "another seed has the same results"; }

# --- every command, with 1, 2 and 16 threads, or 1 and 8; a thread of merge has a stream of fixed length, so more threads take minutes
run 0 ordo-lab cores xeon-120 -- clock --threads 1,2 $brief --json && json '.results | length > 0'
for machine in epyc-7742-2:1,2,16 graviton2:1,8; do
    threads=${machine#*:} machine=${machine%:*}
    run 0 ordo-lab cores $machine -- merge --streams 2 --threads 1,2 --runs 1 --seconds 0.000005 --json
    json 'all(.results[]; .ops_per_s.median > 0 and .audit != "failed")'
    for command in "contention" "oplog" "rlu --stamp ordo --buckets 100 --update-percent 20" "stm --stamp ordo --structure hash --buckets 100 --update-percent 20" \
        "txn --engine occ --stamp ordo --rows 512 --record-bytes 64" "txn --engine hekaton --stamp ordo --rows 512 --record-bytes 64"; do
        # shellcheck disable=SC2086
        run 0 ordo-lab cores $machine -- $command --threads $threads --runs 1 --seconds 0.000005 --json
        json "[.results[].threads] | unique == [$threads]"
        json 'all(.results[]; .ops_per_s.median > 0 and .audit != "failed")'
    done
done

# --- more threads than CPUs, which take turns
run 0 ordo-lab cores graviton2 --machine-cpus 2 --quantum-us 5 -- rlu --threads 8 --oversubscribe --stamp ordo --seconds 0.0002 --json
json 'all(.results[]; .oversubscribed and .ops_per_s.median > 0 and .audit != "failed")'
json '.provenance.simulated.cpus == 2 and .provenance.simulated.quantum_us == 5'

exit $((failures > 0))
