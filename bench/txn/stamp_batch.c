#define ORDO_STAMP_BATCH
#define STAMP_PREPARE txn_stamp_batch_prepare
#define STAMP_WORK txn_stamp_batch_work
#include "stamp_loop.h"
