/* A sorted list of numbers under RLU: the functions ordo_rlu_list_*, which set/list.h documents. */
#ifndef ORDO_CC_RLU_LIST_H
#define ORDO_CC_RLU_LIST_H

#include <ordo/cc/rlu.h>

#define ORDO_SET(name) ordo_rlu_##name
#define ORDO_SET_DOMAIN ordo_rlu
#define ORDO_SET_SECTION ORDO_RLU_SECTION
#include <ordo/cc/set/list.h>
#undef ORDO_SET
#undef ORDO_SET_DOMAIN
#undef ORDO_SET_SECTION

#endif
