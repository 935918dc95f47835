/* ptp4l's statement about the clock that it steers, by `pmc`: CLOCK_REALTIME with software stamps, and the clock of the
 * network card with hardware stamps.
 *
 * ptp4l states no bound, so the bound is derived: |master_offset| + meanPathDelay + the grandmaster's accuracy. The
 * offset is the mean of both directions, and each direction takes at least no time, so asymmetry moves it by at most the
 * mean path delay. This holds only if the delay is that of the whole path to the grandmaster. Behind a boundary clock, and
 * with delays from peer to peer, it is the delay of the last link, and no bound is stated. The card's clock is then
 * compared with CLOCK_REALTIME by PTP_SYS_OFFSET_PRECISE, or else by PTP_SYS_OFFSET_EXTENDED, whose two readings of
 * CLOCK_REALTIME are around the reading of the card. */
#include <fcntl.h>
#include <linux/ptp_clock.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interval.h"
#include "base/output.h"
#include "base/time.h"
#include "machine/clock/source.h"
#include "machine/comparison/discipline.h"
#include "net/source/source.h"

enum { SAMPLES = 5, ACCURACY_UNKNOWN = 0xfe };

static const char socket_path[] = "/var/run/ptp4l";

/* The answers of ptp4l. */
struct answers {
    struct ordo_ptp ptp;
    double utc_offset_s, accuracy_code;
    bool utc_valid, software, follows, peer_to_peer; /* follows: a port is SLAVE */
    char interface[32];
};

/* Returns the word behind `key` in the answer of pmc; false if there is none. */
static bool word_behind(const char *text, const char *key, char word[32])
{
    size_t length = strlen(key);
    for (const char *at = text; (at = strstr(at, key)); at += length)
        if ((at == text || at[-1] == ' ' || at[-1] == '\t') && (at[length] == ' ' || at[length] == '\t'))
            return sscanf(at + length, " %31s", word) == 1;
    return false;
}

/* True if `key` has this value in the answer of one of the ports. */
static bool has_port(const char *text, const char *key, const char *value)
{
    char word[32];
    for (const char *at = text; word_behind(at, key, word); at = strstr(at, key) + 1)
        if (strcmp(word, value) == 0)
            return true;
    return false;
}

static void read_answers(const char *text, struct answers *answers)
{
    char word[32];
    (void)ordo_ptp_parse(text, &answers->ptp);
    answers->utc_offset_s = word_behind(text, "currentUtcOffset", word) ? strtod(word, NULL) : 0;
    answers->utc_valid = word_behind(text, "currentUtcOffsetValid", word) && strcmp(word, "1") == 0;
    answers->accuracy_code =
        word_behind(text, "gm.ClockAccuracy", word) ? (double)strtol(word, NULL, 0) : ACCURACY_UNKNOWN;
    answers->software = word_behind(text, "timestamping", word) && strcmp(word, "SOFTWARE") == 0;
    answers->follows = has_port(text, "portState", "SLAVE"); /* an UNCALIBRATED one has measured too little */
    answers->peer_to_peer = has_port(text, "delayMechanism", "2");
    if (!word_behind(text, "interface", answers->interface))
        answers->interface[0] = '\0';
}

static int ask_ptp(const struct ordo_source_options *options, struct answers *answers, struct ordo_error *error)
{
    static const char *const pmc[] = {"pmc",
                                      "-u",
                                      "-b",
                                      "0",
                                      "GET TIME_STATUS_NP",
                                      "GET CURRENT_DATA_SET",
                                      "GET PARENT_DATA_SET",
                                      "GET TIME_PROPERTIES_DATA_SET",
                                      "GET PORT_DATA_SET",
                                      "GET PORT_PROPERTIES_NP",
                                      NULL};
    char text[16384];
    if (access(socket_path, F_OK) != 0) /* without the socket, pmc would only wait */
        return ordo_error_set(error, ORDO_E_MISSING, 0, "ptp: ptp4l does not run here: %s is missing", socket_path);
    if (ordo_output_of(pmc, options->patience_ns ? options->patience_ns : 1000000000, text, sizeof text) <= 0)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "ptp: pmc gave no answer: run this program as a user that may "
                              "use ptp4l's socket");
    read_answers(text, answers);
    if (!answers->ptp.found)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "ptp: ptp4l tells no offset: see that its port is a SLAVE");
    return ORDO_OK;
}

/* Returns the bound that a code of IEEE 1588 (table "clockAccuracy") states, in ns. 0: it states none. */
static double accuracy_ns(int code)
{
    static const double steps_ns[] = {25,  100,   250, 1e3,   2.5e3, 1e4,   2.5e4, 1e5, 2.5e5,
                                      1e6, 2.5e6, 1e7, 2.5e7, 1e8,   2.5e8, 1e9,   1e10};
    int index = code - 0x20;
    if (code >= 0x17 && code < 0x20)
        return 25;
    return index >= 0 && index < (int)(sizeof steps_ns / sizeof *steps_ns) ? steps_ns[index] : 0;
}

static int64_t ns_of(const struct ptp_clock_time *time)
{
    return time->sec * 1000000000 + time->nsec;
}

/* Compares the card's clock with CLOCK_REALTIME: card minus CLOCK_REALTIME, and a reading of the latter. False if the
 * device supports neither call. */
static bool compare_card(int device, struct ordo_interval *apart_ns, int64_t *real_ns)
{
    struct ptp_sys_offset_precise precise = {0};
    struct ptp_sys_offset_extended extended = {.n_samples = SAMPLES};
    if (ioctl(device, PTP_SYS_OFFSET_PRECISE, &precise) == 0) {
        *real_ns = ns_of(&precise.sys_realtime);
        apart_ns->low = ns_of(&precise.device) - *real_ns;
        apart_ns->high = apart_ns->low + 1;
        return true;
    }
    if (ioctl(device, PTP_SYS_OFFSET_EXTENDED, &extended) != 0)
        return false;
    *apart_ns = (struct ordo_interval){INT64_MIN, INT64_MAX};
    for (int i = 0; i < SAMPLES; i++) {
        int64_t card_ns = ns_of(&extended.ts[i][1]);
        *real_ns = ns_of(&extended.ts[i][2]);
        *apart_ns = ordo_interval_intersect(
            *apart_ns, (struct ordo_interval){card_ns - *real_ns, card_ns - ns_of(&extended.ts[i][0])});
    }
    return true;
}

/* Finds the card's clock and compares it. `path`: a device, an interface, or NULL for the interface that ptp4l names. */
static int take_card(const char *path, const struct answers *answers, struct ordo_interval *apart_ns, int64_t *real_ns,
                     struct ordo_error *error)
{
    char device[ORDO_CLOCK_PHC_PATH];
    const char *name = path ? path : answers->interface;
    if (!*name)
        return ordo_error_set(error, ORDO_E_CLOCK, 0, "ptp: ptp4l names no interface: give one, as ptp=eth0");
    int code = ordo_clock_phc_find(name, device, error), file = code ? -1 : open(device, O_RDONLY | O_CLOEXEC);
    if (code)
        return code;
    if (file < 0)
        return ordo_error_errno(error, "ptp: %.60s", device);
    bool compared = compare_card(file, apart_ns, real_ns);
    (void)close(file);
    if (!compared)
        return ordo_error_set(error, ORDO_E_CLOCK, 0,
                              "ptp: %.60s cannot be compared with CLOCK_REALTIME (PTP_SYS_OFFSET_EXTENDED)", device);
    return ORDO_OK;
}

/* Computes UTC minus CLOCK_REALTIME before the bound is added, and a reading of CLOCK_REALTIME. */
static int place_claim(const struct ordo_source_options *options, const struct answers *answers,
                       struct ordo_interval *apart_ns, int64_t *real_ns, struct ordo_error *error)
{
    if (answers->software && !options->path) {
        *real_ns = ordo_time_ns(CLOCK_REALTIME);
        *apart_ns = (struct ordo_interval){0, 0};
        return ORDO_OK;
    }
    if (!answers->utc_valid)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "ptp: the grandmaster vouches for no offset of UTC from TAI");
    int64_t tai_ns = (int64_t)answers->utc_offset_s * 1000000000;
    int code = take_card(options->path, answers, apart_ns, real_ns, error);
    apart_ns->low -= tai_ns;
    apart_ns->high -= tai_ns;
    return code;
}

static int read_ptp(const struct ordo_source_options *options, struct ordo_source_claim *claim,
                    struct ordo_error *error)
{
    struct answers answers = {0};
    struct ordo_interval apart_ns = {0};
    int64_t real_ns = 0;
    int code = ask_ptp(options, &answers, error);
    if (!code)
        code = place_claim(options, &answers, &apart_ns, &real_ns, error);
    if (code)
        return code;
    double accuracy = accuracy_ns((int)answers.accuracy_code);
    if (accuracy == 0)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "ptp: the grandmaster states no accuracy (gm.ClockAccuracy 0x%x), so no bound follows: "
                              "set its clockAccuracy",
                              (unsigned)answers.accuracy_code);
    if (answers.ptp.steps_removed > 1 || answers.peer_to_peer)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "ptp: the path delay is that of the last link only (%s), so no bound follows",
                              answers.peer_to_peer ? "delays from peer to peer" : "boundary clocks");
    double bound_ns = fabs(answers.ptp.master_offset_ns) + fabs(answers.ptp.mean_path_delay_ns) + accuracy;
    int64_t wide_ns = (int64_t)ceil(fmin(bound_ns, 1e15));
    *claim = (struct ordo_source_claim){
        .clock = ORDO_SOURCE_REALTIME,
        .reading = (uint64_t)real_ns,
        .earliest_ns = real_ns + apart_ns.low - wide_ns,
        .latest_ns = real_ns + apart_ns.high + wide_ns,
        .void_after_raw_ns = INT64_MAX,
        .age_ns = -1,
        .state = answers.ptp.grandmaster_present && answers.follows ? ORDO_SOURCE_SYNCHRONISED : ORDO_SOURCE_UNKNOWN,
        .knows_tai = answers.utc_valid,
        .tai_s = (int32_t)answers.utc_offset_s};
    (void)snprintf(claim->evidence, sizeof claim->evidence,
                   "master_offset %.0f ns, meanPathDelay %.0f ns, gm.ClockAccuracy 0x%x, gmPresent %d, %s",
                   answers.ptp.master_offset_ns, answers.ptp.mean_path_delay_ns, (unsigned)answers.accuracy_code,
                   answers.ptp.grandmaster_present, answers.follows ? "SLAVE" : "no port is SLAVE");
    return ORDO_OK;
}

const struct ordo_source ordo_source_ptp = {
    .name = "ptp",
    .title = "ptp4l, by pmc, and the clock of its network card",
    .waits = true,
    .read = read_ptp,
};
