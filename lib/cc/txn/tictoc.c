/* TicToc. The counter is the epoch of reclamation, which transactions read and only removals advance. */
#define ORDO_STAMP_LOGICAL
#define CC_TICTOC
#define ORDO_ENGINE ordo_db_engine_tictoc
#include "cc/txn/single/execute.h"
