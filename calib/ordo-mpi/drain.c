#include "drain.h"

#include <stdbool.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/time.h"

/* True if a pipe is empty. Also true if the file is not a pipe. */
static bool is_read(int file)
{
    int left = 0;
    return ioctl(file, FIONREAD, &left) != 0 || left == 0;
}

void mpi_drain(int64_t most_ns)
{
    enum { NAP_NS = 1000000 };
    int64_t begin_ns = ordo_raw_ns();
    while (!(is_read(STDOUT_FILENO) && is_read(STDERR_FILENO)) && ordo_raw_ns() - begin_ns < most_ns)
        ordo_sleep_ns(NAP_NS);
}
