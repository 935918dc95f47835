/* The kinds of events of an archive with a fixed number of values, each with the types of the values. METRIC and
 * PROGRAM_BEGIN, which have lists, and markers come last in enum ordo_otf2_kind. Kn(name, types...) stands for a kind with n values.
 * The numbers are used in memory only. */
#ifndef ORDO_TRACE_OTF2_KINDS_H
#define ORDO_TRACE_OTF2_KINDS_H

/* clang-format off */
#define ORDO_OTF2_KINDS(K0, K1, K2, K3, K4, K5, K6) \
    K1(BufferFlush, OTF2_TimeStamp) \
    K1(MeasurementOnOff, OTF2_MeasurementMode) \
    K1(Enter, OTF2_RegionRef) \
    K1(Leave, OTF2_RegionRef) \
    K4(MpiSend, uint32_t, OTF2_CommRef, uint32_t, uint64_t) \
    K5(MpiIsend, uint32_t, OTF2_CommRef, uint32_t, uint64_t, uint64_t) \
    K1(MpiIsendComplete, uint64_t) \
    K1(MpiIrecvRequest, uint64_t) \
    K4(MpiRecv, uint32_t, OTF2_CommRef, uint32_t, uint64_t) \
    K5(MpiIrecv, uint32_t, OTF2_CommRef, uint32_t, uint64_t, uint64_t) \
    K1(MpiRequestTest, uint64_t) \
    K1(MpiRequestCancelled, uint64_t) \
    K0(MpiCollectiveBegin) \
    K5(MpiCollectiveEnd, OTF2_CollectiveOp, OTF2_CommRef, uint32_t, uint64_t, uint64_t) \
    K2(ParameterString, OTF2_ParameterRef, OTF2_StringRef) \
    K2(ParameterInt, OTF2_ParameterRef, int64_t) \
    K2(ParameterUnsignedInt, OTF2_ParameterRef, uint64_t) \
    K1(RmaWinCreate, OTF2_RmaWinRef) \
    K1(RmaWinDestroy, OTF2_RmaWinRef) \
    K0(RmaCollectiveBegin) \
    K6(RmaCollectiveEnd, OTF2_CollectiveOp, OTF2_RmaSyncLevel, OTF2_RmaWinRef, uint32_t, uint64_t, uint64_t) \
    K3(RmaGroupSync, OTF2_RmaSyncLevel, OTF2_RmaWinRef, OTF2_GroupRef) \
    K4(RmaRequestLock, OTF2_RmaWinRef, uint32_t, uint64_t, OTF2_LockType) \
    K4(RmaAcquireLock, OTF2_RmaWinRef, uint32_t, uint64_t, OTF2_LockType) \
    K4(RmaTryLock, OTF2_RmaWinRef, uint32_t, uint64_t, OTF2_LockType) \
    K3(RmaReleaseLock, OTF2_RmaWinRef, uint32_t, uint64_t) \
    K3(RmaSync, OTF2_RmaWinRef, uint32_t, OTF2_RmaSyncType) \
    K1(RmaWaitChange, OTF2_RmaWinRef) \
    K4(RmaPut, OTF2_RmaWinRef, uint32_t, uint64_t, uint64_t) \
    K4(RmaGet, OTF2_RmaWinRef, uint32_t, uint64_t, uint64_t) \
    K6(RmaAtomic, OTF2_RmaWinRef, uint32_t, OTF2_RmaAtomicType, uint64_t, uint64_t, uint64_t) \
    K2(RmaOpCompleteBlocking, OTF2_RmaWinRef, uint64_t) \
    K2(RmaOpCompleteNonBlocking, OTF2_RmaWinRef, uint64_t) \
    K2(RmaOpTest, OTF2_RmaWinRef, uint64_t) \
    K2(RmaOpCompleteRemote, OTF2_RmaWinRef, uint64_t) \
    K2(ThreadFork, OTF2_Paradigm, uint32_t) \
    K1(ThreadJoin, OTF2_Paradigm) \
    K1(OmpFork, uint32_t) \
    K0(OmpJoin) \
    K2(OmpAcquireLock, uint32_t, uint32_t) \
    K2(OmpReleaseLock, uint32_t, uint32_t) \
    K1(OmpTaskCreate, uint64_t) \
    K1(OmpTaskSwitch, uint64_t) \
    K1(OmpTaskComplete, uint64_t) \
    K1(ThreadTeamBegin, OTF2_CommRef) \
    K1(ThreadTeamEnd, OTF2_CommRef) \
    K3(ThreadAcquireLock, OTF2_Paradigm, uint32_t, uint32_t) \
    K3(ThreadReleaseLock, OTF2_Paradigm, uint32_t, uint32_t) \
    K3(ThreadTaskCreate, OTF2_CommRef, uint32_t, uint32_t) \
    K3(ThreadTaskSwitch, OTF2_CommRef, uint32_t, uint32_t) \
    K3(ThreadTaskComplete, OTF2_CommRef, uint32_t, uint32_t) \
    K2(ThreadCreate, OTF2_CommRef, uint64_t) \
    K2(ThreadBegin, OTF2_CommRef, uint64_t) \
    K2(ThreadWait, OTF2_CommRef, uint64_t) \
    K2(ThreadEnd, OTF2_CommRef, uint64_t) \
    K2(CallingContextEnter, OTF2_CallingContextRef, uint32_t) \
    K1(CallingContextLeave, OTF2_CallingContextRef) \
    K3(CallingContextSample, OTF2_CallingContextRef, uint32_t, OTF2_InterruptGeneratorRef) \
    K4(IoCreateHandle, OTF2_IoHandleRef, OTF2_IoAccessMode, OTF2_IoCreationFlag, OTF2_IoStatusFlag) \
    K1(IoDestroyHandle, OTF2_IoHandleRef) \
    K3(IoDuplicateHandle, OTF2_IoHandleRef, OTF2_IoHandleRef, OTF2_IoStatusFlag) \
    K4(IoSeek, OTF2_IoHandleRef, int64_t, OTF2_IoSeekOption, uint64_t) \
    K2(IoChangeStatusFlags, OTF2_IoHandleRef, OTF2_IoStatusFlag) \
    K2(IoDeleteFile, OTF2_IoParadigmRef, OTF2_IoFileRef) \
    K5(IoOperationBegin, OTF2_IoHandleRef, OTF2_IoOperationMode, OTF2_IoOperationFlag, uint64_t, uint64_t) \
    K2(IoOperationTest, OTF2_IoHandleRef, uint64_t) \
    K2(IoOperationIssued, OTF2_IoHandleRef, uint64_t) \
    K3(IoOperationComplete, OTF2_IoHandleRef, uint64_t, uint64_t) \
    K2(IoOperationCancelled, OTF2_IoHandleRef, uint64_t) \
    K2(IoAcquireLock, OTF2_IoHandleRef, OTF2_LockType) \
    K2(IoReleaseLock, OTF2_IoHandleRef, OTF2_LockType) \
    K2(IoTryLock, OTF2_IoHandleRef, OTF2_LockType) \
    K1(ProgramEnd, int64_t) \
    K1(NonBlockingCollectiveRequest, uint64_t) \
    K6(NonBlockingCollectiveComplete, OTF2_CollectiveOp, OTF2_CommRef, uint32_t, uint64_t, uint64_t, uint64_t) \
    K1(CommCreate, OTF2_CommRef) \
    K1(CommDestroy, OTF2_CommRef)
/* clang-format on */

enum ordo_otf2_kind {
#define K0(name) ORDO_OTF2_##name,
#define K1(name, t1) ORDO_OTF2_##name,
#define K2(name, t1, t2) ORDO_OTF2_##name,
#define K3(name, t1, t2, t3) ORDO_OTF2_##name,
#define K4(name, t1, t2, t3, t4) ORDO_OTF2_##name,
#define K5(name, t1, t2, t3, t4, t5) ORDO_OTF2_##name,
#define K6(name, t1, t2, t3, t4, t5, t6) ORDO_OTF2_##name,
    ORDO_OTF2_KINDS(K0, K1, K2, K3, K4, K5, K6)
#undef K0
#undef K1
#undef K2
#undef K3
#undef K4
#undef K5
#undef K6
        ORDO_OTF2_Metric,
    ORDO_OTF2_ProgramBegin,
    ORDO_OTF2_Marker, /* of no location: trace/otf2/markers.h */
    ORDO_OTF2_KIND_COUNT
};

enum { ORDO_OTF2_VALUES_MOST = 6 };

#endif
