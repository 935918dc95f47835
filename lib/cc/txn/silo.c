/* Silo. The counter is the epoch of reclamation, which transactions read and only removals advance. */
#define ORDO_STAMP_LOGICAL
#include "cc/txn/single/silo.h"

const struct ordo_db_engine ordo_db_engine_silo = SILO_ENGINE;
