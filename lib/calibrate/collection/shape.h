/* The shape of schema ordo-report/1: the kind and the range of every key. */
#ifndef ORDO_CALIBRATE_COLLECTION_SHAPE_H
#define ORDO_CALIBRATE_COLLECTION_SHAPE_H

#include "json/reader.h"

extern const struct ordo_json_shape ordo_collection_shape;

#endif
