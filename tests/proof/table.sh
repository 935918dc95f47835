#!/bin/sh
# table.sh SOURCE [--write]: compares the table of searches in doc/correctness.md with tests/proof/searches. Exit 1: they differ.
# --write: replaces the table in the document.
set -eu
cd "$1"
document=doc/correctness.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A row for each heading: the number of searches that hold (a search that also ends counts once), and the number of removed
# conditions for which a counter-example was found.
awk '
    BEGIN { print "| model | searches that hold | removed conditions, each with a counter-example |"; print "|---|---|---|" }
    function flush() { if (holds + caught) printf "| %s | %d | %s |\n", name, holds, caught ? caught : "" ; holds = caught = 0 }
    /^# / { flush(); name = substr($0, 3); next }
    $2 == "holds" || $2 == "ends" { holds++; all++ }
    $2 == "caught" { caught++; found++ }
    END { flush(); printf "| all | %d | %d |\n", all, found }' tests/proof/searches >"$scratch/table"

case ${2:-} in
'')
    sed -n '/^<!-- tests\/proof\/table.sh/,/^<!-- end/p' "$document" | grep '^|' | diff - "$scratch/table" || {
        echo "table: $document differs from tests/proof/searches: run tests/proof/table.sh . --write"
        exit 1
    }
    ;;
--write)
    awk -v table="$scratch/table" '
        /^<!-- end/ { inside = 0 }
        !inside
        /^<!-- tests\/proof\/table.sh/ { inside = 1; while ((getline line <table) > 0) print line }' "$document" >"$scratch/document"
    cat "$scratch/document" >"$document"
    ;;
*)
    echo "table: '$2' is not an option: give --write or nothing" >&2
    exit 64
    ;;
esac
