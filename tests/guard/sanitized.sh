#!/bin/bash
# sanitized.sh SANITIZED SUPPRESSIONS FAULTY: checks that a sanitizer's report fails a test even if the test discards
# the output.
set -u
sanitized=$1 suppressions=$2 faulty=$3
failures=0
for fault in none overrun overflow leak; do
    said=$("$sanitized" "$suppressions" sh -c '"$0" "$1" >/dev/null 2>&1 || :' "$faulty" "$fault" 2>&1)
    code=$? expected=1
    [ $fault != none ] || expected=0
    [ $code -eq $expected ] && [ $((${#said} > 0)) -eq $expected ] || { echo "$fault: exit $code, $said"; failures=1; }
done
"$sanitized" "$suppressions" sh -c 'exit 77'
[ $? -eq 77 ] || { echo "the test's own exit code is lost"; failures=1; }
exit $failures
