/* A search tree of numbers under MV-RLU: the functions ordo_mvrlu_tree_*, which set/tree.h documents. */
#ifndef ORDO_CC_MVRLU_TREE_H
#define ORDO_CC_MVRLU_TREE_H

#include <ordo/cc/mvrlu.h>

#define ORDO_SET(name) ordo_mvrlu_##name
#define ORDO_SET_DOMAIN ordo_mvrlu
#define ORDO_SET_SECTION ORDO_MVRLU_SECTION
#include <ordo/cc/set/tree.h>
#undef ORDO_SET
#undef ORDO_SET_DOMAIN
#undef ORDO_SET_SECTION

#endif
