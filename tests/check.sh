#!/bin/bash
# check.sh FROM [PATH...]: does the work of `./bootstrap check`, after build-debug has been configured: checks these
# files, then builds and runs each unit test that depends on one of them. The build knows the dependencies. Paths are
# relative to FROM. Without a path the files are those that differ from the last commit; if no file differs, those of
# the last commit.
#
#   exit 1     a check has failed
#   exit 64    the files cannot be determined
set -u -o pipefail
export LC_ALL=C
from=$1
shift
tree=$PWD/build-debug
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=""

say() { echo "check: $*" >&2; }

# stage WHAT COMMAND...: runs the command. A failure is added to `failures`, and the script continues.
stage() {
    local what=$1 begun=$EPOCHREALTIME outcome=ok tenths
    shift
    "$@" || { outcome=FAILED && failures+="
  $what"; }
    tenths=$(((${EPOCHREALTIME/./} - ${begun/./}) / 100000))
    say "$what: $outcome, $((tenths / 10)).$((tenths % 10)) s"
}

# checkout: true if the tree is a git checkout. An unpacked archive is none, even inside another checkout.
checkout() { [ -e .git ] && git rev-parse --verify --quiet HEAD >/dev/null; }

# files PATH...: prints the files to check.
files() {
    local path here
    if ! checkout; then
        [ $# -gt 0 ] || { say "no checkout of git, so nothing says what has changed: name files or folders"; return 64; }
        for path; do
            here=$(cd "$from" && realpath -e --relative-base="${tree%/*}" -- "$path" 2>/dev/null) && [[ $here != /* ]] ||
                { say "$path: no file of the tree; give one, or a folder"; return 64; }
            find "$here" -type f ! -path 'build*' | sed 's|^\./||'
        done
    elif [ $# -gt 0 ]; then
        for path; do
            (cd "$from" && git ls-files --full-name -co --exclude-standard --error-unmatch -- "$path" 2>/dev/null) ||
                { say "$path: no file of the tree; give one, or a folder"; return 64; }
        done
    else
        { git diff --name-only --no-renames HEAD && git ls-files -o --exclude-standard; } >"$scratch/differ" || return 64
        [ -s "$scratch/differ" ] || git rev-parse --verify --quiet HEAD~1 >/dev/null ||
            { say "no file has changed, and the commit before the last is not in this clone: name files or folders"; return 64; }
        [ -s "$scratch/differ" ] || git diff --name-only --no-renames HEAD~1 >"$scratch/differ" || return 64
        cat "$scratch/differ"
    fi
}

# objects: prints the objects whose compilation read a changed file. The build knows this about objects that it has
# made. (With ccache, a path may be relative to the tree.)
objects() {
    [ ! -e "$tree/.ninja_deps" ] || ninja -C "$tree" -t deps | awk -v source="$PWD" '
        FNR == NR { changed[$0] = 1; next }
        /^[^ ]/ { object = $1; sub(/:$/, "", object); next }
        { sub(/^ +/, ""); sub(/^\.\.\//, source "/") } $0 in changed && !seen[object]++ { print object }' "$scratch/changed" -
}

# dependents: prints the targets of the build that depend, directly or indirectly, on the files on standard input. (In
# build.ninja the files after "||" only have to exist earlier, so they are no dependencies; "$ " stands for a space in a
# name.)
dependents() {
    awk '
        FNR == NR { gsub(/ /, "\001"); made[$0] = 1; next }
        !/^build / { next }
        { gsub(/[$] /, "\001"); sub(/ \|\| .*/, ""); sub(/^build /, ""); split($0, side, /: [^ ]+ ?/)
          count++; outputs[count] = side[1]; inputs[count] = side[2] }
        END {
            do {
                again = 0
                for (i = 1; i <= count; i++) {
                    if (i in over) continue
                    n = split(inputs[i], words, / +/)
                    for (j = 1; j <= n; j++) if (words[j] in made) break
                    if (j > n) continue
                    over[i] = again = 1
                    n = split(outputs[i], words, / +/)
                    for (j = 1; j <= n; j++) if (words[j] != "|") made[words[j]] = 1
                }
            } while (again)
            for (name in made) { gsub(/\001/, " ", name); print name }
        }' - "$tree/build.ninja"
}

# programs FILE: prints the programs of the tests listed in FILE.
programs() { cut -d ' ' -f 2 "$1" | sort -u; }

build() { cmake --build "$tree" --target "$@" -- "${quiet[@]}"; }

# unit_tests: builds and runs the unit tests that depend on the files. (The build lists all unit tests in
# unit-tests.txt.) The build learns the includes of an object when it compiles it. If a header has changed, all programs
# are therefore built first; later, only those that include the header are built again.
unit_tests() {
    local names
    if [ -s "$scratch/removed" ] || grep -qE "\.(h|hpp)\$" "$scratch/changed"; then # the dependents of a removed file are unknown too
        # shellcheck disable=SC2046
        stage "building all unit tests" build $(programs "$tree/unit-tests.txt")
        [[ $failures != *building* ]] || return 0
    fi
    stage "asking the build" affected
    mapfile -t names < <(cut -d ' ' -f 1 "$scratch/affected" | sort -u)
    say "${#names[@]} unit tests depend on that: ${names[*]:0:8}$([ ${#names[@]} -le 8 ] || echo " ...")"
    [ ${#names[@]} -gt 0 ] || return 0
    # shellcheck disable=SC2046
    stage "building them" build $(programs "$scratch/affected")
    [[ $failures != *building* ]] || return 0
    stage "testing them" ctest --test-dir "$tree" -j3 --no-tests=error --output-on-failure "${progress[@]}" -R "^($(IFS='|' && echo "${names[*]}"))$"
}

# affected: writes "TEST PROGRAM" to a file, for each unit test whose program depends on a changed file.
affected() {
    objects >"$scratch/objects" || return
    cat "$scratch/changed" "$scratch/objects" | dependents >"$scratch/dependents" || return
    awk 'FNR == NR { made[$0] = 1; next } $2 in made' "$scratch/dependents" "$tree/unit-tests.txt" >"$scratch/affected"
}

format() {
    command -v clang-format >/dev/null || { say "clang-format is not installed: the format is not checked" && return; }
    clang-format --dry-run -Werror "$@"
}

quiet=(--quiet) progress=()
[ ! -t 1 ] || { quiet=() && progress=(--progress); }
files "$@" >"$scratch/files" || exit 64
: >"$scratch/changed" && : >"$scratch/removed"
while read -r file; do
    if [ -f "$file" ]; then echo "$PWD/$file" >>"$scratch/changed"; else echo "$PWD/$file" >>"$scratch/removed"; fi
done < <(sort -u "$scratch/files")
[ -s "$scratch/changed" ] || [ -s "$scratch/removed" ] || { say "no file has changed"; exit 0; }
say "$(wc -l <"$scratch/changed") files: $(sed "s|^$PWD/||" "$scratch/changed" | head -n 4 | paste -sd ' ')$([ "$(wc -l <"$scratch/changed")" -le 4 ] || echo " ...")"
[ ! -s "$scratch/removed" ] || say "$(wc -l <"$scratch/removed") files are no more: $(sed "s|^$PWD/||" "$scratch/removed" | head -n 4 | paste -sd ' ')"

mapfile -t sources < <(grep -E '\.(c|h|hpp|cpp)$' "$scratch/changed")
[ ${#sources[@]} -eq 0 ] || stage "format" format "${sources[@]}"
mapfile -t sources < <(sed "s|^$PWD/||" "$scratch/changed")
[ ${#sources[@]} -eq 0 ] || stage "lint" tests/lint.sh . "$tree" "${sources[@]}"
stage "tree" tests/tree.sh .
stage "conditions" tests/conditions.sh .
stage "prose" tests/prose/prose.sh .
! grep -qE '/(cc|merge|proof)/|merge\.h$' "$scratch/changed" || stage "steps" tests/proof/steps.sh .
! grep -qE '/(cc|merge|record|mutants)/|merge\.h$' "$scratch/changed" || stage "mutants apply" tests/mutants.sh . --apply
! grep -qE '\.(md|[1-9])$' "$scratch/changed" || stage "documents" tests/cli/documents.sh .
unit_tests
[ -z "$failures" ] || { say "these have failed:$failures"; exit 1; }
