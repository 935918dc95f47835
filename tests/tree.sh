#!/bin/bash
# tree.sh SOURCE: holds the code to the floors of the architecture (README.md): a folder includes only from those that are
# named beside it, and each outside library has one door.
set -u
cd "$1" || exit 1
failures=0

fail() {
    echo "$*"
    failures=$((failures + 1))
}

# may FOLDER PREFIX...: every #include "..." of the folder's files begins with its own or one of the named folders.
may() {
    local folder=$1 own=${1#lib/} file header allowed prefix
    shift
    [ -d "$folder" ] || return 0
    while IFS=: read -r file header; do
        allowed=no
        for prefix in "$own/" "$@"; do
            [[ $header == "$prefix"* || ($header != */* && $prefix == .) ]] && allowed=yes
        done
        [ $allowed = yes ] || fail "$file: includes \"$header\", which is not on a floor below $folder"
    done < <(grep -rHoE '#include "[^"]+"' --include='*.[ch]' "$folder" | sed 's/#include "//; s/"$//')
}

may lib/base
may lib/stats base/
may lib/clock base/
may lib/topology base/
may lib/record base/
may lib/transport base/ clock/ topology/
may lib/offset base/ stats/
may lib/measure base/ stats/ clock/ topology/ record/ transport/ offset/
may lib/bound base/ stats/ clock/ topology/ record/ transport/ offset/
may lib/sync base/ stats/ clock/ topology/ record/ transport/ offset/
may lib/mpi base/ stats/ clock/ topology/ record/ transport/ offset/ measure/ bound/ sync/
may lib/report base/ stats/ topology/ record/
may lib/stamp base/
may lib/cc base/ stamp/
may calib/common . base/ stats/ report/
may calib . common/ base/ stats/ clock/ topology/ record/ transport/ offset/ measure/ bound/ sync/ report/ mpi/
may bench . common/ mvcc/ rlu/ plot/ model/ base/ stats/ clock/ topology/ record/ report/ stamp/ cc/

# The runtime includes itself and the C library.
allowed='<(ordo/[a-z]+\.h|errno\.h|fcntl\.h|poll\.h|stddef\.h|stdint\.h|stdio\.h|stdlib\.h|string\.h|time\.h|unistd\.h|sys/(mman|stat|statvfs)\.h)>|"clock/[a-z0-9_]+\.h"|ORDO_CLOCK_HEADER'
while read -r line; do
    fail "the runtime includes more than the C library: $line"
done < <(grep -HE '^ *#include' include/ordo/*.h include/ordo/clock/*.h | grep -vE "#include ($allowed)|^include/ordo/mpi.h:#include <mpi.h>")

# What stands on it includes the runtime, itself and a little more of the C library.
while read -r line; do
    fail "a header of cc/ includes more than it may: $line"
done < <(grep -HE '^ *#include' include/ordo/cc/*.h include/ordo/cc/stamp/*.h |
    grep -vE '#include (<(ordo/(cc/)?[a-z_]+|sched|stdbool|stddef|stdint|stdlib|string|sys/select)\.h>|"(stamp/)?(ordo|logical|tsc|batch|hardware|counter)\.h")')

# door PATTERN PLACE...: only files below these places include headers of that pattern.
door() {
    local pattern=$1 file place inside
    shift
    while read -r file; do
        inside=no
        for place in "$@"; do
            [[ $file == "$place"* ]] && inside=yes
        done
        [ $inside = yes ] || fail "$file: <$pattern> has one door, $*"
    done < <(grep -rlE "#include <$pattern" include lib calib bench)
}

door hwloc lib/topology/
door jansson lib/report/json.h
door urcu bench/rlu/rcu_
door 'mpi\.h>' include/ordo/mpi.h lib/transport/mpi lib/clock/mpi lib/mpi/ calib/mpi
door jemalloc bench/
door argp calib/ bench/

# Fences stand in the clock files only; everywhere else order is on the access.
while read -r line; do
    fail "a free-standing fence: $line"
done < <(grep -rnE 'atomic_thread_fence|__sync_synchronize|mfence|lfence' include lib calib bench --include='*.[ch]' |
    grep -vE '^include/ordo/clock/|^bench/bare\.h|^[^:]+:[0-9]+:[[:space:]]*(\*|/\*|//)')

# Libraries do not print, exit or abort.
while read -r line; do
    fail "a library prints or exits: $line"
done < <(grep -rnE '\b(printf|puts|perror|exit|abort|_exit)\(' lib include --include='*.[ch]' | grep -vE '^lib/report/|^[^:]+:[0-9]+:[[:space:]]*\*')

# Every program of the tests has its guard against an early end.
while read -r line; do
    fail "a test's program without a guard, made by something else than ordo_test_program: $line"
done < <(grep -rn 'add_executable(' tests --include=CMakeLists.txt |
    grep -vE '^tests/CMakeLists\.txt:|^tests/package/consumer/|_libfuzzer ')

exit $((failures > 0))
