#!/bin/bash
# deb.sh SOURCE: builds the Debian packages, checks them by lintian, checks their dependencies, and installs, runs,
# upgrades and removes them in a temporary copy of this system. Exit 77 if no such copy can be made.
set -eu
source=$1
[ "$(id -u)" = 0 ] && command -v dpkg-buildpackage >/dev/null && command -v lintian >/dev/null &&
    command -v dh >/dev/null || { echo "deb: needs root, dpkg-dev, debhelper and lintian"; exit 77; }
unshare -m -p -f true 2>/dev/null || { echo "deb: no mount namespace with processes of its own can be had here"; exit 77; }
. "$(dirname "$0")/../kit.sh"
at_once=yes

# The files of the checkout, without build folders.
mkdir "$scratch/ordo"
(cd "$source" && tar --exclude=./.git --exclude='./build*' -cf - .) | tar -xf - -C "$scratch/ordo"
cd "$scratch/ordo"
version=$(sed -n 's/#define ORDO_VERSION "\(.*\)"/\1/p' include/ordo/version.h)
[ "$(dpkg-parsechangelog -S Version)" = "$version" ] || fail "debian/changelog has another version than version.h, $version"
# Packages for users have the options of the published measurements, -O3 -DNDEBUG, after Debian's own -O2.
quietly env -u DEB_BUILD_OPTIONS -u CFLAGS debian/rules override_dh_auto_configure
grep -Eq -- ' -O2 .* -O3 .*-DNDEBUG .* -c .*/lib/ordo\.c' obj-*/compile_commands.json || fail "the packages are not built with -O3 -DNDEBUG"
# This test does not depend on optimisation and symbols, so it builds without them. It uses one job, because other tests
# run at this time.
DEB_BUILD_OPTIONS="parallel=1 noautodbgsym noopt" DEB_CFLAGS_APPEND=-g0 quietly dpkg-buildpackage -b -us -uc -d
quietly lintian --allow-root --fail-on error,warning "$scratch"/*.changes

# depends PACKAGE: prints its dependencies, without versions and without our own packages.
depends() {
    dpkg-deb -f "$scratch/${1}_$version"_*.deb Depends | tr ',' '\n' | sed 's/([^)]*)//g; s/^ *//; s/ *$//' | grep -v '^\(lib\)*ordo' | sort | tr '\n' ' '
}

so=$(echo "$version" | cut -d . -f 1-2)
[ "$(depends libordo-dev)" = "libc6-dev | libc-dev " ] || fail "libordo-dev depends on: $(depends libordo-dev)"
[ "$(depends libordo$so)" = "libc6 " ] || fail "libordo$so depends on: $(depends libordo$so)"
! depends libordo-net-dev | grep -q 'hwloc\|mpi' || fail "libordo-net-dev depends on: $(depends libordo-net-dev)"
! depends libordo-calibrate-dev | grep -q 'sodium\|mpi' || fail "libordo-calibrate-dev depends on: $(depends libordo-calibrate-dev)"
for package in libordo-mpi$so libordo-mpi-dev ordo-mpi; do
    depends $package | grep -q openmpi && ! depends $package | grep -q mpich || fail "$package depends on: $(depends $package)"
done
for package in libordo-mpi.mpich$so libordo-mpi-mpich-dev ordo-mpi-mpich; do
    depends $package | grep -q mpich && ! depends $package | grep -q openmpi || fail "$package depends on: $(depends $package)"
done

# Makes copies of the packages with a later version.
mkdir "$scratch/later"
for package in "$scratch"/*.deb; do
    rm -rf "$scratch/unpacked"
    dpkg-deb -R "$package" "$scratch/unpacked"
    sed -i "s/^Version: .*/&+later/; s/(\([>=]*\) $version)/(\1 $version+later)/g" "$scratch/unpacked/DEBIAN/control"
    quietly dpkg-deb -Znone -b "$scratch/unpacked" "$scratch/later"
done

# earlier PACKAGE PART...: makes a package of version 0.1.0, which contained the files of these PARTs. Since then only
# the names of the libraries have changed.
earlier() {
    package=$1 root=$scratch/earlier/$1
    mkdir -p "$root/DEBIAN"
    for part; do dpkg-deb -x "$scratch/${part}_$version"_*.deb "$root"; done
    rm -rf "$root/usr/share/doc"
    printf 'Package: %s\nVersion: 0.1.0\nArchitecture: all\nMaintainer: a <a@example>\nDescription: earlier\n' "$package" >"$root/DEBIAN/control"
}
earlier libordo-dev libordo-calibrate-dev libordo-net-dev libordo-mpi-common-dev
rm -rf "$scratch/earlier/libordo-dev/usr/share/man/man3/ordo_mpi.3.gz" "$scratch/earlier/libordo-dev/usr/share/man/man3/ordo_trace.3.gz"
earlier libordo-mpi-dev libordo-mpi-common-dev libordo-mpi-mpich-dev
rm -rf "$scratch/earlier/libordo-mpi-dev/usr/include"
earlier ordo-mpi ordo-mpi-mpich
for package in libordo-dev libordo-mpi-dev ordo-mpi; do quietly dpkg-deb -Znone -b "$scratch/earlier/$package" "$scratch/earlier"; done

# An overlay shows the file system of this machine, and keeps changes in memory.
cat >"$scratch/try.sh" <<'TEXT'
set -eu
mount -t tmpfs tmpfs "$1/root"
mkdir "$1/root/upper" "$1/root/work" "$1/root/all"
mount -t overlay overlay -o lowerdir=/,upperdir="$1/root/upper",workdir="$1/root/work" "$1/root/all" || exit 77
mount -t proc proc "$1/root/all/proc" && mount --bind /sys "$1/root/all/sys" && mount --bind /dev "$1/root/all/dev"
mkdir -p "$1/root/all/deb"
cp -r "$1"/*.deb "$1/later" "$1/earlier" "$1/inside.sh" "$1/examples.sh" "$1/systemctl" "$1/root/all/deb"
exec chroot "$1/root/all" /bin/sh /deb/inside.sh "$2"
TEXT
# A stand-in for systemctl records its arguments, and starts and stops units by their commands. The agent runs as user
# 65534. The file of its credential is readable by more than its owner, as under systemd.
cat >"$scratch/systemctl" <<'TEXT'
#!/bin/sh
echo "$*" >>/deb/told
while [ $# -gt 0 ]; do
    case $1 in --) ;; -*) ;; *) break ;; esac
    shift
done
action=$1
shift
[ "${1:-}" != -- ] || shift
alive() { [ -s "/deb/$1.pid" ] && [ -n "$(readlink "/proc/$(cat "/deb/$1.pid")/exe")" ]; }
command_of() { sed -n "s/^$2=//p" "/lib/systemd/system/$1" | sed "s,%t,/run,g; s,%d,/deb/credentials,g"; }
stop() {
    alive "$1" || return 0
    kill "$(cat "/deb/$1.pid")"
    for _ in $(seq 300); do
        alive "$1" || break
        sleep 0.1
    done
    rm -f "/deb/$1.pid"
}
start() {
    as=
    mkdir -p /run/ordo
    if grep -q '^DynamicUser=yes' "/lib/systemd/system/$1"; then
        install -d -m 700 -o 65534 /run/ordo-net /deb/credentials
        install -m 440 -o 65534 /etc/ordo/net.key /deb/credentials/net.key
        as="setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --inh-caps=-all"
    fi
    before=$(command_of "$1" ExecStartPre)
    [ -z "$before" ] || $as sh -c "umask 077; $before" || exit 1
    ORDO_NET_AGENT_OPTIONS="--listen 127.0.0.1:21399" $as sh -c "umask 022; exec $(command_of "$1" ExecStart)" >>/deb/said 2>&1 </dev/null &
    echo $! >"/deb/$1.pid"
}
for unit in "$@"; do
    case $action in
    is-active) alive "$unit" || exit 3 ;;
    is-enabled) echo disabled; exit 1 ;;
    start) alive "$unit" || start "$unit" ;;
    stop) stop "$unit" ;;
    restart) stop "$unit" && start "$unit" ;;
    try-restart) ! alive "$unit" || { stop "$unit" && start "$unit"; } ;;
    esac
done
TEXT
cat >"$scratch/inside.sh" <<'TEXT'
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
export PATH
unset ORDO_RECORD XDG_RUNTIME_DIR
fail() { echo "deb: inside: $*"; exit 1; }
quietly() { "$@" >/deb/log 2>&1 || { tail -n 40 /deb/log; fail "failed: $*"; }; }
left() { find /usr /lib/systemd /etc /var/lib/systemd /run -name '*ordo*' ! -name '*.pyc' ! -path '/run/ordo-net*' | sort; }
ours() { dpkg-query -W -f '${Package}\n' '*ordo*' | grep -E '^(lib)?ordo'; }
runs() { readlink "/proc/$1/exe"; } # prints the executable of a process, followed by " (deleted)" if it was removed
rm -f /usr/sbin/policy-rc.d # the policy of a container prevents every start of a service
rm -rf /run/systemd/system /var/lib/man-db/auto-update # without the second file, man-db makes no index
before=$(left)
install -m 755 /deb/systemctl /usr/bin/systemctl

# Installs the packages over those of 0.1.0. Without systemd, systemctl is not called, and a watcher under another
# supervisor is not restarted.
quietly dpkg -i /deb/earlier/*.deb
# The order is that of apt, because the new packages break the earlier ones. Packages that take over files come first.
quietly dpkg --auto-deconfigure --unpack /deb/libordo-calibrate-dev_*.deb /deb/libordo-net-dev_*.deb /deb/libordo-mpi-common-dev_*.deb \
    /deb/libordo-mpi-mpich-dev_*.deb /deb/ordo-mpi-mpich_*.deb
quietly dpkg --auto-deconfigure -i /deb/*.deb
[ -e /lib/systemd/system/ordo-calibrate.service ] || fail "the boot unit is not there"
grep -q '^ExecStart="*/usr/bin/ordo"* ' /lib/systemd/system/ordo-calibrate.service || fail "the boot unit does not name /usr/bin/ordo"
[ "$(ordo --version)" = "ordo $1" ] || fail "ordo --version is '$(ordo --version)', and no checkout was built"
for _ in 1 2 3; do # repeated if the tool reports a bad measurement
    ordo calibrate --force --runs 1000 --repeat 2 >/deb/log 2>&1 && break
    grep -q "measure again" /deb/log || { cat /deb/log; fail "ordo calibrate"; }
done
ordo show | grep -q ORDO_BOUNDARY || fail "ordo show"
quietly ordo-mpi simulate --ranks 2
quietly ordo-mpi.mpich simulate --ranks 2
quietly ordo-bench --version
quietly ordo-net --version
quietly ordo-lab replay figure2
[ -s /usr/share/doc/ordo/README.md ] && [ -s /usr/share/doc/ordo/doc/operation.md ] || fail "ordo-doc has no documents"
ordo watch --quiet >/deb/watched 2>&1 &
watcher=$!
quietly dpkg -i /deb/later/*.deb
[ "$(runs $watcher)" = "/usr/bin/ordo (deleted)" ] || fail "a watcher of somebody else is touched by an upgrade"
kill $watcher && wait $watcher || fail "a watcher over which the package was upgraded does not end well"
quietly dpkg -r ordo ordo-net
[ ! -e /deb/told ] || fail "systemctl is called without systemd: $(cat /deb/told)"
quietly dpkg -P ordo ordo-net

# With systemd, an installation starts nothing. An upgrade restarts the running daemons, and a removal stops them;
# neither touches a calibration.
mkdir -p /run/systemd/system /etc/ordo
quietly dpkg -i /deb/*.deb
[ -e /deb/told ] || fail "systemd is not told that there are new units"
! grep -E '(^| )(start|restart) ' /deb/told || fail "an installation starts a unit"
(umask 077 && printf '%064d\n' 1 >/etc/ordo/net.key)
systemctl start ordo-watch.service ordo-net-agent.service
for unit in ordo-watch ordo-net-agent; do
    for _ in $(seq 100); do
        [ "$(runs "$(cat /deb/$unit.service.pid)")" != /usr/bin/${unit%-*} ] || break
        sleep 0.1
    done
    [ "$(runs "$(cat /deb/$unit.service.pid)")" = /usr/bin/${unit%-*} ] || { cat /deb/said; fail "$unit does not run"; }
    cp /deb/$unit.service.pid /deb/$unit.first
done
for _ in $(seq 100); do
    ! grep -q "listens at 127.0.0.1:21399" /deb/said || break
    sleep 0.1
done
grep -q "listens at 127.0.0.1:21399" /deb/said || { cat /deb/said; fail "the agent of the unit does not listen where its options say"; }
: >/deb/told
quietly dpkg -i /deb/later/*.deb
for unit in ordo-watch ordo-net-agent; do
    ! cmp -s /deb/$unit.service.pid /deb/$unit.first || fail "$unit is not restarted by an upgrade"
    [ "$(runs "$(cat /deb/$unit.service.pid)")" != "/usr/bin/${unit%-*} (deleted)" ] || fail "$unit runs the old program after an upgrade"
    [ -n "$(runs "$(cat /deb/$unit.service.pid)")" ] || fail "$unit does not run after an upgrade"
done
! grep -E 'start .*ordo-(calibrate|check.service|resume)' /deb/told || fail "an upgrade calibrates"
! grep -E 'start .*ordo-check.timer' /deb/told || fail "an upgrade starts what neither runs nor is enabled"
agent=$(cat /deb/ordo-net-agent.service.pid) watcher=$(cat /deb/ordo-watch.service.pid)

# The examples, built from the sources and libraries in the packages.
bash /deb/examples.sh

: >>/run/ordo/boundary # if the watcher had no time to publish one
quietly dpkg -r $(ours)
[ -z "$(runs $watcher || :)" ] && [ -z "$(runs $agent || :)" ] || fail "a daemon outlives its package"
[ -e /run/ordo/boundary ] || fail "a removal takes the record away"
quietly dpkg -P $(ours)
rm -r /etc/ordo # made by the operator, so it stays after a purge
after=$(left)
[ "$before" = "$after" ] || fail "what is left behind differs: $after"
TEXT

# Builds an example for each library, C++ and the plug-in, in each way, shared and static. examples.sh of this folder builds
# every example, and checks their output.
cat >"$scratch/examples.sh" <<'TEXT'
set -eu
fail() { echo "deb: examples: $*"; tail -n 20 /deb/log; exit 1; }
# linked PROGRAM LIBRARY: the program must need exactly this library of ours; an empty LIBRARY: none.
linked() {
    found=$(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(libordo[^]]*\)\.so\..*/\1/p')
    [ "$found" = "$2" ] || fail "$1 is linked with '$found', not with '$2'"
}
cp -r /usr/share/doc/ordo/examples /deb/examples
for name in order-events cpp-order lttng-clock bank calibrate-and-open host-order global-time late-sender; do
    folder=/deb/examples/$name
    part=$(grep -oE 'ordo::(txn|calibrate|net|mpi|trace)' "$folder/CMakeLists.txt" | cut -d : -f 3) || part=
    [ "$name" != lttng-clock ] || pkg-config --exists lttng-ust 2>/dev/null || continue
    source=$folder/$name.c compiler=cc
    case $part in mpi | trace) compiler=mpicc.openmpi ;; esac
    [ -e "$source" ] || { source=$folder/$name.cpp compiler="c++ -std=c++20"; }
    cmake -S "$folder" -B "$folder/shared" -DMPI_C_COMPILER=mpicc.openmpi >/deb/log 2>&1 && cmake --build "$folder/shared" >/deb/log 2>&1 ||
        fail "$name does not build by CMake"
    linked "$folder/shared/$name" "${part:+libordo-$part}"
    [ "$name" != lttng-clock ] || continue # two programs are made from its source
    # shellcheck disable=SC2046
    $compiler "$source" $(pkg-config --cflags --libs ordo${part:+-$part}) -pthread -o "$folder/by-pc" >/deb/log 2>&1 ||
        fail "$name does not build by pkg-config"
    [ -z "$part" ] || linked "$folder/by-pc" "libordo-$part"
    # The archive: CMake has a target for it; with pkg-config, the linker gets its file name.
    [ -n "$part" ] || continue
    sed -i "s/ordo::$part\b/&-static/" "$folder/CMakeLists.txt"
    cmake -S "$folder" -B "$folder/static" -DMPI_C_COMPILER=mpicc.openmpi >/deb/log 2>&1 && cmake --build "$folder/static" >/deb/log 2>&1 ||
        fail "$name does not build by CMake, static"
    linked "$folder/static/$name" ""
    static=$(pkg-config --cflags --libs --static ordo-$part | sed "s/-lordo-$part/-l:libordo-$part.a/")
    # shellcheck disable=SC2086
    $compiler "$source" $static -pthread -o "$folder/by-pc-static" >/deb/log 2>&1 || fail "$name does not build by pkg-config, static"
    linked "$folder/by-pc-static" ""
done
for program in order-events/shared/order-events bank/shared/bank bank/static/bank bank/by-pc bank/by-pc-static; do
    timeout 120 "/deb/examples/$program" >/deb/log 2>&1 || fail "$program: exit $?"
done
if pkg-config --exists mpich; then
    # shellcheck disable=SC2046
    mpicc.mpich /deb/examples/global-time/global-time.c $(pkg-config --cflags --libs ordo-mpi.mpich) -o /deb/by-mpich >/deb/log 2>&1 ||
        fail "global-time does not build for MPICH"
    linked /deb/by-mpich libordo-mpi.mpich
fi
TEXT
mkdir "$scratch/root"
code=0
unshare -m -p -f --kill-child sh "$scratch/try.sh" "$scratch" "$version" || code=$?
[ "$code" != 77 ] || { echo "deb: no overlay file system here"; exit 77; }
exit "$code"
