#!/bin/bash
# patches.sh SOURCE BUILD COMPILER: checks the patches of examples/patches without their projects. Each patch
# is well formed, each change is described in its README, and the files that it adds compile and keep their
# promises: patches/NAME.c calls them with a record, with a withdrawn one, and without one.
set -u
source=$1 build=$2 compiler=$3
. "$(dirname "$0")/../kit.sh"
here=$(dirname "$0")/patches
ordo=$build/bin/ordo
folder=$source/examples/patches

# well_formed PATCH: the lines of each hunk are as many as its head says, and the context is one line.
well_formed() {
    awk '
        function finish() { if (old != 0 || new != 0) { print FILENAME ": a hunk before line " NR " lacks lines"; bad = 1 } }
        old <= 0 && new <= 0 && /^--- / { next }
        old <= 0 && new <= 0 && /^\+\+\+ b\// { next }
        /^@@ / {
            finish(); context = 0
            split($2, a, ","); split($3, b, ",")
            old = 2 in a ? a[2] : 1; new = 2 in b ? b[2] : 1; next
        }
        /^ / { old--; new--; if (++context > 1) { print FILENAME ":" NR ": more than one line of context"; bad = 1 } next }
        /^$/ { print FILENAME ":" NR ": a line without a mark"; bad = 1; next }
        /^-/ { old--; context = 0; next }
        /^\+/ { new--; context = 0; next }
        { print FILENAME ":" NR ": not a line of a patch"; bad = 1 }
        END { finish(); exit bad }' "$1"
}

# changes PATCH: prints "FILE HUNKS" of each file that it changes, and "FILE 0" of each that it adds.
changes() {
    awk '/^--- \/dev\/null/ { added = 1 } /^\+\+\+ b\// { file = substr($2, 3); hunks[file] += 0; new[file] = added; added = 0 }
        /^@@ / { hunks[file] += !new[file] } END { for (f in hunks) print f, hunks[f] }' "$1"
}

# added PATCH FOLDER: writes the files that the patch adds into the folder.
added() {
    awk -v to="$2" '/^--- / { file = ""; added = $2 == "/dev/null"; next }
        /^\+\+\+ b\// { if (added) { file = to "/" substr($2, 3); folder = file; sub(/\/[^\/]*$/, "", folder); system("mkdir -p " folder) } next }
        file != "" && /^\+/ { print substr($0, 2) > file }' "$1"
}

# described NAME: the README has a row for each hunk of a changed file, and names each function of an added file.
described() {
    local readme=$folder/$1/README.md file hunks rows function
    while read -r file hunks; do
        rows=$(grep -cE "^\| \[?\`$file\`" "$readme")
        [ "$rows" -ge 1 ] && { [ "$hunks" -eq 0 ] || [ "$rows" -eq "$hunks" ]; } ||
            fail "$1/README.md has $rows rows for $file, which has $hunks hunks"
    done < <(changes "$folder/$1/$1.patch")
    while read -r function; do
        grep -q "\`$function\`" "$readme" || fail "$1/README.md does not name $function"
    done < <(find "$scratch/$1" -type f -exec sed -nE \
        's/^(static |inline )*(const )?[a-z_A-Z0-9]+ \**([a-zA-Z0-9_]+)\(.*\)( \{)?$/\3/p; s/^([a-z_]+)\(.*\)$/\1/p' {} +)
}

# compiled NAME: compiles the program of the patch with the files that the patch adds.
compiled() {
    local includes=("-I$here" "-I$scratch/$1" "-I$build" "-I$source/include")
    case $1 in
    redis) includes+=("-I$scratch/$1/src") ;;
    postgresql)
        includes+=(-DUSE_ORDO_RECORD)
        mkdir -p "$scratch/$1/portability" && cp "$scratch/$1"/src/include/portability/* "$scratch/$1/portability"
        echo '#include "portability/instr_record.h"' >"$scratch/$1/portability/instr_time.h"
        includes+=("-I$scratch/$1/src/port")
        quietly "$compiler" -fsyntax-only "-I$here" "$scratch/$1/src/port/instr_record.c" # the tree without Ordo
        ;;
    spdlog)
        mkdir -p "$scratch/$1/include/spdlog/details" && cp "$here/mpmc_blocking_q.h" "$scratch/$1/include/spdlog/details"
        quietly c++ -std=c++11 -O2 -Wall -Wextra -Werror "${includes[@]}" "-I$scratch/$1/include" "$here/$1.cpp" -o "$scratch/$1/try" -pthread
        return
        ;;
    esac
    quietly "$compiler" -std=gnu11 -O2 -Wall -Wextra -Werror -Wno-unused-function "${includes[@]}" "$here/$1.c" -o "$scratch/$1/try" -pthread
}

# tried NAME: the program must succeed with a copy of the record.
tried() {
    cp "$scratch/record" "$scratch/$1/record"
    ran="$1" && ORDO_RECORD=$scratch/$1/record timeout 100 "$scratch/$1/try" "$scratch/$1/record" "$verdict" >"$scratch/out" 2>"$scratch/err" ||
        fail "the program of $1: exit $?"
}

ORDO_RECORD=$scratch/record "$ordo" calibrate --runs 3000 --repeat 2 --force --quiet >"$scratch/out" 2>"$scratch/err" || fail "calibrate: exit $?"
verdict=warranted
! ORDO_RECORD=$scratch/record "$ordo" show | grep -Eq '^flags.*forced' || verdict=refused
grep -Fq "(patches/README.md)" "$source/examples/README.md" || fail "examples/README.md has no link to the patches"
mkdir -p "$scratch/keep/stock/source"
for patch in "$folder"/*/; do
    patch=${patch%/}
    name=${patch##*/}
    [ -s "$patch/$name.patch" ] && [ -s "$patch/README.md" ] && [ -x "$patch/$name.sh" ] || fail "$name lacks a file"
    grep -Fq "($name/README.md)" "$folder/README.md" || fail "README.md of the patches has no link to $name"
    ! grep -n '^ *FIGURES' "$patch/README.md" || fail "$name/README.md has FIGURES where figures belong"
    run 0 well_formed "$patch/$name.patch"
    mkdir "$scratch/$name" && added "$patch/$name.patch" "$scratch/$name"
    described "$name"
    compiled "$name"
    [ ! -x "$scratch/$name/try" ] || tried "$name"
    run 0 "$patch/$name.sh" --help
    says "Usage: $name.sh"
    run 64 "$patch/$name.sh" --no-such-option
    run 64 env PAIRS=0 "$patch/$name.sh"
    run 64 "$patch/$name.sh" "--headers=$build" "--keep=$source/examples/none" fetch
    [ ! -e "$source/examples/none" ] || fail "a folder was made inside the tree"
    run 64 "$patch/$name.sh" "--headers=$build" "--keep=$scratch/keep" "--source=$scratch/keep/stock/source" fetch
    [ -d "$scratch/keep/stock/source" ] || fail "the source was removed"
done
exit $((failures > 0))
