#!/bin/sh
# new.sh KIND NAME: writes a new part into this tree, as doc/architecture.md describes it, from the template of its kind; NAME
# in the template is replaced by the name. Some kinds get more:
#   engine    its line of CMake
#   observer  its event
#   program   its column of expected answers
#   command   its help, schema, entries in the manual, and lines of tests
# Prints the names of the written files. Exit code 64: wrong usage, and nothing was written.
set -eu
cd "$(dirname "$0")/../.."
LC_ALL=C # for the order of names
export LC_ALL
kind=${1-} name=${2-} templates=cmake/new

refuse() {
    printf 'bootstrap new: %s' "$*" | tr -c '[:print:]' '?' >&2
    echo >&2
    exit 64
}

# folders: prints each kind with its folder. The commands of a program are one kind.
folders() {
    cat <<'TEXT'
algorithm lib/cluster/sync/algorithm
barrier lib/cluster/barrier/algorithm
clock-source lib/machine/clock
daemon lab/net/evaluate/daemon
edge-estimator lib/net/offset/estimator
engine lib/cc/txn
estimator lib/cluster/offset/estimator
form lib/trace/form
kernel-clock lib/machine/clock
method lib/trace/method
observer lib/calibrate/watch/observer
ordo-bench-command bench/command
program lib/machine/advice/program
protocol lab/net/protocol
report lib/calibrate/report
source lib/net/source
TEXT
    find calib lab -mindepth 2 -maxdepth 2 -name command 2>/dev/null | sort | sed 's|.*/\(.*\)/command|\1-command &|'
}

# fill TEMPLATE: prints the template with the names filled in. After "_", "(" and "/" (in C, CMake and paths) NAME becomes the
# stem of the file. The template of a command has two variants: lines for ordo-mpi and, after #else, for other programs.
fill() {
    awk -v mpi="$([ "$program" = ordo-mpi ] && echo 1 || echo 0)" '
        /^#ifdef ORDO_MPI$/ { skip = !mpi; inside = 1; next }
        inside && /^#else$/ { skip = !skip; next }
        inside && /^#endif$/ { skip = inside = 0; next }
        !skip' "$templates/$1" |
        sed -E "s#([a-z]_|[(/])NAME#\1$stem#g; s#(^|[^A-Z_])NAME#\1$name#g; s#PROGRAM#$program#g; s#KEY#$key#g"
}

# insert FILE CONDITION TEXT: inserts TEXT before the first line for which CONDITION, an expression of awk, is true. In
# CONDITION, `seen` is true if a line above belongs to a list of commands or to a table.
insert() {
    changed=$(NAME=$name TEXT=$3 awk '
        !done && ('"$2"') { print ENVIRON["TEXT"]; done = 1 }
        /^(  [a-z]|\|)/ { seen = 1 }
        { print }
        END { exit !done }' "$1") || {
        echo "bootstrap new: $1: has no line with $2, before which something is to be inserted: mend $templates/new.sh" >&2
        exit 70
    }
    printf '%s\n' "$changed" >"$1"
    echo "$1"
}

# golden_help: prints the path of the golden file for a new command's help; nothing if the program has no golden files.
golden_help() {
    case $program in
    ordo | ordo-trace) echo "tests/cli/golden/help${program#ordo}-$name.txt" ;;
    *) [ ! -d "tests/${program#ordo-}/golden" ] || echo "tests/${program#ordo-}/golden/help-$name.txt" ;;
    esac
}

# command_help: writes the golden files of a program that has golden files. tests/cli/cli.sh tests every listed command.
command_help() {
    [ -n "$golden" ] || return 0
    fill command.txt >"$golden"
    echo "$golden"
    list=${golden%-"$name".txt}.txt tests=${golden%/golden/*}
    # shellcheck disable=SC2016
    [ ! -f "$list" ] || insert "$list" \
        '/^  [a-z]/ && $1 > ENVIRON["NAME"] || seen && /^$/' "$(printf '  %-13s one line for people' "$name")"
    [ "$tests" = tests/cli ] || insert "$tests/${tests#tests/}.sh" '/^manual /' \
        "run 0 $program $name --help && golden help-$name"
}

# command_manual: inserts the synopsis and the entry into the manual page. Marks in the page show where, and how an entry begins.
command_manual() {
    page=${folder%/*}/$program.1
    insert "$page" '/^\.\\" New commands: synopsis/' "$(printf '.Nm %s\n.Cm %s\n.Op Fl -json' "$program" "$name")" >/dev/null
    heading=$(sed -n 's/^\.\\" New commands: \(.*NAME\)$/\1/p' "$page" | sed "s/NAME/$name/")
    insert "$page" '/^\.\\" New commands: .*NAME$/' "$(printf '%s\n%s' "$heading" "$(fill command.1)")"
}

# expected_column: adds the expected answers of the new program for all machines. The template advises the counter, except
# on machines for which valkey is advised against it.
expected_column() {
    table=tests/machines/expected.tsv
    changed=$(NAME=$name awk -F '\t' -v OFS='\t' '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print $0, ENVIRON["NAME"]; next }
        { print $0, $at["valkey"] ~ /NO_PROCESSOR_CLOCK/ ? "keep" : "clock = counter" }
        END { exit !at["valkey"] }' $table) || {
        echo "bootstrap new: $table: has no column valkey, from which the new one follows: mend $templates/new.sh" >&2
        exit 70
    }
    printf '%s\n' "$changed" >$table
    echo $table
}

command_schema() {
    fill command.json >"$schema"
    echo "$schema"
    insert doc/json.md 'seen && /^$/' "| \`ordo-$name/1\` | \`$program $name\` | [${schema##*/}](schemas/${schema##*/}) |"
    insert tests/cli/schemas.sh '/^# Every schema that the sources name/' \
        "[ ! -x \"\$bin/$program\" ] || prints ordo-$name/1 0 $program $name --json"
}

known=$(folders)
folder=$(echo "$known" | KIND=$kind awk '$1 == ENVIRON["KIND"] { print $2 }')
kinds=$(echo "$known" | cut -d ' ' -f 1 | paste -s -d ' ')
[ $# -eq 2 ] || refuse "give KIND NAME: KIND is one of $kinds"
[ -n "$folder" ] || refuse "'$kind' is not a kind of part: give one of $kinds"
[ ${#name} -le 24 ] || refuse "NAME '$(printf %.24s "$name")...': longer than 24 letters: give a shorter name"
case $name in
registry | help) refuse "NAME '$name': means something else: give another name" ;;
'' | [!a-z]* | *[!a-z0-9_-]* | *-) refuse "NAME '$name': give a word of a-z, 0-9, - and _ that begins with a letter" ;;
esac
stem=$(echo "$name" | tr - _)
case $kind in *clock*) name=$stem ;; esac # the name of a clock has no "-"
file=$folder/$stem.c program="" key="" schema="" golden="" template=$kind.c
case $kind:$stem in
*clock*:*) ;;
*:mpi_*) refuse "NAME '$name': only a clock of MPI may begin with mpi: give another name" ;; # ordo_registry leaves mpi_*.c out
esac
case $kind in
*-command)
    program=${kind%-command} key=cpus schema=doc/schemas/ordo-$name-1.json template=command.c golden=$(golden_help)
    case $name in *[!a-z-]*) refuse "NAME '$name': the name of a command has only a-z and -" ;; esac
    [ "$program" != ordo-mpi ] || key=ranks
    ;;
esac
for there in "$file" $schema $golden; do
    [ ! -e "$there" ] || refuse "NAME '$name': $there exists: give another name"
done
fill "$template" >"$file"
echo "$file"
case $kind in
observer)
    insert doc/schemas/ordo-watch-1.json '/"clocksource", "vmclock",/' "               \"$name\","
    insert doc/watching.md '/^[|] .vmclock. [|]/' "| \`$name\` | one line for people. The record was withdrawn | nothing |"
    ;;
engine) insert lib/cc/CMakeLists.txt '/^ordo_registry\(ordo-engines /' "ordo_stamped(txn/$stem.c STAMPS ordo logical)" ;;
program) expected_column ;;
*-command)
    command_help
    command_manual
    command_schema
    ;;
esac
