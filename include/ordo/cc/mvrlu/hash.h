/* A hash of sorted lists of numbers under MV-RLU: the functions ordo_mvrlu_hash_*, which set/hash.h documents. */
#ifndef ORDO_CC_MVRLU_HASH_H
#define ORDO_CC_MVRLU_HASH_H

#include <ordo/cc/mvrlu/list.h>

#define ORDO_SET(name) ordo_mvrlu_##name
#define ORDO_SET_DOMAIN ordo_mvrlu
#define ORDO_SET_SECTION ORDO_MVRLU_SECTION
#include <ordo/cc/set/hash.h>
#undef ORDO_SET
#undef ORDO_SET_DOMAIN
#undef ORDO_SET_SECTION

#endif
