/* A search tree of numbers under RLU: the functions ordo_rlu_tree_*, which set/tree.h documents. */
#ifndef ORDO_CC_RLU_TREE_H
#define ORDO_CC_RLU_TREE_H

#include <ordo/cc/rlu.h>

#define ORDO_SET(name) ordo_rlu_##name
#define ORDO_SET_DOMAIN ordo_rlu
#define ORDO_SET_SECTION ORDO_RLU_SECTION
#include <ordo/cc/set/tree.h>
#undef ORDO_SET
#undef ORDO_SET_DOMAIN
#undef ORDO_SET_SECTION

#endif
