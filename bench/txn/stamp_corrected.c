#define ORDO_STAMP_CORRECTED
#define STAMP_PREPARE txn_stamp_corrected_prepare
#define STAMP_WORK txn_stamp_corrected_work
#include "stamp_loop.h"
