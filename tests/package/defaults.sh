#!/bin/bash
# defaults.sh SOURCE: checks that `cmake -S . -B build`, with the packages of `./bootstrap build`, configures an
# optimised build without tests, in which warnings are no errors (a newer compiler may have new ones), and that in every
# preset warnings are errors.
set -eu
source=$1
command -v pkg-config >/dev/null && command -v ninja >/dev/null || exit 77
. "$(dirname "$0")/../kit.sh"
at_once=yes
unset CFLAGS CMAKE_BUILD_TYPE

# configure OPTION...: configures a new build; prints CMake's output only if that fails.
configure() {
    rm -rf "$scratch/build"
    cmake -S "$source" -B "$scratch/build" -G Ninja -Wno-dev -DORDO_BUILD_MPI=OFF "$@" >"$scratch/log" 2>&1 || {
        cat "$scratch/log"
        fail "cannot configure with: $*"
    }
}

# compiles WORD...: lib/ordo.c must be compiled with these words, in this order. not_with WORD...: with none of these
# words.
compiles() { flags | grep -Eq -- "$(echo "( $* )" | sed 's/ / .*/g')" || fail "lib/ordo.c is not compiled with $*: $(flags)"; }
not_with() {
    for word in "$@"; do
        ! flags | grep -Fq -- " $word " || fail "lib/ordo.c is compiled with $word: $(flags)"
    done
}
flags() { grep -E '"command": .* -c .*/lib/ordo\.c"' "$scratch/build/compile_commands.json"; }

# Links all files of pkg-config except Criterion's.
mkdir "$scratch/pc"
for folder in $(pkg-config --variable=pc_path pkg-config | tr : ' '); do
    for file in "$folder"/*.pc; do
        [ ! -e "$file" ] || ln -sf "$file" "$scratch/pc"
    done
done
rm -f "$scratch/pc/criterion.pc"
export PKG_CONFIG_LIBDIR="$scratch/pc"
configure
grep -q "No Criterion: the tests are not built" "$scratch/log" || fail "it does not say that tests are not built"
grep -q "^ORDO_BUILD_TESTS:BOOL=OFF" "$scratch/build/CMakeCache.txt" || fail "tests are built without Criterion"
compiles -O3 -g -DNDEBUG
not_with -Werror -O2
unset PKG_CONFIG_LIBDIR
if pkg-config --exists criterion; then
    configure
    grep -q "^ORDO_BUILD_TESTS:BOOL=ON" "$scratch/build/CMakeCache.txt" || fail "tests are not built although Criterion is found"
    configure -DORDO_BUILD_NET=OFF
    grep -q "^ORDO_BUILD_TESTS:BOOL=OFF" "$scratch/build/CMakeCache.txt" || fail "tests are built without the libraries of networks"
fi

# A build folder from version 0.1 has CMake's own flags in its cache.
configure -DORDO_BUILD_TESTS=OFF -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -g -DNDEBUG"
compiles -O3 -g -DNDEBUG

# Flags and a build type chosen by the builder.
export CFLAGS=-O1
configure -DORDO_BUILD_TESTS=OFF
compiles -O1
not_with -O3 -DNDEBUG
unset CFLAGS
configure -DORDO_BUILD_TESTS=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO=-Og
compiles -Og
not_with -O3

# The presets.
for preset in $(sed -n 's/^ *"name": "\(.*\)",$/\1/p' "$source/CMakePresets.json"); do
    [ "$preset" != clang ] || command -v clang >/dev/null || continue
    (cd "$source" && cmake --preset "$preset" -B "$scratch/$preset" -Wno-dev -DORDO_BUILD_MPI=OFF -DORDO_BUILD_BENCH=OFF -DORDO_BUILD_TESTS=OFF) \
        >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "cannot configure the preset $preset"; }
    rm -rf "$scratch/build" && mv "$scratch/$preset" "$scratch/build"
    compiles -Werror
done
[ "${preset:-}" ] || fail "no preset was found"
