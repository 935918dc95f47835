#define ORDO_STAMP_LOGICAL
#define STAMP_PREPARE txn_stamp_logical_prepare
#define STAMP_WORK txn_stamp_logical_work
#include "stamp_loop.h"
