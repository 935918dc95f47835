/* Writes an OTF2 archive with a record of every kind, with markers, properties and a snapshot, through the OTF2 library.
 * Usage: make-otf2-kinds FOLDER
 *        make-otf2-kinds --markers ARCHIVE: prints the markers of an archive, which otf2-print does not
 *
 * There are two ranks with a thread each, whose clocks count ns; rank 0 has all events but one. Most numbers in the records have no definitions, because the
 * records are only to be passed on. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

static uint64_t now = 1000;
static OTF2_EvtWriter *events;
static OTF2_AttributeList *list;

static void need(OTF2_ErrorCode code, const char *what)
{
    if (code == OTF2_SUCCESS)
        return;
    fprintf(stderr, "make-otf2-kinds: %s: %s\n", what, OTF2_Error_GetDescription(code));
    exit(1);
}
#define NEED(call) need(call, #call)
/* Writes an event; every third one has an attribute. */
#define EVENT(name, ...)                                                                                               \
    do {                                                                                                               \
        now += 10;                                                                                                     \
        need(OTF2_EvtWriter_##name(events, attributes(), now, ##__VA_ARGS__), #name);                                  \
    } while (0)

static OTF2_AttributeList *attributes(void)
{
    if (now / 10 % 3 == 0)
        NEED(OTF2_AttributeList_AddUint64(list, 0, now));
    return list;
}

static void write_program(void)
{
    static const OTF2_StringRef arguments[] = {0, 1};
    static const OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE};
    OTF2_MetricValue values[2] = {{.unsigned_int = 42}};
    values[1].floating_point = 0.5;
    EVENT(ProgramBegin, 1, 2, arguments);
    EVENT(BufferFlush, now + 3);
    now += 10;
    EVENT(MeasurementOnOff, OTF2_MEASUREMENT_OFF);
    EVENT(Enter, 0);
    EVENT(Metric, 0, 2, types, values);
    EVENT(ParameterString, 0, 1);
    EVENT(ParameterInt, 0, -5);
    EVENT(ParameterUnsignedInt, 0, 5);
    EVENT(Leave, 0);
    EVENT(CallingContextEnter, 1, 2);
    EVENT(CallingContextSample, 1, 2, 3);
    EVENT(CallingContextLeave, 1);
}

static void write_mpi(void)
{
    EVENT(MpiSend, 0, 0, 1, 2);
    EVENT(MpiIsend, 0, 0, 1, 2, 3);
    EVENT(MpiIsendComplete, 3);
    EVENT(MpiIrecvRequest, 4);
    EVENT(MpiRequestTest, 4);
    EVENT(MpiRecv, 0, 0, 1, 2);
    EVENT(MpiIrecv, 0, 0, 1, 2, 4);
    EVENT(MpiIrecvRequest, 5);
    EVENT(MpiRequestCancelled, 5);
    EVENT(MpiCollectiveBegin);
    EVENT(MpiCollectiveEnd, OTF2_COLLECTIVE_OP_BARRIER, 0, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    EVENT(NonBlockingCollectiveRequest, 6);
    EVENT(NonBlockingCollectiveComplete, OTF2_COLLECTIVE_OP_BARRIER, 0, OTF2_COLLECTIVE_ROOT_NONE, 0, 0, 6);
    EVENT(CommCreate, 1);
    EVENT(CommDestroy, 1);
}

static void write_rma(void)
{
    EVENT(RmaWinCreate, 0);
    EVENT(RmaCollectiveBegin);
    EVENT(RmaCollectiveEnd, OTF2_COLLECTIVE_OP_BARRIER, OTF2_RMA_SYNC_LEVEL_PROCESS, 0, 1, 2, 3);
    EVENT(RmaGroupSync, OTF2_RMA_SYNC_LEVEL_MEMORY, 0, 1);
    EVENT(RmaRequestLock, 0, 1, 2, OTF2_LOCK_SHARED);
    EVENT(RmaAcquireLock, 0, 1, 2, OTF2_LOCK_EXCLUSIVE);
    EVENT(RmaTryLock, 0, 1, 2, OTF2_LOCK_SHARED);
    EVENT(RmaReleaseLock, 0, 1, 2);
    EVENT(RmaSync, 0, 1, OTF2_RMA_SYNC_TYPE_NOTIFY_IN);
    EVENT(RmaWaitChange, 0);
    EVENT(RmaPut, 0, 1, 2, 3);
    EVENT(RmaGet, 0, 1, 2, 3);
    EVENT(RmaAtomic, 0, 1, OTF2_RMA_ATOMIC_TYPE_SWAP, 2, 3, 4);
    EVENT(RmaOpCompleteBlocking, 0, 1);
    EVENT(RmaOpCompleteNonBlocking, 0, 1);
    EVENT(RmaOpTest, 0, 1);
    EVENT(RmaOpCompleteRemote, 0, 1);
    EVENT(RmaWinDestroy, 0);
}

static void write_threads(void)
{
    EVENT(ThreadFork, OTF2_PARADIGM_OPENMP, 4);
    EVENT(ThreadJoin, OTF2_PARADIGM_OPENMP);
    EVENT(ThreadTeamBegin, 0);
    EVENT(ThreadTeamEnd, 0);
    EVENT(ThreadAcquireLock, OTF2_PARADIGM_OPENMP, 1, 2);
    EVENT(ThreadReleaseLock, OTF2_PARADIGM_OPENMP, 1, 2);
    EVENT(ThreadTaskCreate, 0, 1, 2);
    EVENT(ThreadTaskSwitch, 0, 1, 2);
    EVENT(ThreadTaskComplete, 0, 1, 2);
    EVENT(ThreadCreate, 0, 1);
    EVENT(ThreadBegin, 0, 1);
    EVENT(ThreadWait, 0, 1);
    EVENT(ThreadEnd, 0, 1);
}

/* The records of OpenMP before OTF2 1.2. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void write_old_threads(void)
{
    EVENT(OmpFork, 4);
    EVENT(OmpAcquireLock, 1, 2);
    EVENT(OmpReleaseLock, 1, 2);
    EVENT(OmpTaskCreate, 7);
    EVENT(OmpTaskSwitch, 7);
    EVENT(OmpTaskComplete, 7);
    EVENT(OmpJoin);
}
#pragma GCC diagnostic pop

static void write_io(void)
{
    EVENT(IoCreateHandle, 0, OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_CREATION_FLAG_CREATE, OTF2_IO_STATUS_FLAG_APPEND);
    EVENT(IoDuplicateHandle, 0, 1, OTF2_IO_STATUS_FLAG_NONE);
    EVENT(IoSeek, 0, -7, OTF2_IO_SEEK_FROM_END, 9);
    EVENT(IoChangeStatusFlags, 0, OTF2_IO_STATUS_FLAG_SYNC);
    EVENT(IoOperationBegin, 0, OTF2_IO_OPERATION_MODE_WRITE, OTF2_IO_OPERATION_FLAG_NON_BLOCKING, 100, 8);
    EVENT(IoOperationIssued, 0, 8);
    EVENT(IoOperationTest, 0, 8);
    EVENT(IoOperationComplete, 0, 99, 8);
    EVENT(IoOperationCancelled, 0, 9);
    EVENT(IoAcquireLock, 0, OTF2_LOCK_SHARED);
    EVENT(IoReleaseLock, 0, OTF2_LOCK_SHARED);
    EVENT(IoTryLock, 0, OTF2_LOCK_EXCLUSIVE);
    EVENT(IoDestroyHandle, 0);
    EVENT(IoDeleteFile, 0, 1);
    EVENT(ProgramEnd, -3);
}

static void write_events(OTF2_Archive *archive)
{
    NEED(OTF2_Archive_OpenEvtFiles(archive));
    events = OTF2_Archive_GetEvtWriter(archive, 0);
    write_program();
    write_mpi();
    write_rma();
    write_threads();
    write_old_threads();
    write_io();
    NEED(OTF2_Archive_CloseEvtWriter(archive, events));
    events = OTF2_Archive_GetEvtWriter(archive, 1);
    NEED(OTF2_EvtWriter_MeasurementOnOff(events, NULL, 1015, OTF2_MEASUREMENT_ON));
    NEED(OTF2_Archive_CloseEvtWriter(archive, events));
    NEED(OTF2_Archive_CloseEvtFiles(archive));
}

static void write_others(OTF2_Archive *archive)
{
    NEED(OTF2_Archive_OpenSnapFiles(archive));
    for (OTF2_LocationRef i = 0; i < 2; i++) {
        OTF2_SnapWriter *snapshot = OTF2_Archive_GetSnapWriter(archive, i);
        NEED(OTF2_SnapWriter_SnapshotStart(snapshot, NULL, 1500, 3));
        NEED(OTF2_SnapWriter_SnapshotEnd(snapshot, NULL, 1500, 0));
        NEED(OTF2_Archive_CloseSnapWriter(archive, snapshot));
    }
    NEED(OTF2_Archive_CloseSnapFiles(archive));
    NEED(OTF2_Archive_SetNumberOfSnapshots(archive, 1));
    NEED(OTF2_Archive_OpenDefFiles(archive));
    for (OTF2_LocationRef i = 0; i < 2; i++)
        NEED(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, i)));
    NEED(OTF2_Archive_CloseDefFiles(archive));
    NEED(OTF2_Archive_SetMachineName(archive, "a machine"));
    NEED(OTF2_Archive_SetDescription(archive, "every kind of record"));
    NEED(OTF2_Archive_SetProperty(archive, "TEST::COLOUR", "green, \"light\"", true));
    NEED(OTF2_Archive_SetBoolProperty(archive, "TEST::FLAG", true, true));
}

static void write_markers(OTF2_Archive *archive)
{
    OTF2_MarkerWriter *markers = OTF2_Archive_GetMarkerWriter(archive);
    NEED(OTF2_MarkerWriter_WriteDefMarker(markers, 3, "checks", "late", OTF2_SEVERITY_HIGH));
    NEED(OTF2_MarkerWriter_WriteDefMarker(markers, 1, "checks", "early", OTF2_SEVERITY_LOW));
    NEED(OTF2_MarkerWriter_WriteMarker(markers, 1700, 20, 3, OTF2_MARKER_SCOPE_LOCATION, 1, "the thread is late"));
    NEED(OTF2_MarkerWriter_WriteMarker(markers, 1200, 0, 1, OTF2_MARKER_SCOPE_GLOBAL, 0, "start"));
    NEED(OTF2_MarkerWriter_WriteMarker(markers, 1300, 7, 1, OTF2_MARKER_SCOPE_LOCATION_GROUP, 1, ""));
    NEED(OTF2_Archive_CloseMarkerWriter(archive, markers));
}

static void define(OTF2_Archive *archive)
{
    static const uint64_t ranks[] = {0, 1};
    OTF2_GlobalDefWriter *global = OTF2_Archive_GetGlobalDefWriter(archive);
    NEED(OTF2_GlobalDefWriter_WriteClockProperties(global, 1000000000, 1000, 5000, OTF2_UNDEFINED_TIMESTAMP));
    NEED(OTF2_GlobalDefWriter_WriteString(global, 0, ""));
    NEED(OTF2_GlobalDefWriter_WriteString(global, 1, "name"));
    NEED(OTF2_GlobalDefWriter_WriteAttribute(global, 0, 1, 0, OTF2_TYPE_UINT64));
    NEED(OTF2_GlobalDefWriter_WriteRegion(global, 0, 1, 1, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                          OTF2_REGION_FLAG_NONE, 0, 0, 0));
    NEED(OTF2_GlobalDefWriter_WriteSystemTreeNode(global, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t i = 0; i < 2; i++) {
        NEED(OTF2_GlobalDefWriter_WriteLocationGroup(global, i, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                     OTF2_UNDEFINED_LOCATION_GROUP));
        NEED(OTF2_GlobalDefWriter_WriteLocation(global, i, 1, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                i == 0 ? (now - 1000) / 10 : 1, i));
    }
    NEED(OTF2_GlobalDefWriter_WriteGroup(global, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, 2, ranks));
    NEED(OTF2_GlobalDefWriter_WriteGroup(global, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, 2, ranks));
    NEED(OTF2_GlobalDefWriter_WriteComm(global, 0, 1, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    NEED(OTF2_Archive_CloseGlobalDefWriter(archive, global));
}

static OTF2_CallbackCode print_definition(void *user, OTF2_MarkerRef self, const char *group, const char *category,
                                          OTF2_MarkerSeverity severity)
{
    (void)user;
    printf("%u is %s, %s, %u\n", self, group, category, severity);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode print_marker(void *user, OTF2_TimeStamp time, OTF2_TimeStamp length, OTF2_MarkerRef self,
                                      OTF2_MarkerScope scope, uint64_t of, const char *text)
{
    (void)user;
    printf("%" PRIu64 " + %" PRIu64 ": %u of %u %" PRIu64 ": '%s'\n", time, length, self, scope, of, text);
    return OTF2_CALLBACK_SUCCESS;
}

static int print_markers(const char *path)
{
    uint64_t count;
    OTF2_Reader *reader = OTF2_Reader_Open(path);
    OTF2_MarkerReaderCallbacks *callbacks = OTF2_MarkerReaderCallbacks_New();
    if (!reader || !callbacks)
        return 1;
    NEED(OTF2_Reader_SetSerialCollectiveCallbacks(reader));
    OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks, print_definition);
    OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks, print_marker);
    OTF2_MarkerReader *markers = OTF2_Reader_GetMarkerReader(reader);
    NEED(OTF2_Reader_RegisterMarkerCallbacks(reader, markers, callbacks, NULL));
    NEED(OTF2_Reader_ReadAllMarkers(reader, markers, &count));
    OTF2_MarkerReaderCallbacks_Delete(callbacks);
    NEED(OTF2_Reader_Close(reader));
    return 0;
}

static OTF2_FlushType flush_always(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

int main(int argc, char **argv)
{
    static const OTF2_FlushCallbacks flushes = {.otf2_pre_flush = flush_always};
    if (argc == 3 && strcmp(argv[1], "--markers") == 0)
        return print_markers(argv[2]);
    if (argc != 2)
        return 64;
    OTF2_Archive *archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    list = OTF2_AttributeList_New();
    if (!archive || !list)
        return 1;
    NEED(OTF2_Archive_SetFlushCallbacks(archive, &flushes, NULL));
    NEED(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    write_events(archive);
    write_others(archive);
    write_markers(archive);
    define(archive);
    NEED(OTF2_Archive_Close(archive));
    OTF2_AttributeList_Delete(list);
    return 0;
}
