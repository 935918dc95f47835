/* TicToc. The counter is the epoch of reclamation, which transactions read and only removals advance. */
#define ORDO_STAMP_LOGICAL
#include "cc/txn/single/tictoc.h"

const struct ordo_db_engine ordo_db_engine_tictoc = TICTOC_ENGINE;
