/* The preload, libordo-clock.so, as `ordo run` uses it. */
#ifndef ORDO_RUN_PRELOAD_H
#define ORDO_RUN_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "preload/settings.h"

/** Finds the library in the build tree of this program or in the folder of installation. Returns false if there is
 * none. */
bool preload_find(char *path, size_t size);

/** Puts the library and its settings into the environment, in front of other preloads. Returns false with errno. */
bool preload_into_environment(const char *library, const struct preload_settings *settings);

#endif
