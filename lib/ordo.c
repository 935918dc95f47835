/* Compiles the runtime's inline functions as symbols, for languages that cannot include a C header. ordo_strerror is
 * among them; the `static` functions of record.h are not. */
#define ORDO_INLINE __attribute__((visibility("default")))

#include <ordo/any.h>
#include <ordo/now.h>
#include <ordo/ordo.h>
#include <ordo/start.h>
