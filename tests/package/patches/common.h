/* Common to the programs that try the code that a patch adds. Each is called with the path of a record, a private copy
 * that it withdraws, and with "warranted" or "refused", the expected verdict about the record. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                              \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static inline int64_t kernel_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Writes the status word of a withdrawn record, as `ordo check --mark` does. */
static inline void withdraw_record(const char *path)
{
    uint64_t word = UINT64_C(0xd15c0bb1ea95b66c);
    FILE *file = fopen(path, "r+b");
    MUST(file && fseek(file, 16, SEEK_SET) == 0 && fwrite(&word, sizeof word, 1, file) == 1 && fclose(file) == 0);
}

/* Sleeps until the kernel's clock has advanced by `ms`. */
static inline void pass_ms(int ms)
{
    int64_t end = kernel_ns() + ms * INT64_C(1000000);
    while (kernel_ns() < end)
        (void)usleep(500);
}

/* Readings of the kernel's clock around a reading of another clock. */
struct span {
    int64_t before, after, other_ns;
};
#define AROUND(reading_ns)                                                                                             \
    ({                                                                                                                 \
        struct span s_;                                                                                                \
        s_.before = kernel_ns();                                                                                       \
        s_.other_ns = (int64_t)(reading_ns);                                                                           \
        s_.after = kernel_ns();                                                                                        \
        s_;                                                                                                            \
    })

/* True if the other clock advanced as the kernel's did, up to a part in a thousand and 50 us. */
static inline int as_the_kernel(struct span a, struct span b)
{
    int64_t passed = b.other_ns - a.other_ns, least = b.before - a.after, most = b.after - a.before;
    return passed >= least - least / 1000 - 50000 && passed <= most + most / 1000 + 50000;
}
