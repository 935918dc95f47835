#include <inttypes.h>

#include <ordo/version.h>

#include "calibrate/report/report.h"
#include "machine/topology/topology.h"

static int write_header(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream)
{
    (void)style;
    char cpus[200];
    ordo_topology_format_cpus(calibration->cpus, calibration->count, cpus, sizeof cpus);
    fprintf(stream,
            "/* Measured by ordo calibrate %s on: %s, CPUs %s%s.\n"
            " * Valid on that machine, until it reboots. Use: static const struct ordo o = ORDO_INIT(ORDO_BOUNDARY, "
            "ORDO_TICK_HZ); */\n"
            "#ifndef ORDO_BOUNDARY\n"
            "#define ORDO_BOUNDARY %" PRIu64 " /* ticks of %s, %.1f ns */\n"
            "#define ORDO_TICK_HZ %.0f\n"
            "#endif\n",
            ORDO_VERSION, calibration->machine, cpus, calibration->hypervisor ? ", under a hypervisor" : "",
            calibration->boundary_ticks, ordo_record_clock_name(calibration->clock),
            ordo_calibration_ns(calibration, (int64_t)calibration->boundary_ticks), calibration->tick_hz);
    return 0;
}

const struct ordo_report ordo_report_header = {"header", "a C header that defines ORDO_BOUNDARY", write_header};
