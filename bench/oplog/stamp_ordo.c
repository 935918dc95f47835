/* Our Oplog on hardware time and the boundary. */
#include "oplog/oplog_engine.h"
