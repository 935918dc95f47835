/* TicToc. The counter of its stamp is the epoch of reclamation: transactions read it, and only removals advance it. */
#define ORDO_STAMP_LOGICAL
#include "cc/txn/single/tictoc.h"

const struct ordo_db_engine ordo_db_engine_tictoc = TICTOC_ENGINE;
