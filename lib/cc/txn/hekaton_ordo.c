/* Hekaton on the stamp "ordo". */
#define ORDO_ENGINE ordo_db_engine_hekaton_ordo
#include "cc/txn/hekaton/read.h"
