#define STAMP_PREPARE txn_stamp_ordo_prepare
#define STAMP_WORK txn_stamp_ordo_work
#include "stamp_loop.h"
