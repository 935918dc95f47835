/* Temporary files without a name, for data that is too large for memory. They disappear when the process ends. */
#ifndef ORDO_BASE_SPOOL_H
#define ORDO_BASE_SPOOL_H

/** Opens a new file without a name in $TMPDIR, or in /tmp. Returns its descriptor, which the caller closes; -1 with
 * errno if the file cannot be created. */
int ordo_spool_open(void);

#endif
