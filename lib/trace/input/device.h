/* Devices in Chrome's form, as profilers write the records of CUPTI and ROCm. */
#ifndef ORDO_TRACE_INPUT_DEVICE_H
#define ORDO_TRACE_INPUT_DEVICE_H

#include "trace/event/event.h"

/** Sets event->device, but not its process, from the category, the name and "args" of a span. Returns true if the event
 * belongs to the work of a device. */
bool ordo_device_args(struct ordo_event *event, struct ordo_text category, struct ordo_text args);

#endif
