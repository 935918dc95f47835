#!/bin/bash
# bootstrap.sh SOURCE: tests how ./bootstrap treats failing tests:
#
# - A test that measures the real clocks (label `clocks`) and fails runs once more, alone, and the output says so. No
#   other test runs twice, and none runs three times.
# - A failed build of another tree, which runs during the tests, is a failure. No build outlives the script.
# - In both halves of the tests and in the soak, a failure is reported at the end, and the rest runs nevertheless. No
#   test runs in both halves.
# - Each skipped test is named with its reason, and tests/skips.txt must allow it.
set -u
export LC_ALL=C
. "$(dirname "$0")/../kit.sh"

# A project in which the test NAME fails in its first runs: as many times as the file NAME has lines.
mkdir "$scratch/project" && cd "$scratch/project" || exit 1
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(chance LANGUAGES NONE)
enable_testing()
foreach(name clock.1 clock-2 clock-20 plain later)
  add_test(NAME ${name} COMMAND sh ${CMAKE_SOURCE_DIR}/fail.sh ${CMAKE_SOURCE_DIR}/${name})
endforeach()
set_tests_properties(clock.1 clock-2 clock-20 PROPERTIES LABELS "cli;clocks")
set_tests_properties(plain PROPERTIES LABELS cli)
set_tests_properties(later PROPERTIES LABELS "other;all;unit")
foreach(name silent lonely partial)
  add_test(NAME skip-${name} COMMAND sh ${CMAKE_SOURCE_DIR}/skip.sh ${name})
  set_tests_properties(skip-${name} PROPERTIES LABELS skip SKIP_RETURN_CODE 77)
endforeach()
TEXT
cat >fail.sh <<'TEXT'
echo "$(basename "$1") runs" >>"${1%/*}/runs"
[ ! -s "$1" ] || { sed -i 1d "$1"; echo "$(basename "$1") is spoilt"; exit 1; }
TEXT
cat >skip.sh <<'TEXT'
case $1 in
silent) exit 77 ;;
lonely) echo "a line before" && echo "one <CPU> & no more" && exit 77 ;;
partial) seq 2000 && echo "[SKIP] suite::name: only root can" && seq 2000 ;;
esac
TEXT
cat >CMakePresets.json <<'TEXT'
{"version": 6,
 "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build"}],
 "testPresets": [{"name": "release", "configurePreset": "release", "output": {"outputOnFailure": true}}]}
TEXT
sed '/^job=/,$d; /^cd /d' "$1/bootstrap" >functions.sh
grep -q '^run_tests()' functions.sh || fail "bootstrap has no run_tests"
cmake --preset release >"$scratch/out" 2>&1 || { fail "the project cannot be configured"; exit 1; }

# try CODE TEST=TIMES...: run_tests must fail (CODE 1) or pass (0) if each TEST fails in its first TIMES runs.
try() {
    local expected=$1 code
    shift
    rm -f clock.1 clock-2 clock-20 plain later runs
    for one; do yes | head -n "${one#*=}" >"${one%=*}"; done
    sh -c 'set -eu; . ./functions.sh; run_tests release -L cli' >"$scratch/out" 2>&1
    code=$?
    [ $((code != 0)) -eq "$expected" ] || fail "$*: exit $code"
}
runs() { [ "$(sort runs | uniq -c | awk '{print $2 "=" $1}' | paste -sd ' ')" = "$1" ] || fail "the runs were not: $1"; }

try 0 && runs "clock-2=1 clock-20=1 clock.1=1 plain=1"
! grep -q "once more" "$scratch/out" || fail "it says that something was run again"
try 0 clock-2=1 clock.1=1 && runs "clock-2=2 clock-20=1 clock.1=2 plain=1" && says "once more, alone" && says "clock-2 is spoilt" && says "passed alone"
try 1 clock-2=2 && runs "clock-2=2 clock-20=1 clock.1=1 plain=1" && says "failed twice"
try 1 plain=1 && runs "clock-2=1 clock-20=1 clock.1=1 plain=1"
try 1 clock-2=1 plain=1 && runs "clock-2=1 clock-20=1 clock.1=1 plain=1"
! grep -q "once more" "$scratch/out" || fail "a failure is passed over"
sh -c 'set -eu; . ./functions.sh; run_tests release -L nothing' >"$scratch/out" 2>&1 && fail "it passes where there are no tests"

# skipped CODE ROW...: list_skips must fail (CODE 1) or pass (0) if tests/skips.txt has these rows.
skipped() {
    local expected=$1 code
    shift
    printf '# rows\n\n' >tests/skips.txt
    for row; do echo "$row" >>tests/skips.txt; done
    sh -c 'set -eu; . ./functions.sh; run_tests release -L skip; list_skips' >"$scratch/out" 2>&1
    code=$?
    [ $((code != 0)) -eq "$expected" ] || fail "the table '$*': exit $code"
}

mkdir tests && cp "$1/tests/skips.sh" tests/
skipped 0 'skip-* | no reason | true' 'skip-lonely | one <CPU> & no | [ 1 -lt 2 ]' '*partial | only root | true'
says "not tested here: skip-lonely: one <CPU> & no more" && says "skip-silent: it gives no reason" && says "skip-partial: [SKIP] suite::name: only root can"
skipped 1 'skip-* | no reason | true' 'skip-* | only root | true' && says "NOT TESTED, and tests/skips.txt does not allow that on this machine: skip-lonely: one <CPU>"
skipped 1 'skip-* | | false' && [ "$(grep -c "NOT TESTED" "$scratch/out")" -eq 3 ] || fail "a condition that does not hold allows something"
skipped 1 'skip-silent | | true' 'skip-lonely | | true' && says "NOT TESTED" && says "only root can"
tests/skips.sh tests/skips.txt "$scratch/none.xml" >"$scratch/out" 2>&1 && fail "results that cannot be read are taken for no skips"
while IFS='|' read -r tests words condition; do
    case $tests in '#'* | '') continue ;; esac
    [[ $words$condition == *[!\ ]* ]] && sh -n -c "$condition" || fail "tests/skips.txt: '$tests|$words|$condition' is no row"
done <"$1/tests/skips.txt"
echo '# nothing' >tests/skips.txt && rm -rf build/results

# trees CODE COMMANDS SCRIPT: runs SCRIPT while COMMANDS build the trees. The script must exit with CODE.
trees() {
    printf '#!/bin/sh\necho $PPID >group\n[ "$1" = trees ] || exit 1\n%s\n' "$2" >bootstrap && chmod +x bootstrap
    rm -f group
    local code
    timeout 60 sh -c "set -eu; . ./functions.sh; begin_trees; until [ -s group ]; do sleep 0.1; done; $3" >"$scratch/out" 2>&1
    code=$?
    [ $code -eq "$1" ] || fail "trees by '$2' beside '$3': exit $code"
}
gone() { for _ in $(seq 100); do kill -0 -- "-$(cat group)" 2>/dev/null || return 0; sleep 0.1; done; return 1; }

trees 0 'chrt --pid $$ >policy' end_trees
! chrt --idle 0 true 2>/dev/null || grep -q SCHED_IDLE policy || fail "trees are not built by what is left of the CPUs"
trees 1 'echo a missing semicolon; exit 1' end_trees && says "a missing semicolon" && says "could not be built"
trees 3 'sleep 60; true' 'exit 3'
gone || fail "the building of trees outlives bootstrap"
trees 143 'sleep 60; true' 'kill -TERM $$; sleep 1'
gone || fail "the building of trees outlives bootstrap that is told to end"
trees=1 sh -c 'set -eu; . ./functions.sh; end_trees' >"$scratch/out" 2>&1 || fail "the caller's environment says what trees there are"

# job CODE PATTERN COMMAND: the command must fail (CODE 1) or pass (0) if every call of cmake or ctest that matches
# PATTERN fails. The file `calls` lists all calls.
mkdir fake
printf '#!/bin/sh\necho "${0##*/} $*" >>calls\n! echo "${0##*/} $*" | grep -Eq -- "$FAILING"\n' >fake/cmake
cp fake/cmake fake/ctest && chmod +x fake/*
job() {
    local expected=$1 code
    rm -f calls
    FAILING=$2 PATH=$PWD/fake:$PATH sh -c "set -eu; . ./functions.sh; $3; echo passed" >"$scratch/out" 2>&1
    code=$?
    [ $((code != 0)) -eq "$expected" ] || fail "$3, where '$2' fails: exit $code"
    [ "$expected" -eq 0 ] || says "these have failed"
}
soak() { job "$1" "$2" soak; }
called() { [ "$(grep -Ec -- "$2" calls)" -eq "$1" ] || fail "not $1 calls of $2: $(cat calls)"; }

soak 0 '^$' && says passed
called 1 'ctest --preset asan .*-L unit[|]fuzz[|]stress[|]sanitized'
called 1 'ctest --preset clang .*-L unit[|]fuzz[|]stress'
called 1 'ctest --preset tsan .*-R .*stress-recorder[|]mpi-record'
called 1 'ctest --preset clang .*-C soak'
[[ $(tail -n 1 calls) == *"--preset release"*"-C soak"* ]] || fail "the long runs are not last"
soak 1 'ctest --preset asan' && called 5 ctest && says "  asan in full"
soak 1 'cmake --preset clang' && called 0 'cmake --build --preset clang' && called 0 'ctest --preset clang .*-L unit' && called 1 'ctest .*release'
soak 1 'cmake --build --preset asan' && called 0 'ctest --preset asan' && called 4 ctest
soak 1 'ctest --preset release'

# The first half builds and tests the release alone. If the build fails, no test runs.
job 0 '^$' test_job && says passed && says "testing the release: ok" && says "./bootstrap test --all"
called 1 'cmake --build --preset release --target test-first' && called 1 ctest && called 1 'ctest --preset release .*-LE \^all\$' && called 0 'asan|tsan|clang'
job 1 'cmake --build' test_job && called 0 ctest && says "  building the tests of the release"
job 1 ctest test_job && says "testing the release: FAILED" && says "  testing the release"

# The second half tests the rest of the release, and the other trees, which are built while the release is tested.
rest='begin_trees() { attempt "the trees" build_trees; }; test_job --all'
job 0 '^$' "$rest" && says passed && called 3 ctest && called 1 'ctest --preset release .*-L \^all\$' && called 1 'ctest --preset asan .*sanitized' &&
    called 2 'cmake --preset asan .*-DORDO_BUILD_TOOLS=OFF .*-DORDO_BUILD_TOOLS=ON' &&
    called 1 'ctest --preset tsan .*-L stress'
job 1 'ctest --preset release' "$rest" && called 3 ctest && says "  testing the rest of the release"
job 1 'cmake --build --preset release' "$rest" && called 3 ctest
job 1 'cmake --preset asan' "$rest" && called 3 ctest && called 0 'cmake --build --preset asan' && called 2 'cmake --build --preset tsan'
job 1 'ctest --preset (release|tsan)' "$rest" && called 1 'ctest --preset asan' && says "  testing the rest of the release" && says "  testing tsan"
for half in test_job "$rest"; do
    job 1 '^$' "list_skips() { return 1; }; $half" && says "  listing what could not be tested here"
done

# Continuous integration runs both halves, even if the first half fails.
mkdir .ci && cp "$1/.ci/run" .ci/
for code in "0 0 0" "1 0 1" "0 1 1" "64 70 70"; do
    read -r first rest all <<<"$code"
    printf '#!/bin/sh\necho "$*" >>calls\n[ $# -eq 1 ] && exit %s || exit %s\n' "$first" "$rest" >bootstrap
    rm -f calls
    .ci/run >"$scratch/out" 2>&1
    [ $? -eq "$all" ] && [ "$(paste -sd , calls)" = "test,test --all" ] || fail ".ci/run, where the halves end with $first and $rest"
done
for words in "build more" "coverage --lower" "coverage --raise more" "test --brief" "test --all more" "trees --all"; do
    "$1/bootstrap" $words >"$scratch/out" 2>&1
    [ $? -eq 64 ] && [ "$(wc -l <"$scratch/out")" -eq 1 ] || fail "bootstrap $words is not refused in one line"
done

mkdir -p counts/deep && : >counts/deep/a.c.gcno
sh -c 'umask 077; . ./functions.sh; open_counts counts'
[ "$(stat -c %a counts/deep/a.c.gcda)" = 666 ] || fail "not every user can write the counts of gcov"

job 0 '^$' 'test_in_full asan'
# A build tree remembers its options, so the call of cmake must set every option.
for option in BUILD_SHARED_LIBS $(sed -n 's/^option(\(ORDO_[A-Z_]*\).*/\1/p' "$1/CMakeLists.txt" "$1/tests/CMakeLists.txt"); do
    grep -q "cmake --preset asan .*-D$option=" calls || fail "nothing says whether a tree of tests has $option"
done
exit $((failures > 0))
