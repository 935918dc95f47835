#include "base/spool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int ordo_spool_open(void)
{
    const char *folder = getenv("TMPDIR");
    char name[] = "/tmp/ordo-XXXXXX";
    int fd = open(folder && *folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    fd = mkostemp(name, O_CLOEXEC); /* if the file system has no O_TMPFILE */
    if (fd >= 0)
        (void)unlink(name);
    return fd;
}
