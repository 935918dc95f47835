#!/bin/bash
# lint.sh SOURCE: checks that tests/lint.sh finds a fault in a C file, in a C file that another file includes, and in a
# script; that it reports only the files that it was given; and that it names a missing tool in one line.
set -u
export LC_ALL=C
for tool in clang-tidy shellcheck jq; do command -v $tool >/dev/null || { echo "lint: needs $tool"; exit 77; }; done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
mkdir -p "$scratch/a tree/lib" "$scratch/a tree/build" && cd "$scratch/a tree" || exit 1
cp "$1/.clang-tidy" "$1/.shellcheckrc" .

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' "$scratch/out"
    failures=$((failures + 1))
}

# lint CODE LINES TEXT FILE...: tests/lint.sh must exit with CODE, and exactly LINES lines of its output must contain
# TEXT.
lint() {
    local expected=$1 lines=$2 text=$3 code
    "$source/tests/lint.sh" . build "${@:4}" >"$scratch/out" 2>&1
    code=$?
    [ $code -eq "$expected" ] && [ "$(grep -c -- "$text" "$scratch/out")" -eq "$lines" ] || fail "${*:4}: exit $code, or not $lines lines of $text"
}

source=$1
fault='    for (unsigned char i = 0; i < count; i++)\n        sum += i;\n    return sum;'
printf 'int wrong(int count)\n{\n    int sum = 0;\n%b\n}\n' "$fault" | tee lib/stamped.c >lib/wrong.c
printf 'int right(void)\n{\n    return 0;\n}\n' >lib/right.c
printf '#include "stamped.c"\n' >build/stamped_ordo.c
printf '#!/bin/sh\ncd "$1"\n' >script
printf '#!/bin/sh\ncd "$1" || exit\n' >good.sh
for file in lib/wrong.c lib/right.c build/stamped_ordo.c; do
    jq -n --arg file "$PWD/$file" --arg tree "$PWD" '{directory: $tree, command: "cc \"-I\($tree)/lib\" -c \"\($file)\"", file: $file}'
done | jq -s . >build/compile_commands.json
lint 1 1 'lib/wrong.c:4:.*too-small-loop-variable' lib/wrong.c lib/right.c
lint 0 0 '' lib/right.c good.sh
lint 1 1 'lib/stamped.c:4:.*too-small-loop-variable' lib/stamped.c
lint 1 1 'script:2:.*SC2164' script good.sh
mkdir "$scratch/bin" && ln -s "$(command -v bash)" "$(command -v mktemp)" "$(command -v rm)" "$scratch/bin"
PATH=$scratch/bin "$BASH" "$source/tests/lint.sh" . build lib/wrong.c >"$scratch/out" 2>&1
[ $? -eq 0 ] && [ "$(grep -c 'is not installed: the check of .* is left out$' "$scratch/out")" -eq 2 ] || fail "it does not say which tools are missing"
exit $((failures > 0))
