#!/bin/sh
# alone.sh SOURCE COMPILER [INCLUDE...]: checks that every header of the project compiles alone, so that a program may
# include headers in any order. A header that is only a part of another one refuses by #error to be included alone, and
# is skipped, and so are the headers on OTF2 if its library is not installed.
set -u
cd "$1" || exit 1
compiler=$2
shift 2
flags="-std=gnu11 -D_GNU_SOURCE -fsyntax-only -Werror=implicit-function-declaration -Werror=implicit-int"
for folder in include lib bench calib . "$@"; do flags="$flags -I$folder"; done
echo '#include <otf2/otf2.h>' | $compiler $flags -x c - 2>/dev/null && otf2=yes || otf2=
failures=0 count=0
# shellcheck disable=SC2044 # no name has a space
for header in $(find include/ordo/*.h include/ordo/cc/*.h include/ordo/cc/*/*.h include/ordo/merge/*.h lib bench calib lab -name '*.h'); do
    grep -q '^#error "include <' "$header" && continue
    case ${otf2:+with}$header in lib/trace/otf2/*) echo "alone: $header is skipped: OTF2 is not installed" && continue ;; esac
    printf '#include "%s"\n' "$PWD/$header" | $compiler $flags -x c - 2>/dev/null && { count=$((count + 1)); continue; }
    printf '#include "%s"\n' "$PWD/$header" | $compiler $flags -x c - 2>&1 | grep -m 1 error
    echo "alone: $header does not compile alone"
    failures=$((failures + 1))
done
[ "$count" -gt 50 ] || { echo "alone: only $count headers were found"; exit 1; }
exit $((failures > 0))
