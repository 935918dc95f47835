/* Files without a name, for data that is too large for memory; they vanish with the process. */
#ifndef ORDO_BASE_SPOOL_H
#define ORDO_BASE_SPOOL_H

/** Opens a new one in $TMPDIR, or in /tmp. Returns its descriptor, which the caller closes; -1 with errno if it cannot
 * be created. */
int ordo_spool_open(void);

#endif
