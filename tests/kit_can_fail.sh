#!/bin/bash
# kit_can_fail.sh: tests that each check of kit.sh accepts a right result, and that it counts and explains a wrong one.
set -u
. "$(dirname "$0")/kit.sh"
kit=$(dirname "$0")/kit.sh

# told FAILURES SCRIPT: runs SCRIPT as a test with the kit. It must count FAILURES failures. Its output is in
# $scratch/said.
told() {
    local expected=$1
    bash -c '. "$1"; set -u; eval "$2"; echo "counted: $failures"' _ "$kit" "$2" >"$scratch/said" 2>&1
    grep -qx "counted: $expected" "$scratch/said" || { cat "$scratch/said"; fail "'$2': not $expected failures"; }
}
# explains TEXT: the last such test must have printed TEXT.
explains() { grep -Fq -- "$1" "$scratch/said" || { cat "$scratch/said"; fail "it does not say '$1'"; }; }

both='echo "an answer"; echo "a word" >&2; exit 3'
told 0 "run 3 sh -c '$both' && says 'an answer' && matches '^an .*r$' && complains 'a word' && complains_once word && silent 'no answer'"
told 0 "run '2|3' sh -c '$both' && mentions 'a word' && mentions 'an answer'"
told 1 "run 0 sh -c '$both'" && explains "FAILED: sh -c $both: exit 3, expected 0" && explains "the last command: sh -c" && explains "an answer"
for check in "says word" "matches ^answer" "complains answer" "silent answer" "mentions 'no answer'" one_line "json .code"; do
    told 1 "run 3 sh -c '$both'; $check"
done
told 2 "run 0 sh -c 'echo one >&2; echo two >&2'; complains_once three" && explains "stderr has 2 lines"
told 1 "run 0 echo '{\"code\": 1}'; json '.code == 1'; json '.code == 2'"
told 0 "run 0 sh -c 'echo one >&2'; one_line; complains_once one"
told 0 "quietly true" && told 1 "quietly sh -c 'echo why; exit 4'" && explains "exit 4, expected 0" && explains why

# A command that asks to measure again is run again only if the test allows it, and only if it should have succeeded.
asks='if [ -e again ]; then exit 0; fi; touch again; echo "measure again" >&2; exit 2'
told 0 "cd \"\$scratch\"; tries=3; run 0 sh -c '$asks'"
told 1 "cd \"\$scratch\"; run 0 sh -c '$asks'"
told 0 "cd \"\$scratch\"; tries=3; run 2 sh -c '$asks'"
told 1 "tries=3; run 0 false"
told 1 "seconds=1; run 0 sleep 20" && explains "exit 124"
told 0 "seconds=1; nap() { sleep 0.1; }; run 0 nap"

told 0 "wait_for 5 true"
told 0 "(sleep 0.3; touch \"\$scratch/there\") & wait_for 30 test -e \"\$scratch/there\" || fail 'it did not come'"
told 1 "wait_for 1 false || fail 'it did not come'"
told 0 "excused() { echo 'too busy'; }; fail nothing" && explains "too busy"
! bash -c '. "$1"; at_once=yes; fail "the first"; echo "it goes on"' _ "$kit" | grep -q "it goes on" || fail "at_once goes on"
[ ! -e "$(bash -c '. "$1"; echo "$scratch"' _ "$kit")" ] || fail "the folder is left behind"
exit $((failures > 0))
