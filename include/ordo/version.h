/* The version of Ordo: the only copy, read by the build, the tools and the tests. */
#ifndef ORDO_VERSION_H
#define ORDO_VERSION_H

#define ORDO_VERSION_MAJOR 0
#define ORDO_VERSION_MINOR 2
#define ORDO_VERSION_PATCH 0
#define ORDO_VERSION "0.2.0"

#endif
