/* The rows of chronyd's log files: tracking, statistics, measurements, rawmeasurements, refclocks, selection, rtc and
 * tempcomp. A row is known by its fields and not by the banner, which is missing at the begin of most files that were
 * rotated. Formats: chrony.conf(5), `log`. Older versions have fewer fields at the end. */
#include <math.h>

#include "net/log/item.h"

enum { FIELDS = 20 };

struct row {
    struct ordo_log_text field[FIELDS];
    int count;
};

static void split_row(struct row *row, struct ordo_log_text rest)
{
    for (row->count = 0; row->count < FIELDS; row->count++) {
        row->field[row->count] = ordo_log_word(&rest);
        if (row->field[row->count].at == row->field[row->count].end)
            return;
    }
}

static bool has_exponent(struct ordo_log_text field)
{
    return memchr(field.at, 'e', ordo_log_length(field)) != NULL;
}

/* Reads a field in seconds as nanoseconds. NAN: it is no number, or the row has no such field. */
static double field_ns(const struct row *row, int i)
{
    double seconds;
    return i < row->count && ordo_log_number(row->field[i], &seconds) ? seconds * 1e9 : NAN;
}

static bool is_whole_field(const struct row *row, int i)
{
    int64_t number;
    return i < row->count && ordo_log_whole(row->field[i], &number);
}

static bool is_leap(const struct row *row, int i)
{
    return i < row->count && ordo_log_length(row->field[i]) == 1 && strchr("N+-?", *row->field[i].at);
}

/* A field of tests such as "111" or "1101". */
static bool is_tests(const struct row *row, int i)
{
    struct ordo_log_text field = i < row->count ? row->field[i] : (struct ordo_log_text){NULL, NULL};
    for (const char *at = field.at; at < field.end; at++)
        if (*at != '0' && *at != '1')
            return false;
    return field.at < field.end;
}

/* Stores the offset, which makes the row a reading, or malformed. A row without a needed field is malformed, too. */
static bool store_offset(struct ordo_log_item *item, enum ordo_log_series series, double offset_ns)
{
    item->series = series;
    item->offset_ns = offset_ns;
    item->kind = isnan(offset_ns) ? ORDO_LOG_MALFORMED : ORDO_LOG_READING;
    return true;
}

/* IP stratum frequency skew offset [leap combined deviation remaining root-delay root-dispersion maximum]. Skips the
 * first field because a report names the source on its own. */
static bool read_tracking(const struct row *row, struct ordo_log_item *item)
{
    double ppm;
    if (row->count < 5 || row->count > 12 || !is_whole_field(row, 1) || !ordo_log_number(row->field[2], &ppm) ||
        !has_exponent(row->field[4]) || has_exponent(row->field[2]) || has_exponent(row->field[3]))
        return false;
    item->freq_ppb = ppm * 1e3;
    item->detail = row->field[0];
    item->bound_ns = row->count == 12 ? field_ns(row, 11) : NAN;
    (void)store_offset(item, ORDO_LOG_TRACKING, field_ns(row, 4));
    /* With `local`, a chronyd without a source takes its own clock for one, and reports offsets of 0. */
    if ((row->count > 5 && ordo_log_is(row->field[5], "?")) || ordo_log_is(row->field[0], "127.127.1.1")) {
        item->kind = ORDO_LOG_STATE;
        item->event = ORDO_LOG_UNSYNCED;
        item->detail.end = item->detail.at;
    }
    return true;
}

/* IP deviation offset deviation-of-offset frequency skew stress samples start runs [asymmetry]. */
static bool read_statistics(const struct row *row, struct ordo_log_item *item)
{
    if (row->count < 10 || row->count > 11 || !has_exponent(row->field[1]) || !has_exponent(row->field[2]) ||
        !is_whole_field(row, 7) || !is_whole_field(row, 9))
        return false;
    item->clock = row->field[0];
    return store_offset(item, ORDO_LOG_STATISTICS, field_ns(row, 2));
}

/* True if a field of tests has a 0: a test failed. */
static bool has_failed(struct ordo_log_text tests)
{
    return memchr(tests.at, '0', ordo_log_length(tests)) != NULL;
}

/* IP leap stratum tests tests tests poll poll score offset delay dispersion root-delay root-dispersion ... The offset is
 * positive if the local clock is slow. */
static bool read_measurement(const struct row *row, struct ordo_log_item *item)
{
    if (row->count < 12 || !is_leap(row, 1) || !is_whole_field(row, 2) || !is_tests(row, 3) || !is_tests(row, 4) ||
        !is_tests(row, 5))
        return false;
    if (has_failed(row->field[3]) ||
        has_failed(row->field[4])) { /* rawmeasurements has these, and chronyd drops them */
        item->kind = ORDO_LOG_OTHER;
        return true;
    }
    item->clock = row->field[0];
    item->delay_ns = field_ns(row, 10);
    if (row->count > 13)
        item->bound_ns = (field_ns(row, 10) + field_ns(row, 12)) / 2 + field_ns(row, 11) + field_ns(row, 13);
    return store_offset(item, ORDO_LOG_MEASUREMENTS, -field_ns(row, 9));
}

/* ID poll leap pps raw cooked dispersion. The offset is positive if the local clock is slow. A raw sample has a number
 * of its poll; the filtered sample has '-' instead, and is left out because it repeats the raw ones. */
static bool read_refclock(const struct row *row, struct ordo_log_item *item)
{
    if (row->count != 7 || !is_leap(row, 2) || !has_exponent(row->field[5]) || !has_exponent(row->field[6]))
        return false;
    if (ordo_log_is(row->field[1], "-")) {
        item->kind = ORDO_LOG_OTHER;
        return true;
    }
    item->clock = row->field[0];
    item->bound_ns = field_ns(row, 6);
    return store_offset(item, ORDO_LOG_REFCLOCK, -field_ns(row, 5));
}

/* IP state options reach score age low high. */
static bool read_selection(const struct row *row, struct ordo_log_item *item)
{
    if (row->count != 8 || ordo_log_length(row->field[1]) != 1 || ordo_log_length(row->field[2]) != 5)
        return false;
    item->series = ORDO_LOG_TRACKING;
    item->kind = *row->field[1].at == 'x' ? ORDO_LOG_STATE : ORDO_LOG_OTHER;
    item->event = ORDO_LOG_FALSE;
    item->detail = row->field[0];
    return true;
}

/* The files of the hardware clock and of the thermometer say nothing about the offset of the clock. */
static bool read_unjudged(const struct row *row, struct ordo_log_item *item)
{
    double number;
    if ((row->count != 2 && row->count != 7) || !ordo_log_number(row->field[0], &number) ||
        !ordo_log_number(row->field[1], &number))
        return false;
    item->kind = ORDO_LOG_OTHER;
    return true;
}

bool ordo_log_chrony_row(struct ordo_log_text raw, bool is_cut, struct ordo_log_time *time, struct ordo_log_item *item)
{
    struct ordo_log_text rest = raw;
    struct row row;
    int64_t wall_ns;
    if (!ordo_log_stamp_utc(&rest, &wall_ns))
        return false;
    split_row(&row, rest);
    row.count -= is_cut && row.count > 0; /* the last field may be incomplete */
    if (!read_statistics(&row, item) && !read_measurement(&row, item) && !read_refclock(&row, item) &&
        !read_tracking(&row, item) && !read_selection(&row, item) && !read_unjudged(&row, item))
        return false;
    *time = (struct ordo_log_time){.wall_ns = wall_ns, .has_wall = true};
    return true;
}
