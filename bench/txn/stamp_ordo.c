#define STAMP_PREPARE mvcc_stamp_ordo_prepare
#define STAMP_WORK mvcc_stamp_ordo_work
#include "stamp_loop.h"
