/* Files without a name, for what is too large for memory and gone when the process is. */
#ifndef ORDO_BASE_SPOOL_H
#define ORDO_BASE_SPOOL_H

/** A new one in $TMPDIR, or in /tmp: its descriptor, to be closed; -1 with errno where there is no room for one. */
int ordo_spool_open(void);

#endif
