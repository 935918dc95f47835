#!/bin/bash
# mutants.sh: removes a condition from the code by a patch, and checks that a program finds the mutant.
#
#     tests/mutants.sh SOURCE COMPILER [--jobs N] PROGRAM [NAME...]    PROGRAM: a pattern, such as 'model-rlu-*'
#     tests/mutants.sh SOURCE --apply                                  only checks that every patch applies
#     tests/mutants.sh edit PATCH [FILE...]                            makes a patch anew after the code has moved
#
# With NAMEs, only mutants run whose file name contains one of them. `edit` copies the patched files (and each FILE), applies the hunks
# that still fit (the others are in *.rej), starts $EDITOR and writes the patch; the header stays, and a new patch gets one to fill in.
#
# A mutant is a file *.patch in a folder `mutants`. Its first line names the fault. Below are lines with programs, then a diff:
#     found by: PROGRAM ARGUMENTS     the program must find it, and name the violation; a crash does not count. A program
#                                     proof-schedule-* runs with 1, 2, ... preemptions, up to its argument.
#     unseen by: PROGRAM ARGUMENTS    the program must pass
#     beyond: PROGRAM                 the program does not find it: tests/proof/searches has it, or a model with random schedules
# The lines of each hunk must stand at one place of the file, which may have moved.
#
# Exit 0: all mutants are killed; 1: one is alive, does not build or does not apply; 64: usage; 77: no compiler, or too few CPUs.
set -u

usage() {
    sed -n '3,5s/^# *//p' "$0" >&2
    exit 64
}

# recipe PROGRAM: sets `sources`, `flags` and `seconds`, which a run may take. If no other test runs the unchanged
# program with the arguments of the mutants, sets `whole` to arguments with which the unchanged program must pass first.
recipe() {
    local model=tests/model proof=tests/proof/schedule stress=tests/stress engine=${1##*-}
    local coroutine=lib/base/coroutine.c trace=lib/trace
    seconds=100 whole='' clock=model_clock.h
    case $1 in
    model-collectives)
        sources="$model/collectives/collectives.c $(echo "$trace"/correct/{collectives,holes,numbering}.c) $(echo "$trace"/event/*.c) $trace/clocks/clocks.c
            $(echo "$trace"/sync/*.c) $(echo "$trace"/causal/*.c) $trace/method/registry.c $trace/method/interval.c $trace/curve/curve.c
            $(echo "$trace"/input/{input,number}.c) $(echo lib/unpack/*.c) $(echo "$trace"/device/*.c) lib/base/error.c -lm"
        flags="-O1 -I$model/machine" whole=1000
        ;;
    model-devices)
        sources="$model/devices/devices.c $(echo "$trace"/device/*.c) $trace/event/names.c $(echo "$trace"/sync/*.c) $trace/curve/curve.c lib/base/error.c -lm"
        flags="-O1 -I$model/machine" whole=1000
        ;;
    model-merge) sources=$model/merge/merge.c flags="-O0 -I$model/machine" whole=100000 ;;
    model-oplog-ordo) sources="$model/oplog/oplog.c $coroutine" flags="-O0 -I$model/machine" whole=2000 ;;
    model-rlu-ordo) sources="$model/rlu/rlu.c $coroutine" flags="-O0 -I$model/machine -Itests" whole=2000 ;;
    model-mvrlu-ordo) # small chunks, so that a chunk is soon used again
        sources="$model/rlu/rlu.c $coroutine" whole=2000
        flags="-O0 -I$model/machine -Itests -DTESTS_MVRLU -DORDO_MVRLU_CHUNK_BYTES=(size_t)320 -DORDO_MVRLU_SOON=0"
        ;;
    model-stm-ordo) sources="$model/stm/stm.c $coroutine" flags="-O0 -I$model/machine" whole=1000 ;;
    model-stm-elastic) sources="$model/stm/elastic.c $coroutine" flags="-O0 -I$model/machine" whole=1000 ;;
    model-stm-gv5) sources="$model/stm/stm.c $coroutine" flags="-O0 -I$model/machine -DORDO_STAMP_GV5" whole=1000 ;;
    model-stm-dctl) sources="$model/stm/stm.c $coroutine" flags="-O0 -I$model/machine -DORDO_STAMP_DCTL" whole=1000 ;;
    model-txn)
        sources="$model/txn/txn.c lib/cc/txn/registry.c lib/base/error.c $coroutine" flags="-O0 -I$model/txn" whole=1000
        ;;
    proof-schedule-rlu) sources="$proof/rlu.c $coroutine" flags="-O1 -I$proof -Itests" whole=2 ;;
    proof-schedule-ring) sources="$proof/ring.c lib/base/error.c $coroutine" flags="-O2 -I$proof" whole=3 seconds=300 ;;
    proof-schedule-hazards)
        sources="$proof/txn.c lib/base/error.c $coroutine" flags="-O2 -I$proof -DENGINE=HEKATON -DHAZARDS" seconds=300
        ;;
    proof-schedule-deletions-hekaton | proof-schedule-deletions-occ | proof-schedule-deletions-silo | proof-schedule-deletions-tictoc)
        sources="$proof/deletions.c lib/base/error.c $coroutine" flags="-O2 -I$proof -DENGINE=${engine^^}" seconds=300
        ;;
    proof-schedule-hekaton | proof-schedule-occ | proof-schedule-silo | proof-schedule-tictoc)
        sources="$proof/txn.c lib/base/error.c $coroutine" flags="-O2 -I$proof -DENGINE=${engine^^}" seconds=300
        ;;
    stress-oplog-ordo) sources="tests/guard/program.c $stress/oplog/oplog.c" ;;
    stress-rlu-ordo) sources="tests/guard/program.c $stress/rlu/rlu.c" ;;
    stress-stm-history-ordo) sources="tests/guard/program.c $stress/stm/history.c $(echo lib/cc/history/*.c)" ;;
    *) return 1 ;;
    esac
    [[ $1 != stress-* ]] || { flags="-O2 -I$stress -Itests -pthread -Wl,--wrap=main" clock=skewed_clock.h seconds=300; }
}

# compile OPTION...: calls the compiler as `recipe` says, with the headers and libraries in $tree before those of the source. The files
# of lib/ include each other by their paths below lib/, so a changed one in $tree takes the place of the other.
compile() {
    # shellcheck disable=SC2086
    "$compiler" -std=gnu11 -D_GNU_SOURCE -w $flags "-I$tree/include" "-I$tree/lib" -Ilib -DORDO_CLOCK_HEADER="\"$clock\"" "$@"
}

# kept PROGRAM FILE: prints the name of the object of the unchanged file.
kept() { echo "$scratch/objects/$1/${2//\//_}.o"; }

# keep PROGRAM: compiles the unchanged sources to the objects that mutants share.
keep() {
    local file
    recipe "$1"
    mkdir -p "$scratch/objects/$1"
    for file in $sources; do
        case $file in *.c) compile -c "$file" -o "$(kept "$1" "$file")" || return 1 ;; esac
    done
}

# build PROGRAM [PATCH]: builds the program. If the patch changes only files of `sources`, which no other file includes, the others
# come from the kept objects.
build() {
    local file changed object parts=() shares=yes
    recipe "$1"
    changed=" $(sed -n 's|^+++ b/||p' "${2:-/dev/null}" | tr '\n' ' ')"
    for file in $changed; do
        [[ " ${sources//[[:space:]]/ } " == *" $file "* ]] || shares=no
    done
    for file in $sources; do
        object=$(kept "$1" "$file")
        if [[ $changed == *" $file "* ]]; then
            file=$tree/$file
        elif [ $shares = yes ] && [ -e "$object" ]; then
            file=$object
        fi
        parts+=("$file")
    done
    compile "${parts[@]}" -o "$tree/program"
}

# run ARGUMENT...: runs the program, and returns its exit code. The output is in $tree/out.
run() { timeout $((10 * seconds)) prlimit --cpu="$seconds" "$tree/program" "$@" >"$tree/out" 2>&1; }

# notices PROGRAM ARGUMENT...: true if the program names the violation. Schedules with few preemptions run first,
# because they are the fastest way to find most mutants.
notices() {
    local count=${*: -1} least
    case $1 in
    proof-schedule-*)
        for ((least = 1; least <= count; least++)); do
            run "$least"
            [ $? -ne 1 ] || break
        done
        [ "$least" -le "$count" ] && grep -qE '^schedule [0-9]+: ' "$tree/out"
        ;;
    model-*)
        run "${@:2}"
        [ $? -eq 1 ] && grep -qE '^seed [0-9]+: ' "$tree/out"
        ;;
    *) run "${@:2}" ;; # with expect=1 in its arguments, it exits with 0 if it finds the violation
    esac
}

# places PATCH...: prints a line for each hunk that matches its file at no place, at several places, or above the hunk before it.
places() {
    awk '
        function search(i, j, found, at) {
            if (!lines) return
            for (i = 1; i + lines - 1 <= count; i++) {
                for (j = 1; j <= lines && file[i + j - 1] == old[j]; j++);
                if (j > lines) { found++; at = i }
            }
            if (found != 1)
                print name ": " (found ? found " places look like this" : "no place looks like this") ":" text
            else if (at < least)
                print name ": the place is above that of the hunk before:" text
            least = at + lines; lines = 0; text = ""
        }
        FNR == 1 { search(); name = "" }
        /^--- a\// { search(); name = substr($2, 3); split("", file); count = least = 0
                     while ((getline line < name) > 0) file[++count] = line; close(name); next }
        /^\+\+\+ / { next }
        /^@@ / { search(); next }
        name && /^[- ]/ { old[++lines] = substr($0, 2); text = text "\n        " $0 }
        END { search() }' "$@"
}

# apply PATCH: copies include/ and the changed files to $tree, and applies the patch there. Errors go to $tree/out.
apply() {
    cp -r include "$tree"
    sed -n 's|^--- a/||p' "$1" | xargs cp --parents -t "$tree" 2>/dev/null
    places "$1" >"$tree/out"
    [ ! -s "$tree/out" ] && (cd "$tree" && git apply "$source/$1") >>"$tree/out" 2>&1
}

# lines PATCH: prints the lines that name programs, each as "how<tab>program arguments".
lines() { sed -nE '/^--- /q; s/^(found by|unseen by|beyond): /\1\t/p' "$1"; }

# tell VERDICT PATCH PROGRAM... : prints one line about a mutant, with the seconds since $begun. Verdicts in capitals
# are failures.
tell() {
    local tenths=$(((${EPOCHREALTIME/./} - begun) / 100000)) last=
    case $1 in killed | ALIVE) last=": $(tail -n 1 "$tree/out")" ;; esac
    printf '%-14s %4d.%d s  %s: %s (%s)%s\n' "$1" $((tenths / 10)) $((tenths % 10)) "$(basename "$2" .patch)" "$(head -n 1 "$2")" "${*:3}" "$last"
    case $1 in
    'DOES NOT APPLY') sed 's/^/    /' "$tree/out" && echo "    mend it: tests/mutants.sh edit $2" ;;
    'DOES NOT BUILD') grep -m 3 error "$tree/out" ;;
    esac
    [[ $1 == [a-z]* ]] || echo "$2" >>"$scratch/failed"
}

# judge PATCH HOW PROGRAM ARGUMENT...: builds and runs a mutant, and prints the verdict.
judge() {
    local patch=$1 how=$2 program=$3 begun=${EPOCHREALTIME/./} tree
    shift 2
    tree=$(mktemp -d "$scratch/tree.XXXXXX")
    if ! apply "$patch"; then
        tell "DOES NOT APPLY" "$patch" "$@"
    elif [ "$how" = beyond ]; then
        tell beyond "$patch" "$@"
    elif ! build "$program" "$patch" >"$tree/out" 2>&1; then
        tell "DOES NOT BUILD" "$patch" "$@"
    elif [ "$how" = "unseen by" ]; then
        if run "${@:2}"; then tell unseen "$patch" "$@"; else tell SEEN "$patch" "$@"; fi
    elif notices "$@"; then
        tell killed "$patch" "$@"
    else
        tell ALIVE "$patch" "$@"
    fi
    rm -rf "$tree"
}
export -f recipe compile kept build run notices places apply tell judge

# holds PROGRAM: the unchanged program must pass. It has no time limit.
holds() {
    local tree=$scratch/whole
    mkdir "$tree" && cp -r include "$tree"
    recipe "$1"
    [ -z "$whole" ] || { keep "$1" && build "$1" && "$tree/program" "$whole"; } >"$tree/out" 2>&1 || {
        echo "the unchanged program $1 does not pass with $whole:"
        tail -n 3 "$tree/out"
        exit 1
    }
    rm -r "$tree"
}

# all_apply: checks that every patch applies, and that its lines of programs can be read. One process checks all patches,
# because starting a process takes longer than the check. If something is wrong, each patch is checked by itself.
all_apply() {
    local patch program begun tree=$scratch/tree right=''
    mkdir "$tree"
    places "${patches[@]}" >"$tree/out"
    [ ! -s "$tree/out" ] && git apply --numstat "${patches[@]}" >/dev/null 2>&1 && right=yes
    for patch in "${patches[@]}"; do
        begun=${EPOCHREALTIME/./}
        [ -n "$right" ] || { places "$patch" && git apply --numstat "$patch" >"$scratch/numbers"; } >"$tree/out" 2>&1
        [ -n "$right" ] || [ ! -s "$tree/out" ] || tell "DOES NOT APPLY" "$patch" ""
        header_names "$patch" || tell "WRONG HEADER" "$patch" "line 2 and below: 'found by: ', 'unseen by: ' or 'beyond: ' and a program"
        for program in $programs; do
            recipe "$program" || tell "NO SUCH PROGRAM" "$patch" "$program"
        done
    done
    echo "${#patches[@]} patches"
}

# header_names PATCH: sets `programs` to those that the patch names. False if a line below the first does not name one.
header_names() {
    local line right=yes
    programs=''
    {
        read -r line # names the fault
        while IFS= read -r line && [[ $line != '--- '* ]]; do
            if [[ $line =~ ^(found by|unseen by|beyond):\ ([^\ ]+) ]]; then programs+=" ${BASH_REMATCH[2]}"; else right=''; fi
        done
    } <"$1"
    [ -n "$right" ] && [ -n "$programs" ]
}

# differ FILE...: prints the patch from the tree to $scratch/new, with the least context that gives each hunk a unique
# place.
differ() {
    local file context
    for file; do
        for context in 1 2 3; do
            diff -U$context --label "a/$file" --label "b/$file" "$file" "$scratch/new/$file" | sed -E 's/^(@@ [^@]* @@).*/\1/' >"$scratch/diff"
            [ -n "$(places "$scratch/diff")" ] || break
        done
        cat "$scratch/diff"
    done
}

# edit PATCH [FILE...]: see `tests/mutants.sh edit` above.
edit() {
    local patch=$1 files rejected
    shift
    cd "$(dirname "$0")/.." || exit 1
    source=$PWD
    [ -e "$patch" ] || printf 'C0: WHAT GOES WRONG\nfound by: PROGRAM ARGUMENTS\n' >"$patch"
    mapfile -t files < <({ sed -n 's|^--- a/||p' "$patch" && printf '%s\n' "$@"; } | grep . | sort -u)
    mkdir "$scratch/new"
    cp --parents -t "$scratch/new" "${files[@]}" || exit 64
    cd "$scratch/new" || exit 1
    ! grep -q '^--- a/' "$source/$patch" || git apply --reject "$source/$patch" 2>/dev/null
    mapfile -t rejected < <(find . -name '*.rej')
    ${EDITOR:-vi} "${files[@]}" "${rejected[@]}" || exit 1
    cd "$source" || exit 1
    { sed '/^--- /,$d' "$patch" && differ "${files[@]}"; } >"$scratch/patch" && cp "$scratch/patch" "$patch"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export scratch source compiler GIT_CEILING_DIRECTORIES=$scratch # a copy is no part of a repository around it
case ${1:-} in
'' | -*) usage ;;
edit)
    [ $# -ge 2 ] || usage
    edit "${@:2}"
    exit
    ;;
esac
source=$(cd "$1" && pwd) && cd "$source" || exit 64
GIT_CEILING_DIRECTORIES+=:$(dirname "$source")
mapfile -t patches < <(find tests -path '*/mutants/*.patch' | sort)
if [ "${2:-}" = --apply ]; then
    all_apply
    [ ! -e "$scratch/failed" ]
    exit
fi
[ $# -ge 3 ] || usage
compiler=$2 jobs=1
shift 2
if [ "$1" = --jobs ]; then
    jobs=${2:-}
    shift 2
fi
[[ $jobs =~ ^[1-9][0-9]*$ ]] && [ $# -ge 1 ] || usage
pattern=$1
shift
for tool in git "$compiler"; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed" && exit 77; }
done
[[ $pattern != stress-rlu* ]] || [ "$(nproc)" -ge 2 ] || { echo "two CPUs are needed" && exit 77; }

# named PATCH NAME...: true if the file name of the patch contains one of the names, or if there are no names.
named() {
    local patch=$1 name
    shift
    [ $# -gt 0 ] || return 0
    for name; do
        [[ $(basename "$patch") != *"$name"* ]] || return 0
    done
    return 1
}

# Prints the jobs, one a line: a patch, how, and a program with its arguments.
for patch in "${patches[@]}"; do
    named "$patch" "$@" || continue
    while IFS=$'\t' read -r how command; do
        # shellcheck disable=SC2254
        case ${command%% *} in $pattern) printf '%s\t%s\t%s\n' "$patch" "$how" "$command" ;; esac
    done < <(lines "$patch")
done >"$scratch/jobs"
[ -s "$scratch/jobs" ] || { echo "no mutant is for '$pattern' $*" && exit 64; }
[ $# -gt 0 ] || while read -r program; do
    holds "$program" </dev/null || exit 1
done < <(cut -f 3 "$scratch/jobs" | cut -d ' ' -f 1 | sort -u)
# shellcheck disable=SC2016
tr '\n' '\0' <"$scratch/jobs" | xargs -0 -P "$jobs" -n 1 bash -c '
    IFS=$'"'\t'"' read -r patch how command <<<"$1"
    judge "$patch" "$how" $command' _ | tee "$scratch/told"
echo "$(grep -c '^killed' "$scratch/told") killed of $(cut -f 2 "$scratch/jobs" | grep -c '^found by') mutants, $(grep -c '^beyond' "$scratch/told") beyond these programs"
[ ! -e "$scratch/failed" ] && [ "$(grep -cE '^[A-Za-z ]{14} +[0-9]+\.[0-9] s ' "$scratch/told")" -eq "$(wc -l <"$scratch/jobs")" ]
