#!/bin/bash
# answers.sh BIN MAKE_RECORD: checks how show, topology, calibrate and check answer rare inputs: records of all kinds,
# and options at their limits.
set -u
PATH=$1:$PATH make_record=$2
. "$(dirname "$0")/../kit.sh"
tries=3
export ORDO_RECORD=$scratch/boundary COLUMNS=80

run 0 ordo calibrate --runs 300 --repeat 2 --force --json
cp "$scratch/out" "$scratch/calibration"
hz=$(jq .tick_hz "$scratch/calibration")
# record KEY=VALUE...: makes a record.
record() { "$make_record" "$ORDO_RECORD" "$hz" "$@" || fail "make_record $*"; }

# --- show: the result of the calibration, and nothing else
run 0 ordo show --json
json "[.clock, .cpus, .runs, .repeats, .boundary_ticks, .granule_ticks, .drift_ppb] ==
      $(jq -c '[.clock, .cpus, .runs, .repeats, .boundary_ticks, .granule_ticks, .drift_ppb]' "$scratch/calibration")"
for flag in coarse forced hypervisor; do
    record $flag=1 drift_min=-15 drift_max=16 valid_s=7200
    run 0 ordo show --json
    json "[.coarse, .forced, .hypervisor, .corrected] == [\"$flag\" == (\"coarse\", \"forced\", \"hypervisor\", \"corrected\")] and
          .drift_ppb == [-15, 16] and .void_after_ns - .as_of_ns == 7200000000000 and .usable and .status == \"valid\""
    run 0 ordo show
    matches "^flags +$flag *\$" && matches "^drift +between -15 and 16 ppb"
    [ "$(($(sed -nE 's/^(as of|void after) +([0-9]+)\.([0-9]+) s .*/\2\3/p' "$scratch/out" | paste -sd-)))" = -720000 ] ||
        fail "it is not void after two hours"
done
record boundary=400 granule=150
run 0 ordo show && matches "^flags +none" && matches " of it granule 150 and margin 0$"
run 0 ordo show -- "$ORDO_RECORD"
expected=$(awk -v hz="$hz" 'BEGIN { ns = 400e9 / int(hz + 0.5); print ns == int(ns) ? ns : int(ns) + 1 }')
run 0 ordo show --boundary-ns
[ "$(cat "$scratch/out")" = "$expected" ] || fail "400 ticks at $hz Hz are not $(cat "$scratch/out") ns, but $expected"
for status in superseded disrupted; do
    record status=$status
    run 2 ordo show && matches "^status +$status, generation 1" && matches "^ORDO_BOUNDARY  1000 ticks"
    run 2 ordo show --json && json "(.usable | not) and .status == \"$status\" and (.reason | contains(\"$status\"))"
    run 2 ordo show --boundary-ns
    [ ! -s "$scratch/out" ] || fail "a boundary is printed that does not hold"
done
record valid_s=0
run 2 ordo show --json && json '(.usable | not) and .status == "valid" and (.reason | contains("void-after"))'

# --- a forced record is not refuted by the reason for which it was forced
record forced=1 trust=3 boundary=100000000 # ORDO_TRUST_FAULTED
echo "[    1.0] tsc: Marking TSC unstable due to clocksource watchdog" >"$scratch/kmsg"
if [ "$(uname -m)" = x86_64 ] && unshare -m mount --bind "$scratch/kmsg" /dev/kmsg 2>/dev/null; then
    run 0 unshare -m sh -c "mount --bind $scratch/kmsg /dev/kmsg && exec ordo check --runs 300"
    record boundary=100000000
    run 1 unshare -m sh -c "mount --bind $scratch/kmsg /dev/kmsg && exec ordo check --runs 300" && matches "faulted"
fi

# --- calibrate: limits, and files that cannot be made
run 64 ordo calibrate --dry-run --runs 1 --repeat 1 && complains "fewer runs than the 2 sweeps"
run 64 ordo calibrate --dry-run --runs 5 --repeat 6 && complains "fewer runs than the 6 sweeps"
run 64 ordo calibrate --dry-run --valid-for 0 && complains "--valid-for '0': not a whole number from 1 to 36500"
run 64 ordo calibrate --dry-run --valid-for 36501
run 64 ordo calibrate --dry-run --runs 18446744073709551617
[ ! -x "$1/ordo-mpi" ] || { run 64 ordo-mpi simulate --seed 18446744073709551616 && complains "--seed '18446744073709551616': not a whole"; }
for option in --emit-header --svg; do # reported before the measurement, which would take hours
    run 70 timeout 20 ordo calibrate --dry-run --runs 1000000000 $option "$scratch/none/file" && complains "No such file or directory"
done

# --- the first error is the reported one
run 64 ordo check --first --second && complains "--first: not an option"
grep -q -- --second "$scratch/err" && fail "more than the first thing that is wrong is told"
run 64 ordo show --nonsense --json && json '.error.code == 64'
[ "$(jq -s length "$scratch/out")" -eq 1 ] || fail "more than one document is printed"

# --- topology: the projection is of all pairs, in sweeps of as many runs as it says
if [ "$(jq '.cpus | length' "$scratch/calibration")" -gt 1 ]; then
    project() { # up to 5 tries, because a busy machine gives no projection
        for _ in 1 2 3 4 5; do
            run 0 ordo topology --synthetic "$@"
            grep -q "^no projection" "$scratch/out" || break
        done
    }
    project "pack:1 core:16 pu:1"
    matches "^projected duration of ordo calibrate \(100000 runs in 3 sweeps\)" && matches "^ +16 CPUs: " && matches "^ +256 CPUs: "
    # 16 CPUs have 120 pairs in 15 rounds, 256 CPUs have 32640 pairs in 255 rounds; the two pauses between sweeps are
    # added.
    awk '/ns per run and direction/ { match($0, /[0-9]+ ns per run/); run = substr($0, RSTART) + 0; match($0, /[0-9]+ us to/); setup = substr($0, RSTART) + 0 }
         $2 == "CPUs:" { serial[$1] = $3 }
         END { expected = 32640 * (200000 * run + 3000 * setup) / 1e9; ratio = serial[256] / expected
               exit !(ratio > 0.9 && ratio < 1.1 && serial[256] > 20 * serial[16]) }' "$scratch/out" ||
        fail "the projection is not what a pair costs times the pairs"
    project "pack:1 core:1024 pu:1" --cpus 1000-1015 && matches "^16 CPUs to measure \(1000-1015\)" &&
        matches "^projected duration" # from the cost of a pair of this machine
fi
for command in "ordo --list" "ordo topology" "ordo help show"; do
    $command >/dev/full 2>"$scratch/err"
    [ $? -eq 70 ] || fail "$command: a full standard output is not noticed"
done

# --- the name of a file cannot command a terminal, nor end a line
name=$'an\e[31m\nodd\x9b name'
run 2 ordo show "$scratch/$name" && complains "an?[31m?odd? name: there is no boundary record"
run 70 ordo calibrate --dry-run --svg "$scratch/$name/x" && complains "an?[31m?odd? name"
run 64 ordo calibrate --dry-run --runs "$name" && complains "an?[31m?odd? name"
record boundary=100000000
cp "$ORDO_RECORD" "$scratch/$name"
run 0 ordo show "$scratch/$name" && matches "an\?\[31m\?odd\? name: holds here and now"
run 0 ordo check --runs 300 --record "$scratch/$name" && matches "an\?\[31m\?odd\? name: (confirmed|not contradicted) by"
run 0 ordo calibrate --runs 300 --repeat 2 --force --output "$scratch/$name" && matches "^published in .*an\?\[31m\?odd\? name \(generation 2\)"
for file in "$scratch/out" "$scratch/err"; do
    LC_ALL=C grep -q $'[\e\x9b]' "$file" && fail "a control character is printed"
done

# --- not root: published for this user only, and said so
if [ "$(id -u)" -eq 0 ] && chmod 755 "$scratch" && setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$(command -v ordo)"; then
    mkdir "$scratch/user" && chown 65534:65534 "$scratch/user"
    run 0 env -u ORDO_RECORD XDG_RUNTIME_DIR="$scratch/user" setpriv --reuid 65534 --regid 65534 --clear-groups \
        ordo calibrate --runs 300 --repeat 2 --force
    complains "not root: published in $scratch/user/ordo/boundary, for this user's programs only"
    run 0 env ORDO_RECORD= XDG_RUNTIME_DIR="$scratch/user" setpriv --reuid 65534 --regid 65534 --clear-groups \
        ordo calibrate --runs 300 --repeat 2 --force
    complains "not root: published in $scratch/user/ordo/boundary" # an empty ORDO_RECORD counts as unset

    # --- in a user namespace root's links look like those of every stranger: one that a stranger can have made is refused
    if setpriv --reuid 65534 --regid 65534 --clear-groups unshare -Ur true 2>/dev/null; then
        mkdir -m 755 "$scratch/system" && ln -s "$scratch/user" "$scratch/system/link"
        mkdir "$scratch/shared" && chmod 1777 "$scratch/shared" && ln -s "$scratch/user" "$scratch/shared/link"
        chown -h 12345 "$scratch/shared/link"
        inside="env -u ORDO_RECORD setpriv --reuid 65534 --regid 65534 --clear-groups unshare -Ur ordo calibrate --dry-run --runs 300 --repeat 2 --force"
        run 0 $inside --emit-header "$scratch/system/link/boundary.h"
        run 70 $inside --emit-header "$scratch/shared/link/boundary.h" && complains "shared/link: is a link of another user"
    fi

    # --- beside root's record a user's own is taken first, by every command, and the one that is passed over is named
    rm -r "$scratch/user/ordo"
    record boundary=100000000 granule=150
    beside() { # COMMAND...: runs the command as user 65534, while root has a record in /run
        unshare -m sh -c "mount -t tmpfs none /run && mkdir -m 755 /run/ordo && cp '$ORDO_RECORD' /run/ordo/boundary &&
            exec env -u ORDO_RECORD XDG_RUNTIME_DIR='$scratch/user' setpriv --reuid 65534 --regid 65534 --clear-groups \"\$@\"" sh "$@"
    }
    if unshare -m mount -t tmpfs none /run 2>/dev/null; then
        passed="uses this user's own record, $scratch/user/ordo/boundary, instead of /run/ordo/boundary"
        run 0 beside ordo show && matches "^/run/ordo/boundary: holds" && matches "granule 150"
        grep -q "uses this user's own record" "$scratch/err" && fail "no record was passed over"
        run 0 beside ordo calibrate --runs 300 --repeat 2 --force
        complains "for this user's programs only; they pass over /run/ordo/boundary"
        run 0 beside ordo show && matches "^$scratch/user/ordo/boundary: holds" && complains "$passed"
        run 0 beside ordo check --runs 300 && matches "^$scratch/user/ordo/boundary: " && complains "$passed"
        run 0 beside ordo check --runs 300 --record /run/ordo/boundary && matches "^/run/ordo/boundary: "
        run 0 beside ordo advise && complains "$passed"
        run 0 beside ordo report --output "$scratch/user/report" && complains "$passed"
        run 0 beside ordo watch --once --log "$scratch/user/log" && complains "$passed"
        run 0 beside env -u XDG_RUNTIME_DIR ordo show && matches "^/run/ordo/boundary: holds"
        mkdir -m 700 "$scratch/roots" # su and runuser keep root's XDG_RUNTIME_DIR in the environment
        run 0 beside env XDG_RUNTIME_DIR="$scratch/roots" ordo show && matches "^/run/ordo/boundary: holds"
        grep -q "uses this user's own record" "$scratch/err" && fail "another user's directory is taken for this user's own"
        run 64 beside env XDG_RUNTIME_DIR="$scratch/roots" ordo calibrate --runs 300 --repeat 2 --force
        complains "not a directory of this user"
        run 0 beside ordo show --boundary-ns && [ ! -s "$scratch/err" ] || fail "show --boundary-ns says more than the boundary"
    fi
fi
exit $((failures > 0))
