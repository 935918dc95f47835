#define ORDO_STAMP_LOGICAL
#define STAMP_PREPARE mvcc_stamp_logical_prepare
#define STAMP_WORK mvcc_stamp_logical_work
#include "stamp_loop.h"
