/* Optimistic concurrency control on the stamp "ordo". */
#define CC_OCC
#define ORDO_ENGINE ordo_db_engine_occ_ordo
#include "cc/txn/single/execute.h"
