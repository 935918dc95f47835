#!/bin/bash
# tree.sh SOURCE: checks that the code keeps to the floors of the architecture (doc/architecture.md): a folder includes
# only from the folders listed for it, each outside library is included in one place only, and code that makes bounds
# and code that uses bounds do not include each other.
set -u
cd "$1" || exit 1
failures=0

fail() {
    echo "$*"
    failures=$((failures + 1))
}

# may FOLDER PREFIX...: every #include "..." in the folder's files names a file of this folder or of one of the PREFIXes;
# "." is the folder of the including file.
may() {
    local folder=$1 own=${1#*/}/ file header allowed prefix
    shift
    [[ $folder != lab/* ]] || own=$folder/
    [ -d "$folder" ] || fail "tree.sh has a rule about $folder, which does not exist"
    while IFS=: read -r file header; do
        allowed=no
        for prefix in "$own" "$@"; do
            [[ $header == "$prefix"* || ($header != */* && $prefix == .) ]] && allowed=yes
        done
        [ $allowed = yes ] || fail "$file: includes \"$header\", which is not on a floor below $folder"
    done < <(grep -rHoE '#include "[^"]+"' --include='*.[ch]' "$folder" | sed 's/#include "//; s/"$//')
}

# The foundation of the code that makes bounds and of the code that uses them.
may lib/base
may lib/json base/
may lib/unpack base/
may lib/machine/clock base/
may lib/machine/topology base/
may lib/machine/counter base/ machine/
may lib/machine/comparison base/ machine/
may lib/machine/advice base/ machine/

# The code that makes the bound of a machine does not depend on ranks.
may lib/calibrate/record base/
may lib/calibrate/measure base/ machine/
may lib/calibrate/bound base/ machine/ calibrate/record/
may lib/calibrate/session base/ machine/ calibrate/measure/ calibrate/bound/ calibrate/record/
may lib/calibrate/watch base/ machine/ calibrate/measure/ calibrate/record/
may lib/calibrate/report base/ json/ machine/ calibrate/record/
may lib/calibrate/collection base/ json/ machine/ calibrate/record/

# The preload is a part of other programs: it uses the runtime alone.
may lib/preload

# The code that makes the bound of a cluster does not depend on calibration.
may lib/cluster/transport base/ machine/
may lib/cluster/offset base/
may lib/cluster/sync base/ cluster/transport/ cluster/offset/
may lib/cluster/barrier base/ cluster/transport/ cluster/sync/
may lib/cluster/verify base/ machine/
may lib/cluster/mpi base/ machine/ cluster/
may lib/cluster/report base/ json/ cluster/mpi/

# Traces: files and their analysis, independent of running ranks.
may lib/trace/file base/
# The recorder is a part of the traced program.
may lib/trace/record base/ machine/ cluster/ trace/file/
may lib/trace/event
may lib/trace/input base/ unpack/ trace/event/
may lib/trace/curve base/ trace/event/
may lib/trace/sync base/ trace/curve/
may lib/trace/method base/ trace/curve/ trace/sync/
may lib/trace/clocks base/ trace/curve/ trace/input/ trace/file/ trace/sync/ trace/method/
may lib/trace/device base/ trace/event/ trace/clocks/ trace/sync/
may lib/trace/causal base/ trace/event/
may lib/trace/otf2 base/ trace/event/ trace/file/
may lib/trace/paraver base/ trace/event/ trace/input/
may lib/trace/chrome base/ trace/event/ trace/input/
may lib/trace/lines base/ trace/event/ trace/input/ trace/chrome/
may lib/trace/spans base/ trace/event/ trace/input/
may lib/trace/perfetto base/ unpack/ trace/event/ trace/file/ trace/input/
may lib/trace/form base/ trace/event/ trace/input/ trace/chrome/ trace/file/ trace/sync/ trace/clocks/ trace/otf2/ trace/paraver/ trace/lines/ trace/perfetto/ trace/spans/
may lib/trace/correct base/ trace/
may lib/trace/report base/ trace/event/ trace/causal/ trace/correct/
may lib/trace/plot base/ trace/event/ trace/causal/ trace/correct/ trace/report/
may lib/trace/page base/ trace/event/ trace/input/ trace/device/ trace/causal/ trace/correct/ trace/report/
# Clocks of hosts: from probes to offsets; messages, sockets, the prober and the agent. Nothing here is simulated.
may lib/net/offset base/
may lib/net/graph base/
may lib/net/window base/ net/offset/ net/graph/
may lib/net/cores base/ net/offset/ net/graph/ net/window/
may lib/net/page base/
may lib/net/referee base/
may lib/net/wire base/
may lib/net/udp base/ net/wire/
may lib/net/source base/ machine/clock/ machine/comparison/ net/page/
may lib/net/live base/ net/wire/ net/udp/ net/source/ net/offset/ net/graph/ net/window/
# The logs of the daemons that steer clocks: files only.
may lib/net/log base/ unpack/
may lib/net/timed base/ net/wire/ net/udp/ net/live/ net/source/

# The users of a bound.
may lib/cc base/
# The programs: one kit, and a folder each, which do not include each other.
may calib/common . base/ json/ machine/ calibrate/report/
may calib/ordo . common/ base/ json/ machine/ calibrate/ preload/
may calib/ordo-mpi . common/ base/ json/ machine/ cluster/
may calib/ordo-trace . common/ ordo-trace/ base/ json/ trace/
may calib/ordo-net . common/ base/ json/ net/ calibrate/
may calib/ordo-timed . common/ base/ json/ net/
may bench . common/ command/ clock/ contention/ rlu/ stm/ txn/ oplog/ plot/ model/ merge/ trace/ base/ json/ machine/ calibrate/record/ calibrate/report/ cc/

# The laboratory; its own files are named from the root. Clock protocols: code on the simulated network sees only timestamps and
# packets, and only the score sees true time.
may lab/net/sim base/
may lab/net/score base/ lab/net/sim/
may lab/net/huygens base/ net/offset/ net/graph/ net/window/ lab/net/sim/ lab/net/score/
may lab/net/dtp base/ lab/net/sim/ lab/net/score/
may lab/net/osmosis base/ lab/net/sim/ lab/net/score/
may lab/net/servo base/
may lab/net/ntp base/ lab/net/sim/ lab/net/score/ lab/net/servo/
may lab/net/ptp base/ lab/net/sim/ lab/net/score/ lab/net/servo/
may lab/net/testbed base/ lab/net/sim/ lab/net/score/ lab/net/ntp/ lab/net/ptp/
may lab/net/firefly base/ net/graph/ lab/net/sim/ lab/net/score/
may lab/net/evaluate base/
may lab/net/protocol base/ lab/net/
# Simulated machines of many CPUs: the caches and the code know neither threads nor hooks.
may lab/cores/machine base/ json/
may lab/cores/code base/
may lab/cores/cache base/ lab/cores/machine/
may lab/cores/run base/ lab/cores/machine/ lab/cores/cache/ lab/cores/code/
may lab/cores/clock ordo/ lab/cores/run/
may lab/cores/hooks lab/cores/run/
may lab/cores/wrap base/ json/ common/ machine/topology/ provenance.h lab/cores/run/
may lab/cores/lines base/ common/ json/ lab/cores/missing.h
may lab/cores/calibrate ordo/ base/ common/ json/ machine/ lab/cores/machine/
may lab/cores/program base/ common/ rlu/ lab/cores/run/ lab/cores/wrap/ lab/cores/machine/
may lab/cores/predictions base/ json/ common/ lab/cores/machine/ lab/cores/missing.h
# The figures of documents use the simulators, and run the programs of the project.
may lab/figures base/ json/ machine/ common/ cluster/ calibrate/ net/ lab/net/
# The program of the laboratory uses the same kit as the other programs.
may lab/ordo-lab common/ base/ json/ lab/net/ lab/figures/ lab/cores/

# Every folder of the libraries has a rule, and makers and users of bounds do not include each other.
while read -r folder; do
    grep -qE "^may ${folder%/}(/[a-z]+)? ?" tests/tree.sh || fail "$folder: tests/tree.sh has no rule about it"
done < <(find lib lab -mindepth 2 -name '*.[ch]' -printf '%h\n' | sort -u | sed -E 's#^((lib|lab)/[a-z]+/[a-z]+)/.*#\1#; s|^lib/cc/.*|lib/cc|; s#^lab/(ordo-lab|figures).*#lab/\1#')

# The product does not depend on the laboratory: no file includes it, by any path, and no target links it.
while read -r line; do
    fail "the product includes the laboratory: $line"
done < <(grep -rnE '# *include *["<]([^">]*/)?lab/' include lib calib bench examples)
while read -r line; do
    fail "the product links the laboratory: $line"
done < <(grep -rn 'ordo-lab-' CMakeLists.txt cmake lib calib bench examples --include=CMakeLists.txt --include='*.cmake')

# Files that include each other can only be understood together: no cycle of modules (name.c with name.h), and no cycle of folders
# with the same parent. The calls between .c files go one way, too.
while read -r circle; do
    case $circle in
    calls*) fail "a circle of calls: ${circle#calls }: put what both need into a file below both" ;;
    *) fail "a circle of includes: $circle: put what both need into a file below both" ;;
    esac
done < <(find lib calib lab bench -name '*.[ch]' -exec awk -f tests/circles.awk {} +)

# The runtime includes itself and the C library. Only start.h, which needs threads, includes start/.
allowed='<(ordo/(merge/)?[a-z]+\.h|errno\.h|fcntl\.h|poll\.h|stddef\.h|stdint\.h|stdio\.h|stdlib\.h|string\.h|time\.h|unistd\.h|sys/(mman|stat|statvfs)\.h)>|"clock/[a-z0-9_]+\.h"|ORDO_CLOCK_HEADER'
while read -r line; do
    fail "the runtime includes more than the C library: $line"
done < <(grep -HE '^ *#include' include/ordo/*.h include/ordo/clock/*.h include/ordo/merge/*.h | grep -vE "#include ($allowed)|^include/ordo/mpi.h:#include <mpi.h>|^include/ordo/start.h:#include <ordo/start/look.h>")

# Headers above the runtime include the runtime and a few more headers of the C library. In cc/, the public header of an
# engine includes the domain and the engine's own headers; an own header that can be included alone includes the public
# header. No engine includes another one, except MV-RLU, which uses the objects, links and logs of RLU.
# cc_may FILES PATTERN: FILES may include only the runtime, the listed headers of the C library, and headers of cc/ that
# match PATTERN. Only invariant.h may print, because a failed invariant prints a line.
cc_may() {
    local line library='(sched|stdbool|stddef|stdint|stdlib|string|sys/select)\.h'
    while read -r line; do
        fail "a header of cc/ includes more than it may: $line"
    done < <(grep -HE '^ *#include' include/ordo/cc/$1 | grep -vE "#include (<(ordo/[a-z_]+\.h|$library|ordo/cc/($2)\.h)>|\"($2)\.h\")|/domain/invariant.h:#include <stdio.h>")
}
for contract in include/ordo/cc/*.h; do
    name=$(basename "$contract" .h)
    case $name in
    mvrlu) also='rlu' ;;
    history) also='txn' ;;
    *) also=none ;;
    esac
    cc_may "$name.h" "stamp|fetch|domain|$name/[a-z0-9]+|$also"
done
cc_may 'stamp/*.h' 'stamp|[a-z0-9]+'
cc_may 'domain/*.h' 'stamp|domain/[a-z]+'
cc_may 'rlu/*.h' 'rlu|rlu/list|set/(list|hash|tree)'
cc_may 'mvrlu/*.h' 'mvrlu|mvrlu/list|set/(list|hash|tree)'
cc_may 'set/*.h' none
cc_may 'oplog/*.h' 'oplog/[a-z]+'
cc_may 'stm/*.h' 'stm|stm/[a-z]+'
cc_may 'txn/*.h' none

# Memory, waiting and the refusal of a boundary belong to the domain; no engine has its own code for them.
while read -r line; do
    fail "an engine has its own copy of what is in domain/: $line"
done < <(grep -nE '\b(malloc|free|sched_yield|select|ordo_stamp_unsafe|ordo_stamp_raise)\(' include/ordo/cc/{rlu,mvrlu,oplog,stm}.h include/ordo/cc/{rlu,mvrlu,oplog,stm}/*.h)

# RLU and MV-RLU share code instead of copying it: no six consecutive lines differ only by the engine's name. Comments,
# directives and braces do not count.
while read -r line; do
    fail "the same six lines are in two rooms, but for a name: $line"
done < <(awk '
    FNR == 1 { inside = count = 0 }
    { code = $0; gsub(/\/\*([^*]|\*[^\/])*\*\//, "", code) }
    inside { if (sub(/.*\*\//, "", code)) inside = 0; else next }
    sub(/\/\*.*/, "", code) { inside = 1 }
    { gsub(/[mM][vV]rlu|domain/, "rlu", code); gsub(/MVRLU/, "RLU", code); gsub(/[ \t]+/, " ", code) }
    code ~ /^[ {};]*$|^ ?#/ { next }
    {
        last[++count] = code
        if (count < 6) next
        window = last[count - 5] last[count - 4] last[count - 3] last[count - 2] last[count - 1] code
        if (FILENAME ~ /\/mvrlu\//) { if (window in seen) print FILENAME ":" FNR " and " seen[window] }
        else seen[window] = FILENAME ":" FNR
    }' include/ordo/cc/rlu/*.h include/ordo/cc/mvrlu/*.h)

# Every folder of cc/ has a rule. A public header is read by users, so it has at most 300 lines; other headers of cc/ have at most 450.
while read -r folder; do
    grep -q "^cc_may '$folder/" tests/tree.sh || fail "include/ordo/cc/$folder: tests/tree.sh has no rule about it"
done < <(find include/ordo/cc -mindepth 1 -type d -printf '%f\n')
while read -r lines file; do
    case $file in */cc/*/*) most=450 ;; *) most=300 ;; esac
    [ "$lines" -le $most ] || fail "$file: $lines lines, and at most $most are allowed"
done < <(find include/ordo/cc -name '*.h' -exec wc -l {} + | grep -v ' total$')

# Headers that make a handle without a record include the runtime, the C library and threads.
while read -r line; do
    fail "a header of start/ includes more than it may: $line"
done < <(grep -HE '^ *#include' include/ordo/start/*.h |
    grep -vE '#include <(ordo/(start/)?[a-z_]+|dirent|errno|fcntl|poll|pthread|sched|signal|stdarg|stddef|stdint|stdio|stdlib|string|time|unistd|sys/(mman|stat|syscall|types))\.h>')

# door PATTERN PLACE...: only files below the PLACEs may include headers that match PATTERN.
door() {
    local pattern=$1 file place inside
    shift
    while read -r file; do
        inside=no
        for place in "$@"; do
            [[ $file == "$place"* ]] && inside=yes
        done
        [ $inside = yes ] || fail "$file: <$pattern> has one door, $*"
    done < <(grep -rlE "#include <$pattern" include lib calib bench lab)
}

door hwloc lib/machine/topology/
door jansson lib/json/library.h
door urcu bench/rlu/rcu_ bench/oplog/queue
door 'mpi\.h>' include/ordo/mpi.h lib/cluster/transport/mpi lib/cluster/transport/smpi/ lib/machine/clock/mpi lib/cluster/mpi/ calib/ordo-mpi/ lib/trace/record/
door linear lib/net/offset/estimator/svm.c
door otf2 lib/trace/otf2/library.h
door sodium lib/net/wire/seal.c
door zlib lib/unpack/gzip.c
door zstd lib/unpack/zstd.c
door jemalloc bench/ lab/cores/wrap/
door argp calib/ bench/ lab/ordo-lab/

# Only lib/json uses the JSON library: no other file names its types, its functions or its target.
while read -r line; do
    fail "jansson outside of lib/json: $line"
done < <(grep -rnE '\bjansson|\bJSON_[A-Z]+_|\bjson_(int_)?t\b|\bjson_error_t\b|\bjson_[a-z_]+ *\(' include lib calib bench lab examples tests --include='*.[ch]' |
    grep -v '^lib/json/')
while read -r line; do
    fail "jansson is linked by more than lib/json, or passed on: $line"
done < <(grep -rn 'PkgConfig::jansson' CMakeLists.txt cmake lib calib bench lab tests --include=CMakeLists.txt --include='*.cmake' |
    grep -vE '^lib/CMakeLists\.txt:[0-9]+:target_link_libraries\(ordo-json PUBLIC ordo-base PRIVATE PkgConfig::jansson\)$')

# Only the clock files contain fences; everywhere else the access itself is ordered. The hook of a fence has its name.
while read -r line; do
    fail "a free-standing fence: $line"
done < <(grep -rnE 'atomic_thread_fence|__sync_synchronize|mfence|lfence' include lib calib bench lab --include='*.[ch]' |
    grep -vE '^include/ordo/clock/|^bench/clock/bare\.h|^lab/cores/calibrate/single\.c:[0-9]+:LOOP\(run_fence|^lab/cores/hooks/atomic\.c:[0-9]+:void __tsan_|^[^:]+:[0-9]+:[[:space:]]*(\*|/\*|//)')

# Libraries do not print, exit or abort, except in a failed check of ORDO_DEBUG, and in the processes that read an archive and guard a folder.
while read -r line; do
    fail "a library prints or exits: $line"
done < <(grep -rnE '\b(printf|puts|perror|exit|abort|_exit)\(' lib lab/net include --include='*.[ch]' | grep -vE '^lib/(calibrate|cluster)/report/|^include/ordo/cc/domain/invariant\.h:|^lib/(trace/otf2/process|base/folder)\.c:[0-9]+: +_exit\(|^[^:]+:[0-9]+:[[:space:]]*\*')

# Code checks an allocation before it computes with the address, because NULL plus an offset is undefined.
while read -r line; do
    fail "computes with memory before the check that it is there: $line"
done < <(grep -rnE '\b[mc]alloc\(.*\), *\*?\w+ = [a-zA-Z_.>-]+ \+ ' include lib calib bench lab --include='*.[ch]')

# A name of a static function belongs to one file, or to two: a breakpoint on a name that many files use would stop in all of them.
# bench/stm/stm_engine.h requires the names stm_shared_open and stm_shared_close.
most=2
while read -r name places; do
    fail "more than $most files have a static function $name: add its noun, as in parse_peers: $places"
done < <(find lib lab calib bench -name '*.c' -exec awk -v most=$most '
    /^static [^=[(]*[A-Za-z0-9_]\(/ {
        name = substr($0, 1, index($0, "(") - 1)
        sub(/.*[ *]/, "", name)
        if (name ~ /^stm_shared_(open|close)$/ || (name, FILENAME) in seen) next
        seen[name, FILENAME]
        count[name]++
        places[name] = places[name] " " FILENAME
    }
    END { for (name in count) if (count[name] > most) print name places[name] }' {} +)

# Every program of the tests has a guard against an early end.
while read -r line; do
    fail "a test's program without a guard, made by something else than ordo_test_program: $line"
done < <(grep -rn 'add_executable(' tests --include=CMakeLists.txt |
    grep -vE '^tests/CMakeLists\.txt:|^tests/package/(consumer|libraries)/|_libfuzzer |\((cli-without-raw|skew-watch) ')

exit $((failures > 0))
