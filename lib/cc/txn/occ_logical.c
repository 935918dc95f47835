/* Optimistic concurrency control on the stamp "logical". */
#define ORDO_STAMP_LOGICAL
#define CC_OCC
#define ORDO_ENGINE ordo_db_engine_occ_logical
#include "cc/txn/single/execute.h"
