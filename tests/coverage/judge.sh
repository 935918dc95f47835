#!/bin/sh
# judge.sh SOURCE: checks that coverage.sh refuses a folder below its floor, a folder without a floor, and a lowered
# floor, and that
# --raise raises the floors.
set -eu
for tool in gcc gcov git jq; do command -v $tool >/dev/null || { echo "judge: needs $tool"; exit 77; }; done
script=$1/tests/coverage/coverage.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example
unset GIT_DIR GIT_WORK_TREE
cd "$scratch"

fail() {
    echo "judge: $*"
    cat out
    exit 1
}

# judged CODE TEXT OPTION...: coverage.sh must exit with CODE and print TEXT.
judged() {
    expected=$1 text=$2 code=0
    shift 2
    sh "$script" "$scratch" "$scratch/build" "$@" >out 2>&1 || code=$?
    [ $code -eq "$expected" ] || fail "exit $code, not $expected: $*"
    grep -Fq -- "$text" out || fail "it does not say '$text'"
}

mkdir -p lib/base/inner lib/moved include/ordo build tests/coverage
printf 'int half(int n)\n{\n    if (n)\n        return 1;\n    return 2;\n}\nvoid held(int n) { ORDO_INVARIANT(n ||\n    !n); }\n' >lib/base/inner/half.c
printf 'static inline int whole(void)\n{\n    return 0;\n}\n' >include/ordo/whole.h
printf '#include <ordo/whole.h>\nint half(int);\nint main(int argc, char **argv)\n{\n    (void)argv;\n    if (argc > 1)\n        half(0);\n    return half(1) - 1 + whole();\n}\n' >tests/main.c
printf 'int moved(void)\n{\n    return 0;\n}\n' >lib/moved/moved.c
(cd build && gcc --coverage -c "$scratch/lib/moved/moved.c") && rm lib/moved/moved.c
(cd build && gcc -O0 --coverage -D"ORDO_INVARIANT(holds)=(void)(holds)" -I"$scratch/include" "$scratch/lib/base/inner/half.c" "$scratch/tests/main.c" -o main) && ./build/main
git init -q && git add lib && git commit -qm first

judged 1 "lib/base                  75% of lines, floor 0;  50% of branches, floor 0  HAS NO FLOOR"
judged 0 "include/ordo             100% of lines" --raise
judged 0 "lib/base                  75% of lines, floor 73;  50% of branches, floor 47"
git add tests && git commit -qm floors
sed -i 's/^lib\/base\t73/lib\/base\t76/' tests/coverage/floors
judged 1 "BELOW ITS FLOOR"
judged 1 "BELOW ITS FLOOR" --raise
sed -i 's/^lib\/base\t76/lib\/base\t72/' tests/coverage/floors
judged 1 "were 73 and 47: put these back"
git add tests && git commit -qm lowered
judged 1 "were 73 and 47: put these back"
sed -i 's/^lib\/base\t72/lib\/base\t74/' tests/coverage/floors
judged 0 "75% of lines, floor 74" --raise
judged 0 "75% of lines, floor 74"
./build/main more
judged 0 "100% of lines, floor 74" --raise
judged 0 "lib/base                 100% of lines, floor 98; 100% of branches, floor 97"
! grep -q moved out || fail "a file that no longer exists is counted"
! grep -q tests out || fail "the tests themselves are counted"
mv lib/base build/ && printf 'lib/base\t98\t97\n' >>tests/coverage/floors
judged 1 "is no more"
judged 0 "is no more: --raise takes its floor away" --raise
! grep -q lib/base tests/coverage/floors || fail "the floor of a folder stays that is no more"
mv build/base lib/ && mkdir lib/none && echo "int x;" >lib/none/x.c && printf 'lib/none\t1\t1\n' >>tests/coverage/floors
judged 1 "lib/none                 HAS A FLOOR, AND NOTHING IN IT WAS COUNTED" --raise
judged 64 "not an option" --lower
mv .git ..git
judged 1 "whether a floor was lowered is not checked"
