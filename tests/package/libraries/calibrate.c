/* Calls libordo-calibrate without making a measurement; valid C and C++. */
#include <string.h>

#include <ordo/calibrate.h>

int main(void)
{
    struct ordo_calibrate_options options;
    struct ordo_calibration *calibration = NULL;
    struct ordo_error error;
    memset(&options, 0, sizeof options);
    options.cpus = "no such list";
    int code = ordo_calibrate(&options, &calibration, &error);
    ordo_calibration_free(calibration);
    return code == ORDO_OK || !error.text[0];
}
