#!/bin/sh
# deb.sh SOURCE: builds the Debian packages, holds them to lintian, and installs, runs and removes them in a copy of this
# system that vanishes with the test. Exit 77 where one cannot be had.
set -eu
source=$1
[ "$(id -u)" = 0 ] && command -v dpkg-buildpackage >/dev/null && command -v lintian >/dev/null &&
    command -v dh >/dev/null || { echo "deb: needs root, dpkg-dev, debhelper and lintian"; exit 77; }
unshare -m true 2>/dev/null || { echo "deb: no mount namespace can be had here"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "deb: $*"
    exit 1
}

quietly() {
    "$@" >"$scratch/log" 2>&1 || {
        tail -n 40 "$scratch/log"
        fail "failed: $*"
    }
}

# The files of the checkout, without what is built in it.
mkdir "$scratch/ordo"
(cd "$source" && tar --exclude=./.git --exclude='./build*' -cf - .) | tar -xf - -C "$scratch/ordo"
cd "$scratch/ordo"
version=$(sed -n 's/#define ORDO_VERSION "\(.*\)"/\1/p' include/ordo/version.h)
[ "$(dpkg-parsechangelog -S Version)" = "$version" ] || fail "debian/changelog has another version than version.h, $version"
# Without optimisation, and what is stripped anyway: what the packages hold and do is the same. By one job: other tests run beside
# this one.
DEB_BUILD_OPTIONS="parallel=1 noautodbgsym noopt" DEB_CFLAGS_APPEND=-g0 quietly dpkg-buildpackage -b -us -uc -d
quietly lintian --allow-root --fail-on error,warning "$scratch"/*.changes

# A file system that shows this machine's and keeps its changes in memory.
cat >"$scratch/try.sh" <<'TEXT'
set -eu
mount -t tmpfs tmpfs "$1/root"
mkdir "$1/root/upper" "$1/root/work" "$1/root/all"
mount -t overlay overlay -o lowerdir=/,upperdir="$1/root/upper",workdir="$1/root/work" "$1/root/all" || exit 77
mount --bind /proc "$1/root/all/proc" && mount --bind /sys "$1/root/all/sys" && mount --bind /dev "$1/root/all/dev"
mkdir -p "$1/root/all/deb"
cp "$1"/*.deb "$1/root/all/deb"
cp "$1/inside.sh" "$1/root/all/deb"
exec chroot "$1/root/all" /bin/sh /deb/inside.sh
TEXT
cat >"$scratch/inside.sh" <<'TEXT'
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
ORDO_RECORD=/deb/boundary
export PATH ORDO_RECORD
fail() { echo "deb: inside: $*"; exit 1; }
before=$(find /usr /lib/systemd /etc -name '*ordo*' ! -name '*.pyc' | sort)
dpkg -i /deb/*.deb >/deb/log 2>&1 || { cat /deb/log; fail "the packages cannot be installed"; }
[ -e /lib/systemd/system/ordo-calibrate.service ] || fail "the boot unit is not there"
grep -q '^ExecStart="*/usr/bin/ordo"* ' /lib/systemd/system/ordo-calibrate.service || fail "the boot unit does not name /usr/bin/ordo"
for _ in 1 2 3; do # again, where it says that it was measured badly
    /usr/bin/ordo calibrate --force --runs 1000 --repeat 2 >/deb/log 2>&1 && break
    grep -q "measure again" /deb/log || { cat /deb/log; fail "ordo calibrate"; }
done
/usr/bin/ordo show | grep -q ORDO_BOUNDARY || fail "ordo show"
/usr/bin/ordo-mpi simulate --ranks 2 >/deb/log 2>&1 || { cat /deb/log; fail "ordo-mpi simulate"; }
/usr/bin/ordo-bench --version >/dev/null || fail "ordo-bench"
/usr/bin/ordo-net --version >/dev/null || fail "ordo-net"
/usr/bin/ordo-lab replay figure2 >/deb/log 2>&1 || { cat /deb/log; fail "ordo-lab replay"; }
printf '#include <ordo/ordo.h>\nint main(void) { return ORDO_OK; }\n' >/deb/use.c
cc /deb/use.c $(pkg-config --cflags --libs ordo-txn) -o /deb/use && /deb/use || fail "libordo-dev"
dpkg -P $(dpkg -l | awk '$2 ~ /^(lib)?ordo/ { print $2 }') >/deb/log 2>&1 || { cat /deb/log; fail "the packages cannot be removed"; }
after=$(find /usr /lib/systemd /etc -name '*ordo*' ! -name '*.pyc' | sort)
[ "$before" = "$after" ] || fail "what is left behind differs: $after"
TEXT
mkdir "$scratch/root"
code=0
unshare -m sh "$scratch/try.sh" "$scratch" || code=$?
[ "$code" != 77 ] || { echo "deb: no overlay file system here"; exit 77; }
exit "$code"
