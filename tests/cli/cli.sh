#!/bin/bash
# cli.sh SOURCE BIN SKEWED MACHINE [--write]: tests the output and the exit codes of the tools, called as a user would.
# --write: replaces the golden texts instead of comparing with them.
set -u
source=$1 bin=$2 skewed=$3 machine=$4 mode=${5:-}
here=$source/tests/cli
. "$(dirname "$0")/../kit.sh"
tries=3
hogs=()
trap '[ ${#hogs[@]} -eq 0 ] || kill "${hogs[@]}"; chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
export ORDO_RECORD=$scratch/record/boundary COLUMNS=80
unset XDG_RUNTIME_DIR
PATH=$bin:$PATH
few="--runs 1000 --repeat 2"

# golden NAME: the output of the last run must equal the golden text NAME.
golden() {
    cat "$scratch/out" "$scratch/err" >"$scratch/both"
    if [ "$mode" = --write ]; then
        cp "$scratch/both" "$here/golden/$1.txt"
    else
        diff -u "$here/golden/$1.txt" "$scratch/both" || fail "golden $1 differs"
    fi
}

# --- usage
run 0 ordo --help && golden help
run 64 ordo
run 64 ordo nonsense && golden unknown-command
run 0 ordo --version && says "ordo $(sed -n 's/.*ORDO_VERSION "\(.*\)"/\1/p' "$source/include/ordo/version.h")"
for command in $(ordo --list | cut -d ' ' -f 1); do
    run 0 ordo $command --help && golden "help-$command"
    run 64 ordo $command --nonsense
    # Every long option is in the man page.
    for option in $(grep -oE -- '--[a-z-]+' "$here/golden/help-$command.txt" | sort -u); do
        case $option in --usage | --version | --help) continue ;; esac
        grep -qE "(Fl|,) ${option#-}( |$)" "$source/calib/ordo/ordo.1" || fail "ordo.1 lacks $option of $command"
    done
done
# An unknown word is refused, even if it resembles a known one. The error is one line, which suggests the similar word.
for program in ordo ordo-bench ordo-mpi ordo-trace ordo-net ordo-lab; do
    [ -x "$bin/$program" ] || continue
    for word in -h --help help; do
        run 0 $program $word && says "Usage:" && says "help COMMAND"
    done
    for word in -V --version; do
        run 0 $program $word && says "$program $(sed -n 's/.*ORDO_VERSION "\(.*\)"/\1/p' "$source/include/ordo/version.h")"
    done
    run 64 $program && complains "Usage:"
    run 64 $program --verson && complains "did you mean '--version'?" && one_line
    run 64 $program help nonsense && complains "'nonsense' is not a command" && one_line
    for command in $($program --list | cut -d ' ' -f 1); do
        run 0 $program help "$command" && says "Usage: $program $command" && cp "$scratch/out" "$scratch/help"
        run 0 $program "$command" -h && cmp -s "$scratch/out" "$scratch/help" || fail "$program $command -h is not its help"
        run 0 $program "$command" -V && says "$program "
        run 64 $program "$command" --versio && complains "--versio: not an option; did you mean --version?" && one_line
        run 64 $program "$command" -Z && complains "-Z: not an option" && one_line
        if grep -q -- ' --json ' "$scratch/help"; then
            run 64 $program "$command" --nonsense --json && complains "--nonsense: not an option"
            json '(.schema | startswith("ordo-")) and .error.code == 64 and (.error.text | contains("--nonsense")) and (keys | length) == 3'
        fi
    done
done
run 64 ordo calibrat && complains "did you mean 'calibrate'?" && one_line
run 64 ordo calibrate --run 5 --dry-run && complains "--run: not an option; did you mean --runs?" && one_line
run 64 ordo calibrate --run=5 --dry-run && complains "did you mean --runs?" && one_line
run 64 ordo calibrate --runs && complains "--runs: needs a value, N" && one_line
run 64 ordo calibrate --dry-run=yes && complains "--dry-run: takes no value" && one_line
run 64 ordo calibrate --runs 0 && complains "--runs '0': not a whole number" && one_line
run 64 ordo calibrate --runs 1e5
run 64 ordo calibrate --runs -5
run 64 ordo calibrate --margin 99999999999999999999
run 64 ordo calibrate --json --csv
run 64 ordo calibrate --csv --report text && complains "only one of them can go to stdout" && one_line
run 64 ordo calibrate --report pdf && complains "--report pdf: not one of " && one_line
run 64 ordo calibrate --report csv= && complains "--report csv=: no file" && one_line
run 70 ordo calibrate --report csv="$scratch/none/file" && complains "No such file or directory"
# shellcheck disable=SC2046
run 64 ordo calibrate $(printf -- '--report=csv=x%s ' {1..17}) && complains "more than 16 files" && one_line
run 0 ordo calibrate --list && says "csv      one line per ordered pair"
run 64 ordo calibrate --cpus 0-x --dry-run && complains "not a list of CPUs"
run 64 ordo calibrate --cpus 99999 --dry-run && complains "cpu 99999: not in the allowed set"
run 64 ordo calibrate surplus
run 64 ordo show one two
run 64 ordo topology --synthetic 'pack:x' && complains "not a synthetic topology"

# --- topology
run 0 ordo topology --synthetic 'pack:2 numa:2 l3:1 core:4 pu:2'
sed -i '/^clock /d; /^hypervisor/d; /^projected/,$d; /^no projection/d' "$scratch/out"
: >"$scratch/err" # discards messages of hwloc about this machine
golden topology
run 0 ordo topology

# n CPUs have about n^2 / 2 pairs, so the cost of a pair must not grow with n.
run 0 timeout 40 ordo topology --synthetic 'pack:32 core:64 pu:2' && says "pairs: 8386560" && says "2048 pairs"

# --- no record yet
run 2 ordo show && complains "there is no boundary record: run 'ordo calibrate'" && one_line
run 2 ordo check && complains "there is no boundary record"
for command in show check; do
    run 2 ordo $command --json && complains "there is no boundary record"
    json '.schema | . == "ordo-record/1" or . == "ordo-check/1"'
    json '.error.code == 2 and (.error.text | contains("there is no boundary record")) and (has("usable") or has("verdict") | not)'
done

# --- a calibration
run 0 ordo calibrate $few --dry-run && says "ORDO_BOUNDARY "
[ ! -e "$ORDO_RECORD" ] || fail "--dry-run published"
run 0 ordo calibrate $few --svg "$scratch/map.svg" --emit-header "$scratch/boundary.h"
says "ORDO_BOUNDARY " && says "published in $ORDO_RECORD (generation 1)"
run 0 ordo calibrate $few --dry-run --report csv --report "text=$scratch/text" --report "header=$scratch/again.h"
[ "$(head -n 1 "$scratch/out")" = "$(cat "$here/golden/csv-head.txt")" ] && grep -q '^ORDO_BOUNDARY ' "$scratch/text" &&
    grep -q 'define ORDO_BOUNDARY ' "$scratch/again.h" || fail "not three reports"
grep -q '</svg>' "$scratch/map.svg" || fail "the heat map is not whole"
# An output file that is a link to standard output, like /dev/stdout: the map is written between the other output, and
# the link stays.
ln -s /proc/self/fd/1 "$scratch/stdout"
run 0 ordo calibrate $few --dry-run --quiet --svg "$scratch/stdout" && says "</svg>" && says "ORDO_BOUNDARY "
[ -L "$scratch/stdout" ] || fail "the link to standard output was replaced"
rm "$scratch/stdout"
# Each cell has a number, except for the cells of the diagonal. The ends of the scale are the least and the largest
# number.
cells=$(grep -c '<rect .*<title>' "$scratch/map.svg") numbers=$(grep -c 'pointer-events="none">-\?[0-9]*<' "$scratch/map.svg")
[ "$cells" -eq "$numbers" ] || fail "$cells cells and $numbers numbers"
if [ "$(nproc)" -gt 1 ]; then
    grep -q 'linearGradient id="scale"' "$scratch/map.svg" || fail "the heat map has no scale"
    jq -r '[.delta_ticks[][] | select(. != null)] | min, max' "$ORDO_RECORD.json" | while read -r end; do
        grep -q ">$end ticks, [0-9-]* ns</text>" "$scratch/map.svg" || fail "the scale of the heat map lacks $end"
    done
fi
boundary=$(sed -n 's/#define ORDO_BOUNDARY \([0-9]*\) .*/\1/p' "$scratch/boundary.h")
jq -e ".boundary_ticks == $boundary" "$ORDO_RECORD.json" >/dev/null || fail "header and JSON disagree"
printf '#include <ordo/ordo.h>\n#include "boundary.h"\nint main(void) { static const struct ordo o = ORDO_INIT(ORDO_BOUNDARY, ORDO_TICK_HZ); return ordo_boundary(&o) != %s; }\n' \
    "$boundary" >"$scratch/use.c"
run 0 "${CC:-cc}" -std=c11 -Wall -Werror -I"$source/include" -I"$scratch" "$scratch/use.c" -o "$scratch/use"
run 0 "$scratch/use"
run 0 ordo show && says "holds here and now" && grep -Eq '^as of .* s after boot, [0-9]+ (s|min) ago$' "$scratch/out" || fail "no age"
run 0 ordo show --boundary-ns
[ "$(cat "$scratch/out")" -eq "$(jq '.boundary_ticks as $b | (.tick_hz + 0.5 | floor) as $hz | ($b * 1000000000 / $hz) | ceil' "$ORDO_RECORD.json")" ] ||
    fail "show --boundary-ns is not the boundary"
run 64 ordo show --boundary-ns --json
run 2 env ORDO_RECORD="$scratch/none" ordo show --boundary-ns && one_line
run 0 ordo show --json && json '.age_ns >= 0 and .age_ns < 600000000000'
run 0 ordo show --json && json '.schema == "ordo-record/1" and .usable and .generation == 1'
run 0 ordo check && says "generation 1"
run 0 ordo check --all --json && json '.schema == "ordo-check/1" and .verdict == "ok" and (.confirmed | type == "boolean")'
run 0 ordo check --quiet
[ ! -s "$scratch/out" ] || fail "check --quiet has something to say"

run 0 ordo calibrate $few --json --margin 1000
json '.schema == "ordo-calibration/1" and .generation == 2 and .margin_ticks == 1000 and .runs == 1000 and
      .repeats == (if .trust == "measured" then 5 else 2 end) and
      (.cpus | length) == (.delta_ticks | length) and .drift_ppb[0] <= 0 and .drift_ppb[1] >= 0 and
      ([.delta_ticks[][] | select(. != null)] | (max // 0)) + .granule_ticks + .margin_ticks == .boundary_ticks and
      (.tick_hz > 0) and (.clock | type == "string") and (.hypervisor | type == "boolean") and
      ([.delta_ticks | to_entries[] | .value[.key]] | all(. == null))'
jq -S . "$scratch/out" >"$scratch/printed"
jq -S . "$ORDO_RECORD.json" | cmp -s - "$scratch/printed" || fail "--json prints something else than it writes"
run 0 ordo calibrate $few --dry-run --json --margin 1000ns
json '(.margin_ticks - .tick_hz / 1000000) | . >= 0 and . < 1.01'
run 64 ordo calibrate --dry-run --margin ns && complains "--margin 'ns': not a whole number"
run 64 ordo calibrate --dry-run --margin 20us
run 0 ordo calibrate $few --csv --dry-run
head -n 1 "$scratch/out" >"$scratch/first" && mv "$scratch/first" "$scratch/out" && : >"$scratch/err" && golden csv-head
run 0 ordo calibrate $few --settle 50 --quiet --parallel --dry-run
[ "$(wc -l <"$scratch/out")" -eq 1 ] || fail "--quiet prints more than a line"

# --- clocks
run 0 ordo clocks --seconds 0.1 --json && json '[.clocks[].clock] | index("monotonic_raw") != null'
json 'all(.clocks[]; .read_ns >= 0 and .samples > 0 and (.stability | length) > 0 and (.fitness | all(.reason != "")))'
json '.clocks[] | select(.clock == "monotonic_raw") | .rate_ppm[0] <= 0 and .rate_ppm[1] >= 0 and .fitness.order.fit != "no"'
json '.clocks[] | select(.clock == "realtime") | .fitness.order.fit == "no"'
run 0 ordo clocks --seconds 0.1 --svg "$scratch/clocks.svg" && says "to order events across cores" && says "time:["
[ ! -x "$(command -v gnuplot)" ] || grep -q "</svg>" "$scratch/clocks.svg" || fail "no picture of the clocks"
run 0 ordo clocks --seconds 0.1 --csv
[ "$(awk -F, '{ print NF }' "$scratch/out" | sort -u | wc -l)" -eq 1 ] && [ "$(wc -l <"$scratch/out")" -gt 6 ] || fail "lines of different length"
if [ "$(nproc)" -gt 1 ]; then
    run 0 ordo clocks --seconds 0.1 --cpus "$(jq '.cpus[1]' "$ORDO_RECORD.json")" --json
    json '(.cpus | length) == 1 and all(.clocks[]; .across == [] and .fitness.node.fit != "yes")'
fi
run 64 ordo clocks --json --csv && complains "--json and --csv: only one of them can go to stdout"
for options in "--seconds 0" "--seconds nan" "--seconds 1e9" "--cpus x"; do
    # shellcheck disable=SC2086
    run 64 ordo clocks $options && one_line
done
run 64 ordo clocks --cpus 99999 --json && complains "cpu 99999: not in the allowed set" && json '.error.code == 64'
run 2 ordo clocks --phc /dev/null && complains "--phc /dev/null: not a clock: give it a PTP hardware clock" && one_line
run 2 ordo clocks --phc no-such && complains "--phc no-such: there is no such network interface" && one_line
run 64 ordo clocks --aux 8 && complains "--aux: not a number from 0 to 7" && one_line
[ -e /sys/kernel/time/aux_clocks ] || { run 2 ordo clocks --aux 0 && complains "the kernel has no auxiliary clocks" && one_line; }
run 70 timeout 20 ordo clocks --seconds 86400 --svg "$scratch/none/file" && complains "No such file or directory"
run 2 env PATH="$scratch" "$bin/ordo" clocks --seconds 0.1 --svg "$scratch/none.svg" && complains "gnuplot: " && one_line
[ ! -e "$scratch/none.svg" ] || fail "a picture that was not drawn"
ordo clocks --seconds 0.1 >/dev/full 2>"$scratch/err"
[ $? -eq 70 ] || fail "ordo clocks: a full standard output is not noticed"
if unshare --time --monotonic 1000 true 2>/dev/null; then
    run 0 unshare --time --monotonic 1000 --fork ordo clocks --seconds 0.1 --json
    json '.time_namespace.monotonic_shift_ns == 1000000000000 and .time_namespace.boottime_shift_ns == 0'
    json '.clocks[] | select(.clock == "monotonic") | .fitness.node.fit == "limited"'
fi

# --- a single CPU: a record that covers only it
last=$(taskset -cp $$ | grep -oE '[0-9]+' | tail -n 1)
run 0 ordo calibrate $few --json --cpus "$last" --output "$scratch/single"
json '(.cpus | length) == 1 and .boundary_ticks >= 1 and .delta_ticks == [[null]]'
run 0 ordo calibrate $few --cpus "$last" --dry-run && says "measured CPU $last"
run 0 ordo topology --cpus "$last" && says "1 CPU to measure ($last)"
if [ "$(nproc)" -gt 1 ]; then
    run 2 ordo show "$scratch/single" && says "does not cover every CPU"
    run 0 ordo check --record "$scratch/single" && says "it does not cover all CPUs of this process"

    # --- a calibration ignores the affinity, because it publishes for the machine
    first=$(taskset -cp $$ | grep -oE '[0-9]+' | sed -n 2p)
    run 0 taskset -c "$first" ordo calibrate $few --json --output "$scratch/bound"
    json "(.cpus | length) == $(nproc) and (.boundary_ticks > .granule_ticks)"
    run 0 taskset -c "$first" ordo calibrate $few --json --dry-run --cpus "$last" && json ".cpus == [$last]"
    run 0 taskset -c "$first" ordo check --record "$scratch/bound"
    run 0 ordo calibrate $few --cpus "$first" --output "$scratch/single"

    # --- a cgroup is not left: a library plays one that allows this CPU only
    cat >"$scratch/cgroup.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
int sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *wanted)
{
    int (*real)(pid_t, size_t, const cpu_set_t *) = (int (*)(pid_t, size_t, const cpu_set_t *))dlsym(RTLD_NEXT, "sched_setaffinity");
    int cpu = atoi(getenv("CGROUP_CPU"));
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    if (!CPU_ISSET_S(cpu, bytes, wanted))
        return errno = EINVAL, -1;
    return real(pid, sizeof only, &only);
}
END
    run 0 "${CC:-cc}" -shared -fPIC "$scratch/cgroup.c" -o "$scratch/cgroup.so" -ldl
    confined="taskset -c $first env CGROUP_CPU=$first LD_PRELOAD=$scratch/cgroup.so"
    run 0 $confined ordo calibrate $few --output "$scratch/confined" && says "measured CPU $first"
    cp "$scratch/bound" "$scratch/before"
    run 2 $confined ordo calibrate $few --output "$scratch/bound" && complains "covers it, and this process may run on $first only"
    cmp -s "$scratch/bound" "$scratch/before" || fail "a record for fewer CPUs was published"
    run 0 $confined ordo calibrate $few --dry-run
    run 2 $confined ordo check --record "$scratch/bound" && complains "this process may not run there to measure it"
    run 64 $confined ordo calibrate $few --cpus "$last" --dry-run && complains "cpu $last: not in the allowed set $first"
    run 0 $confined ordo calibrate $few --cpus "$first" --output "$scratch/bound"
    cmp -s "$scratch/bound" "$scratch/before" && fail "CPUs that were named are not published"
fi

# --- what cannot be written is said before anything is measured, and nothing is left behind
mkdir "$scratch/taken" "$scratch/full" "$scratch/json.json"
run 70 ordo calibrate --output "$scratch/json" && complains "$scratch/json.json: exists and is not a regular file"
[ ! -e "$scratch/json" ] || fail "a record was published whose JSON cannot be"
run 70 ordo calibrate --output "$scratch/taken" && complains "$scratch/taken: exists and is not a regular file"
run 70 ordo calibrate --output "$scratch/no/such/place" && complains "No such file or directory"
run 70 ordo calibrate --dry-run --svg "$scratch/none/map.svg"
"$bin/ordo" show >/dev/full 2>"$scratch/err"
[ $? -eq 70 ] || fail "a full standard output is not noticed"
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=4k,nr_inodes=4 none "$scratch/full" 2>/dev/null; then
    dd if=/dev/zero of="$scratch/full/filler" bs=1 count=4096 2>/dev/null
    run 70 ordo calibrate $few --output "$scratch/full/boundary" && complains "No space left on device"
    [ "$(find "$scratch/full" -mindepth 1 ! -name '*lock' -printf '%f')" = filler ] || fail "a full disk is left with something half"
    umount "$scratch/full"
fi
[ -z "$(find "$scratch" -name '*.staged-*')" ] || fail "a temporary file is left behind"

# --- damaged records
for damage in "truncate -s -1" "truncate -s +1" "truncate -s 0" "chmod g+w"; do
    cp "$ORDO_RECORD" "$scratch/damaged" && $damage "$scratch/damaged"
    run 2 ordo show "$scratch/damaged"
    run 2 ordo check --record "$scratch/damaged"
done
mkfifo "$scratch/fifo"
run 2 timeout 10 ordo show "$scratch/fifo"

# --- an environment that misleads
run 70 env HWLOC_SYNTHETIC="core:2 pu:1" ordo calibrate --dry-run && complains "unset HWLOC_SYNTHETIC"
cp "$ORDO_RECORD" "$scratch/"$'not UTF-8 \xff'
run 0 ordo show --json "$scratch/"$'not UTF-8 \xff' && json '.path | endswith("not UTF-8 ?")'

# --- not root
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$bin/ordo"; then
    mkdir "$scratch/user" && chown 65534:65534 "$scratch/user"
    other="env -u ORDO_RECORD setpriv --reuid 65534 --regid 65534 --clear-groups"
    run 64 $other "$bin/ordo" calibrate $few && complains "XDG_RUNTIME_DIR"
    run 0 $other env XDG_RUNTIME_DIR="$scratch/user" "$bin/ordo" calibrate $few
    says "published in $scratch/user/ordo/boundary"
    run 2 "$bin/ordo" show "$scratch/user/ordo/boundary" && complains "belongs neither to root nor to this user"
fi

# --- an implausible boundary: clocks that are apart by a multiple of the plausible limit (tests/skew)
if [ "$(nproc)" -gt 1 ] && [ "$(ordo topology | head -n 1 | grep -c ', 1 package,')" -eq 1 ]; then
    "$machine" "$scratch/machine" "$last:1000000000"
    apart() { env ORDO_SKEW_FILE="$scratch/machine" "$skewed" "$@"; }
    run 2 apart calibrate $few --output "$scratch/doubtful" && complains "all CPUs are in one package"
    [ ! -e "$scratch/doubtful" ] || fail "an implausible boundary was published without a word"
    run 0 apart calibrate $few --output "$scratch/doubtful" --force && says FORCED && complains "all CPUs are in one package"
fi

# --- a clock of which the kernel saw a fault (fault.sh has the rest)
echo "[    1.0] tsc: Marking TSC unstable due to clocksource watchdog" >"$scratch/kmsg"
if [ "$(uname -m)" = x86_64 ] && unshare -m mount --bind "$scratch/kmsg" /dev/kmsg 2>/dev/null; then
    rejected="unshare -m sh -c 'mount --bind $scratch/kmsg /dev/kmsg && exec \"\$@\"' sh"
    run 1 eval "$rejected ordo calibrate $few --output '$scratch/rejected'" && complains "faulted: the kernel saw a fault"
    [ ! -e "$scratch/rejected" ] || fail "a rejected clock was published"
    run 0 eval "$rejected ordo calibrate $few --force --output '$scratch/forced'" && says FORCED
    run 0 ordo show --json "$scratch/forced" && json .forced
fi

# --- ordo-bench
if [ -x "$bin/ordo-bench" ]; then
    run 0 ordo-bench --list && says clock
    run 64 ordo-bench nonsense
    run 64 ordo-bench clock --threads 0
    run 64 ordo-bench clock --runs x
    for command in clock contention rlu oplog stm plot merge trace; do
        run 0 ordo-bench $command --help
        # Every long option is in the man page.
        for option in $(grep -oE -- '--[a-z-]+' "$scratch/out" | sort -u); do
            case $option in --usage | --version | --help) continue ;; esac
            grep -qE "(Fl|,) ${option#-}( |$)" "$source/bench/ordo-bench.1" || fail "ordo-bench.1 lacks $option of $command"
        done
    done
    run 0 ordo-bench clock --runs 3 --seconds 0.002 --threads 1 --json
    json '.schema == "ordo-bench/1" and (.results | length > 5) and
          (.results | all(has("algorithm") and has("stamp") and has("workload") and has("threads") and
                          has("ns_per_op") and has("audit") and (.ops_per_s | has("median") and has("low") and has("high") and .level == 0.75))) and
          (.ratios | all(has("of") and has("over") and has("threads") and has("median") and has("low") and has("high") and .level == 0.75))'
    run 0 ordo-bench clock --runs 3 --seconds 0.001 --threads 1 && says "[range]"
    grep -q "95%" "$scratch/out" && fail "the range of 3 rounds is called a 95% interval"
    run 0 ordo-bench clock --runs 6 --seconds 0.001 --threads 1 && says "[95% interval]"

    # --- contention: both kinds of nanoseconds per operation, and every audit
    run 64 ordo-bench contention --algorithm spin && complains "--algorithm 'spin': not one of none, add, cas, mutex, ticket"
    run 64 ordo-bench contention --algorithm add,add && complains "'add' is the same as 'add'"
    run 64 ordo-bench contention --work 1000001 && complains "--work '1000001': not a whole number from 0 to 1000000"
    run 2 ordo-bench contention --record "$scratch/none"
    run 0 env ORDO_RECORD="$scratch/none" ordo-bench contention --runs 1 --seconds 0.002 --threads 1 --json
    json '.command == "contention" and (.results | map(.algorithm) == ["none", "add", "cas", "mutex", "ticket", "tsc", "monotone", "strict", "clock"]) and
          (.results | all(.audit == if (.algorithm | IN("none", "tsc", "clock")) then null else "ok" end)) and
          (.results | all(.thread_ns_per_op == .machine_ns_per_op and .parameters.work_steps == 0)) and
          (.results | all(has("added_ns_per_op") == (.algorithm != "none") and
                          has("retries_per_op") == (.algorithm | IN("cas", "monotone", "strict"))))'
    if [ "$(nproc)" -ge 2 ]; then
        run 0 ordo-bench contention --runs 3 --seconds 0.002 --threads 2 --algorithm add,mutex,strict --work 5000 --json
        json '.results | all(.audit == "ok" and .parameters.work_ns == 5000 and .parameters.work_steps > 100 and (has("added_ns_per_op") | not) and
              .thread_ns_per_op.median == .ns_per_op and .machine_ns_per_op.median > 2500 and
              (.thread_ns_per_op.median / .machine_ns_per_op.median - 2 | fabs) < 1e-6 and
              .thread_ns_per_op.low <= .thread_ns_per_op.median and .thread_ns_per_op.median <= .thread_ns_per_op.high)'
        run 0 ordo-bench contention --runs 1 --seconds 0.002 --algorithm add,cas && says "cas over add" && says "add@2 over add@1" &&
            says "thread_ns_per_op" && says "machine_ns_per_op"
    fi

    # --- rlu: errors are reported before the measurement
    run 0 ordo-bench merge --runs 1 --seconds 0.002 --streams 3 --lag-seconds 0.01 --boundary 300 --json
    json '.command == "merge" and (.results | length == 3) and (.results | all(.audit == "ok" and .streams == 3)) and
          (.lag | all(.events >= 0 and .late >= 0))'
    run 0 ordo-bench merge --runs 1 --seconds 0.002 --streams 2 --producers 0 --boundary 300 && says "merge/ordo over heap"
    run 64 ordo-bench merge --streams 0 && complains "--streams '0'"
    run 64 ordo-bench merge --producers 65
    run 64 ordo-bench merge --boundary 0 && complains "orders nothing"
    run 2 env ORDO_RECORD="$scratch/none" ordo-bench merge && complains "no usable boundary record"
    run 0 ordo-bench trace --runs 1 --seconds 0.002 --events 1000 --json
    json '.command == "trace" and (.results | length == 7) and (.results | map(select(.algorithm | startswith("correct-"))) | length == 4 and
          all(.audit == "ok" and .events == 1000)) and (.results | any(.algorithm == "record" and .audit == "ok"))'
    run 64 ordo-bench trace --events 1 && complains "--events '1'"
    run 64 ordo-bench rlu --structure lst && complains "--structure 'lst': not one of list, hash, tree"
    run 64 ordo-bench rlu --algorithm urcu && complains "--algorithm 'urcu': not one of rlu, mvrlu"
    run 0 ordo-bench rlu --algorithm mvrlu --stamp logical --baseline none --buckets 20 --runs 1 --seconds 0.002 --threads 64 --oversubscribe &&
        says "OVERSUBSCRIBED"
    run 64 ordo-bench rlu --structure hash, && complains "--structure ''"
    run 64 ordo-bench rlu --stamp ordo,lamport && complains "--stamp 'lamport': not one of ordo, logical, tsc"
    run 64 ordo-bench rlu --baseline spinlock && complains "--baseline 'spinlock': not one of rcu-memb"
    run 64 ordo-bench rlu --structure tree --baseline lfht && complains "--baseline 'lfht': has none of"
    run 64 ordo-bench rlu --buckets 0
    run 64 ordo-bench rlu --length 10001
    run 64 ordo-bench rlu --buckets 1000000 --length 10000 && complains "10000000000 elements"
    run 64 ordo-bench rlu --range 4294967297 && complains "--range '4294967297': not a whole number from 1 to 4294967296"
    run 64 ordo-bench rlu --range 9999 && complains "--range 9999: the hash begins with 10000 elements"
    run 64 ordo-bench rlu --update-percent 2,101
    run 64 ordo-bench rlu --update-percent 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
    run 64 ordo-bench rlu --own-clock && one_line && complains "--own-clock: only MV-RLU has one: give --algorithm mvrlu too"
    run 64 ordo-bench rlu --defer -1
    run 64 ordo-bench rlu --defer 1,automatic && complains "--defer '1,automatic': not a list such as 1,16,auto"
    run 64 ordo-bench rlu --defer 1000001
    run 64 ordo-bench rlu --defer 1,2,3,4,5
    # A value that appears twice in a list would be compared with itself, so it is refused.
    run 64 ordo-bench rlu --defer 1,16,016 && one_line && complains "--defer '1,16,016': '016' is the same as '16': leave one of them out"
    run 64 ordo-bench rlu --defer 0,1 && complains "'1' is the same as '0'"
    run 64 ordo-bench rlu --defer auto,2,auto && complains "'auto' is the same as 'auto'"
    run 64 ordo-bench rlu --threads 1,2,1 && one_line && complains "--threads '1,2,1': '1' is the same as '1'"
    run 64 ordo-bench rlu --update-percent 2,2 && complains "--update-percent '2,2'"
    run 64 ordo-bench rlu --stamp ordo,logical,ordo && one_line && complains "--stamp 'ordo,logical,ordo': 'ordo' is the same as 'ordo'"
    run 64 ordo-bench rlu --multi-get 7 && one_line && complains "--multi-get 7: reads both keys of each pair: give an even number"
    run 64 ordo-bench rlu --multi-get 2,1002 && complains "--multi-get"
    run 64 ordo-bench rlu --multi-get 2 --structure hash,tree && complains "--multi-get: only the hash has multi-gets"
    run 64 ordo-bench rlu --multi-get 2 --range 50000 && complains "--range: with --multi-get it is twice the number of elements"
    run 64 ordo-bench rlu --multi-get 2 --baseline rcu-memb && one_line && complains "--baseline 'rcu-memb': has no multi-get: leave it out"
    run 64 ordo-bench rlu --algorithm rlu,stm --structure list && complains "--algorithm 'stm': has none of the chosen structures"
    run 64 ordo-bench rlu --sweep --boundary 80 --defer 1,2 && complains "--sweep: takes one value of --defer, not 2"
    run 64 ordo-bench rlu --sweep --stamp logical --boundary 800 && complains "--sweep: only the stamp ordo"
    run 64 ordo-bench rlu --sweep --boundary 7 && complains "--sweep: a boundary below 8 ticks"
    run 64 ordo-bench rlu --boundary 4294967296
    run 64 ordo-bench rlu surplus
    run 2 ordo-bench rlu --threads 4096
    run 2 ordo-bench rlu --record "$scratch/none"
    run 2 env ORDO_RECORD="$scratch/none" ordo-bench rlu && complains "no usable boundary record"
    [ ! -s "$scratch/out" ] || fail "something is printed before it is known whether there is a boundary"

    # --- rlu: its measurements
    short="--runs 1 --seconds 0.002"
    run 0 ordo-bench rlu $short --algorithm rlu,mvrlu --own-clock --boundary 400 --baseline none --stamp ordo --threads 1 --json
    json '[.results[] | {(.algorithm): [.parameters.own_clock, .clock_reads_per_op >= 1]}] | add ==
          {"rlu": [false, false], "mvrlu": [true, true]}'
    run 0 ordo-bench rlu $short --boundary 0 --stamp ordo --baseline none --threads 1
    run 0 ordo-bench rlu $short --structure list,hash,tree --stamp ordo,logical,tsc,logical+clock --boundary 400 --threads 1 \
        --buckets 100 --range 70000 --defer 8 --json
    json '.command == "rlu" and .provenance.boundary_ticks == 400 and .provenance.boundary_source == "option" and
          ([.results[] | .algorithm + "/" + (.stamp // "")] | unique) ==
          ["lfht/", "mutex/", "rcu-lazy/", "rcu-memb/", "rcu-qsbr/", "rcu-wide/", "rlu/logical", "rlu/logical+clock", "rlu/ordo",
          "rlu/tsc", "rwlock/"] and
          ([.results[] | .workload] | unique) == ["hash, 2% updates", "hash, 20% updates", "list, 2% updates",
          "list, 20% updates", "tree, 2% updates", "tree, 20% updates"] and
          (.results | all(.audit == "ok" and .parameters.range == 70000 and has("memory_bytes"))) and
          (.results | map(select(.algorithm == "rlu")) | all(has("clock_reads_per_op") and has("aborts_per_op") and
          .parameters.defer == 8 and (.counters | .commits > 0 and has("steals") and has("yields") and has("sleeps") and
          has("boundary_waits") and has("boundary_wait_ns") and has("reader_waits") and has("reader_wait_ns")))) and
          ([.ratios[] | select(.of == "rlu/ordo") | .over] | unique) ==
          ["lfht", "mutex", "rcu-lazy", "rcu-memb", "rcu-qsbr", "rcu-wide", "rlu/logical", "rwlock"]'
    run 0 ordo-bench rlu $short --stamp ordo --baseline rcu-memb --threads 1 --boundary 80 --update-percent 20 --defer 1,16,auto --json
    json '[.results[] | select(.algorithm == "rlu") | [.stamp, .parameters.defer]] ==
          [["ordo", 1], ["ordo:defer-16", 16], ["ordo:defer-auto", "auto"]] and
          (.results[1].counters | .commits > .flushes) and
          ([.ratios[] | [.of, .over]] | sort) == [["rlu/ordo", "rcu-memb"], ["rlu/ordo:defer-16", "rcu-memb"],
          ["rlu/ordo:defer-16", "rlu/ordo"], ["rlu/ordo:defer-auto", "rcu-memb"], ["rlu/ordo:defer-auto", "rlu/ordo"]]'
    run 0 ordo-bench rlu $short --stamp ordo --baseline none --sweep --threads 1 --boundary 80 --update-percent 20 --length 5 --json
    json '[.results[].parameters.boundary_ticks] == [10, 20, 40, 80, 160, 320, 640] and (.ratios | length) == 6 and
          (.results | all(.parameters.elements == 5000))'
    mv "$scratch/out" "$scratch/sweep.json"
    run 0 ordo-bench rlu $short --algorithm rlu,mvrlu,stm --threads 1 --boundary 80 --update-percent 50 --buckets 100 --multi-get 2,100 --json
    json '([.results[] | .algorithm + "/" + (.stamp // "")] | unique) == ["bucket-lock/", "bucket-rwlock/", "lfht/", "mutex/", "mvrlu/logical",
          "mvrlu/ordo", "rlu/logical", "rlu/ordo", "rwlock/", "stm/logical", "stm/ordo"] and
          ([.results[] | .workload] | unique) == ["hash, 50% updates, multi-gets of 100 keys", "hash, 50% updates, multi-gets of 2 keys"] and
          (.results | all(.audit == "ok" and .torn == 0 and (.multi_gets == "atomic") == (.algorithm != "lfht") and
          .parameters.range == 2 * .parameters.elements)) and ([.results[].parameters.multi_get_keys] | unique) == [2, 100] and
          (.ratios | any(.of == "mvrlu/ordo" and .over == "bucket-rwlock"))'
    mv "$scratch/out" "$scratch/multi-get.json"
    run 0 ordo-bench rlu $short --threads 1 --boundary 80 --update-percent 50 --stamp ordo --baseline lfht --multi-get 10 && says "multi_gets NOT ATOMIC" &&
        says "multi_gets atomic"
    run 0 ordo-bench rlu $short --threads 1 --update-percent 50 --structure tree
    says "tree, 50% updates" && says "(record)" && says "rlu/ordo over rlu/logical"

    # --- stm
    run 64 ordo-bench stm --structure lst && complains "--structure 'lst': not one of list, hash, tree, skip"
    run 64 ordo-bench stm --stamp lamport && complains "--stamp 'lamport': not one of ordo, logical, gv4, gv5"
    run 64 ordo-bench stm --baseline spinlock && complains "--baseline 'spinlock': not one of gnu-tm"
    run 64 ordo-bench stm --stripes 0
    run 64 ordo-bench stm --structure bank --length 1 && complains "a bank has at least 2 accounts"
    run 64 ordo-bench stm --range 9999 && complains "--range 9999: the hash begins with 10000 elements"
    run 64 ordo-bench stm --long-reads slowly && complains "--long-reads 'slowly': not one of transaction, snapshot"
    run 64 ordo-bench stm --long-reads snapshot --structure tree && complains "--long-reads: the tree has none"
    run 64 ordo-bench stm --structure list --length 20000 && complains "--length 20000: more than 10000 elements take --long-reads"
    run 64 ordo-bench stm --search slowly && complains "--search 'slowly': not one of transaction, elastic"
    run 64 ordo-bench stm --search elastic --structure tree && complains "--search: only the list has it"
    run 64 ordo-bench stm --search elastic --long-reads snapshot && complains "they exclude each other"
    run 64 ordo-bench stm --sweep --stamp gv4 --boundary 800 && complains "--sweep: only the stamp ordo"
    run 2 ordo-bench stm --record "$scratch/none"
    run 0 ordo-bench stm $short --structure list,hash,tree,skip,bank,reservations,packets --buckets 100 --boundary 400 --threads 1 \
        --stamp ordo,logical,gv4,gv5,dctl,tsc,logical+clock --json
    json '.command == "stm" and (.results | all(.audit == "ok")) and
          ([.results[] | select(.stamp) | .algorithm + "/" + .stamp] | unique) ==
          ["stm/dctl", "stm/gv4", "stm/gv5", "stm/logical", "stm/logical+clock", "stm/ordo", "stm/tsc"] and
          (.results | map(select(.stamp)) | all(has("uncertain_aborts_per_commit") and .counters.commits > 0)) and
          ([.ratios[] | select(.of == "stm/ordo") | .over] | contains(["mutex", "rwlock", "stm/dctl", "stm/gv4", "stm/gv5", "stm/logical"]))'
    run 0 ordo-bench stm $short --structure tree --stamp ordo --baseline none --sweep --threads 1 --boundary 80 --json
    json '[.results[].parameters.boundary_ticks] == [10, 20, 40, 80, 160, 320, 640]'
    run 0 ordo-bench stm $short --length 20000 --stamp ordo --baseline mutex --long-reads transaction,snapshot --threads 1 --boundary 80 --json
    json '(.results | all(.audit == "ok" and .parameters.elements == 20000)) and
          ([.results[] | .parameters.structure + "/" + (.stamp // "none") + "/" + .parameters.long_reads] | sort) ==
          ["bank/none/transaction", "bank/ordo/transaction", "bank/ordo:snapshot/snapshot",
           "list/none/transaction", "list/ordo/transaction", "list/ordo:snapshot/snapshot"] and
          (.results | map(select(.stamp)) | all((.counters.snapshots > 0) == (.parameters.long_reads == "snapshot")))'

    run 0 ordo-bench stm $short --structure list,tree --stamp ordo,dctl --baseline mutex --search transaction,elastic --threads 2 --boundary 80 --json
    json '(.results | all(.audit == "ok")) and
          ([.results[] | .parameters.structure + "/" + (.stamp // "none") + "/" + (.parameters.search // "transaction")] | sort) ==
          ["list/dctl/transaction", "list/dctl:elastic/elastic", "list/none/transaction", "list/ordo/transaction", "list/ordo:elastic/elastic",
           "tree/dctl/transaction", "tree/none/transaction", "tree/ordo/transaction"]'

    # --- oplog
    run 64 ordo-bench oplog --read-permille 1,1 && complains "--read-permille '1,1'"
    run 64 ordo-bench oplog --structure tree && complains "--structure 'tree': not one of map, counter, set"
    run 64 ordo-bench oplog --baseline rcu && complains "--baseline 'rcu': not one of mutex, rwlock, wfcqueue"
    run 64 ordo-bench oplog --log 1000 && complains "--log '1000': a log holds a power of two"
    run 64 ordo-bench oplog --structure set --order commute && complains "does not commute"
    run 64 ordo-bench oplog --order later && complains "--order 'later': not one of commute, timed, ordered"
    run 64 ordo-bench oplog --read-permille 1001
    run 2 env ORDO_RECORD="$scratch/none" ordo-bench oplog && complains "no usable boundary record"
    run 0 ordo-bench oplog --runs 1 --seconds 0.002 --threads 1 --structure map,counter,set --read-permille 10,500 --boundary 400 --json
    json '.command == "oplog" and ([.results[].audit] | unique) == ["ok"] and
          ([.results[] | "\(.algorithm)/\(.stamp // "")"] | unique) ==
          ["mutex/", "oplog/logical", "oplog/ordo", "rwlock/", "wfcqueue/"] and ([.results[].workload] | unique | length) == 6 and
          (.results | map(select(.algorithm == "oplog")) | all(.counters.cuts > 0 and .counters.updates > 0))'

    # --- plot
    run 0 ordo-bench rlu $short --structure hash --update-percent 2,20 --stamp ordo,logical --baseline none --threads 1 --json
    mv "$scratch/out" "$scratch/rlu.json"
    # A measurement on a busy machine says so.
    for cpu in $(seq "$(nproc)"); do
        sh -c 'while :; do :; done' &
        hogs+=($!)
    done
    run 0 ordo-bench rlu --runs 1 --seconds 0.1 --structure hash --update-percent 2 --stamp ordo --baseline none && complains "other programs ran on these CPUs"
    run 0 ordo topology && says "THE MACHINE IS BUSY"
    kill "${hogs[@]}"
    hogs=()
    run 64 ordo-bench plot && complains "no FILE"
    run 64 ordo-bench plot --against time "$scratch/rlu.json" && complains "--against 'time': not one of"
    run 64 ordo-bench plot "$scratch/none.json" && complains "$scratch/none.json: "
    run 64 ordo-bench plot /dev/null && complains "give it what ordo-bench wrote with --json"
    run 64 ordo-bench plot "$ORDO_RECORD.json" && complains "not a result of schema ordo-bench/1"
    run 2 env PATH=/none "$bin/ordo-bench" plot "$scratch/rlu.json" && complains "package gnuplot-nox"
    [ ! -s "$scratch/out" ] || fail "half a picture"
    run 2 env PATH=/none "$bin/ordo-bench" plot --output "$scratch/none.svg" "$scratch/rlu.json"
    [ ! -e "$scratch/none.svg" ] || fail "an empty picture is left where gnuplot is missing"
    echo "a picture" >"$scratch/old.svg"
    run 2 env PATH=/none "$bin/ordo-bench" plot --output "$scratch/old.svg" "$scratch/rlu.json"
    [ "$(cat "$scratch/old.svg")" = "a picture" ] || fail "the old picture is lost where gnuplot is missing"
    if command -v gnuplot >/dev/null; then
        run 0 ordo-bench plot "$scratch/rlu.json" && says "</svg>" && says "rlu/ordo"
        echo "a picture" >"$scratch/linked.svg" && ln -s linked.svg "$scratch/link.svg"
        run 0 ordo-bench plot --output "$scratch/link.svg" "$scratch/rlu.json"
        [ -L "$scratch/link.svg" ] && grep -q "</svg>" "$scratch/linked.svg" || fail "a link is not written through"
        run 0 ordo-bench plot --against update-percent --output "$scratch/both.svg" "$scratch/rlu.json" "$scratch/sweep.json"
        grep -q "rlu/ordo:8B (sweep.json)" "$scratch/both.svg" || fail "the curves of two files are not told apart"
        run 0 ordo-bench plot --against multi-get "$scratch/multi-get.json" && says "hash, 1 threads, 50% updates" && says "keys of a multi-get"
        run 64 ordo-bench plot --against multi-get "$scratch/rlu.json" && complains "has no result that can be drawn over this axis"
        run 2 ordo-bench plot --output "$scratch/none/both.svg" "$scratch/rlu.json"
        jq 'del(.results[0].workload) | del(.results[1].parameters.structure)' "$scratch/rlu.json" >"$scratch/odd.json"
        run 0 ordo-bench plot --against update-percent "$scratch/odd.json" && says "</svg>"
    fi
fi

# --- ordo-trace: its treatment of traces is tested in tests/trace
for command in $(ordo-trace --list | cut -d ' ' -f 1); do
    run 0 ordo-trace $command --help && golden "help-trace-$command"
    for option in $(grep -oE -- '--[a-z-]+' "$here/golden/help-trace-$command.txt" | sort -u); do
        case $option in --usage | --version | --help) continue ;; esac
        grep -qE "(Fl|,) ${option#-}( |$)" "$source/calib/ordo-trace/ordo-trace.1" || fail "ordo-trace.1 lacks $option of $command"
    done
done
for command in correct plot report stats info; do
    run 64 ordo-trace $command && complains "name the files of a trace" && one_line
    run 64 ordo-trace $command --from nonsense x && complains "--from nonsense: is not" && one_line
done
run 0 ordo-trace correct --list && says "method interval" && says "form   chrome"
run 64 ordo-trace correct x.csv && complains "give --output FILE" && one_line
run 64 ordo-trace correct --method cubic -o y x && complains "--method cubic: is not" && one_line
run 64 ordo-trace correct --to binary -o y x && complains "--to binary: is not" && one_line
run 64 ordo-trace correct --column name -o y x && complains "--column name: is not COLUMN=NAME" && one_line
run 64 ordo-trace correct --json -o - x && complains "would both write to stdout"
run 64 ordo-trace plot --begin 2 --end 1 -o y x && complains "--end 1: is not after --begin 2" && one_line
run 64 ordo-trace report x && complains "give --output FILE" && one_line
run 64 ordo-trace report --begin 2 --end 1 -o y x && complains "--end 1: is not after --begin 2" && one_line
run 64 ordo-trace report --most 0 -o y x && complains "--most" && one_line
run 64 ordo-trace plot --skew --width 500 -o y x && complains "--width 500: is too narrow for --skew" && one_line
run 64 ordo-trace stats --json --csv x && complains "--json and --csv: only one of them can go to stdout"

# --- ordo-mpi: its behaviour under mpirun is tested in tests/mpi
if [ -x "$bin/ordo-mpi" ]; then
    for spec in tsc:1:9223372036854775807 tsc:1:-9223372036854775808 tsc:1:100000000000000001 tsc:0:99999999999999999999 \
        tsc:0:0:1e300 tsc:0:0:nan tsc:0:0:-1000000; do
        run 64 ordo-mpi verify --inject $spec && complains "--inject '$spec': at most" && one_line
    done
    for spec in tsc tsc:1 tsc:1: tsc:1:x tsc:-1:5 tsc:1:5: tsc:1:5:x tsc:99999999999:5; do
        run 64 ordo-mpi verify --inject $spec && complains "--inject '$spec': not CLOCK:RANK:OFFSET_NS[:PPM]" && one_line
    done
    for command in verify sync check compare drift roundtime simulate clocks; do
        run 0 ordo-mpi $command --help && golden "help-mpi-$command"
        for option in $(grep -oE -- '--[a-z-]+' "$here/golden/help-mpi-$command.txt" | sort -u); do
            case $option in --usage | --version | --help) continue ;; esac
            grep -qE "(Fl|,) ${option#-}( |$)" "$source/calib/ordo-mpi/ordo-mpi.1" || fail "ordo-mpi.1 lacks $option of $command"
        done
    done
    # The first of two mistakes is reported. Conflicts between options that several commands share are checked first.
    run 64 ordo-mpi roundtime --size 6 --op nonsense && complains "--size 6: not a multiple of 4" && one_line
    run 64 ordo-mpi roundtime --csv --json --unverified --fallback && complains "--unverified and --fallback:"
    run 64 ordo-mpi sync --unverified --fallback --alg nonsense && complains "nonsense: not an algorithm" && one_line
    run 64 ordo-mpi check --seed 18446744073709551616 && complains "to 18446744073709551615" && one_line
    run 64 ordo-mpi check --sample 0% && complains "--sample '0': not a whole number from 1 to 100" && one_line
    run 64 ordo-mpi compare --wait 0,1,2,3,4,5,6,7,8 && complains "--wait: at most 8 numbers, ascending" && one_line
fi

# --- ordo-bench txn and check-history
# word NUMBER...: prints each number as 8 little-endian bytes, which is the form of a word in a history.
word() {
    local number i
    for number; do
        for i in 0 8 16 24 32 40 48 56; do
            printf "\\x$(printf %02x $((number >> i & 255)))"
        done
    done
}

# transaction ID ACCESS...: prints a committed transaction that lasted from ID to ID + 1 ns. An ACCESS is
# KIND,TABLE,A,B.
transaction() {
    local id=$1 access
    shift
    word $((1 << 32 | $#)) "$id" "$id" $((id + 1))
    for access; do
        IFS=, read -r kind table a b <<<"$access"
        word $((kind << 32 | table)) "$a" "$b"
    done
}

# history LEVEL WORDS: prints the head of a history, then the head of a window of WORDS words.
history() { word $((0x3174736968646f)) 1 "$1" 0 $((0x57 << 32)) "$2"; }

if [ -x "$bin/ordo-bench" ]; then
    txn="ordo-bench txn --runs 1 --seconds 0.01 --threads 1 --rows 2000 --record-bytes 64 --requests 4"
    run 0 ordo-bench mvcc --help && says "Usage: ordo-bench txn"
    run 0 ordo-bench help && says "(also: mvcc)"
    run 0 ordo-bench mvcc --engine silo --runs 1 --seconds 0.01 --threads 1 --rows 2000 --json && json '.command == "txn"'
    run 0 ordo-bench txn --help
    run 64 ordo-bench txn --engine hekaton,occ,hekaton && complains "--engine 'hekaton,occ,hekaton': 'hekaton' is the same as 'hekaton'"
    for option in $(grep -oE -- '--[a-z-]+' "$scratch/out" | sort -u); do
        case $option in --usage | --version | --help) continue ;; esac
        grep -qE "(Fl|,) ${option#-}( |$)" "$source/bench/ordo-bench.1" || fail "ordo-bench.1 lacks $option"
    done
    for wrong in "engine x" "stamp ordo,x" "workload ycsb-z" "rows 1" "record-bytes 0" "record-bytes 20" "record-bytes 68" "requests 0" \
        "requests 65" "theta 1" "theta -1" "theta nan" "read-percent 101" "warehouses 0" "isolation none" \
        "long-reader 0" "memory-every x" "ahead all" "table tree" "nonsense 1"; do
        # shellcheck disable=SC2086
        run 64 $txn --${wrong% *} "${wrong#* }" && { [ "$wrong" = "nonsense 1" ] || complains "--${wrong% *}"; }
    done
    run 64 $txn --requests 64 --rows 100 && complains "at most half as many requests as rows"
    run 64 $txn --engine silo --workload ycsb-e && complains "none of the chosen engines"
    run 64 $txn --engine tictoc --external-consistency && complains "none of the chosen engines"
    run 64 $txn --engine hekaton --history "$scratch/x" && complains "--history: records one engine with one stamp"
    run 64 $txn --threads 1,2 --history "$scratch/x" && complains "--history: records one run"
    run 2 env ORDO_RECORD="$scratch/none" $txn && complains "there is no boundary record"
    run 0 env ORDO_RECORD="$scratch/none" $txn --engine tictoc --stamp logical
    run 2 $txn --engine tictoc --workload ycsb-a --history "$scratch/no/place" && complains "No such file"
    ln -s "$scratch/precious" "$scratch/led" # a link of another user is not followed when a history is written
    if chown -h 65534 "$scratch/led" 2>/dev/null; then
        run 2 $txn --engine tictoc --stamp logical --workload ycsb-a --threads 1 --history "$scratch/led" && complains "is a link of another user"
        [ ! -e "$scratch/precious" ] || fail "a history was written behind another user's link"
    fi

    run 0 $txn --workload ycsb-a,ycsb-b,ycsb-c,ycsb-e,ycsb-f,smallbank --stamp ordo,logical,batch,tsc --theta 0.9 --json
    json '.schema == "ordo-bench/1" and ([.results[].workload] | unique | length) == 7 and
          ([.results[] | select(.workload != "timestamps") | .audit == "ok" and .ops_per_s.median > 0 and
            (.transactions | .aborts_percent >= 0 and .latency_ns.p50 > 0 and .latency_ns.p99_9 >= .latency_ns.p50 and
             .stamps_per_transaction >= 0 and .resident_bytes > 0 and has("versions_created"))] | all) and
          ([.results[] | select(.workload == "ycsb-e") | .algorithm] | unique) == ["hekaton"] and
          ([.results[] | select(.workload == "ycsb-a") | .algorithm] | unique) == ["hekaton", "occ", "silo", "tictoc"] and
          ([.ratios[] | select(.of == "hekaton/ordo" and .over == "hekaton/logical")] | length) == 6'
    for ahead in updates keys nothing; do
        run 0 $txn --engine hekaton,silo --stamp ordo --ahead $ahead --json
        json "[.results[] | select(.parameters) | .parameters.ahead == \"$ahead\" and .audit == \"ok\"] | length == 2 and all"
    done
    for table in hash dense; do
        run 0 $txn --workload ycsb-b,smallbank --stamp ordo,batch --record-bytes 16 --table $table --json
        json "[.results[] | select(.parameters) | .parameters.table == \"$table\" and .audit == \"ok\"] | length == 12 and all"
    done
    run 64 $txn --workload ycsb-a,ycsb-e --table dense && complains "--table dense: the keys of ycsb-e are not 0 to rows - 1"
    for bytes in 8 16 24; do
        run 0 $txn --workload ycsb-a,ycsb-e --stamp ordo --record-bytes $bytes --json
        json "[.results[] | select(.parameters) | .parameters.record_bytes == $bytes and .audit == \"ok\"] | length == 5 and all"
    done
    run 0 $txn --workload tpcc --warehouses 1 --engine hekaton,silo --stamp ordo && says "tpcc"
    run 0 $txn --isolation snapshot --external-consistency --read-percent 0 --stamp ordo,logical && says "hekaton/ordo"
    run 0 $txn --engine hekaton --stamp ordo --seconds 0.3 --long-reader 0.05 --memory-every 0.02 &&
        says "a snapshot is held"
    run 0 $txn --engine hekaton --stamp ordo --long-reader 0.05 --memory-every 0.02 --json &&
        json '.memory | all(.resident_bytes > 0 and (.long_reader | type == "boolean"))'
    run 0 $txn --external-consistency --stamp ordo --json &&
        json '([.results[] | select(.workload == "ycsb-a") | .algorithm] | sort) == ["hekaton", "occ", "silo"]'
    if [ "$(nproc)" -gt 1 ]; then
        run 0 $txn --engine hekaton --threads 1,2 --model && says "MODEL, not a measurement"
    fi

    # The record is marked as disrupted while transactions run: ordo-bench prints no figures.
    cp "$ORDO_RECORD" "$scratch/marked" && chmod u+w "$scratch/marked"
    ordo-bench txn --record "$scratch/marked" --engine hekaton --stamp ordo --threads 1 --runs 1 --seconds 3 \
        >"$scratch/out" 2>"$scratch/err" &
    for _ in $(seq 600); do
        grep -q "$scratch/marked" "/proc/$!/maps" 2>/dev/null && break
        sleep 0.1
    done
    word 0xd15c0bb1ea95b66c | dd of="$scratch/marked" bs=8 seek=2 conv=notrunc status=none
    wait $!
    [ $? -eq 2 ] || fail "ordo-bench txn on a record that is marked disrupted: not 'could not tell'"
    complains "was marked disrupted"

    run 0 $txn --engine hekaton --stamp ordo --workload smallbank --history "$scratch/history" --external-consistency
    run 0 ordo-bench check-history "$scratch/history" && says "clean: no violation of strict serialisability"
    run 0 $txn --engine hekaton --stamp logical --workload ycsb-a --isolation snapshot --history "$scratch/snapshot"
    run 0 ordo-bench check-history "$scratch/snapshot" && says "clean: no violation of snapshot isolation"
    size=$(stat -c %s "$scratch/history")
    for bytes in 0 5 16 $((size / 2)) $((size - 8)); do
        head -c "$bytes" "$scratch/history" >"$scratch/cut"
        run 2 ordo-bench check-history "$scratch/cut" && [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "cut to $bytes bytes"
    done
    { echo "this is no history, whatever it says"; cat "$scratch/history"; } >"$scratch/damaged-history"
    run 2 ordo-bench check-history "$scratch/damaged-history" && complains "is not a history"
    run 2 ordo-bench check-history "$scratch/none" && complains "No such file"
    history 1 $(((1 << 26) + 1)) >"$scratch/too-large" && run 2 ordo-bench check-history "$scratch/too-large" &&
        complains "a window too large"
    run 64 ordo-bench check-history
    run 64 ordo-bench check-history one two
    run 64 ordo-bench check-history --nonsense

    # Two transactions read two absent records, and each writes one of them: write skew, which no serial order explains.
    skew() { history "$1" 26 && transaction 1000 1,0,1,0 1,0,2,0 2,0,1,0 && transaction 2000 1,0,1,0 1,0,2,0 2,0,2,0; }
    skew 1 >"$scratch/skew" && run 1 ordo-bench check-history "$scratch/skew" && says "write-skew" && says "VIOLATED"
    skew 2 >"$scratch/skew" && run 0 ordo-bench check-history "$scratch/skew" && says "no violation of snapshot isolation"
    # A transaction finds a record absent, long after another one has inserted it: an anomaly only under --strict.
    { history 1 17 && transaction 1000 2,0,1,0 && transaction 2000 1,0,1,0 2,0,2,0; } >"$scratch/stale"
    run 0 ordo-bench check-history "$scratch/stale"
    run 1 ordo-bench check-history --strict "$scratch/stale" && says "stale-read"
fi
exit $((failures > 0))
