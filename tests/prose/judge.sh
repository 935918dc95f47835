#!/bin/sh
# judge.sh SOURCE: checks that prose.sh counts phrases in comments, documents and names of tests but not in code, and
# that it refuses a folder above its budget and a raised budget.
set -eu
script=$1/tests/prose/prose.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example
unset GIT_DIR GIT_WORK_TREE
mkdir -p "$scratch/lib/a/deep" "$scratch/tests/prose"
cp "$1/tests/prose/phrases" "$scratch/tests/prose/phrases"
cd "$scratch"

fail() {
    echo "judge: $*"
    cat out
    exit 1
}

# judges CODE TEXT: prose.sh must exit with CODE and print TEXT.
judges() {
    code=0
    "$script" . >out 2>&1 || code=$?
    [ $code -eq "$1" ] || fail "exit code $code instead of $1 ($2)"
    grep -qF -- "$2" out || [ -z "$2" ] || fail "does not say: $2"
}

# finds PLACE...: prose.sh --list must list exactly these places.
finds() {
    "$script" . --list >out
    cut -d : -f 1-3 out >places
    for place; do echo "$place"; done | diff - places || fail "the places are others"
}

git init -q .
printf '/* who\n * reads: who reads it */\nchar *s = "who reads"; // nobody, is nobody here?\n// who is it?\nTest(a, who_reads)\n' >lib/a/deep/a.c
printf '#!/bin/sh # who reads\n# who reads\necho who reads\n' >bootstrap
printf 'who reads `who writes`\n```\nwho reads\n```\n    who reads\n' >a.md
git add .
finds a.md:1:' relative' bootstrap:2:' relative' lib/a/deep/a.c:2:' relative' lib/a/deep/a.c:3:' person' lib/a/deep/a.c:3:' person' lib/a/deep/a.c:5:' relative'
judges 1 "prose: lib/a: 4 phrases that have to be read twice, at most 0 are allowed"
printf 'lib/a\t5\n.\t2\n' >tests/prose/budgets
judges 0 ""
git add . && git commit -qm budgets
"$script" . --lower >out 2>&1 || fail "--lower fails"
grep -qx "lib/a	4" tests/prose/budgets || fail "--lower does not lower: $(cat tests/prose/budgets)"
git commit -qam lower
printf 'lib/a\t5\n.\t2\n' >tests/prose/budgets
judges 1 "prose: the budget of lib/a is 5, and was 4: put that back"
git checkout -q tests/prose/budgets
printf '// who reads\n' >lib/new.c # not yet added
judges 1 "prose: lib: 1 phrases"
mkdir -p lib/inner/lib && cp -r tests lib/inner/tests && printf '// who reads\n' >lib/inner/lib/b.c # an archive unpacked inside a repository
(cd lib/inner && "$script" . >out 2>&1) && fail "an archive within a repository is not read"
rm -r lib/new.c lib/inner
rm lib/a/deep/a.c # not yet committed
judges 0 ""
code=0
"$script" . --higher >out 2>&1 || code=$?
[ $code -eq 64 ] || fail "takes --higher"
