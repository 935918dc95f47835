#!/bin/bash
# skips.sh TABLE RESULTS...: lists each skipped test, and each omitted part of a test, with the reason that the test
# gave. RESULTS come from `ctest --output-junit`; TABLE states the allowed skips (skips.txt). Exit 1: a skip is not
# allowed.
set -u -o pipefail
export LC_ALL=C
table=$1
shift
failures=0
skipped=$(mktemp)
trap 'rm -f "$skipped"' EXIT

# skips RESULTS...: prints a line "TEST<TAB>REASON" for each skip. The last line of a skipped test is its reason. Any
# other test names each omitted part in a line with "[SKIP]", the mark of tests/guard/criterion.c, or with "left out".
skips() {
    awk '
        function plain(text) {
            gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text); gsub(/&apos;/, "\047", text)
            gsub(/\033\[[0-9;]*m/, "", text); gsub(/&amp;/, "\\&", text)
            return text
        }
        function line(text) {
            if (text ~ /[^ ]/) last = plain(text)
            if (whole == 0 && text ~ /\[SKIP\]|left out/) print name "\t" plain(text)
        }
        /^\t<testcase name="/ { name = plain($0); sub(/^\t<testcase name="/, "", name); sub(/" classname=.*/, "", name)
                                whole = 0; last = "" }
        /^\t\t<skipped message="SKIP_RETURN_CODE/ { whole = 1 }
        sub(/^\t\t<system-out>/, "") { output = 1 }
        output { text = $0; over = sub(/<\/system-out>.*/, "", text); line(text); if (over) output = 0 }
        /^\t<\/testcase>/ { if (whole) print name "\t" (last == "" ? "it gives no reason" : last) }' "$@" | sort -u
}

# allowed TEST REASON: true if a row of the table matches both and its condition holds.
allowed() {
    local tests words condition
    while IFS='|' read -r tests words condition; do
        case $tests in '#'* | '') continue ;; esac
        tests=${tests// /} words=$(sed 's/^ *//; s/ *$//' <<<"$words")
        # shellcheck disable=SC2053
        [[ $1 == $tests && $2 == *"$words"* ]] && sh -c "$condition" >/dev/null 2>&1 </dev/null && return 0
    done <"$table"
    return 1
}

skips "$@" >"$skipped" || { echo "the results cannot be read: $*"; exit 1; }
while IFS=$'\t' read -r name reason; do
    if allowed "$name" "$reason"; then
        echo "not tested here: $name: $reason"
    else
        echo "NOT TESTED, and $table does not allow that on this machine: $name: $reason"
        failures=$((failures + 1))
    fi
done <"$skipped"
exit $((failures > 0))
