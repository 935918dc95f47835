/* Optimistic concurrency control on the stamp "ordo". */
#include "cc/txn/single/occ.h"

const struct ordo_db_engine ordo_db_engine_occ_ordo = OCC_ENGINE;
