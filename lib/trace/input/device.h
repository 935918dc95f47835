/* Devices in Chrome's form, as profilers write the records of CUPTI and ROCm. */
#ifndef ORDO_TRACE_INPUT_DEVICE_H
#define ORDO_TRACE_INPUT_DEVICE_H

#include "trace/event/event.h"
#include "trace/input/json.h"

/** Sets event->device, but not its process, from the category, the name and the members of "args" of a span
 * (count -1: none). Returns true if the event
 * belongs to the work of a device. */
bool ordo_device_args(struct ordo_event *event, struct ordo_text category, const struct ordo_json_members *args);

#endif
