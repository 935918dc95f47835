#!/bin/sh
# hpp.sh SOURCE COMPILER [ORDO]: checks that the C++20 header compiles without a warning and keeps its promises, also
# with a record made by ORDO, and that operations without a meaning for partially ordered times do not compile.
set -eu
source=$1 compiler=$2 ordo=${3:-}
command -v "$compiler" >/dev/null || { echo "$compiler is not installed"; exit 77; }
echo '#include <compare>
int main() { return std::is_lt(1 <=> 2) ? 0 : 1; }' | "$compiler" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null ||
    { echo "$compiler has no <compare>"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
warnings="-Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual -Wcast-align"
status=0

fail() {
    echo "$compiler: $*"
    status=1
}

record=
if [ -n "$ordo" ] && "$ordo" calibrate --runs 300 --repeat 2 --force --quiet --output "$scratch/boundary" >/dev/null 2>&1; then
    record=$scratch/boundary
fi
for options in "-std=c++20 -O2" "-std=c++2b -O0 -DORDO_CLOCK_POSIX"; do
    "$compiler" $options $warnings -I"$source/include" "$source/tests/header/ordo.cpp" -pthread -o "$scratch/program" ||
        { fail "$options: does not compile"; continue; }
    case $options in *POSIX*) with= ;; *) with=$record ;; esac # the record is of the hardware's clock
    "$scratch/program" $with >"$scratch/out" && grep -qx right "$scratch/out" || { cat "$scratch/out"; fail "$options"; }
done

# compiles NUMBER: true if ordo.cpp compiles with the mistake NUMBER.
compiles() {
    "$compiler" -std=c++20 -DWRONG="$1" -I"$source/include" -fsyntax-only "$source/tests/header/ordo.cpp" 2>"$scratch/errors"
}
[ "$compiler" = g++ ] || exit $status # deleted operations are refused by the language, so one compiler is enough
compiles 0 || { cat "$scratch/errors"; fail "without a mistake it does not compile"; }
mistake=1
while ! compiles $mistake && grep -Eq "deleted|ordo::time" "$scratch/errors" && ! grep -q "there are no more mistakes" "$scratch/errors"; do
    mistake=$((mistake + 1))
done
grep -q "there are no more mistakes" "$scratch/errors" || fail "mistake $mistake compiles"
[ $mistake -gt 4 ] || fail "only $((mistake - 1)) mistakes were refused"

# Below C++20 the header states its requirement.
echo '#include <ordo/ordo.hpp>' | "$compiler" -std=c++17 -x c++ -I"$source/include" -fsyntax-only - 2>"$scratch/errors" &&
    fail "C++17 is accepted"
grep -q "needs C++20" "$scratch/errors" || fail "it does not say that it needs C++20"
exit $status
