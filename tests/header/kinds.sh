#!/bin/sh
# kinds.sh SOURCE COMPILER: checks that code that mixes times or handles of different kinds (plain, corrected, any) does
# not compile.
set -eu
source=$1 compiler=$2
command -v "$compiler" >/dev/null || { echo "$compiler is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# compiles STATEMENT: true if the statement compiles in a function that has handles and times of all kinds.
compiles() {
    cat >"$scratch/kinds.c" <<END
#include <ordo/any.h>
void kinds(struct ordo *o, struct ordo_any *a, struct ordo_corrected *c);
void kinds(struct ordo *o, struct ordo_any *a, struct ordo_corrected *c)
{
    ordo_time plain = ordo_get_time(o);
    ordo_any_time any = ordo_any_get_time(a);
    ordo_corrected_time corrected = ordo_get_time_corrected(c);
    (void)plain, (void)any, (void)corrected;
    $1
}
END
    "$compiler" -std=c11 -Werror -I"$source/include" -fsyntax-only "$scratch/kinds.c" 2>"$scratch/errors"
}

status=0
for right in ";" "(void)ordo_any_cmp_time(a, any, any);" "any = ordo_any_new_time(a, any);"; do
    compiles "$right" || { cat "$scratch/errors"; echo "does not compile: $right"; status=1; }
done
for wrong in "any = plain;" "plain = any;" "corrected = any;" "(void)ordo_cmp_time(o, any, any);" \
    "(void)ordo_any_cmp_time(a, any, plain);" "(void)ordo_any_cmp_time(o, any, any);" "(void)ordo_get_time(a);" \
    "(void)(any > any);" "(void)ordo_any_new_time(a, plain);" "ordo_close(a);"; do
    ! compiles "$wrong" || { echo "compiles: $wrong"; status=1; }
done
exit $status
