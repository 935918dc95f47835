#!/bin/bash
# libraries.sh SOURCE BUILD GENERATOR COMPILER: installs the build, and links each of its libraries, shared and static,
# to programs in C and in C++, by CMake and by pkg-config. Then compares the exported symbols of each library with the
# documented list.
set -eu
source=$1 build=$2 generator=$3 compiler=$4
cxx=$(command -v c++) || exit 77
command -v pkg-config >/dev/null || exit 77
. "$(dirname "$0")/../kit.sh"
at_once=yes
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# needs PROGRAM: prints the names of our shared libraries that the program needs.
needs() { readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(libordo[^]]*\)\].*/\1/p' | tr '\n' ' '; }

# run PROGRAM LIBRARY shared|static|none: the program must succeed, and must need the shared library if and only if
# `shared`.
run() {
    quietly "$1"
    case $3 in
    shared) needs "$1" | grep -q "^$2\.so\.[0-9.]* $" || fail "$1 is not linked with $2.so alone: $(needs "$1")" ;;
    *) [ -z "$(needs "$1")" ] || fail "$1 needs $(needs "$1")" ;;
    esac
}

quietly cmake --install "$build" --prefix "$scratch/prefix"
libraries=$(dirname "$(find "$scratch/prefix" -name libordo.a)")
parts="ordo txn"
[ ! -e "$libraries/libordo-calibrate.a" ] || parts="$parts calibrate"
[ ! -e "$libraries/libordo-net.a" ] || parts="$parts net"
[ ! -e "$libraries/libordo-mpi.a" ] || parts="$parts mpi trace"
ORDO_TRACE_LOGFILE_NAME=$scratch/recorded
export ORDO_TRACE_LOGFILE_NAME
cp -r "$source/tests/package/libraries" "$scratch/consumer"
for part in runtime $parts; do cp "$scratch/consumer/$part.c" "$scratch/consumer/$part.cpp"; done

# Links by CMake.
components=$(echo "$parts" | grep -oE "calibrate|net|mpi|trace" | tr "\n" ";") || components=
quietly cmake -S "$scratch/consumer" -B "$scratch/cmake" -G "$generator" -DCMAKE_C_COMPILER="$compiler" -Wno-dev \
    -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DORDO_COMPONENTS="$components"
quietly cmake --build "$scratch/cmake" -j1
for language in c cpp; do
    run "$scratch/cmake/runtime-$language" none none
    for part in $parts; do
        name=libordo-$part
        [ "$part" != ordo ] || name=libordo
        run "$scratch/cmake/$part-$language" "$name" shared
        run "$scratch/cmake/$part-static-$language" "$name" static
    done
done

# A missing component is named. It may be optional.
if [ -e "$libraries/libordo-calibrate.a" ]; then
    cp -r "$scratch/prefix" "$scratch/less"
    find "$scratch/less" -name 'libordo-calibrate.*' -exec rm {} +
    mkdir "$scratch/asks"
    cat >"$scratch/asks/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(asks LANGUAGES C)
find_package(ordo REQUIRED OPTIONAL_COMPONENTS calibrate)
if(ordo_calibrate_FOUND OR TARGET ordo::calibrate)
  message(FATAL_ERROR "a library that is not there is found")
endif()
find_package(ordo REQUIRED COMPONENTS calibrate)
TEXT
    if cmake -S "$scratch/asks" -B "$scratch/asks/build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" \
        -DCMAKE_PREFIX_PATH="$scratch/less" >"$scratch/log" 2>&1; then
        fail "a component that is not there is found"
    fi
    tr -s ' \n' ' ' <"$scratch/log" | grep -q "component calibrate is not installed: there is no" ||
        { cat "$scratch/log"; fail "it is not said which component is missing"; }
fi

mkdir "$scratch/wrong"
printf 'cmake_minimum_required(VERSION 3.25)\nproject(wrong LANGUAGES C)\nfind_package(ordo REQUIRED COMPONENTS tracer)\n' >"$scratch/wrong/CMakeLists.txt"
! cmake -S "$scratch/wrong" -B "$scratch/wrong/build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    >"$scratch/log" 2>&1 || fail "a component that does not exist is found"
tr -s ' \n' ' ' <"$scratch/log" | grep -q "'tracer' is no component: take runtime, " ||
    { cat "$scratch/log"; fail "it is not said which components there are"; }

# Links by pkg-config.
cp -r "$scratch/prefix" "$scratch/archives"
find "$scratch/archives" -name 'libordo*.so*' -exec rm {} +
archives=$scratch/archives${libraries#"$scratch/prefix"}/pkgconfig
PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries
export PKG_CONFIG_PATH LD_LIBRARY_PATH
for language in c cpp; do
    for part in $parts; do
        package=ordo-$part name=libordo-$part
        [ "$part" != ordo ] || { package=ordo name=libordo; }
        command=$compiler
        [ "$language" = c ] || command=$cxx
        case $part in mpi | trace)
            command=mpicc
            [ "$language" = c ] || command=mpicxx
            ;;
        esac
        quietly $command "$scratch/consumer/$part.$language" $(pkg-config --cflags --libs $package) -o "$scratch/shared"
        run "$scratch/shared" "$name" shared
        # In a folder without shared libraries, -lordo finds the archive.
        archive=$(PKG_CONFIG_PATH=$archives pkg-config --cflags --libs --static $package)
        quietly $command "$scratch/consumer/$part.$language" $archive -o "$scratch/static"
        run "$scratch/static" "$name" static
        case $part in ordo | txn | net) # fully static; for the dependencies of the other libraries Debian has no archives
            quietly $command -static "$scratch/consumer/$part.$language" $archive -o "$scratch/static"
            quietly "$scratch/static"
            ;;
        esac
    done
done

# The symbols of each library, shared and static, are those of the documented list.
for list in "$source"/tests/package/exports/*.txt; do
    name=$(basename "$list" .txt)
    [ -e "$libraries/$name.a" ] || continue
    nm -D --defined-only "$libraries/$name.so" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort >"$scratch/exported"
    diff "$list" "$scratch/exported" || fail "$name.so does not offer what tests/package/exports/$name.txt lists"
    nm -g --defined-only "$libraries/$name.a" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort >"$scratch/exported"
    diff "$list" "$scratch/exported" || fail "$name.a does not offer what tests/package/exports/$name.txt lists"
done
for library in "$libraries"/*.a; do
    name=$(basename "$library" .a)
    [ -e "$source/tests/package/exports/${name%%.*}.txt" ] || fail "$name has no list in tests/package/exports"
done
