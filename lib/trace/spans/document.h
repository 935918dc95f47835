/* A file of spans: documents of OTLP, of Jaeger and of Zipkin, one after the other. */
#ifndef ORDO_TRACE_SPANS_DOCUMENT_H
#define ORDO_TRACE_SPANS_DOCUMENT_H

#include "trace/spans/spans.h"

/** True if the beginning of a file is that of a document of spans. */
bool ordo_spans_look(struct ordo_text beginning);

/** Reads all spans of a file, and the references between them. Accepts a file that ends within a value if `partial`.
 * Returns 0 or a negative code; free `spans` in either case. */
int ordo_spans_read(struct ordo_spans *spans, struct ordo_input *input, bool partial, struct ordo_error *error);

#endif
