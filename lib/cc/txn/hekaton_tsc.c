/* Hekaton on the stamp "tsc". */
#define ORDO_STAMP_TSC
#define ORDO_ENGINE ordo_db_engine_hekaton_tsc
#include "cc/txn/hekaton/read.h"
