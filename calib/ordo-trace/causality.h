/* Messages and collectives of a report, as JSON. */
#ifndef ORDO_TRACE_CAUSALITY_H
#define ORDO_TRACE_CAUSALITY_H

#include "trace/causal/match.h"
#include "json/builder.h"

struct ordo_json causality_json(const struct ordo_causality *causality);

#endif
