/* The calls that start and complete requests. Known requests are taken out of the table before MPI can reuse their
 * handles, and put back if they are not complete. */
#include <stdlib.h>

#include "trace/record/message.h"

enum { FEW = 64 };

/* Room for the requests of a call: on the stack if they are few. */
struct room {
    struct ordo_trace_request few[FEW], *taken;
    MPI_Status few_statuses[FEW], *statuses;
    int known;
};

static void make_room_for_requests(struct room *room, const MPI_Request *requests, int count, MPI_Status *statuses)
{
    bool ignored = statuses == MPI_STATUSES_IGNORE;
    room->taken = count <= FEW ? room->few : malloc((size_t)count * sizeof *room->taken);
    room->statuses = !ignored ? statuses : count <= FEW ? room->few_statuses : malloc((size_t)count * sizeof *statuses);
    room->known = 0;
    if (room->taken && room->statuses)
        room->known = ordo_trace_requests_take(requests, count, room->taken);
    if (!room->statuses)
        room->statuses = statuses;
}

static void give_up_room(struct room *room, const MPI_Status *statuses)
{
    if (room->taken != room->few)
        free(room->taken);
    if (room->statuses != room->few_statuses && room->statuses != statuses)
        free(room->statuses); // NOLINT(clang-analyzer-unix.Malloc): never a constant of mpi.h
}

/* If `all`, puts back the taken requests that are not complete. */
static void put_back(struct room *room, int count, bool all)
{
    for (int i = 0; i < count && all && room->known; i++)
        if (room->taken[i].key)
            ordo_trace_request_back(&room->taken[i]);
}

/* Notes that request `which` is complete; the call has returned. */
static void done(const struct ordo_trace_call *call, struct room *room, int which, const MPI_Status *status)
{
    if (!room->known)
        return;
    ordo_trace_request_done(call, &room->taken[which], status);
    room->taken[which].key = 0;
}

ORDO_TRACE_WRAPPER int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct ordo_trace_call call;
    struct ordo_trace_request taken;
    MPI_Status own;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Wait))
        return PMPI_Wait(request, status);
    ordo_trace_call_begin(&call);
    (void)ordo_trace_requests_take(request, 1, &taken);
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = PMPI_Wait(request, status);
    ordo_trace_call_return(&call);
    if (code == MPI_SUCCESS)
        ordo_trace_request_done(&call, &taken, status);
    else
        ordo_trace_request_forget(&taken);
    ordo_trace_call_leave(&call);
    return code;
}

ORDO_TRACE_WRAPPER int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct ordo_trace_call call;
    struct ordo_trace_request taken;
    MPI_Status own;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Test))
        return PMPI_Test(request, flag, status);
    (void)ordo_trace_requests_take(request, 1, &taken);
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = PMPI_Test(request, flag, status);
    if (code != MPI_SUCCESS || !*flag) {
        if (taken.key)
            ordo_trace_request_back(&taken);
        ordo_trace_call_drop();
        return code;
    }
    ordo_trace_call_return(&call);
    ordo_trace_call_begin(&call);
    ordo_trace_request_done(&call, &taken, status);
    ordo_trace_call_leave(&call);
    return code;
}

ORDO_TRACE_WRAPPER int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    struct ordo_trace_call call;
    struct room room;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Waitall))
        return PMPI_Waitall(count, requests, statuses);
    ordo_trace_call_begin(&call);
    make_room_for_requests(&room, requests, count, statuses);
    int code = PMPI_Waitall(count, requests, room.statuses);
    ordo_trace_call_return(&call);
    for (int i = 0; i < count && code == MPI_SUCCESS; i++)
        done(&call, &room, i, &room.statuses[i]);
    give_up_room(&room, statuses);
    ordo_trace_call_leave(&call);
    return code;
}

ORDO_TRACE_WRAPPER int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    struct ordo_trace_call call;
    struct room room;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Testall))
        return PMPI_Testall(count, requests, flag, statuses);
    make_room_for_requests(&room, requests, count, statuses);
    int code = PMPI_Testall(count, requests, flag, room.statuses);
    bool all = code == MPI_SUCCESS && *flag;
    if (all) {
        ordo_trace_call_return(&call);
        ordo_trace_call_begin(&call);
        for (int i = 0; i < count; i++)
            done(&call, &room, i, &room.statuses[i]);
        ordo_trace_call_leave(&call);
    } else {
        put_back(&room, count, true);
        ordo_trace_call_drop();
    }
    give_up_room(&room, statuses);
    return code;
}

ORDO_TRACE_WRAPPER int MPI_Waitany(int count, MPI_Request requests[], int *which, MPI_Status *status)
{
    struct ordo_trace_call call;
    struct room room;
    MPI_Status own;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Waitany))
        return PMPI_Waitany(count, requests, which, status);
    ordo_trace_call_begin(&call);
    make_room_for_requests(&room, requests, count, MPI_STATUSES_IGNORE);
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = PMPI_Waitany(count, requests, which, status);
    ordo_trace_call_return(&call);
    if (code == MPI_SUCCESS && *which != MPI_UNDEFINED)
        done(&call, &room, *which, status);
    put_back(&room, count, true);
    give_up_room(&room, NULL);
    ordo_trace_call_leave(&call);
    return code;
}

ORDO_TRACE_WRAPPER int MPI_Testany(int count, MPI_Request requests[], int *which, int *flag, MPI_Status *status)
{
    struct ordo_trace_call call;
    struct room room;
    MPI_Status own;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Testany))
        return PMPI_Testany(count, requests, which, flag, status);
    make_room_for_requests(&room, requests, count, MPI_STATUSES_IGNORE);
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = PMPI_Testany(count, requests, which, flag, status);
    bool one = code == MPI_SUCCESS && *flag && *which != MPI_UNDEFINED;
    if (one) {
        ordo_trace_call_return(&call);
        ordo_trace_call_begin(&call);
        done(&call, &room, *which, status);
        ordo_trace_call_leave(&call);
    } else {
        ordo_trace_call_drop();
    }
    put_back(&room, count, true);
    give_up_room(&room, NULL);
    return code;
}

/* Notes that the `many` requests with the indices `which` are complete. */
static void some_done(struct ordo_trace_call *call, struct room *room, int many, const int *which)
{
    for (int i = 0; i < many; i++)
        done(call, room, which[i], &room->statuses[i]);
}

ORDO_TRACE_WRAPPER int MPI_Waitsome(int count, MPI_Request requests[], int *many, int which[], MPI_Status statuses[])
{
    struct ordo_trace_call call;
    struct room room;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Waitsome))
        return PMPI_Waitsome(count, requests, many, which, statuses);
    ordo_trace_call_begin(&call);
    make_room_for_requests(&room, requests, count, statuses);
    int code = PMPI_Waitsome(count, requests, many, which, room.statuses);
    ordo_trace_call_return(&call);
    if (code == MPI_SUCCESS && *many != MPI_UNDEFINED)
        some_done(&call, &room, *many, which);
    put_back(&room, count, true);
    give_up_room(&room, statuses);
    ordo_trace_call_leave(&call);
    return code;
}

ORDO_TRACE_WRAPPER int MPI_Testsome(int count, MPI_Request requests[], int *many, int which[], MPI_Status statuses[])
{
    struct ordo_trace_call call;
    struct room room;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Testsome))
        return PMPI_Testsome(count, requests, many, which, statuses);
    make_room_for_requests(&room, requests, count, statuses);
    int code = PMPI_Testsome(count, requests, many, which, room.statuses);
    if (code == MPI_SUCCESS && *many != MPI_UNDEFINED && *many > 0) {
        ordo_trace_call_return(&call);
        ordo_trace_call_begin(&call);
        some_done(&call, &room, *many, which);
        ordo_trace_call_leave(&call);
    } else {
        ordo_trace_call_drop();
    }
    put_back(&room, count, true);
    give_up_room(&room, statuses);
    return code;
}

ORDO_TRACE_WRAPPER int MPI_Start(MPI_Request *request)
{
    struct ordo_trace_call call;
    struct ordo_trace_request taken;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Start))
        return PMPI_Start(request);
    ordo_trace_call_begin(&call);
    (void)ordo_trace_requests_take(request, 1, &taken);
    int code = PMPI_Start(request);
    ordo_trace_request_starts(&call, &taken);
    return ordo_trace_call_end(&call, code);
}

ORDO_TRACE_WRAPPER int MPI_Startall(int count, MPI_Request requests[])
{
    struct ordo_trace_call call;
    struct room room;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Startall))
        return PMPI_Startall(count, requests);
    ordo_trace_call_begin(&call);
    make_room_for_requests(&room, requests, count, MPI_STATUSES_IGNORE);
    int code = PMPI_Startall(count, requests);
    for (int i = 0; i < count && room.known; i++)
        ordo_trace_request_starts(&call, &room.taken[i]);
    give_up_room(&room, NULL);
    return ordo_trace_call_end(&call, code);
}

/* A receive that is freed before it is complete has no RECV in the trace. */
ORDO_TRACE_WRAPPER int MPI_Request_free(MPI_Request *request)
{
    struct ordo_trace_call call;
    struct ordo_trace_request taken;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Request_free))
        return PMPI_Request_free(request);
    ordo_trace_call_begin(&call);
    (void)ordo_trace_requests_take(request, 1, &taken);
    ordo_trace_request_forget(&taken);
    return ordo_trace_call_end(&call, PMPI_Request_free(request));
}

ORDO_TRACE_REGION(MPI_Cancel, (MPI_Request * request), (request))
