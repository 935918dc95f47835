/* The clock of a network card (PTP hardware clock), or of the host of a virtual machine: /dev/ptpN. Linux reads it by
 * clock_gettime with an identifier made from the open file (clock_getres(2), "Dynamic clocks"). */
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "machine/clock/source.h"

enum { DEVICES = 16, NOT_TRIED = -2, NONE = -1 };

static _Atomic int device = NOT_TRIED;

static clockid_t clock_of_file(int file)
{
    return (clockid_t)((~(unsigned)file << 3) | 3);
}

/* Opens the clock device `path`. Returns its descriptor, or NONE with errno. */
static int open_clock(const char *path)
{
    struct stat status;
    struct timespec now;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NONE;
    if (fstat(file, &status) == 0 && S_ISCHR(status.st_mode) && clock_gettime(clock_of_file(file), &now) == 0)
        return file;
    (void)close(file);
    errno = ENODEV;
    return NONE;
}

static int open_first(void)
{
    char path[32];
    int file = NONE;
    for (int i = 0; i < DEVICES && file < 0; i++) {
        (void)snprintf(path, sizeof path, "/dev/ptp%d", i);
        file = open_clock(path);
    }
    return file;
}

/* Asks the driver of an interface for the number of its clock (ethtool -T). Returns -1 if it has none, and -2 if there is
 * no such interface. */
static int clock_of_interface(const char *name)
{
    struct ethtool_ts_info info = {.cmd = ETHTOOL_GET_TS_INFO, .phc_index = -1};
    struct ifreq request = {0};
    int file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), failed;
    (void)snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    request.ifr_data = (void *)&info;
    failed = file < 0 || ioctl(file, SIOCETHTOOL, &request) ? errno : 0;
    if (file >= 0)
        (void)close(file);
    return failed == ENODEV ? -2 : failed ? -1 : info.phc_index;
}

int ordo_clock_phc_find(const char *name, char path[ORDO_CLOCK_PHC_PATH], struct ordo_error *error)
{
    bool is_path = strchr(name, '/');
    if (strlen(name) >= (is_path ? ORDO_CLOCK_PHC_PATH : IFNAMSIZ))
        return ordo_error_set(error, ORDO_E_MISSING, ENAMETOOLONG, "%.60s...: too long for a clock: give it /dev/ptpN",
                              name);
    int number = is_path ? 0 : clock_of_interface(name);
    if (number == -2)
        return ordo_error_set(error, ORDO_E_MISSING, ENODEV,
                              "%s: there is no such network interface: give it one of 'ip link', or /dev/ptpN", name);
    if (number < 0)
        return ordo_error_set(error, ORDO_E_MISSING, 0,
                              "%s: this network interface has no clock (ethtool -T): give it another, or /dev/ptpN",
                              name);
    if (is_path)
        (void)snprintf(path, ORDO_CLOCK_PHC_PATH, "%s", name);
    else
        (void)snprintf(path, ORDO_CLOCK_PHC_PATH, "/dev/ptp%d", number);
    return ORDO_OK;
}

int ordo_clock_phc_open(const char *name, struct ordo_error *error)
{
    char path[ORDO_CLOCK_PHC_PATH];
    int code = name ? ordo_clock_phc_find(name, path, error) : ORDO_OK;
    int file = code ? NONE : name ? open_clock(path) : open_first();
    int reason = errno;
    if (device >= 0)
        (void)close(device);
    device = file;
    if (code)
        return code;
    if (file >= 0)
        return ORDO_OK;
    if (name)
        return ordo_error_set(error, ORDO_E_MISSING, reason, "%.100s: %s: give it a PTP hardware clock, /dev/ptpN",
                              path, reason == ENODEV ? "not a clock" : strerror(reason));
    return ordo_error_set(error, ORDO_E_MISSING, 0, "phc: no device /dev/ptpN that this user may read");
}

static clockid_t chosen(void)
{
    if (device == NOT_TRIED)
        (void)ordo_clock_phc_open(NULL, NULL);
    return device < 0 ? -1 : clock_of_file(device);
}

static uint64_t read_phc_ns(void)
{
    clockid_t clock = chosen();
    return clock == -1 ? 0 : ordo_clock_system_ns(clock);
}

static uint64_t call_phc_ns(void)
{
    clockid_t clock = chosen();
    return clock == -1 ? 0 : ordo_clock_library_ns(clock);
}

const struct ordo_clock_source ordo_clock_source_phc = {
    .name = "phc",
    .title = "the clock of a network card, /dev/ptpN",
    .unit_hz = 1000000000,
    .steered = true,
    .settable = true,
    .on_request = true,
    .read = read_phc_ns,
    .call = call_phc_ns,
};
