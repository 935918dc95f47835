#include <inttypes.h>

#include "calibrate/report/report.h"
#include "machine/topology/topology.h"

static int write_csv(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream)
{
    (void)style;
    fprintf(stream, "writer_cpu,reader_cpu,distance,delta_ticks,delta_ns,offset_low_ticks,offset_high_ticks\n");
    for (int w = 0; w < calibration->count; w++)
        for (int r = 0; r < calibration->count; r++) {
            int at = w * calibration->count + r;
            if (w == r)
                continue;
            fprintf(stream, "%u,%u,%s,%" PRId64 ",%.1f,%" PRId64 ",%" PRId64 "\n", calibration->cpus[w],
                    calibration->cpus[r], ordo_distance_word((enum ordo_distance)calibration->share[at]),
                    calibration->delta_ticks[at], ordo_calibration_ns(calibration, calibration->delta_ticks[at]),
                    calibration->offset_ticks[at].low, calibration->offset_ticks[at].high);
        }
    return 0;
}

const struct ordo_report ordo_report_csv = {"csv", "one line per ordered pair", write_csv};
