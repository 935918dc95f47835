#define ORDO_STAMP_ANY
#define STAMP_PREPARE txn_stamp_any_prepare
#define STAMP_WORK txn_stamp_any_work
#include "stamp_loop.h"
