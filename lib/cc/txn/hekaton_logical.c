/* Hekaton on the stamp "logical". */
#define ORDO_STAMP_LOGICAL
#define ORDO_ENGINE ordo_db_engine_hekaton_logical
#include "cc/txn/hekaton/read.h"
