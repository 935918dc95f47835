/* The one door to the OTF2 library (BSD licence). */
#ifndef ORDO_TRACE_OTF2_LIBRARY_H
#define ORDO_TRACE_OTF2_LIBRARY_H

#include <otf2/otf2.h>

#endif
