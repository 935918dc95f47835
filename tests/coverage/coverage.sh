#!/bin/sh
# coverage.sh SOURCE BUILD [--raise]: prints for each folder the percentages of lines and branches that the tests of an
# instrumented build have reached, and compares them with the floors in tests/coverage/floors.
#
#   exit 1     a folder is below its floor or has no floor, or a floor is lower than in an earlier commit
#   --raise    sets each floor 2 points below the lines and 3 points below the branches of this run, because some depend on chance and on
#              the machine; no floor becomes lower
set -eu
source=$1 build=$2 raise=${3:-}
case $raise in '' | --raise) ;; *)
    echo "coverage: '$raise' is not an option: give --raise or nothing" >&2
    exit 64
    ;;
esac
cd "$source"
floors=tests/coverage/floors
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints a row for each line of gcov: file, line number, executions of the line, executions of each of its branches.
# Objects that no test has run are included. (gcovr 5 would stop at a function that a macro defines in several places.)
# Checks of invariants are left out: they generate no code in this tree, and unit-invariant makes each of them fail in
# the tree of `./bootstrap check`.
find "$build" -name '*.gcno' -print0 | xargs -0 -n 50 gcov --branch-probabilities --json-format --stdout 2>/dev/null |
    jq -r --arg source "$source/" --arg build "$build/" '.files[] | select(.file | startswith($source) and (startswith($build) or startswith($source + "tests/") | not))
        | (.file | ltrimstr($source)) as $file | .lines[] | [$file, .line_number, .count, .branches[].count] | @tsv' |
    # Counts each line and branch once; it is reached if any object has reached it. Prints a row for each folder: its
    # name (of two parts, below include/ of three), and the reached lines and branches in percent, rounded down.
    awk -F '\t' '
        # read_file(FILE): sets exists[FILE], to 0 if only an object remains of a removed file; check[FILE, LINE] exists
        # for each line of an ORDO_INVARIANT.
        function read_file(file,   text, line, code, inside) {
            exists[file] = 1
            while ((code = getline text <file) > 0) {
                line++
                inside = inside || index(text, "ORDO_INVARIANT(")
                if (inside) check[file, line]
                if (index(text, ";")) inside = 0
            }
            if (code < 0) exists[file] = 0
            close(file)
        }
        !($1 in exists) { read_file($1) }
        !exists[$1] || ($1, $2) in check { next }
        {
            depth = split($1, name, "/") - 1
            folder = name[1]
            for (i = 2; i <= depth && i <= (name[1] == "include" ? 3 : 2); i++)
                folder = folder "/" name[i]
            for (i = 3; i <= NF; i++) {
                place = $1 "\t" $2 "\t" i
                if (!(place in seen)) { seen[place] = 0; (i == 3 ? lines[folder]++ : branches[folder]++) }
                if ($i > 0 && !seen[place]) { seen[place] = 1; (i == 3 ? reached[folder]++ : taken[folder]++) }
            }
        }
        END {
            for (folder in lines)
                printf "%s\t%d\t%d\n", folder, 100 * reached[folder] / lines[folder], branches[folder] ? 100 * taken[folder] / branches[folder] : 100
        }' | sort >"$scratch/reached"
[ -s "$scratch/reached" ] || { echo "coverage: nothing in $build was instrumented and run" >&2; exit 70; }

# The floors of every commit.
[ -e .git ] && [ "$(git rev-parse --is-shallow-repository)" = false ] ||
    echo "coverage: no checkout with its whole history: whether a floor was lowered is not checked" >&2
git log --format=%H -- "$floors" | while read -r commit; do
    git show "$commit:$floors" 2>/dev/null || : # the commit removed it
done >"$scratch/earlier"
cat "$floors" >"$scratch/floors" 2>/dev/null || :
echo "# folder, lines, branches: the percentages that ./bootstrap coverage must reach; ./bootstrap coverage --raise raises them" >"$scratch/raised"
awk -F '\t' -v raise="$raise" -v raised="$scratch/raised" '
    function most(a, b) { return a > b ? a : b }
    # exists(FOLDER): true if the folder contains a C file.
    function exists(folder) { return system("find \"" folder "\" -maxdepth 1 -name \"*.[ch]\" 2>/dev/null | grep -q .") == 0 }
    /^#/ { next }
    FILENAME ~ /earlier$/ { if ($2 > lines[$1]) lines[$1] = $2; if ($3 > branches[$1]) branches[$1] = $3; next }
    FILENAME ~ /floors$/ {
        floor[$1] = $2; edge[$1] = $3
        if ($2 < lines[$1] || $3 < branches[$1]) {
            printf "coverage: the floors of %s are %d and %d, and were %d and %d: put these back\n", $1, $2, $3, lines[$1], branches[$1]
            bad = 1
        }
        next
    }
    {
        counted[$1] = 1
        none = !($1 in floor) && !raise
        below = $2 < floor[$1] || $3 < edge[$1]
        printf "%-24s %3d%% of lines, floor %d; %3d%% of branches, floor %d%s\n", $1, $2, floor[$1], $3, edge[$1],
               below ? "  BELOW ITS FLOOR" : none ? "  HAS NO FLOOR: --raise gives it one" : ""
        bad = bad || below || none
        printf "%s\t%d\t%d\n", $1, most($2 - 2, floor[$1]), most($3 - 3, edge[$1]) >>raised
    }
    END {
        for (folder in floor) {
            if (folder in counted) continue
            stays = exists(folder)
            printf "%-24s %s\n", folder, stays ? "HAS A FLOOR, AND NOTHING IN IT WAS COUNTED" : "is no more: --raise takes its floor away"
            bad = bad || stays || !raise
        }
        exit bad
    }' "$scratch/earlier" "$scratch/floors" "$scratch/reached"
[ -z "$raise" ] || cp "$scratch/raised" "$floors"
