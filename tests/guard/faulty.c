/* faulty FAULT: commits this fault, which a sanitizer must report. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void *volatile lost;
static volatile int most = INT_MAX;

int main(int argc, char **argv)
{
    const char *fault = argc > 1 ? argv[1] : "";
    char *volatile bytes = malloc(8);
    if (!bytes)
        return 1;
    if (strcmp(fault, "overrun") == 0)
        bytes[8] = 1;
    if (strcmp(fault, "overflow") == 0)
        most++;
    if (strcmp(fault, "leak") == 0) {
        lost = bytes;
        bytes = NULL;
        lost = NULL;
    }
    free(bytes);
    return 0;
}
