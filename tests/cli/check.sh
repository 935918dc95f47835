#!/bin/bash
# check.sh SOURCE COMPILER: tests in a small project that `./bootstrap check` builds and runs exactly the unit tests
# that depend on a file, that it names each failure, and that it continues after a failure.
set -u
export LC_ALL=C
source=$1 compiler=$2
command -v git >/dev/null || { echo "git is not installed"; exit 77; }
. "$(dirname "$0")/../kit.sh"

# A project of two libraries, of which `high` uses `low`, with four tests: of each library, of a header alone, and one
# that takes long.
mkdir "$scratch/a .h project" && cd "$scratch/a .h project" || exit 1
mkdir -p lib tests/cli tests/proof tests/prose
cp "$source/tests/check.sh" tests/
for script in tests/tree.sh tests/conditions.sh tests/prose/prose.sh tests/lint.sh tests/proof/steps.sh tests/mutants.sh tests/cli/documents.sh; do
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "$0 runs $*"\n[ ! -e broken ] || exit 1\n' >$script && chmod +x $script
done
echo "int low(void);" >lib/low.h
printf '#include "low.h"\nint low(void)\n{\n    return 0;\n}\n' >lib/low.c
printf '#include "low.h"\nint high(void);\nint high(void)\n{\n    return low();\n}\n' >lib/high.c
echo "enum { ALONE };" >lib/alone.h
for name in low high; do printf 'int %s(void);\nint main(void)\n{\n    return %s();\n}\n' $name $name >tests/$name.c; done
printf '#include "../lib/alone.h"\nint main(void)\n{\n    return ALONE;\n}\n' >tests/alone.c
echo "A document." >page.md
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES C)
enable_testing()
add_library(low STATIC lib/low.c)
add_library(high STATIC lib/high.c)
target_link_libraries(high PUBLIC low)
foreach(name low high alone)
  add_executable(unit-${name} tests/${name}.c)
  add_test(NAME unit-${name} COMMAND unit-${name})
endforeach()
target_link_libraries(unit-low low)
target_link_libraries(unit-high high)
add_executable(long tests/low.c)
target_link_libraries(long low)
add_test(NAME long COMMAND false)
file(WRITE ${PROJECT_BINARY_DIR}/unit-tests.txt "unit-low unit-low\nunit-high unit-high\nunit-alone unit-alone\n")
TEXT
cp "$source/.clang-format" .
commit() { git -c user.name=check -c user.email=check commit -qm "$@"; }
echo /build-debug >.gitignore && git init -q . && git add .gitignore && commit "project: begin" && git add -A && commit "project: add all" || exit 1
cmake -G Ninja -DCMAKE_C_COMPILER="$compiler" -S . -B build-debug >"$scratch/out" 2>&1 || fail "the project cannot be configured"

# check CODE TESTS PATH...: check.sh must exit with CODE and run exactly these TESTS.
check() {
    local expected=$1 tests=$2 code
    tests/check.sh "$PWD" "${@:3}" >"$scratch/out" 2>&1
    code=$?
    [ $code -eq "$expected" ] || fail "check ${*:3}: exit $code"
    [ "$(grep -oE 'Start +[0-9]+: [a-z-]+' "$scratch/out" | sed 's/.*: //' | sort | paste -sd ' ')" = "$tests" ] || fail "check ${*:3}: not the tests '$tests'"
}

check 0 "unit-high" lib/high.c && says "tests/tree.sh runs" && says "tests/conditions.sh runs" && says "tests/prose/prose.sh runs" && says "tests/lint.sh runs . $PWD/build-debug lib/high.c" && silent "steps.sh runs" && silent "mutants.sh runs" && silent "documents.sh runs"
[ ! -e build-debug/unit-low ] || fail "more is built than what depends on lib/high.c"
check 0 "unit-high unit-low" lib/low.c
[ ! -e build-debug/long ] || fail "more is built than the unit tests"
check 0 "unit-high unit-low" lib/low.h
check 0 "unit-alone" lib/alone.h
check 0 "unit-alone" tests/alone.c
check 0 "unit-alone unit-high unit-low" lib
check 0 "" page.md && says "documents.sh runs" && says "0 unit tests"
tests/check.sh "$PWD/lib" high.c >"$scratch/out" 2>&1 # a path is relative to the caller's folder
says "unit-high"
check 64 "" nothing.c && says "nothing.c: no file of the tree"

# Without a path, the files are those that differ from the last commit; if no file differs, the files of the last
# commit.
check 0 "unit-alone unit-high unit-low"
sed -i 's/ALONE/ALONE, OTHER/' lib/alone.h
check 0 "unit-alone"
git checkout -q lib && echo "/* new */" >lib/new.h
check 0 "" && says "lib/new.h" && rm lib/new.h

# A removed file, and trees in which git cannot say which files have changed.
rm lib/alone.h && check 1 "" && says "  building all unit tests" && git checkout -q lib
git clone -q --depth 1 "file://$PWD" "$scratch/shallow" && cp -r tests/lint.sh "$scratch/shallow/tests"
for tree in "$scratch/shallow" "$scratch/archive"; do
    [ -e "$tree" ] || { mkdir "$tree" && git archive HEAD | tar -xf - -C "$tree"; }
    (cd "$tree" && tests/check.sh "$tree") >"$scratch/out" 2>&1
    [ $? -eq 64 ] && [ "$(wc -l <"$scratch/out")" -eq 1 ] && says "name files or folders" || fail "without a path, in $tree: not one line and exit 64"
    (cd "$tree" && tests/check.sh "$tree/lib" high.c) >"$scratch/out" 2>&1
    says "1 files: lib/high.c"
done
(cd "$scratch/archive" && tests/check.sh "$PWD" ../project) >"$scratch/out" 2>&1
[ $? -eq 64 ] && says "../project: no file of the tree" || fail "a path outside of an archive is taken"

# Each failure is named, and the other checks run.
touch broken
check 1 "unit-high" lib/high.c && says "  tree" && says "  conditions" && rm broken
printf '#include "low.h"\nint high(void);\nint high(void)\n{\n    return low() + 1;\n}\n' >lib/high.c
check 1 "unit-high" lib/high.c && says "testing them: FAILED" && says "  testing them"
printf 'int high(void){return 0;}\n' >lib/high.c
! command -v clang-format >/dev/null || { check 1 "unit-high" lib/high.c && says "  format"; }
echo 'int high(void) { return' >lib/high.c
check 1 "" lib/high.c && says "  building them"
mkdir tests/proof/spin && echo "int x;" >tests/proof/spin/model.c
check 0 "" tests/proof/spin && says "steps.sh runs" && silent "mutants.sh runs"
mkdir tests/mutants && echo "a mutant" >tests/mutants/C1.patch
check 0 "" tests/mutants && says "mutants.sh runs" && silent "steps.sh runs"
exit $((failures > 0))
