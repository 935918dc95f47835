#!/bin/bash
# lines.sh BIN: text of babeltrace2, perf script and ftrace with known truth, written here by a generator, through every command of
# ordo-trace. All three forms have the same regions, so the results must be the same.
set -u
bin=$1 here=$(cd "$(dirname "$0")" && pwd)
. "$here/../kit.sh"
cd "$scratch" || exit 1

trace() { "$bin/ordo-trace" "$@"; }

# generate FORM EVENTS: regions of four threads, and the switches of two CPUs, by a seeded generator.
generate() {
    awk -v form="$1" -v events="$2" '
    function draw(most) { seed = (seed * 16807) % 2147483647; return seed % most }
    function stamp() { return sprintf("%d.%09d", 1795905095 + int(ns / 1000000000), ns % 1000000000) }
    function line(name, details) {
        if (form == "ctf")
            printf "[%s] (+0.000000001) node %s: { cpu_id = %d }, { vpid = 50, vtid = %d, procname = \"a, {\" }, { %s }\n", stamp(), name, cpu, tid, details
        else if (form == "perf")
            printf "         my prog %d [%03d] %s: %s: %s\n", tid, cpu, stamp(), name, details
        else
            printf "         my prog-%d   (   50) [%03d] d..2. %s: %s: %s\n", tid, cpu, stamp(), name, details
    }
    function change(to) {
        if (form == "ctf")
            line("sched_switch", sprintf("prev_comm = \"x\", prev_tid = %d, next_comm = \"%s\", next_tid = %d", on[cpu], to ? "job" : "swapper", to))
        else
            line((form == "perf" ? "sched:" : "") "sched_switch", sprintf("prev_comm=x prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=%s next_pid=%d next_prio=120", on[cpu], to ? "job" : "swapper", to))
        on[cpu] = to
    }
    BEGIN {
        seed = 4711
        for (i = 0; i < events; i++) {
            ns += 1 + draw(2000000)
            tid = 100 + draw(4); cpu = tid % 2
            if (draw(4) == 0) { change(draw(3) ? tid : 0); continue }
            if (depth[tid] == 0 || (depth[tid] < 5 && draw(2))) { open[tid, depth[tid]++] = name = draw(7); line("w" name "_entry", form == "ctf" ? "" : "n=1") }
            else line("w" open[tid, --depth[tid]] "_exit", form == "ctf" ? "" : "n=1")
        }
        for (tid = 100; tid < 104; tid++)
            while (depth[tid] > 0) { ns += 5; cpu = tid % 2; line("w" open[tid, --depth[tid]] "_exit", form == "ctf" ? "" : "n=1") }
    }'
}

for form in ctf perf ftrace; do
    generate $form 5000 >$form.txt
    run 0 trace info --json $form.txt
    says "\"form\": \"$form\""
    says '"first_ns": 1795905095'
    says '"odd": []'
    run 0 trace correct --to csv -o $form.csv $form.txt
    run 0 trace stats $form.txt
    cp out $form.stats
    [ "$(sed -n 2,20p $form.stats | grep -c '^w')" = 7 ] || fail "$form: the seven regions are not in the table"
done
# The columns of one form are those of another.
for form in perf ftrace; do
    cmp -s ctf.csv $form.csv || fail "$form: is read as another trace than ctf"
    cmp -s ctf.stats $form.stats || fail "$form: has other call sites than ctf"
done
# The times in the table are those of the lines.
awk '/_entry:/ { split($1, t, /[].[]/); name = $4; sub(/_entry:/, "", name); tid = $0; sub(/.*vtid = /, "", tid); sub(/,.*/, "", tid)
        from[tid, depth[tid]++] = t[2] % 100000 * 1e9 + t[3] }
    /_exit:/ { split($1, t, /[].[]/); name = $4; sub(/_exit:/, "", name); tid = $0; sub(/.*vtid = /, "", tid); sub(/,.*/, "", tid)
        total[name] += t[2] % 100000 * 1e9 + t[3] - from[tid, --depth[tid]]; count[name]++ }
    END { for (name in total) printf "%s %d %.3f\n", name, count[name], total[name] / 1e6 }' ctf.txt | sort >expected
awk '/^w/ { print $1, $2, $3 }' ctf.stats | sort >seen
cmp -s expected seen || fail "the table has other times: $(diff expected seen | head -n 4)"

# Every output.
run 0 trace correct --to chrome -o ctf.json ctf.txt
run 0 trace info ctf.json
says "chrome, $(($(wc -l <ctf.csv) - 1)) events"
grep -Fq '"ph":"M","name":"thread_name","pid":0,"tid":10000001,"args":{"name":"CPU 1"}' ctf.json || fail "Chrome's form lacks the names of threads"
run 0 trace plot -o ctf.svg ctf.txt
run 0 trace report -o ctf.html perf.txt
grep -q 'job-102' ctf.html || fail "the page lacks the tasks of the CPUs"

grep -q 'my prog-102' ctf.html || fail "the page lacks the names of threads"

# A compressed file, a pipe, and several files: a rank each. A file of several files has one host.
gzip -k ftrace.txt
if trace info ftrace.txt.gz 2>&1 | grep -q "unpack it with gunzip$"; then
    echo "compressed text: left out: built without zlib"
else
    run 0 trace info ftrace.txt.gz
    says "of rank 0"
fi
run 0 trace info <(cat perf.txt)
says "perf, $(($(wc -l <ctf.csv) - 1)) events"
run 0 trace stats --raw ctf.txt perf.txt ftrace.txt
sed 's/ node / other /' ctf.txt >other.txt
cat ctf.txt other.txt >both.txt
run 0 trace info both.txt
says "of ranks 0 to 1"
run 64 trace stats --raw both.txt ctf.txt
grep -q "row .*: is of the host 'other', and the first one of 'node': print each host to its own file" err || fail "no remedy for two hosts"

# Two hosts are aligned by probes on the calls of MPI: the clock of the second one is 3 s ahead, all leave a barrier within 20 us.
hosts() {
    awk -v rank="$1" -v ahead="$2" 'BEGIN {
        for (i = 0; i < 20; i++) {
            late = i % 2 == rank ? 700 : 0
            printf " prog %d [000] %.6f: probe_libmpi:MPI_Barrier: (10)\n", 50 + rank, 100 + i * 0.01 + late * 1e-6 + ahead
            printf " prog %d [000] %.6f: probe_libmpi:MPI_Barrier__return: (10 <- 20)\n", 50 + rank, 100 + i * 0.01 + 0.00071 + rank * 1e-5 + ahead
        }
    }'
}
hosts 0 0 >rank0.txt
hosts 1 3 >rank1.txt
run 0 trace correct --to csv -o aligned.csv rank0.txt rank1.txt
says "collectives gave"
awk -F, 'NR > 1 { t = $2 - ($1 == 1 ? 3000000000 : 0); wrong += $13 > t || $14 < t; far += $12 - t > 20000 || t - $12 > 20000 } END { exit wrong + far > 0 }' aligned.csv ||
    fail "probes on barriers do not align two hosts"

# No rank is proved to wait in a call whose name does not state the amounts.
for rank in 0 1; do sed 's/MPI_Barrier/MPI_Alltoallv/' rank$rank.txt >uneven$rank.txt; done
run 1 trace correct --to csv -o uneven.csv uneven0.txt uneven1.txt
grep -q "no message between ranks and no collective of several" err || fail "MPI_Alltoallv bounds the clocks"

# Odd lines are counted, and refused by --strict.
{
    cat ftrace.txt
    printf 'CPU:1 [LOST 12 EVENTS]\nnoise\n'
    head -c 3000 /dev/zero
    printf '\n'
} >odd.txt
run 0 trace info odd.txt
says "events that the tracer lost: 12, the first at row $(($(wc -l <ftrace.txt) + 1))"
says "lines that are no events, which are left out: 2, the first at row $(($(wc -l <ftrace.txt) + 2))"
run 0 trace correct --to csv -o odd.csv odd.txt
cmp -s odd.csv ftrace.csv || fail "odd lines change the trace"
run 64 trace info --strict odd.txt
grep -q "leave out --strict" err || fail "no remedy for --strict"

# A line that never ends is refused in one line.
{
    head -n 3 perf.txt
    head -c 3000000 /dev/zero | tr '\0' x
} >long.txt
run 64 trace info long.txt
grep -q "row 4 has more than 1048576 letters" err || fail "a line without an end is not refused"

# A form is named too, and only read.
run 0 trace info --from perf perf.txt
run 64 trace info --from perf ctf.txt
run 64 trace correct --to perf -o none perf.txt
exit $((failures > 0))
