#!/bin/bash
# confined.sh ORDO WITHOUT_RAW: tests the use of the record in sandboxes and containers, and on a full disk.
set -u
ordo=$1 without_raw=$2
[ "$(id -u)" -eq 0 ] || { echo "not root: nothing can be confined"; exit 77; }
. "$(dirname "$0")/../kit.sh"
tries=3
trap 'umount "$scratch/full" 2>/dev/null; rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
export ORDO_RECORD=$scratch/run/boundary
few="--runs 300 --repeat 2 --quiet"

# in_namespace COMMANDS PROGRAM...: runs COMMANDS in a new mount namespace, and then the program.
in_namespace() {
    local commands=$1
    shift
    unshare -m sh -c "$commands"' && exec "$@"' sh "$@"
}
possible() { in_namespace "$1" true 2>/dev/null || { echo "not possible here: $1"; return 1; }; }

# shellcheck disable=SC2086
run 0 "$ordo" calibrate $few --json
cp "$scratch/out" "$scratch/calibration.json"

# --- without the clock that gives the rate, an existing record stays
if "$without_raw" true; then
    # shellcheck disable=SC2086
    run 2 "$without_raw" "$ordo" calibrate $few && mentions "monotonic_raw: this process cannot read it"
    run 0 "$ordo" show --json
    jq -e '.usable and .generation == 1' "$scratch/out" >/dev/null || fail "the old record is gone"
    run 0 "$without_raw" "$ordo" show # `show` needs only the clocks that the library reads
fi

# --- /proc and /sys as lxcfs rewrites them: the container's own age, and CPUs counted anew
echo "12.34 12.34" >"$scratch/uptime"
if possible "mount --bind $scratch/uptime /proc/uptime"; then
    run 0 in_namespace "mount --bind $scratch/uptime /proc/uptime" "$ordo" show
    run 0 in_namespace "mount --bind $scratch/uptime /proc/uptime" "$ordo" check
fi
mapfile -t cpus < <(jq '.cpus[]' "$scratch/calibration.json")
online=/sys/devices/system/cpu/online
echo "${cpus[0]}" >"$scratch/online"
if [ ${#cpus[@]} -gt 1 ] && possible "mount --bind $scratch/online $online"; then
    # shellcheck disable=SC2086
    run 0 "$ordo" calibrate $few --cpus "${cpus[0]}" --output "$scratch/one"
    run 2 in_namespace "mount --bind $scratch/online $online" "$ordo" show "$scratch/one" && mentions "does not cover every CPU"
fi

# --- a hidden /proc (ProcSubset=pid) is named, with what to do
hidden="mount -t proc -o subset=pid proc /proc"
possible "$hidden" && run 2 in_namespace "$hidden" "$ordo" show && mentions "boot_id (needs all of /proc: ProcSubset=all)"

# --- a time namespace
if unshare --time --monotonic 5000 --boottime 777777 --fork true 2>/dev/null; then
    run 0 unshare --time --monotonic 5000 --boottime 777777 --fork "$ordo" show
    run 0 unshare --time --monotonic 5000 --boottime 777777 --fork "$ordo" check --mark
    run 0 "$ordo" show
fi

# --- a container without root: root's files appear as those of user nobody, and are believed on a read-only mount
chmod 755 "$scratch/run"
cp "$ordo" "$scratch/ordo" && chmod 755 "$scratch/ordo"
rootless() {
    setpriv --reuid 65533 --regid 65533 --clear-groups unshare -U --map-user=0 -m sh -c "$1"' && exec "$2" show' sh "$scratch/run" "$scratch/ordo"
}
if setpriv --reuid 65533 --regid 65533 --clear-groups unshare -U --map-user=0 -m mount --bind "$scratch/run" "$scratch/run" 2>/dev/null; then
    run 2 rootless true && mentions "belongs neither to root nor to this user" && mentions "read-only into a container"
    run 0 rootless 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"'
    chown 65532 "$ORDO_RECORD" # in the namespace every unknown owner looks alike, but the administrator has chosen to mount this folder
    run 0 rootless 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"'
    mount --bind "$scratch/run" "$scratch/run" && mount -o remount,bind,ro "$scratch/run"
    run 2 "$ordo" show && mentions "belongs neither to root nor to this user" # outside a container a read-only mount does not help
    umount "$scratch/run"
    chown 0 "$ORDO_RECORD"
else
    echo "not possible here: a user namespace without root"
fi

# --- a kernel that has seen a fault of the clock since
echo "[    1.0] tsc: Marking TSC unstable due to clocksource watchdog" >"$scratch/kmsg"
if [ "$(uname -m)" = x86_64 ] && possible "mount --bind $scratch/kmsg /dev/kmsg"; then
    run 1 in_namespace "mount --bind $scratch/kmsg /dev/kmsg" "$ordo" check && mentions "the kernel saw a fault"
    run 0 "$ordo" show
    run 1 in_namespace "mount --bind $scratch/kmsg /dev/kmsg" "$ordo" check --mark && mentions "marked DISRUPTED"
    run 2 "$ordo" show && mentions "marked disrupted"
    run 0 "$ordo" check --recalibrate
fi

# --- no file is partly written, and written files are reported
# shellcheck disable=SC2086
"$ordo" calibrate $few >/dev/full 2>"$scratch/err"
[ $? -eq 70 ] || fail "a full standard output is not noticed"
mentions "the record was published nevertheless, in $ORDO_RECORD (generation"
mkdir "$scratch/full"
if mount -t tmpfs -o size=4k,nr_inodes=4 none "$scratch/full" 2>/dev/null; then
    dd if=/dev/zero of="$scratch/full/filler" bs=1 count=4096 2>/dev/null
    # shellcheck disable=SC2086
    run 70 "$ordo" calibrate $few --output "$scratch/full/boundary" && mentions "No space left on device"
    [ "$(ls "$scratch/full")" = "$(printf 'boundary.lock\nfiller')" ] || fail "something half is left on a full disk"
    umount "$scratch/full"
fi
touch "$ORDO_RECORD.staged-aB3dE6" "$ORDO_RECORD.json.staged-aB3dE6" "$ORDO_RECORD.backup"
# shellcheck disable=SC2086
run 0 "$ordo" calibrate $few
[ "$(cd "$scratch/run" && ls)" = "$(printf 'boundary\nboundary.backup\nboundary.json\nboundary.lock\nboundary.monotonic\nboundary.monotonic.lock')" ] ||
    fail "not what belongs there: $(ls "$scratch/run")"
chmod 777 "$scratch/run"
# shellcheck disable=SC2086
run 0 "$ordo" calibrate $few && mentions "others may write this directory"
exit $((failures > 0))
