#!/bin/bash
# without.sh SOURCE: builds ordo-trace without zlib, zstd and OTF2, each alone and all together. CMake and the program name the package or
# the program to install, in one line. Without all three the tests of traces pass without the parts that need the libraries.
set -u
source=$1 here=$(cd "$(dirname "$0")" && pwd)
command -v pkg-config >/dev/null && command -v ninja >/dev/null || { echo "needs pkg-config and ninja"; exit 77; }
. "$here/../kit.sh"
unset CFLAGS CMAKE_BUILD_TYPE
cd "$scratch" || exit 1

# hide FILE...: lets pkg-config find all libraries but these.
hide() {
    local folder file
    rm -rf "$scratch/pc"
    mkdir "$scratch/pc"
    for folder in $(env -u PKG_CONFIG_LIBDIR pkg-config --variable=pc_path pkg-config | tr : ' '); do
        for file in "$folder"/*.pc; do
            [ ! -e "$file" ] || ln -sf "$file" "$scratch/pc"
        done
    done
    for file in "$@"; do rm -f "$scratch/pc/$file.pc"; done
    export PKG_CONFIG_LIBDIR="$scratch/pc"
}
# configures TEXT: CMake must have printed it.
configures() { grep -Fq -- "$1" configured || fail "CMake does not say '$1'"; }
# one_refusal TEXT COMMAND...: ordo-trace must end with 64 and one line that has TEXT.
one_refusal() {
    local text=$1
    shift
    run 64 "$scratch/build/bin/ordo-trace" "$@"
    complains_once "$text"
}

echo '[{"ph":"i","name":"a","ts":1}]' >plain.json
python3 -c 'import gzip, zlib, sys; d = open("plain.json", "rb").read()
open("a.gz", "wb").write(gzip.compress(d)); open("a.zlib", "wb").write(zlib.compress(d))
open("a.zst", "wb").write(bytes.fromhex("28b52ffd04") + b"X\x01\0\0a"); open("a.otf2", "wb").write(b"\3BOTF2")'
printf 'session,rank,send_ns,master_ns,receive_ns\n0,1,0,0,0\n1,1,9,9,9\n' >sync.csv

for hidden in zlib libzstd otf2 "zlib libzstd otf2"; do
    # shellcheck disable=SC2086
    hide $hidden
    cmake -S "$source" -B build -G Ninja -Wno-dev -DCMAKE_C_FLAGS=-O0 -DORDO_BUILD_MPI=OFF -DORDO_BUILD_BENCH=OFF -DORDO_BUILD_NET=OFF \
        -DORDO_BUILD_TESTS=OFF -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
        --fresh >configured 2>&1 || fail "without $hidden: cannot be configured"
    quietly cmake --build build --target ordo-trace
    for library in $hidden; do
        case $library in
        zlib)
            configures "built without zlib: install zlib1g-dev"
            one_refusal "a.gz: is compressed by gzip, which this program cannot read: unpack it with gunzip" info a.gz
            one_refusal "a.zlib: is compressed by zlib, which this program cannot read: unpack it with zlib-flate" info a.zlib
            ;;
        libzstd)
            configures "built without libzstd: install libzstd-dev"
            one_refusal "a.zst: is compressed by zstd, which this program cannot read: unpack it with unzstd" info a.zst
            ;;
        otf2)
            configures "built without OTF2: install libopen-trace-format2-dev"
            one_refusal "a.otf2: is an OTF2 archive, and this ordo-trace was built without OTF2: install" info a.otf2
            one_refusal "--to otf2: this ordo-trace was built without OTF2: install" correct --sync sync.csv --to otf2 -o none plain.json
            [ ! -e none ] || fail "a folder was made without OTF2"
            ;;
        esac
    done
done
for script in paraver profiles input lines spans perfetto; do
    bash "$here/$script.sh" "$scratch/build/bin" >log 2>&1 || { shown=(log); fail "$script.sh without $hidden"; shown=(out err); }
done
exit $((failures > 0))
