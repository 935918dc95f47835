/* Whether two paths name one place, also if there is no file yet. */
#ifndef ORDO_TIMED_SAME_PLACE_H
#define ORDO_TIMED_SAME_PLACE_H

#include <stdbool.h>

/** True if both paths certainly lead to one place: through other folders, or through a link whose file does not exist
 * yet. */
bool same_place(const char *path, const char *other);

#endif
