#!/bin/bash
# sanitized.sh SUPPRESSIONS COMMAND...: runs a test of programs that are built for AddressSanitizer and UndefinedBehaviorSanitizer, or
# for ThreadSanitizer. A test may discard a program's output and expect its exit code, so reports go to files: they are printed at the
# end, and any report fails the test.
set -u
suppressions=$1
shift
reports=$(mktemp -d) || exit 1
trap 'rm -rf "$reports"' EXIT
chmod 1777 "$reports" # some programs run as another user
# Libraries are preloaded into programs that have the runtime already: its place among the libraries is not checked. The runtime of
# UndefinedBehaviorSanitizer writes to stderr only, and its log_path is that of the other runtime: it aborts, which the other reports.
options="log_path=$reports/report:verify_asan_link_order=0:handle_abort=2"
export ASAN_OPTIONS=$options${ASAN_OPTIONS:+:$ASAN_OPTIONS} UBSAN_OPTIONS=log_path=$reports/report:abort_on_error=1
export LSAN_OPTIONS="suppressions=$suppressions:print_suppressions=0"
export TSAN_OPTIONS="suppressions=$suppressions:log_path=$reports/report"
# The plug-in of hwloc for PCI leaks, and is unloaded before the end: no suppression can name it.
export HWLOC_PLUGINS_BLACKLIST=hwloc_pci.so
# MPICH's transport hooks madvise(), which a new thread calls before ThreadSanitizer knows it, and takes a lock there.
export UCX_MEM_MMAP_HOOK_MODE=none
"$@"
code=$?
for report in "$reports"/*; do
    grep -qE 'ERROR: |Sanitizer: ' "$report" 2>/dev/null || continue # or a mere warning of contexts that the simulation switches
    cat "$report"
    code=1
done
exit $code
