/* Writes an OTF2 archive whose truth is known, through the OTF2 library. Usage:
 * make-otf2 FOLDER RANKS STEPS HZ OFFSETS SEED [MISSING]
 *
 * Each rank has a thread and a clock with an offset and a rate; HZ is the number of its ticks per second. OFFSETS is the
 * number of clock offset records of each rank, with a standard deviation of 40 ns; 0: none. In each step a rank works,
 * posts two receives from its left neighbour on one channel and sends two messages to the right one; in odd steps the
 * receives complete in the other order; then all ranks are in MPI_Allreduce, and the even ones in MPI_Bcast of a
 * communicator of their own, in which each also sends a message to the next one. Odd ranks number the regions otherwise,
 * and have a mapping table. If SEED is odd, the offset records lead to a clock that is not rank 0's.
 *
 * MISSING is a sort of definitions that the archive lacks: strings, regions, locations, processes, groups, communicators,
 * clock.
 *
 * Prints the truth, a row for each event: location, index in the location, time in the archive, global time (that of
 * rank 0's clock) in ns, kind. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#include "base/random.h"

enum { RANKS_MOST = 64, BASE = 1000000 };
enum { S_EMPTY, S_WORLD, S_EVEN, S_NODE, S_RANK, S_MAIN, S_THREAD, S_METRIC, S_UNIT, S_PARAMETER, S_FIRST_REGION };
enum { WORK, IRECV, ISEND, WAITALL, ALLREDUCE, BCAST, LOOP, SEND, RECV, REGIONS };
static const char *const regions[REGIONS] = {"work",      "MPI_Irecv",     "MPI_Isend", "MPI_Waitall", "MPI_Allreduce",
                                             "MPI_Bcast", "loop \"x\", 1", "MPI_Send",  "MPI_Recv"};

struct clock {
    double offset_ns, rate;
};

static struct clock clocks[RANKS_MOST];
static const char *missing = "";
static int ranks, steps, records;
static bool is_other_clock; /* the offset records do not lead to rank 0's clock */
static uint64_t hz, counts[2 * RANKS_MOST];
static OTF2_EvtWriter *writers[2 * RANKS_MOST];
static uint64_t source;

static void need(OTF2_ErrorCode code, const char *what)
{
    if (code == OTF2_SUCCESS)
        return;
    fprintf(stderr, "make-otf2: %s: %s\n", what, OTF2_Error_GetDescription(code));
    exit(1);
}
#define NEED(call) need(call, #call)

static uint64_t ticks(int rank, double true_ns)
{
    double local_ns = BASE + clocks[rank].offset_ns + true_ns * clocks[rank].rate;
    return (uint64_t)(local_ns * ((double)hz / 1e9));
}

/* Notes an event of the truth. Returns its time in the archive. */
static uint64_t at(int location, double true_ns, const char *kind)
{
    int rank = location % ranks;
    uint64_t time = ticks(rank, true_ns);
    double global_ns = BASE + clocks[0].offset_ns + true_ns * clocks[0].rate;
    printf("%d,%" PRIu64 ",%" PRIu64 ",%.1f,%s\n", location, counts[location]++, time, global_ns, kind);
    return time;
}

/* Returns the number that a location has for a region. */
static OTF2_RegionRef local_region(int location, int region)
{
    return (OTF2_RegionRef)(location % ranks % 2 ? REGIONS - 1 - region : region);
}

static void enter(int location, double true_ns, int region)
{
    uint64_t time = at(location, true_ns, "begin");
    NEED(OTF2_EvtWriter_Enter(writers[location], NULL, time, local_region(location, region)));
}

static void leave(int location, double true_ns, int region)
{
    uint64_t time = at(location, true_ns, "end");
    NEED(OTF2_EvtWriter_Leave(writers[location], NULL, time, local_region(location, region)));
}

/* True if the archive has definitions of a sort. */
static bool has(const char *sort)
{
    return strcmp(missing, sort) != 0;
}

static double jitter(void)
{
    return (double)(ordo_random_next(&source) % 5000);
}

static void work(int rank, int step, double from)
{
    OTF2_Type type = OTF2_TYPE_UINT64;
    OTF2_MetricValue value = {.unsigned_int = (uint64_t)step * 7};
    int thread = ranks + rank;
    enter(rank, from, WORK);
    NEED(OTF2_EvtWriter_Metric(writers[rank], NULL, at(rank, from + 50, "other"), 0, 1, &type, &value));
    NEED(OTF2_EvtWriter_ParameterString(writers[rank], NULL, at(rank, from + 60, "event"), 0, S_PARAMETER));
    NEED(OTF2_EvtWriter_ThreadFork(writers[rank], NULL, at(rank, from + 90, "other"), OTF2_PARADIGM_OPENMP, 2));
    enter(thread, from + 100, LOOP);
    leave(thread, from + 9000, LOOP);
    leave(rank, from + 10000, WORK);
}

/* Posts both receives, or sends both messages. */
static void post(int rank, int step, double from, int region)
{
    for (unsigned k = 0; k < 2; k++, from += 1000) {
        uint64_t request = 4 * (uint64_t)step + k + (region == ISEND ? 2 : 0);
        enter(rank, from, region);
        if (region == IRECV)
            NEED(OTF2_EvtWriter_MpiIrecvRequest(writers[rank], NULL, at(rank, from + 500, "other"), request));
        else
            NEED(OTF2_EvtWriter_MpiIsend(writers[rank], NULL, at(rank, from + 100, "send"),
                                         (uint32_t)((rank + 1) % ranks), 0, 5, 2 * (uint64_t)step + k, request));
        leave(rank, from + 900, region);
    }
}

static void wait_all(int rank, int step, double from)
{
    unsigned left = (unsigned)((rank + ranks - 1) % ranks);
    enter(rank, from, WAITALL);
    for (unsigned i = 0; i < 2; i++) {
        unsigned k = step % 2 ? 1 - i : i;
        NEED(OTF2_EvtWriter_MpiIrecv(writers[rank], NULL, at(rank, from + 15000 + 100 * i, "recv"), left, 0, 5,
                                     2 * (uint64_t)step + k, 4 * (uint64_t)step + k));
    }
    for (unsigned k = 0; k < 2; k++)
        NEED(OTF2_EvtWriter_MpiIsendComplete(writers[rank], NULL, at(rank, from + 16000 + 100 * k, "other"),
                                             4 * (uint64_t)step + 2 + k));
    leave(rank, from + 16500, WAITALL);
}

static void gather(int rank, double from, int region)
{
    bool all = region == ALLREDUCE;
    enter(rank, from, region);
    NEED(OTF2_EvtWriter_MpiCollectiveBegin(writers[rank], NULL, at(rank, from + 10, "other")));
    NEED(OTF2_EvtWriter_MpiCollectiveEnd(writers[rank], NULL, at(rank, from + 10000, "other"),
                                         all ? OTF2_COLLECTIVE_OP_ALLREDUCE : OTF2_COLLECTIVE_OP_BCAST, all ? 0 : 1,
                                         all ? OTF2_COLLECTIVE_ROOT_NONE : 0, 8, 8));
    leave(rank, from + 10020, region);
}

/* The even ranks send a message around, by their numbers in their communicator. */
static void pass_on(int rank, int step, double from)
{
    uint32_t count = (uint32_t)(ranks + 1) / 2, own = (uint32_t)rank / 2;
    enter(rank, from, SEND);
    NEED(OTF2_EvtWriter_MpiSend(writers[rank], NULL, at(rank, from + 10, "send"), (own + 1) % count, 1, 5,
                                (uint64_t)step));
    leave(rank, from + 100, SEND);
    enter(rank, from + 200, RECV);
    NEED(OTF2_EvtWriter_MpiRecv(writers[rank], NULL, at(rank, from + 8000, "recv"), (own + count - 1) % count, 1, 5,
                                (uint64_t)step));
    leave(rank, from + 8100, RECV);
}

static void write_events(OTF2_Archive *archive)
{
    NEED(OTF2_Archive_OpenEvtFiles(archive));
    for (int i = 0; i < 2 * ranks; i++)
        writers[i] = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)i);
    for (int step = 0; step < steps; step++)
        for (int rank = 0; rank < ranks; rank++) {
            double from = 100000.0 * step + jitter();
            work(rank, step, from);
            post(rank, step, from + 11000, IRECV);
            post(rank, step, from + 14000, ISEND);
            wait_all(rank, step, from + 17000);
            gather(rank, from + 50000, ALLREDUCE);
            if (rank % 2 == 0)
                gather(rank, from + 70000, BCAST);
            if (rank % 2 == 0)
                pass_on(rank, step, from + 81000);
        }
    for (int i = 0; i < 2 * ranks; i++)
        NEED(OTF2_Archive_CloseEvtWriter(archive, writers[i]));
    NEED(OTF2_Archive_CloseEvtFiles(archive));
}

/* Writes the clock offset records of a location, with errors of a standard deviation of 40 ns, within 100 ns. */
static void write_offsets(OTF2_DefWriter *local, int rank)
{
    for (int i = 0; i < records; i++) {
        double true_ns = records > 1 ? 100000.0 * steps * i / (records - 1) : 0;
        double global_ns = clocks[0].offset_ns + true_ns * clocks[0].rate;
        if (is_other_clock)
            global_ns = 12345 + global_ns * (1 + 3e-6);
        double own_ns = clocks[rank].offset_ns + true_ns * clocks[rank].rate;
        double error_ns = rank ? (double)(ordo_random_next(&source) % 140) - 70 : 0;
        double offset = (global_ns - own_ns + error_ns) * (double)hz / 1e9;
        NEED(OTF2_DefWriter_WriteClockOffset(local, ticks(rank, true_ns), (int64_t)offset, 40 * (double)hz / 1e9));
    }
}

static void write_mapping(OTF2_DefWriter *local)
{
    uint64_t numbers[REGIONS];
    for (int i = 0; i < REGIONS; i++)
        numbers[i] = (uint64_t)(REGIONS - 1 - i);
    OTF2_IdMap *map = OTF2_IdMap_CreateFromUint64Array(REGIONS, numbers, false);
    NEED(OTF2_DefWriter_WriteMappingTable(local, OTF2_MAPPING_REGION, map));
    OTF2_IdMap_Free(map);
}

static void write_local(OTF2_Archive *archive)
{
    NEED(OTF2_Archive_OpenDefFiles(archive));
    for (int i = 0; i < 2 * ranks; i++) {
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(archive, (OTF2_LocationRef)i);
        if (i % ranks % 2)
            write_mapping(local);
        write_offsets(local, i % ranks);
        NEED(OTF2_Archive_CloseDefWriter(archive, local));
    }
    NEED(OTF2_Archive_CloseDefFiles(archive));
}

static void define_strings(OTF2_GlobalDefWriter *global)
{
    static const char *const strings[] = {"",     "MPI_COMM_WORLD", "even",   "node", "rank",
                                          "main", "thread",         "cycles", "#",    "phase one"};
    for (int i = 0; has("strings") && i < S_FIRST_REGION; i++)
        NEED(OTF2_GlobalDefWriter_WriteString(global, (OTF2_StringRef)i, strings[i]));
    for (int i = 0; has("regions") && i < REGIONS; i++) {
        NEED(OTF2_GlobalDefWriter_WriteString(global, (OTF2_StringRef)(S_FIRST_REGION + i), regions[i]));
        NEED(OTF2_GlobalDefWriter_WriteRegion(global, (OTF2_RegionRef)i, (OTF2_StringRef)(S_FIRST_REGION + i),
                                              (OTF2_StringRef)(S_FIRST_REGION + i), 0, OTF2_REGION_ROLE_FUNCTION,
                                              OTF2_PARADIGM_UNKNOWN, OTF2_REGION_FLAG_NONE, 0, 0, 0));
    }
}

static void define_locations(OTF2_GlobalDefWriter *global)
{
    NEED(OTF2_GlobalDefWriter_WriteSystemTreeNode(global, 0, S_NODE, S_NODE, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (int i = 0; has("processes") && i < ranks; i++)
        NEED(OTF2_GlobalDefWriter_WriteLocationGroup(global, (uint32_t)i, S_RANK, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                     OTF2_UNDEFINED_LOCATION_GROUP));
    for (int i = 0; has("locations") && i < 2 * ranks; i++)
        NEED(OTF2_GlobalDefWriter_WriteLocation(global, (OTF2_LocationRef)i, i < ranks ? S_MAIN : S_THREAD,
                                                OTF2_LOCATION_TYPE_CPU_THREAD, counts[i], (uint32_t)(i % ranks)));
    NEED(OTF2_GlobalDefWriter_WriteMetricMember(global, 0, S_METRIC, 0, OTF2_METRIC_TYPE_OTHER,
                                                OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0,
                                                S_UNIT));
    const OTF2_MetricMemberRef member = 0;
    NEED(OTF2_GlobalDefWriter_WriteMetricClass(global, 0, 1, &member, OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
    NEED(OTF2_GlobalDefWriter_WriteParameter(global, 0, S_PARAMETER, OTF2_PARAMETER_TYPE_STRING));
}

static void define_communicators(OTF2_GlobalDefWriter *global)
{
    uint64_t all[RANKS_MOST], even[RANKS_MOST];
    uint32_t count = (uint32_t)ranks;
    for (uint32_t i = 0; i < count; i++) {
        all[i] = i;
        even[i / 2] = i & ~1U;
    }
    if (!has("groups"))
        return;
    NEED(OTF2_GlobalDefWriter_WriteGroup(global, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, count, all));
    NEED(OTF2_GlobalDefWriter_WriteGroup(global, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, count, all));
    NEED(OTF2_GlobalDefWriter_WriteGroup(global, 2, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, (count + 1) / 2, even));
    if (!has("communicators"))
        return;
    NEED(OTF2_GlobalDefWriter_WriteComm(global, 0, S_WORLD, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    NEED(OTF2_GlobalDefWriter_WriteComm(global, 1, S_EVEN, 2, 0, OTF2_COMM_FLAG_NONE));
}

static OTF2_FlushType flush_always(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

int main(int argc, char **argv)
{
    static const OTF2_FlushCallbacks flushes = {.otf2_pre_flush = flush_always};
    if (argc < 7 || argc > 8 || (ranks = atoi(argv[2])) < 1 || ranks > RANKS_MOST)
        return 64;
    missing = argc == 8 ? argv[7] : "";
    steps = atoi(argv[3]);
    hz = strtoull(argv[4], NULL, 10);
    records = atoi(argv[5]);
    is_other_clock = atoi(argv[6]) % 2;
    source = strtoull(argv[6], NULL, 10);
    for (int i = 0; i < ranks; i++)
        clocks[i] = (struct clock){i ? (double)(ordo_random_next(&source) % 4000000) - 2000000 + 2000000 : 1000000,
                                   1 + (i ? ((double)(ordo_random_next(&source) % 40000) - 20000) * 1e-9 : 0)};
    OTF2_Archive *archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!archive)
        return 1;
    NEED(OTF2_Archive_SetFlushCallbacks(archive, &flushes, NULL));
    NEED(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    write_events(archive);
    write_local(archive);
    OTF2_GlobalDefWriter *global = OTF2_Archive_GetGlobalDefWriter(archive);
    if (has("clock"))
        NEED(OTF2_GlobalDefWriter_WriteClockProperties(global, hz, BASE, 100000 * (uint64_t)steps * hz / 1000000000,
                                                       OTF2_UNDEFINED_TIMESTAMP));
    define_strings(global);
    define_locations(global);
    define_communicators(global);
    NEED(OTF2_Archive_CloseGlobalDefWriter(archive, global));
    NEED(OTF2_Archive_Close(archive));
    return 0;
}
