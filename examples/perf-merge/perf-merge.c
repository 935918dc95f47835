/* perf-merge [record FOLDER | replay]: the kernel's recordings of each CPU, as one stream.
 *
 * perf_event_open gives a ring for each CPU. Tools sort the events by raw time, in rounds, and hope that no older event
 * follows. Here each ring is a source of the merger: a context switch leaves the merger once no CPU can have an
 * earlier one, and `~` marks an event whose order to the one before is not known.
 *
 * Times are nanoseconds of CLOCK_MONOTONIC_RAW, which the kernel makes from the counter of the CPU that the event is on:
 * so the boundary is that of the record, in nanoseconds, and 2 for rounding. The CPU of the event writes it, with interrupts off, so
 * it is in its ring within 10 ms, which the sources state as their progress. If a hypervisor stops the CPU for longer meanwhile,
 * the event is late and flagged `!`.
 *
 * If the kernel allows none of it (perf_event_paranoid, a container), the program says so, and merges the streams that
 * `perf-merge record FOLDER` wrote earlier, as `replay` does. */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>

#include <ordo/merge/file.h>

enum { CPUS = 64, PAGES = 16, ROOM = 64, RING = 256, SHOWN = 10, FLUSH_NS = 10000000, NS = 300000000 };

struct cpu {
    struct perf_event_mmap_page *page; /* its ring follows it */
    uint64_t size, last_ns;
    int fd, record_fd;
    struct ordo_merge_file file;
};
struct sample {
    struct perf_event_header header;
    uint32_t pid, tid; /* PERF_SAMPLE_TID */
    uint64_t time;     /* PERF_SAMPLE_TIME */
};
static struct cpu cpus[CPUS];
static struct ordo clock_ns; /* the boundary in nanoseconds */
static size_t page;
static uint64_t end_ns, lost; /* lost: times that a ring was full */

static uint64_t now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The boundary of the record, which is about the counter: is the kernel's clock made of that? */
static int open_clock(void)
{
    struct ordo o;
    struct ordo_error error;
    char source[16] = "unknown";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    if (ordo_open_error(&o, NULL, &error))
        return fprintf(stderr, "perf-merge: %s\n", error.text);
    uint64_t boundary_ns = ordo_ticks_to_ns(&o, ordo_boundary(&o)) + 2;
    ordo_close(&o);
    if (file && fscanf(file, "%15s", source) == 1 && strcmp(source, "tsc") != 0) {
        printf("the kernel's clock is %s, and how far its CPUs disagree is not known: 1 ms is assumed\n", source);
        boundary_ns = 1000000;
    }
    clock_ns = (struct ordo)ORDO_INIT(boundary_ns, 1000000000);
    return file ? fclose(file) : 0;
}

static int open_cpu(struct cpu *cpu, int number)
{
    struct perf_event_attr attr = {.size = sizeof attr, .type = PERF_TYPE_SOFTWARE, .sample_period = 1};
    attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
    attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    attr.use_clockid = 1, attr.clockid = CLOCK_MONOTONIC_RAW;
    cpu->size = PAGES * page;
    cpu->fd = (int)syscall(SYS_perf_event_open, &attr, -1, number, -1, PERF_FLAG_FD_CLOEXEC);
    void *at = cpu->fd < 0 ? MAP_FAILED : mmap(NULL, cpu->size + page, PROT_READ | PROT_WRITE, MAP_SHARED, cpu->fd, 0);
    cpu->page = at == MAP_FAILED ? NULL : at;
    return cpu->page ? 0 : -1;
}

/* Records go on at the beginning of the ring. */
static void copy(const struct cpu *cpu, uint64_t at, void *to, size_t bytes)
{
    const char *ring = (const char *)cpu->page + page;
    while (bytes-- > 0)
        ((char *)to)[bytes] = ring[(at + bytes) % cpu->size];
}

/* The events of a ring; with none, that all that happened a delay ago has been seen. */
static int fill(void *source, struct ordo_merge_event *events, uint64_t room, uint64_t *count, uint64_t *progress)
{
    struct cpu *cpu = source;
    uint64_t now = now_ns(); /* before the ring is looked at */
    uint64_t head = __atomic_load_n(&cpu->page->data_head, __ATOMIC_ACQUIRE), tail = cpu->page->data_tail;
    struct sample sample;
    while (tail < head && *count < room) {
        copy(cpu, tail, &sample.header, sizeof sample.header);
        if (sample.header.type == PERF_RECORD_SAMPLE && sample.header.size == sizeof sample) {
            copy(cpu, tail, &sample, sizeof sample);
            cpu->last_ns = sample.time > cpu->last_ns ? sample.time : cpu->last_ns;
            events[(*count)++] = (struct ordo_merge_event){{cpu->last_ns}, sample.tid};
        }
        lost += sample.header.type == PERF_RECORD_LOST;
        tail += sample.header.size;
    }
    /* Release: pairs with the kernel, which writes there again. */
    __atomic_store_n(&cpu->page->data_tail, tail, __ATOMIC_RELEASE);
    if (cpu->record_fd && *count && ordo_merge_file_write(&cpu->file, events, *count))
        return cpu->file.error.code;
    *progress = now - FLUSH_NS - ordo_boundary(&clock_ns);
    return *count == 0 && now > end_ns + 2 * FLUSH_NS ? ORDO_OK : ORDO_LATER;
}

static int merge_all(uint32_t count, const struct ordo_merge_options *options, ordo_merge_fill *from)
{
    struct ordo_merge_out out[ROOM];
    struct ordo_merge *m;
    uint64_t first = 0, last = 0, inverted = 0;
    uint32_t n;
    size_t bytes = ordo_merge_bytes(options);
    void *memory = malloc(bytes);
    int code = ordo_merge_create(&m, memory, bytes, options);
    if (code)
        return code;
    for (uint32_t k = 0; k < count; k++)
        ordo_merge_attach_source(m, k, from, from == fill ? (void *)&cpus[k] : (void *)&cpus[k].file);
    while ((code = ordo_merge_pull(m, out, ROOM, &n)) == ORDO_LATER || n > 0) {
        for (uint32_t i = 0; i < n; i++) {
            uint64_t number = ordo_merge_count(m).events - n + i;
            first = number ? first : out[i].time.ticks;
            bool late = out[i].flags & ORDO_MERGE_LATE;
            inverted += !late && out[i].time.ticks < last;
            last = out[i].time.ticks > last ? out[i].time.ticks : last;
            if (number < SHOWN)
                printf("%c %10.3f us  cpu %u: thread %llu leaves\n",
                       late                                ? '!'
                       : out[i].flags & ORDO_MERGE_CERTAIN ? ' '
                                                           : '~',
                       (double)(int64_t)(out[i].time.ticks - first) / 1e3, out[i].producer,
                       (unsigned long long)out[i].data);
        }
        if (n == 0)
            (void)poll(NULL, 0, 1);
    }
    struct ordo_merge_counts counts = ordo_merge_count(m);
    printf("%ld events of %u CPUs, %ld uncertain, %ld late, %ld inverted, %ld times lost, boundary %ld ns\n",
           (long)counts.events, count, (long)counts.uncertain, (long)counts.late, (long)inverted, (long)lost,
           (long)options->boundary_ticks);
    free(memory);
    return code;
}

static int replay(void)
{
    struct ordo_merge_options options = {.ring_events = RING};
    struct ordo_merge_file files[2];
    static const char *const paths[2] = {RECORDED "/cpu0.events", RECORDED "/cpu1.events"};
    for (int k = 0; k < 2; k++) /* of the machine of two CPUs that they were recorded on */
        if (ordo_merge_file_read(&files[k], open(paths[k], O_RDONLY | O_CLOEXEC), paths[k]))
            return fprintf(stderr, "perf-merge: %s\n", files[k].error.text);
    cpus[0].file = files[0], cpus[1].file = files[1];
    int code = ordo_merge_file_join(files, 2, &options);
    return code ? code : merge_all(2, &options, ordo_merge_file_fill);
}

static int live(uint32_t count, const char *folder)
{
    static char paths[CPUS][256];
    struct ordo_merge_options options = {
        .boundary_ticks = ordo_boundary(&clock_ns), .producers = count, .ring_events = RING};
    for (uint32_t k = 0; folder && k < count; k++) {
        snprintf(paths[k], sizeof paths[k], "%s/cpu%u.events", folder, k);
        cpus[k].record_fd = open(paths[k], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (ordo_merge_file_begin(&cpus[k].file, cpus[k].record_fd, paths[k], &clock_ns))
            return fprintf(stderr, "perf-merge: %s\n", cpus[k].file.error.text);
        cpus[k].file.head.clock = ORDO_CLOCK_MONOTONIC; /* not the counter itself */
    }
    end_ns = now_ns() + NS;
    int code = merge_all(count, &options, fill); /* which sleeps and wakes: something to see */
    for (uint32_t k = 0; folder && k < count; k++)
        code = ordo_merge_file_end(&cpus[k].file) ? -1 : code;
    return code;
}

int main(int argc, char **argv)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    page = (size_t)sysconf(_SC_PAGESIZE);
    bool recorded = argc > 1 && strcmp(argv[1], "replay") == 0;
    for (int k = 0; k < count && k < CPUS && !recorded; k++)
        if (open_cpu(&cpus[k], k)) {
            printf("perf_event_open on CPU %d: %s: merging what was recorded earlier\n", k, strerror(errno));
            recorded = true;
        }
    count = count < CPUS ? count : CPUS;
    int code = recorded ? replay() : open_clock() || live((uint32_t)count, argc > 2 ? argv[2] : NULL);
    return code != 0 || fflush(stdout) != 0 || ferror(stdout);
}
