/* Silo. The counter is the epoch of reclamation, which transactions read and only removals advance. */
#define ORDO_STAMP_LOGICAL
#define CC_SILO
#define ORDO_ENGINE ordo_db_engine_silo
#include "cc/txn/single/execute.h"
