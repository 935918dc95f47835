/* A hash of sorted lists of numbers under RLU: the functions ordo_rlu_hash_*, which set/hash.h documents. */
#ifndef ORDO_CC_RLU_HASH_H
#define ORDO_CC_RLU_HASH_H

#include <ordo/cc/rlu/list.h>

#define ORDO_SET(name) ordo_rlu_##name
#define ORDO_SET_DOMAIN ordo_rlu
#define ORDO_SET_SECTION ORDO_RLU_SECTION
#include <ordo/cc/set/hash.h>
#undef ORDO_SET
#undef ORDO_SET_DOMAIN
#undef ORDO_SET_SECTION

#endif
