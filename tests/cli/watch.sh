#!/bin/bash
# watch.sh SOURCE BIN [KILLS]: tests the watcher in operation: with --once, as a service, beside another watcher, killed
# at any moment, and while its files appear and disappear. KILLS: number of kills (default 5).
set -u
source=$1 bin=$2 kills=${3:-5}
. "$(dirname "$0")/../kit.sh"
seconds=60
watcher=''
trap '[ -z "$watcher" ] || kill -KILL $watcher; umount "$scratch/small" 2>/dev/null; rm -rf "$scratch"' EXIT
export ORDO_RECORD=$scratch/run/boundary
unset XDG_RUNTIME_DIR NOTIFY_SOCKET
ordo=$bin/ordo log=$scratch/log metrics=$scratch/metrics/ordo.prom
shown+=("$log")
mkdir "$scratch/metrics" "$scratch/logs"

generation() { jq -r 'select(.event == "published") | .generation' "$log" | tail -n 1; }
begin() {
    : >"$log"
    "$ordo" watch --log "$log" --metrics "$metrics" "$@" >"$scratch/out" 2>"$scratch/err" &
    watcher=$!
    wait_for 30 grep -q '"start"' "$log" || fail "it does not start"
}
told() { wait_for 30 grep -q "\"event\": \"$1\"" "$log" || fail "no event '$1'"; }
end() {
    kill "$watcher"
    wait "$watcher" || fail "it ends with $?"
    watcher=''
}

# --- once: a record that holds is left alone
run 0 "$ordo" calibrate --quiet --runs 300 --repeat 2 --force # later calibrations repeat these options, so they are quick too
run 0 "$ordo" watch --once --metrics "$metrics"
grep -q '"schema": "ordo-watch/1"' "$scratch/out" || fail "no events on stdout"
[ "$("$ordo" show --json | jq .generation)" -eq 1 ] || fail "a record that holds was replaced"
for name in verdict trust boundary_seconds record_age_seconds worst_pair_seconds drift_ppb disruptions_total watch_cpu_ratio; do
    grep -Eq "^ordo_$name(\{[^}]*\})? [0-9+]" "$metrics" || fail "the metrics lack ordo_$name"
done
[ "$(tail -n 1 "$metrics")" = "# EOF" ] || fail "the metrics have no end"
run 70 "$ordo" watch --once --metrics "$scratch/none/ordo.prom"
run 70 "$ordo" watch --once --log "$scratch/none/log"
mkfifo "$scratch/pipe"
sleep 60 <>"$scratch/pipe" & # keeps the pipe open without reading it
reader=$!
run 70 "$ordo" watch --once --metrics "$scratch/pipe"
grep -q "is not a regular file" "$scratch/out" || fail "a pipe is no file of metrics"
kill $reader
exec 5<>"$scratch/pipe" # the watcher's stdout is a full pipe: the watcher must not wait for it
dd if=/dev/zero of="$scratch/pipe" bs=4096 oflag=nonblock 2>/dev/null
timeout -k 1 20 "$ordo" watch --once >&5 2>/dev/null
code=$?
exec 5>&-
[ $code -eq 70 ] || fail "a full pipe as stdout: exit $code, expected 70"
run 70 env ORDO_RECORD="$scratch/none/at/all" "$ordo" watch --once
run 64 "$ordo" watch --share 0
run 64 "$ordo" watch surplus

# --- a service: one at a time; SIGHUP measures, SIGTERM leaves the record
begin --quiet
run 2 "$ordo" watch --once
grep -q "another watcher (process $watcher) watches this record" "$scratch/err" || fail "the other is not named"
kill -HUP "$watcher"
told published
[ "$(generation)" = 2 ] || fail "SIGHUP: generation $(generation)"
published() { [ "$(grep -c '"event": "published"' "$log")" -ge "$1" ]; }
hung_up() { grep -q '^ShdPnd:.*[02468ace]$' "/proc/$watcher/status"; } # true if no SIGHUP is pending
kill -HUP "$watcher" # this SIGHUP starts a calibration; another SIGHUP during it is answered by one more calibration
wait_for 30 hung_up
kill -HUP "$watcher"
wait_for 30 published 3 || fail "a SIGHUP during a calibration is lost"
rm "$ORDO_RECORD"
wait_for 30 "$ordo" show || fail "a record that was removed is not made again"

# --- a mark by another process is answered
"$ordo" show --json >"$scratch/before"
printf '\x6c\xb6\x95\xea\xb1\x0b\x5c\xd1' | dd of="$ORDO_RECORD" bs=1 seek=16 conv=notrunc 2>/dev/null # DISRUPTED
wait_for 30 "$ordo" show || fail "a record that was marked is not replaced"

# --- so is a record that readers refuse, even if the pairs are right: here it was last checked in the far future
generation=$("$ordo" show --json | jq .generation)
printf '\0\0\0\0\377\377\377\377' | dd of="$ORDO_RECORD" bs=1 seek=32 conv=notrunc 2>/dev/null
newer() { "$ordo" show && [ "$("$ordo" show --json | jq .generation)" -gt "$generation" ]; }
wait_for 30 newer || fail "a record that nobody can open is not replaced"

# --- an unusable record is reported once, left alone, and loaded once it is usable
records() { grep -c '"event": "record"' "$log"; }
more() { [ "$(records)" -gt "$before" ]; }
before=$(records)
cp "$ORDO_RECORD" "$scratch/other"
chmod 666 "$scratch/other"
mv "$scratch/other" "$ORDO_RECORD"
wait_for 30 more || fail "a record that others may write is not told of"
sleep 2 # the watcher looks at the record at least five times
[ "$(records)" -le $((before + 2)) ] || fail "the same is told again and again: $(($(records) - before)) times"
before=$(records)
chmod 644 "$ORDO_RECORD"
wait_for 30 more || fail "a record that can be used again is not taken"

# --- a record that is lost again and again is not made without end; a person who asks does not wait
for _ in 1 2 3 4 5 6; do
    rm "$ORDO_RECORD"
    limited() { grep -q 'no calibration yet (the record had disappeared): there were already 6 in a row' "$log"; }
    made_or_limited() { [ -e "$ORDO_RECORD" ] || limited; }
    wait_for 30 made_or_limited || fail "a record that was removed is not made again"
    ! limited || break
done
sleep 1.5
limited && [ ! -e "$ORDO_RECORD" ] || fail "calibrations have no limit"
kill -HUP "$watcher"
wait_for 30 "$ordo" show || fail "a person who asks for a calibration has to wait"
end
run 0 "$ordo" show

# --- a full log makes room: the one before stays, and no third
for round in one two; do
    { echo $round; head -c 8388608 /dev/zero; } >"$scratch/logs/log"
    run 0 "$ordo" watch --once --quiet --log "$scratch/logs/log"
    jq -e -s 'length >= 3 and .[0].event != null' "$scratch/logs/log" >/dev/null || fail "no new log is begun"
    [ "$(head -n 1 "$scratch/logs/log.1")" = $round ] || fail "a full log is not kept"
    [ "$(ls "$scratch/logs" | wc -l)" -eq 2 ] || fail "full logs leave more behind"
done
mkdir "$scratch/logs/taken" && head -c 8388608 /dev/zero >"$scratch/logs/taken/log" && mkdir "$scratch/logs/taken/log.1"
run 70 "$ordo" watch --once --quiet --log "$scratch/logs/taken/log"
grep -q 'is full, and cannot be renamed to log.1' "$scratch/err" || fail "a full log that cannot be renamed is not told of"

# --- a line that a full disk cuts short is not torn apart by the rotation; and the trouble lasts until something was written
filesystem() { # SIZE: mounts an empty file system of this size at $scratch/small
    umount "$scratch/small" 2>/dev/null
    mkdir -p "$scratch/small" && mount -t tmpfs -o size="$1" none "$scratch/small" 2>/dev/null
}
fill() { cat /dev/zero >"$scratch/small/filler" 2>/dev/null; }
if [ "$(id -u)" -eq 0 ] && filesystem 8300k; then
    full=$scratch/small/log
    yes '{"x":1}' | head -n 1048575 >"$full" # one line less than 8 MiB
    fill
    "$ordo" watch --log "$full" --quiet 2>"$scratch/err" &
    watcher=$!
    wait_for 30 grep -q trouble "$scratch/err" || fail "a full disk is not told of"
    [ "$(stat -c %s "$full")" -eq 8388608 ] || fail "no line was cut short"
    rm "$scratch/small/filler"
    wait_for 30 test -s "$full.1" || fail "a log that is full of half a line is not rotated"
    end
    jq -e . "$full" "$full.1" >/dev/null || fail "a line is torn apart"

    filesystem 512k
    ORDO_RECORD=$scratch/small/boundary "$ordo" calibrate --quiet --runs 300 --repeat 2 --force
    fill
    ORDO_RECORD=$scratch/small/boundary begin
    kill -HUP "$watcher"
    more_troubles() { [ "$(sed -n 's/^ordo_file_troubles_total //p' "$metrics")" -ge 2 ]; }
    wait_for 30 more_troubles || fail "it does not try again"
    [ "$(grep -c '"trouble"' "$log")" -eq 1 ] && ! grep -q '"recovered"' "$log" || fail "a full disk recovers and fails by turns"
    rm "$scratch/small/filler"
    told recovered
    end
    umount "$scratch/small"
fi

# --- a check of the lock that the system refuses once, simulated by a library, is no lost lock
cat >"$scratch/refuse.c" <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    if (flags & O_PATH && unlink(getenv("REFUSE_ONCE")) == 0)
        return errno = ENFILE, -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
END
if "${CC:-cc}" -shared -fPIC "$scratch/refuse.c" -o "$scratch/refuse.so"; then
    : >"$log"
    REFUSE_ONCE=$scratch/once LD_PRELOAD=$scratch/refuse.so "$ordo" watch --log "$log" --quiet 2>"$scratch/err" &
    watcher=$!
    wait_for 30 grep -q '"start"' "$log" || fail "it does not start"
    sleep 1 # by now the watcher has opened every file except the lock
    for _ in 1 2; do
        touch "$scratch/once"
        wait_for 30 test ! -e "$scratch/once" || fail "nothing was refused"
    done
    sleep 0.2
    grep -q '"ousted"' "$log" && fail "a watcher ousts itself"
    end
fi

# --- no file of a watcher is reached by another user's link: a folder may be one as well
if [ "$(id -u)" -eq 0 ]; then
    ln -s run "$scratch/foreign"
    run 0 env ORDO_RECORD="$scratch/foreign/boundary" "$ordo" watch --once --quiet
    chown -h 65534 "$scratch/foreign"
    run 70 env ORDO_RECORD="$scratch/foreign/boundary" "$ordo" watch --once --quiet
    grep -q 'foreign: is a link of another user (65534)' "$scratch/err" || fail "a record behind another user's link is watched"
    run 70 "$ordo" watch --once --quiet --log "$scratch/foreign/log"
    run 70 "$ordo" watch --once --quiet --metrics "$scratch/foreign/metrics"
    [ -z "$(find "$scratch/run" -name log -o -name metrics)" ] || fail "a file is written behind another user's link"
fi

# --- its output files disappear and return
begin
mv "$scratch/metrics" "$scratch/gone"
kill -HUP "$watcher"
told trouble
mv "$scratch/gone" "$scratch/metrics"
told recovered
rm -r "$scratch/run"
wait_for 30 "$ordo" show || fail "a folder that was removed is not made again"
mv "$log" "$log.1"
kill -HUP "$watcher"
wait_for 30 test -s "$log" || fail "a log that was moved away is not begun anew"
cat "$log.1" >>"$log"
run 2 "$ordo" watch --once
end
if [ "$(id -u)" -eq 0 ] && mkdir "$scratch/full" && mount -t tmpfs -o size=64k none "$scratch/full" 2>/dev/null; then
    head -c 1000000 /dev/zero >"$scratch/full/filler" 2>/dev/null
    begin --metrics "$scratch/full/ordo.prom"
    told trouble
    rm "$scratch/full/filler"
    told recovered
    umount -l "$scratch/full"
    kill -HUP "$watcher"
    told published
    end
fi

# --- a virtual machine that was restored: the hypervisor says so
page() { { printf 'VCLK\0\0\0\0\1\0\0\0\0\0\0\0'; printf "\\x$1\0\0\0\0\0\0\0"; } >"$scratch/page" && mv "$scratch/page" "$scratch/vmclock"; }
page 07
begin --vmclock "$scratch/vmclock"
page 08
told vmclock
told published
grep -q 'changed from 7 to 8' "$log" || fail "the marker is not told"
grep -q '^ordo_disruptions_total 1' "$metrics" || fail "the record was not withdrawn"
end

# --- the service manager hears of it, by a path and by an abstract name
for python in python3 /usr/bin/python3 none; do "$python" -c '' 2>/dev/null && break; done
[ $python = none ] || "$python" - "$ordo" "$scratch" <<'END' || fail "the service manager"
import os, signal, socket, subprocess, sys
ordo, scratch = sys.argv[1:]
for name in (scratch + "/socket", "@" + scratch + "/abstract"):
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.settimeout(30)
    listener.bind(name.replace("@", "\0"))
    child = subprocess.Popen([ordo, "watch", "--log", scratch + "/log", "--quiet"],
                             env=dict(os.environ, NOTIFY_SOCKET=name, WATCHDOG_USEC="1000000"))
    met = listener.recv(1000).decode()
    while "READY=1" not in met:
        met = listener.recv(1000).decode()
    while met != "WATCHDOG=1":
        met = listener.recv(1000).decode()
    child.send_signal(signal.SIGTERM)
    while met != "STOPPING=1":
        met = listener.recv(1000).decode()
    if child.wait(30) != 0:
        sys.exit(1)
END

# --- killed at any moment, while it publishes one generation after the other
for kill in $(seq "$kills"); do
    RANDOM=$kill
    : >"$log"
    "$ordo" watch --log "$log" --metrics "$metrics" --quiet 2>"$scratch/err" &
    watcher=$!
    for _ in 1 2 3; do
        sleep "$(awk -v r=$RANDOM 'BEGIN { print r / 32768 * 0.6 }')"
        kill -HUP "$watcher"
    done
    kill -KILL "$watcher"
    { wait "$watcher"; } 2>/dev/null
    watcher=''
    if [ -e "$ORDO_RECORD" ]; then
        "$ordo" show >"$scratch/out" 2>"$scratch/err" || grep -q superseded "$scratch/out" ||
            fail "killed after $kill starts: the record is half"
    fi
    [ ! -s "$log" ] || jq -e . "$log" >/dev/null || fail "killed: the log is half"
done
run 0 "$ordo" watch --once
run 0 "$ordo" show
[ -z "$(find "$scratch" -name '*.staged-*')" ] || fail "something half is left behind: $(find "$scratch" -name '*.staged-*')"

# --- the alerts, the dashboard and the document name exactly the written metrics
# tests/cli/alerts.py judges the alerts by recorded metrics: the same names and types, in the same order
kinds() { grep '^# TYPE' "$1"; }
diff <(kinds "$source/tests/cli/watch.prom") <(kinds "$metrics") >"$scratch/out" || fail "tests/cli/watch.prom is old: record it anew"
[ "$python" = none ] || "$python" - "$metrics" "$("$ordo" show --json | jq .tick_hz)" <<'PYTHON' || fail "ordo_boundary_seconds is below the boundary"
import fractions, sys
values = dict(line.split() for line in open(sys.argv[1]) if line[0] != "#")
exact = fractions.Fraction(values["ordo_boundary_ticks"]) / fractions.Fraction(sys.argv[2])
written = float(values["ordo_boundary_seconds"]) # must exceed the nearest double, which may lie on either side of the exact value
sys.exit(not (float(exact) < written and fractions.Fraction(written) <= exact * (1 + fractions.Fraction(1, 10**15))))
PYTHON
for file in ordo-alerts.yml ordo-dashboard.json; do
    for name in $(grep -ohE '\bordo_[a-z_]+' "$source/doc/monitoring/$file" | sort -u); do
        grep -q "^$name[ {]" "$metrics" || fail "$file: there is no metric $name"
    done
done
for name in $(grep -oE '^ordo_[a-z_]+' "$metrics" | sort -u); do
    grep -q "\`$name[\`{]" "$source/doc/watching.md" || fail "doc/watching.md does not name $name"
done
for name in $(jq -r '.properties.event.enum[]' "$source/doc/schemas/ordo-watch-1.json"); do
    grep -qE "^\|.*\`$name\`" "$source/doc/watching.md" || fail "doc/watching.md does not name the event $name"
done
for name in $(sed -n 's/.*- alert: //p' "$source/doc/monitoring/ordo-alerts.yml"); do
    grep -q "^| $name |" "$source/doc/watching.md" || fail "doc/watching.md does not say what to do about $name"
done
jq -e '.panels | length >= 8 and all(.targets | length > 0)' "$source/doc/monitoring/ordo-dashboard.json" >/dev/null || fail "the dashboard"

if command -v promtool >/dev/null; then
    promtool check metrics <"$metrics" >"$scratch/out" 2>&1 && [ ! -s "$scratch/out" ] || fail "promtool has something to say"
    run 0 promtool check rules "$source/doc/monitoring/ordo-alerts.yml"
fi
exit $((failures > 0))
