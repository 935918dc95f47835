/* The notations of spans: OTLP (OpenTelemetry's protocol in JSON, as its file exporter writes it), Jaeger's and
 * Zipkin's JSON. */
#ifndef ORDO_TRACE_SPANS_NOTATIONS_H
#define ORDO_TRACE_SPANS_NOTATIONS_H

#include "trace/spans/spans.h"

/** Reads an element of "resourceSpans". `context` is the struct ordo_spans. */
int ordo_otlp_resource(void *context, struct ordo_walk *walk, struct ordo_text key);

/** Reads an element of "data": a trace of Jaeger. `context` is the struct ordo_spans. */
int ordo_jaeger_trace(void *context, struct ordo_walk *walk, struct ordo_text key);

/** Reads an element of an array of Zipkin: a span, or an array of them. `context` is the struct ordo_spans. */
int ordo_zipkin_element(void *context, struct ordo_walk *walk, struct ordo_text key);

#endif
