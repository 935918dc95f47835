/* The runtime's inline functions once more, as symbols, for languages that cannot include a C header.
 * ordo_strerror is among them; what record.h declares `static` is not. */
#define ORDO_INLINE __attribute__((visibility("default")))

#include <ordo/any.h>
#include <ordo/ordo.h>
#include <ordo/start.h>
