! The traced program in Fortran, once for each interface: BINDING_MPIF (mpif.h), BINDING_MPI (use mpi) and BINDING_F08
! (use mpi_f08). tests/mpi/fortran.sh states how often each rank makes each call. The program checks that the recorder
! changes no result. With REGIONS it also marks a region, and asks for two sessions.
#ifdef BINDING_F08
#define COMMUNICATOR type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define DATATYPE type(MPI_Datatype)
#define MESSAGE type(MPI_Message)
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name, count) type(MPI_Status) :: name(count)
#define SOURCE_OF(name) name%MPI_SOURCE
#define TAG_OF(name) name%MPI_TAG
#else
#define COMMUNICATOR integer
#define REQUEST integer
#define DATATYPE integer
#define MESSAGE integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name, count) integer :: name(MPI_STATUS_SIZE, count)
#define SOURCE_OF(name) name(MPI_SOURCE)
#define TAG_OF(name) name(MPI_TAG)
#endif
#ifdef BINDING_MPIF
#define USES
#define INCLUDES include 'mpif.h'
#endif
#ifdef BINDING_MPI
#define USES use mpi
#define INCLUDES
#endif
#ifdef BINDING_F08
#define USES use mpi_f08
#define INCLUDES
#endif

program traced
  USES
  implicit none
  INCLUDES
  integer :: code, rank, size, next, before
#ifdef REGIONS
  call ordo_trace_begin('before MPI_Init nothing is recorded')
#endif
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, size, code)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
#ifdef REGIONS
  call regions
#else
  call blocking
  call nonblocking
  call persistent
  call collectives
  call communicators
#endif
  call MPI_Finalize(code)
contains

  subroutine check(holds, where)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: where
    if (.not. holds) then
      print *, 'rank', rank, ': wrong result: ', where
      stop 3
    end if
  end subroutine

#ifdef REGIONS
  subroutine regions
    character(len=16) :: name
    name = 'solve' ! the recorder removes the blanks at the end
    call ordo_trace_begin(name)
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call ordo_trace_end('solve')
    code = 7
    call ordo_trace_timesync(code)
    call check(code == 0, 'ordo_trace_timesync')
    code = 7
    call vttimesync(code)
    call check(code == 0, 'vttimesync')
    code = 7
    call ordo_trace_flush(code)
    call check(code == 0, 'ordo_trace_flush')
  end subroutine
#endif

  subroutine blocking
    integer :: in(8), out(8), count, absolute
    STATUS(result)
    DATATYPE :: placed
    integer(kind=MPI_ADDRESS_KIND) :: address(1)
    integer :: lengths(1)
    out = rank
    call MPI_Sendrecv(out, 8, MPI_INTEGER, next, 1, in, 8, MPI_INTEGER, before, 1, MPI_COMM_WORLD, result, code)
    call MPI_Get_count(result, MPI_INTEGER, count, code)
    call check(SOURCE_OF(result) == before .and. TAG_OF(result) == 1 .and. count == 8 .and. in(8) == before, 'Sendrecv')
    call MPI_Sendrecv_replace(out, 8, MPI_INTEGER, next, 2, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
    call check(out(1) == before, 'Sendrecv_replace')
    call MPI_Send(out, 1, MPI_INTEGER, MPI_PROC_NULL, 9, MPI_COMM_WORLD, code)
    call MPI_Recv(in, 1, MPI_INTEGER, MPI_PROC_NULL, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
    ! MPI_BOTTOM: the address is in the datatype.
    absolute = rank
    lengths = 1
    call MPI_Get_address(absolute, address(1), code)
    call MPI_Type_create_hindexed(1, lengths, address, MPI_INTEGER, placed, code)
    call MPI_Type_commit(placed, code)
    if (mod(rank, 2) == 0) then
      call MPI_Send(MPI_BOTTOM, 1, placed, next, 3, MPI_COMM_WORLD, code)
      call MPI_Probe(before, MPI_ANY_TAG, MPI_COMM_WORLD, result, code)
      call MPI_Recv(MPI_BOTTOM, 1, placed, MPI_ANY_SOURCE, TAG_OF(result), MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
    else
      call MPI_Probe(before, MPI_ANY_TAG, MPI_COMM_WORLD, result, code)
      call MPI_Recv(in, 1, MPI_INTEGER, MPI_ANY_SOURCE, TAG_OF(result), MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
      call MPI_Ssend(MPI_BOTTOM, 1, placed, next, 3, MPI_COMM_WORLD, code)
      absolute = in(1)
    end if
    call check(absolute == before, 'MPI_BOTTOM')
    call MPI_Type_free(placed, code)
  end subroutine

  subroutine nonblocking
    integer :: in(4), out(4), i, which, many, places(4)
    logical :: done
    MESSAGE :: found
    REQUEST :: requests(4), one
    STATUS(result)
    STATUSES(results, 4)
    out = rank
    do i = 1, 4
      call MPI_Irecv(in(i), 1, MPI_INTEGER, before, 10 + i, MPI_COMM_WORLD, requests(i), code)
      call MPI_Isend(out(i), 1, MPI_INTEGER, next, 10 + i, MPI_COMM_WORLD, one, code)
      call MPI_Wait(one, MPI_STATUS_IGNORE, code)
    end do
    call MPI_Waitany(4, requests, which, result, code)
    ! The index is not checked, because MPICH 4.0 returns that of C by mpi_f08.
    call check(TAG_OF(result) >= 11 .and. TAG_OF(result) <= 14, 'Waitany')
    call MPI_Waitsome(4, requests, many, places, results, code)
    call check(many >= 1 .and. many <= 3, 'Waitsome')
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, code)
    call check(all(in == before), 'Waitall')
    call MPI_Irecv(in, 4, MPI_INTEGER, MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, requests(1), code)
    call MPI_Isend(out, 4, MPI_INTEGER, next, 20, MPI_COMM_WORLD, requests(2), code)
    call MPI_Waitall(2, requests, results, code)
#ifdef BINDING_F08
    call check(results(1)%MPI_SOURCE == before, 'Waitall with statuses')
#else
    call check(results(MPI_SOURCE, 1) == before, 'Waitall with statuses')
#endif
    call MPI_Isend(out, 3, MPI_INTEGER, next, 21, MPI_COMM_WORLD, one, code)
    call MPI_Mprobe(before, 21, MPI_COMM_WORLD, found, MPI_STATUS_IGNORE, code)
    call MPI_Mrecv(in, 3, MPI_INTEGER, found, result, code)
    call check(SOURCE_OF(result) == before, 'Mrecv')
    call MPI_Wait(one, result, code)
    call MPI_Irecv(in, 1, MPI_INTEGER, before, 999, MPI_COMM_WORLD, one, code) ! never sent
    call MPI_Cancel(one, code)
    call MPI_Wait(one, result, code)
    call MPI_Test_cancelled(result, done, code)
    call check(done, 'Cancel')
  end subroutine

  subroutine persistent
    integer :: in, out, i
    REQUEST :: requests(2)
    out = rank
    call MPI_Recv_init(in, 1, MPI_INTEGER, before, 30, MPI_COMM_WORLD, requests(1), code)
    call MPI_Send_init(out, 1, MPI_INTEGER, next, 30, MPI_COMM_WORLD, requests(2), code)
    do i = 1, 3
      call MPI_Startall(2, requests, code)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, code)
    end do
    call check(in == before, 'Startall')
    call MPI_Start(requests(2), code)
    call MPI_Recv(in, 1, MPI_INTEGER, before, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE, code)
    call MPI_Request_free(requests(1), code)
    call MPI_Request_free(requests(2), code)
  end subroutine

  subroutine collectives
    integer :: one, all(size), counts(size), places(size), i
    REQUEST :: request_of_barrier
    one = rank
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call PMPI_Barrier(MPI_COMM_WORLD, code) ! the same function of the binding
    call MPI_Bcast(one, 1, MPI_INTEGER, size - 1, MPI_COMM_WORLD, code)
    call check(one == size - 1, 'Bcast')
    one = 1
    call MPI_Allreduce(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    call check(one == size, 'Allreduce in place')
    call MPI_Gather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    call MPI_Scatter(all, 1, MPI_INTEGER, one, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    call check(one == rank, 'Gather and Scatter')
    all = 0
    all(rank + 1) = rank
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, code)
    call check(all(size) == size - 1, 'Allgather in place')
    counts = 1
    places = [(i - 1, i = 1, size)]
    call MPI_Allgatherv(rank, 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, MPI_COMM_WORLD, code)
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, code)
    call check(all(1) == rank, 'Alltoall in place')
    call MPI_Scan(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    call check(one == rank * (rank + 1) / 2, 'Scan in place')
    one = 1
    if (rank == 0) then
      call MPI_Reduce(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, code)
      call check(one == size, 'Reduce in place')
    else
      call MPI_Reduce(one, one, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, code)
    end if
    call MPI_Ibarrier(MPI_COMM_WORLD, request_of_barrier, code)
    call MPI_Wait(request_of_barrier, MPI_STATUS_IGNORE, code)
  end subroutine

  subroutine communicators
    COMMUNICATOR :: half, copy, none, row
    integer :: in, out, place, many, sizes(2)
    logical :: periods(2), remain(2)
#ifdef BINDING_F08
    ! ierror is absent
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
    call MPI_Comm_dup(half, copy)
    call MPI_Barrier(copy)
#else
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, code)
    call MPI_Comm_dup(half, copy, code)
    call MPI_Barrier(copy, code)
#endif
    call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 0, rank == 0), rank, none, code)
    if (none /= MPI_COMM_NULL) call MPI_Comm_free(none, code)
    call MPI_Comm_rank(copy, place, code)
    call MPI_Comm_size(copy, many, code)
    out = rank
    call MPI_Sendrecv(out, 1, MPI_INTEGER, mod(place + 1, many), 40, in, 1, MPI_INTEGER, mod(place + many - 1, many), 40, &
                      copy, MPI_STATUS_IGNORE, code)
    call check(mod(in, 2) == mod(rank, 2), 'the copy of a split')
    sizes = [2, size / 2]
    periods = .false.
    remain = [.false., .true.]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, .false., row, code)
    call MPI_Cart_sub(row, remain, none, code)
    call MPI_Barrier(none, code)
    call MPI_Comm_free(none, code)
    call MPI_Comm_free(row, code)
    call MPI_Comm_free(copy, code)
    call MPI_Comm_free(half, code)
  end subroutine
end program
