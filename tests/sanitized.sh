#!/bin/bash
# sanitized.sh SUPPRESSIONS COMMAND...: runs a test whose programs are built for AddressSanitizer and
# UndefinedBehaviorSanitizer, or for ThreadSanitizer. Reports go to files, because a test may discard the output of a
# program and expect a failure. The reports are printed at the end, and any report fails the test.
set -u
suppressions=$1
shift
reports=$(mktemp -d) || exit 1
trap 'rm -rf "$reports"' EXIT
chmod 1777 "$reports" # some programs run as another user
# Some tests preload libraries, so the order of the sanitizer's library is not checked. UndefinedBehaviorSanitizer
# writes its reports only to stderr if it runs beside AddressSanitizer; therefore it aborts, and AddressSanitizer
# reports the abort to its file.
options="log_path=$reports/report:verify_asan_link_order=0:handle_abort=2"
export ASAN_OPTIONS=$options${ASAN_OPTIONS:+:$ASAN_OPTIONS} UBSAN_OPTIONS=log_path=$reports/report:abort_on_error=1
export LSAN_OPTIONS="suppressions=$suppressions:print_suppressions=0"
export TSAN_OPTIONS="suppressions=$suppressions:log_path=$reports/report"
# hwloc's plug-in for PCI leaks. No suppression can name it, because it is unloaded before the end.
export HWLOC_PLUGINS_BLACKLIST=hwloc_pci.so
# MPICH's transport replaces madvise() by a function that takes a lock. A new thread calls madvise() before
# ThreadSanitizer knows the thread.
export UCX_MEM_MMAP_HOOK_MODE=none
"$@"
code=$?
for report in "$reports"/*; do
    grep -qE 'ERROR: |Sanitizer: ' "$report" 2>/dev/null || continue # skips warnings about the contexts that the simulation switches
    cat "$report"
    code=1
done
exit $code
