#!/bin/bash
# tree_can_fail.sh SOURCE: puts faults into a copy of the tree, and checks that tree.sh names each fault. A run takes
# seconds, so all faults are there at once, each in its own file.
set -u
source=$1
. "$(dirname "$0")/kit.sh"

# Copies the files that tree.sh reads.
cd "$source" && find CMakeLists.txt cmake include lib calib bench lab examples tests/tree.sh tests/circles.awk \
    \( -name '*.[ch]' -o -name '*.hpp' -o -name '*.sh' -o -name '*.awk' -o -name '*.cmake' -o -name CMakeLists.txt \) -print0 |
    xargs -0 cp --parents -t "$scratch" && find tests -name CMakeLists.txt -exec cp --parents -t "$scratch" {} + || exit 1
cd "$scratch" || exit 1
bash tests/tree.sh . >clean || { cat clean; fail "the tree has faults of its own"; exit 1; }

# fault FILE LINE COMPLAINT: adds the line to the file. tree.sh must then complain about the file in these words.
: >expected
fault() {
    [ -e "$1" ] || mkdir -p "$(dirname "$1")" || exit 1
    echo "$2" >>"$1"
    printf '%s\t%s\n' "$1" "$3" >>expected
}

# The product does not include the laboratory, by any path.
fault lib/net/live/agent.c '#include "lab/net/sim/network.h"' 'includes "lab/net/sim/network.h", which is not on a floor below lib/net/live'
fault lib/net/offset/hull.c '#include "lab/net/score/score.h"' 'the product includes the laboratory: '
fault lib/net/live/survey/survey.c '#include "net/sim/network.h"' 'includes "net/sim/network.h", which is not on a floor below lib/net/live'
fault lib/net/window/window.c '#include "../../../lab/net/sim/clock.h"' 'the product includes the laboratory: '
fault calib/ordo-net/main.c '#include "lab/net/score/score.h"' 'the product includes the laboratory: '
fault bench/main.c '#include <lab/net/sim/clock.h>' 'the product includes the laboratory: '
fault include/ordo/net.h '#include "../../lab/net/sim/clock.h"' 'the product includes the laboratory: '
fault lib/CMakeLists.txt 'target_link_libraries(ordo-live PUBLIC ordo-lab-net)' 'the product links the laboratory: '
fault lib/net/sim/clock.c '/* A simulator comes back. */' 'tests/tree.sh has no rule about it'

# The laboratory has floors too, and its libraries obey the rules for libraries.
fault lab/net/sim/network.c '#include "lab/net/ptp/ptp.h"' 'includes "lab/net/ptp/ptp.h", which is not on a floor below lab/net/sim'
fault lab/net/sim/phy.c '#include "net/live/agent.h"' 'includes "net/live/agent.h", which is not on a floor below lab/net/sim'
fault lab/ordo-lab/main.c '#include "ordo-net/peers.h"' 'includes "ordo-net/peers.h", which is not on a floor below lab/ordo-lab'
fault lab/hosts/clock.c '/* Another room. */' 'tests/tree.sh has no rule about it'
fault lab/net/score/score.c '#include <sodium.h>' '<sodium> has one door'
fault include/ordo/cc/domain/turn.h '#include <stdio.h>' 'a header of cc/ includes more than it may: '
fault include/ordo/cc/rlu/read.h 'static void end(void) { abort(); }' 'a library prints or exits: '
fault lab/net/servo/pi.c 'void say(void) { printf("1"); }' 'a library prints or exits: '

# Cycles: of two modules through their headers, of two modules through a .c file, of three modules, and of two folders
# that tree.sh does not list.
fault lib/machine/comparison/cost.h '#include "machine/comparison/comparison.h"' 'a circle of includes: module '
fault lib/cluster/transport/mpi_result.c '#include "cluster/transport/mpi_watch.h"' 'a circle of includes: module '
fault lib/trace/correct/messages.c '#include "trace/correct/correct.h"' 'a circle of includes: module '
fault lib/cc/txn/core/home.h '#include "cc/txn/single/types.h"' 'a circle of includes: folder '

# Circles of calls: two files that call each other, and a file that calls back through two others.
fault calib/ordo/watch/mark.c 'void mark_and_want(struct watch *watch) { watch_want(watch, true, 0, ""); }' 'a circle of calls: '
fault calib/common/clocks_utc.c 'int clocks_again(int argc, char **argv) { return cli_clocks(argc, argv); }' 'a circle of calls: '

# A verb without a noun names a static function in three files, with and without a pointer as its result.
for file in lib/base/place.c lab/net/score/score.c bench/choice.c; do
    fault $file 'static int handle(int signal)' 'more than 2 files have a static function handle: '
    fault $file 'static inline char *decode(void)' 'more than 2 files have a static function decode: '
done

# The engines share the domain, and duplicate no code.
fault include/ordo/cc/oplog/lock.h 'static inline void nap(void) { (void)sched_yield(); }' 'an engine has its own copy of what is in domain/: '
fault include/ordo/cc/stm/wait.h '#include <ordo/cc/rlu.h>' 'includes more than it may'
fault include/ordo/cc/mvrlu/link.h "$(sed 's/rlu/mvrlu/g' include/ordo/cc/rlu/defer.h)" 'the same six lines are in two rooms, but for a name: '
fault include/ordo/cc/txn.h "$(yes '/* A contract grows. */' | head -n 100)" 'and at most 300 are allowed'
fault include/ordo/cc/urcu/read.h '/* Another engine. */' 'tests/tree.sh has no rule about it'

# Only lib/json uses the JSON library.
fault bench/report.h '#include <jansson.h>' '<jansson> has one door'
fault bench/plot/panels.c 'static json_t *kept;' 'jansson outside of lib/json: '
fault lab/ordo-lab/json.c 'void forget(void *value) { json_delete(value); }' 'jansson outside of lib/json: '
fault lib/json/reader.h '#include <jansson.h>' '<jansson> has one door'
fault calib/ordo/CMakeLists.txt 'target_link_libraries(ordo-tool PRIVATE PkgConfig::jansson)' 'jansson is linked by more than lib/json'

! bash tests/tree.sh . >complaints || fail "tree.sh passes a tree with $(wc -l <expected) faults"
while IFS=$'\t' read -r file complaint; do
    case $complaint in
    *"no rule about it" | *": folder ") file=$(dirname "$file") ;;
    *": module ") file=${file%.[ch]} ;;
    esac
    grep -F -- "$complaint" complaints | grep -Fq -- "$file" || fail "nothing is said of $file: '$complaint'"
done <expected
exit $((failures > 0))
