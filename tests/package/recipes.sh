#!/bin/bash
# recipes.sh SOURCE BIN GENERATOR COMPILER: makes a part of every kind in the table of doc/architecture.md, by
# ./bootstrap new in a copy of the tree, builds all of them together, and checks that the command in the table shows
# each part. The help, schema and manual of a new command must satisfy the tests of the whole tree. Programs that BIN
# lacks, because there is no MPI, are not tested.
set -u
source=$1 bin=$2 generator=$3 compiler=$4
. "$(dirname "$0")/../kit.sh"
shown=("$scratch/out")
tree=$scratch/tree built=$scratch/tree/build/bin
export ORDO_RECORD=$scratch/none COLUMNS=80 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

mkdir "$tree"
for entry in "$source"/*; do
    case ${entry##*/} in build*) ;; *) cp -r "$entry" "$tree" ;; esac
done

# --- the printed table is that of ./bootstrap new, and the code that the recipes print is in the templates
sed -n 's/^| `\([a-z-]*\)` | `\([^`]*NAME\.c\)` | .*`\([^`]*\)` |$/\1\t\2\t\3/p' "$source/doc/architecture.md" >"$scratch/recipes"
cut -f 1 "$scratch/recipes" | sort >"$scratch/printed"
"$tree/bootstrap" new 2>&1 | sed 's/.* one of //' | tr ' ' '\n' | sort | diff "$scratch/printed" - >"$scratch/out" ||
    fail "the kinds of doc/architecture.md (<) are not those of ./bootstrap new (>)"
[ "$(wc -l <"$scratch/printed")" -ge 15 ] || fail "only $(wc -l <"$scratch/printed") kinds were found in doc/architecture.md"
while read -r code; do
    cat "$tree"/cmake/new/* | tr -s ' \n' ' ' | grep -qF -- "$code" || fail "doc/architecture.md prints '$code', which is in no template"
done < <(sed '1,/^## How to add/d' "$source/doc/architecture.md" | tr '\n' ' ' | tr -s ' ' |
    grep -oE '`[^`]*([a-z]_|\()NAME[^`]*`' | tr -d '`')

# --- one part of each kind
while IFS=$'\t' read -r kind file _; do
    name=new-$kind
    file=${file/NAME/${name//-/_}}
    "$tree/bootstrap" new "$kind" "$name" >"$scratch/out" 2>&1 || fail "./bootstrap new $kind $name: exit $?"
    grep -qxF "$file" "$scratch/out" && [ -s "$tree/$file" ] || fail "./bootstrap new $kind $name does not write $file"
    ! grep -HnE '(^|[^A-Z_]|[a-z]_)NAME|PROGRAM' "$tree/$file" 2>/dev/null || fail "$file: a name is not filled in"
done <"$scratch/recipes"
: >"$scratch/out"

# --- built together: without optimisation, since nothing is measured
targets=()
for program in "$bin"/ordo "$bin"/ordo-{mpi,net,timed,trace,bench,lab}; do
    [ -x "$program" ] || continue
    [ "${program##*/}" = ordo ] && targets+=(ordo-tool) || targets+=("${program##*/}")
done
cmake -S "$tree" -B "$tree/build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS=-O0 -DBUILD_SHARED_LIBS=OFF \
    -DORDO_BUILD_TESTS=OFF -Wno-dev >"$scratch/out" 2>&1 || fail "the tree with the new parts cannot be configured"
cmake --build "$tree/build" --target "${targets[@]}" -j2 >"$scratch/out" 2>&1 || {
    fail "the new parts do not compile"
    exit 1
}

# --- each is shown
while IFS=$'\t' read -r kind _ shown; do
    name=new-$kind
    : >"$scratch/out"
    case $shown in
    *[[:space:]]*)
        read -r -a words <<<"${shown//NAME/$name}"
        [ -x "$built/${words[0]}" ] || continue
        "$built/${words[0]}" "${words[@]:1}" >"$scratch/out" 2>&1 && grep -qwE -- "$name|${name//-/_}" "$scratch/out" ||
            fail "$kind: '${words[*]}' does not show it"
        ;;
    *)
        nm "$built/ordo" >"$scratch/symbols"
        grep -qw "$shown" "$scratch/symbols" && grep -qw "${shown%s}_${name//-/_}" "$scratch/symbols" || fail "$kind: it is not in $shown"
        ;;
    esac
done <"$scratch/recipes"

# --- a trace of the new form is read and written, by the new method
if [ -x "$built/ordo-trace" ]; then
    printf 'new-form\n0 5 begin\n1 500 a name of words\n' >"$scratch/trace"
    printf 'session,rank,send_ns,master_ns,receive_ns\n0,1,100,100,200\n' >"$scratch/sync.csv"
    "$built/ordo-trace" correct --sync "$scratch/sync.csv" --method new-method --to csv -o - "$scratch/trace" >"$scratch/out" 2>&1 &&
        grep -q '^1,500,event,a name of words,' "$scratch/out" || fail "a trace of the new form is not read"
    "$built/ordo-trace" correct --sync "$scratch/sync.csv" --to new-form -o - "$scratch/trace" >"$scratch/out" 2>&1 &&
        grep -q '^1 [0-9]* a name of words$' "$scratch/out" || fail "a trace of the new form is not written"
fi

# --- the lists that the programs take from other registries, and the new report
# lists PATTERN COMMAND...: if its program was built, the command must succeed and print a line that matches PATTERN.
lists() {
    [ -x "$built/$2" ] || return
    "$built/$2" "${@:3}" >"$scratch/out" 2>&1 && grep -qE -- "$1" "$scratch/out" || fail "${*:2}: no line with '$1'"
}
lists '^new-protocol ' ordo-lab simulate --list
lists 'estimator=[a-z|-]*\bnew-edge-estimator\b' ordo-lab simulate --list
lists '^new-edge-estimator ' ordo-net measure --list
lists '^new-edge-estimator ' ordo-net cores --list
lists '^boundary_ticks [0-9]' ordo calibrate --runs 1000 --repeat 2 --dry-run --report new-report

# --- the column of the new program is right about all machines, as tests/cli/advise.sh judges
"$tree/tests/cli/advise.sh" "$tree" "$built" >"$scratch/out" 2>&1 || fail "the answers of new-program are not those of its column"

jq -e '.properties.event.enum | index("new-observer")' "$tree/doc/schemas/ordo-watch-1.json" >"$scratch/out" 2>&1 &&
    grep -q '^| `new-observer` | ' "$tree/doc/watching.md" || fail "the event of the new observer is not documented"

# --- the texts of commands
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import jsonschema' 2>/dev/null && break
done
while read -r kind; do
    program=${kind%-command} name=new-$kind
    [ -x "$built/$program" ] || continue
    for golden in "$tree"/tests/*/golden/help*"-$name.txt"; do
        [ -e "$golden" ] || continue
        "$built/$program" "$name" --help >"$scratch/out"
        diff -u "$golden" "$scratch/out" || fail "the help of $program $name is not what was written for it"
        list=${golden%-"$name".txt}.txt
        [ ! -e "$list" ] || "$built/$program" --help | diff -u "$list" - || fail "the list of commands of $program is not what was written for it"
    done
    "$built/$program" "$name" --json >"$scratch/$name.json" 2>"$scratch/out" || fail "$program $name --json: exit $?"
    [ "$python" = none ] || "$python" "$source/tests/cli/schema.py" "$tree/doc/schemas" <<<"$scratch/$name.json" >"$scratch/out" 2>&1
    [ "$python" = none ] || grep -qx "ordo-$name/1" "$scratch/out" || fail "$program $name --json: not of its schema"
    page=$(find "$tree"/*/ -name "$program.1" -not -path "$tree/build/*")
    [ "$(grep -c -- "$name" "$page")" -ge 3 ] || fail "$page lacks $name"
    grep -qF "prints ordo-$name/1 0 $program $name --json" "$tree/tests/cli/schemas.sh" || fail "schemas.sh does not run $program $name"
done < <(grep -- '-command$' "$scratch/printed")

# --- a new part changes no help, because --list has the members: the golden texts are right as they are
for golden in "$tree"/tests/{cli,net,lab}/golden/help-*.txt; do
    command=${golden##*/help-} program=ordo-$(basename "${golden%/golden/*}")
    command=${command%.txt}
    case $program:$command in
    ordo-cli:trace-*) program=ordo-trace command=${command#trace-} ;;
    ordo-cli:mpi-*) program=ordo-mpi command=${command#mpi-} ;;
    ordo-cli:*) program=ordo ;;
    esac
    [ ! -x "$built/$program" ] || "$built/$program" "$command" --help 2>&1 | diff -u "$golden" - >"$scratch/out" ||
        fail "$program $command --help is not ${golden##*/}"
done
: >"$scratch/out"
"$tree/tests/cli/documents.sh" "$tree" >"$scratch/out" 2>&1 || fail "the documents are not what tests/cli/documents.sh wants"
"$tree/tests/tree.sh" "$tree" >"$scratch/out" 2>&1 || fail "the new files do not keep to tests/tree.sh"
exit $((failures > 0))
