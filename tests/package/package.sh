#!/bin/bash
# package.sh SOURCE BUILD GENERATOR COMPILER FLAGS: installs the build, moves the installation, and uses it by CMake, by
# pkg-config and by dlopen; then uses the sources by add_subdirectory.
set -eu
source=$1 build=$2 generator=$3 compiler=$4 flags=${5:-}
cxx=$(command -v c++) || exit 77
command -v pkg-config >/dev/null || exit 77
. "$(dirname "$0")/../kit.sh"
at_once=yes
cp -r "$source/tests/package/consumer" "$scratch/consumer"
version=$(sed -n 's/#define ORDO_VERSION "\(.*\)"/\1/p' "$source/include/ordo/version.h")

# settle SOURCE BUILD OPTION...: configures a build without building it.
settle() {
    from=$1 to=$2
    shift 2
    quietly cmake -S "$from" -B "$to" -G "$generator" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags" \
        -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_FLAGS="$flags" -Wno-dev "$@"
}

# configure SOURCE BUILD OPTION...: configures and builds, with one job, because other tests run beside this one.
configure() {
    settle "$@"
    quietly cmake --build "$to" -j1
}

# use FOLDER LIBRARY: runs the consumer's programs.
use() {
    "$1/runtime-c" || fail "$1/runtime-c"
    "$1/runtime-cxx" || fail "$1/runtime-cxx"
    "$1/runtime-cxx20" || fail "$1/runtime-cxx20"
    "$1/symbols" || fail "$1/symbols"
    "$1/txn-c" || fail "$1/txn-c"
    "$1/txn-cxx" || fail "$1/txn-cxx"
    "$1/load" "$2" || fail "$1/load"
    if readelf -d "$1/runtime-c" "$1/runtime-cxx" | grep -q 'NEEDED.*libordo'; then
        fail "the header-only consumers are linked with libordo"
    fi
    readelf -d "$1/symbols" | grep -q 'NEEDED.*libordo' || fail "the consumer of ordo::ordo is not linked with libordo"
}

# use_pkg_config FOLDER: compiles and runs the consumer's programs with the flags of the ordo.pc in FOLDER.
use_pkg_config() {
    PKG_CONFIG_PATH=$1
    export PKG_CONFIG_PATH
    out=$scratch/by-pkg-config
    mkdir -p "$out"
    [ "$(pkg-config --modversion ordo)" = "$version" ] || fail "ordo.pc has another version than version.h"
    cflags=$(pkg-config --cflags ordo) libs=$(pkg-config --libs ordo)
    quietly "$compiler" $flags $cflags "$scratch/consumer/runtime.c" -o "$out/runtime-c"
    quietly "$cxx" $cflags "$scratch/consumer/runtime.cpp" -o "$out/runtime-cxx"
    quietly "$cxx" -std=c++20 $cflags "$scratch/consumer/runtime20.cpp" -o "$out/runtime-cxx20"
    quietly "$compiler" $flags $cflags "$scratch/consumer/symbols.c" $libs -o "$out/symbols"
    quietly "$compiler" $flags "$scratch/consumer/txn.c" $(pkg-config --cflags --libs ordo-txn) -o "$out/txn-c"
    quietly "$cxx" $flags "$scratch/consumer/txn.cpp" $(pkg-config --cflags --libs ordo-txn) -o "$out/txn-cxx"
    quietly "$compiler" $flags "$scratch/consumer/load.c" -ldl -o "$out/load"
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir ordo)
    export LD_LIBRARY_PATH
    use "$out" libordo.so
    unset LD_LIBRARY_PATH PKG_CONFIG_PATH
}

# 1. The installation is moved and used: no file may contain the old path.
quietly cmake --install "$build" --prefix "$scratch/first"
mv "$scratch/first" "$scratch/moved"
if grep -rl "$scratch/first\|$source/\(include\|lib\|calib\|bench\|lab\)\b\|$build\b" "$scratch/moved/include" $(find "$scratch/moved" -name '*ordo*.cmake' -o \
    -name 'ordo*.pc'); then
    fail "these remember another folder"
fi
[ -s "$scratch/moved/include/ordo-amalgamated.h" ] || fail "ordo-amalgamated.h is not installed"
library=$(find "$scratch/moved" -name libordo.so)
configure "$scratch/consumer" "$scratch/by-package" -DCMAKE_PREFIX_PATH="$scratch/moved" -DORDO_VERSION="$version"
use "$scratch/by-package" "$library"
use_pkg_config "$(dirname "$(find "$scratch/moved" -name ordo.pc)")"

# Uses libordo-mpi, if it was built, by CMake, and by pkg-config with the compiler of each MPI.
if [ -e "$(dirname "$library")/libordo-mpi.a" ] && ! echo "$flags" | grep -q sanitize; then
    mkdir "$scratch/consumer-mpi"
    cp "$source/tests/mpi/context.c" "$scratch/consumer-mpi"
    cat >"$scratch/consumer-mpi/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES ${ORDO_LANGUAGE})
find_package(ordo REQUIRED COMPONENTS mpi)
if(NOT ORDO_LANGUAGE STREQUAL "C")
  file(WRITE main.cpp "#include <ordo/mpi.h>\nint main() { struct ordo_mpi *none = NULL; ordo_mpi_free(none); }\n")
endif()
add_executable(context $<IF:$<STREQUAL:${ORDO_LANGUAGE},C>,context.c,main.cpp>)
target_link_libraries(context ordo::mpi)
TEXT
    configure "$scratch/consumer-mpi" "$scratch/by-package-mpi" -DCMAKE_PREFIX_PATH="$scratch/moved" -DORDO_LANGUAGE=C
    quietly "$scratch/by-package-mpi/context"
    configure "$scratch/consumer-mpi" "$scratch/by-package-mpi-cxx" -DCMAKE_PREFIX_PATH="$scratch/moved" -DORDO_LANGUAGE=CXX
    quietly "$scratch/by-package-mpi-cxx/context"
    if command -v mpicc.mpich >/dev/null && [ -e "$(dirname "$library")/libordo-mpi.mpich.a" ]; then
        # CMake takes the archive for the MPI that it has found. If this archive is missing, it takes no other one.
        configure "$scratch/consumer-mpi" "$scratch/by-package-mpich" -DCMAKE_PREFIX_PATH="$scratch/moved" -DORDO_LANGUAGE=C \
            -DMPI_C_COMPILER=mpicc.mpich
        quietly "$scratch/by-package-mpich/context"
        mkdir "$scratch/away"
        mv "$(dirname "$library")"/libordo-mpi.mpich.* "$scratch/away"
        if cmake -S "$scratch/consumer-mpi" -B "$scratch/by-none" -G "$generator" -Wno-dev -DCMAKE_C_COMPILER="$compiler" -DORDO_LANGUAGE=C \
            -DCMAKE_PREFIX_PATH="$scratch/moved" -DMPI_C_COMPILER=mpicc.mpich >"$scratch/log" 2>&1; then
            fail "ordo::mpi is given to an MPI that it was not built for"
        fi
        tr -s ' \n' ' ' <"$scratch/log" | grep -q "not built for this MPI" || fail "it does not say why ordo::mpi is missing"
        mv "$scratch/away"/* "$(dirname "$library")"
        PKG_CONFIG_PATH=$(dirname "$library")/pkgconfig
        export PKG_CONFIG_PATH
        quietly mpicc.mpich "$scratch/consumer-mpi/context.c" $(pkg-config --cflags --libs ordo-mpi.mpich) -o "$scratch/context"
        unset PKG_CONFIG_PATH
        quietly env LD_LIBRARY_PATH="$(dirname "$library")" "$scratch/context"
    fi
fi

# 2. libordo exports every public function of the headers, and nothing else.
sed -n 's/^ORDO_INLINE .*\b\(ordo_[a-z_]*\)(.*/\1/p' "$scratch"/moved/include/ordo/*.h | sort >"$scratch/declared"
nm -D --defined-only "$library" | awk '$3 !~ /^_/ { print $3 }' | sort >"$scratch/exported"
diff "$scratch/declared" "$scratch/exported" || fail "the functions of the headers and the symbols of libordo differ"
[ -s "$scratch/declared" ] || fail "no public function was found"

# 3. Without tools, benchmarks and tests, the sources need only a compiler. The library may be installed at an absolute
# path.
alone="-DORDO_BUILD_TOOLS=OFF -DORDO_BUILD_BENCH=OFF -DORDO_BUILD_TESTS=OFF"
nothing="-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_Threads=ON"
configure "$source" "$scratch/alone" $alone $nothing -DCMAKE_INSTALL_PREFIX="$scratch/usr" \
    -DCMAKE_INSTALL_LIBDIR="$scratch/absolute/lib"
quietly cmake --install "$scratch/alone"
[ -e "$scratch/absolute/lib/libordo.so" ] || fail "an absolute CMAKE_INSTALL_LIBDIR is not respected"
use_pkg_config "$scratch/absolute/lib/pkgconfig"
configure "$scratch/consumer" "$scratch/by-absolute" -Dordo_DIR="$scratch/absolute/lib/cmake/ordo" -DORDO_VERSION="$version"
use "$scratch/by-absolute" "$scratch/absolute/lib/libordo.so"

# 4. The sources are a part of another project, whose installation contains no file of Ordo.
configure "$scratch/consumer" "$scratch/by-source" $nothing -DORDO_SOURCE="$source"
use "$scratch/by-source" "$(find "$scratch/by-source" -name libordo.so)"
quietly cmake --install "$scratch/by-source" --prefix "$scratch/others"
[ ! -e "$scratch/others" ] || fail "Ordo is installed with the project that contains it"

# 5. The boot units contain the tool's path, also if it is absolute. The tool itself is copied from the build.
if [ -x "$build/bin/ordo" ]; then
    settle "$source" "$scratch/tools" -DORDO_BUILD_MPI=OFF -DORDO_BUILD_BENCH=OFF -DORDO_BUILD_TESTS=OFF \
        -DCMAKE_INSTALL_BINDIR="$scratch/absolute/bin"
    mkdir -p "$scratch/tools/bin" "$scratch/tools/lib/preload"
    cp "$build/bin/ordo" "$scratch/tools/bin"
    cp "$build/lib/preload/libordo-clock.so" "$scratch/tools/lib/preload"
    quietly cmake --install "$scratch/tools/calib/ordo" --prefix "$scratch/units"
    "$scratch/absolute/bin/ordo" --version >/dev/null || fail "an absolute CMAKE_INSTALL_BINDIR is not respected"
    grep -q "^ExecStart=\"*$scratch/absolute/bin/ordo\"* " "$scratch/units/lib/systemd/system/ordo-calibrate.service" ||
        fail "the boot unit does not name the tool: $(grep ExecStart "$scratch/units/lib/systemd/system/ordo-calibrate.service")"
    if [ -x "$build/bin/ordo-net" ]; then
        cp "$build/bin/ordo-net" "$scratch/tools/bin"
        quietly cmake --install "$scratch/tools/calib/ordo-net" --prefix "$scratch/units"
        grep -q "^ExecStart=\"*$scratch/absolute/bin/ordo-net\"* " "$scratch/units/lib/systemd/system/ordo-net-agent.service" ||
            fail "the agent's unit does not name the tool: $(grep ExecStart "$scratch/units/lib/systemd/system/ordo-net-agent.service")"
    fi
    if command -v systemd-analyze >/dev/null; then
        quietly systemd-analyze verify --man=no "$scratch"/units/lib/systemd/system/ordo-*
    fi
fi
