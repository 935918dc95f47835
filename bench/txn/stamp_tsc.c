#define ORDO_STAMP_TSC
#define STAMP_PREPARE txn_stamp_tsc_prepare
#define STAMP_WORK txn_stamp_tsc_work
#include "stamp_loop.h"
