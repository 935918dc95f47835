#define ORDO_STAMP_BATCH
#define STAMP_PREPARE mvcc_stamp_batch_prepare
#define STAMP_WORK mvcc_stamp_batch_work
#include "stamp_loop.h"
