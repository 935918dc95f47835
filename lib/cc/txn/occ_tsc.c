/* Optimistic concurrency control on the stamp "tsc". */
#define ORDO_STAMP_TSC
#define CC_OCC
#define ORDO_ENGINE ordo_db_engine_occ_tsc
#include "cc/txn/single/execute.h"
