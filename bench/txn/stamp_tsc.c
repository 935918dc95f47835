#define ORDO_STAMP_TSC
#define STAMP_PREPARE mvcc_stamp_tsc_prepare
#define STAMP_WORK mvcc_stamp_tsc_work
#include "stamp_loop.h"
