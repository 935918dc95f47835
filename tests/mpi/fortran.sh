#!/bin/bash
# fortran.sh MPIRUN ORDO-TRACE RECORDER CHECK: records programs in Fortran on one MPI library, by each of the three interfaces.
# Each rank's calls are counted by name, and compared with the calls of the program (record/fortran.F90).
set -u
mpirun=$1 trace=$2 recorder=$3 check=$4
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
source=$(realpath "$(dirname "$0")/record/fortran.F90")
. "$(dirname "$0")/../kit.sh"
seconds=120
cd "$scratch" || exit 1
compiler=${mpirun/mpirun/mpifort}
compiler=${compiler/mpiexec/mpifort}
if ! "$compiler" --version >/dev/null 2>&1; then
    echo "no $compiler"
    exit 77
fi

# build PROGRAM BINDING [WORD...]: some interfaces have no checks of arguments, and others warn about different ones.
build() {
    local program=$1 binding=$2
    shift 2
    "$compiler" -w -fallow-argument-mismatch -ffree-line-length-none "-DBINDING_$binding" -J . -o "$program" "$source" "$@" >out 2>err ||
        fail "$program does not compile"
}

few="--clock monotonic --sync-max-messages 10 --sync-max-duration 60"

# counted PREFIX: prints for each rank how often it entered each region, sent and received.
counted() {
    "$trace" correct --json -o "$1.csv" "$1".*.otrace >out 2>err || fail "$1: not corrected"
    awk -F, 'NR > 1 && $3 == "begin" { count[$1 " " $4]++ } NR > 1 && $3 ~ /send|recv/ { count[$1 " " $3]++ }
        END { for (key in count) print key, count[key] }' "$1.csv" | sort
}

# The calls of a rank. MPI_Init, MPI_Finalize and local calls such as MPI_Comm_rank are not recorded.
calls="MPI_Sendrecv 2 MPI_Sendrecv_replace 1 MPI_Recv 3 MPI_Probe 1 MPI_Irecv 6 MPI_Isend 6 MPI_Wait 8 MPI_Waitany 1 MPI_Waitsome 1
    MPI_Waitall 5 MPI_Mprobe 1 MPI_Mrecv 1 MPI_Cancel 1 MPI_Recv_init 1 MPI_Send_init 1 MPI_Startall 3 MPI_Start 1 MPI_Request_free 2
    MPI_Barrier 4 MPI_Bcast 1 MPI_Allreduce 1 MPI_Gather 1 MPI_Scatter 1 MPI_Allgather 1 MPI_Allgatherv 1 MPI_Alltoall 1 MPI_Scan 1
    MPI_Reduce 1 MPI_Ibarrier 1 MPI_Comm_split 2 MPI_Comm_dup 1 MPI_Cart_create 1 MPI_Cart_sub 1 ordo_trace_timesync 2 send 14 recv 14"
expected() {
    for rank in 0 1 2 3; do
        # shellcheck disable=SC2086
        printf "$rank %s %s\n" $calls MPI_Comm_free $((rank ? 5 : 4)) MPI_Send $((2 - rank % 2))
        [ $((rank % 2)) -eq 0 ] || echo "$rank MPI_Ssend 1"
    done | sort
}

for binding in MPIF MPI F08; do
    build $binding $binding
    run 0 "$mpirun" -n 4 ./$binding # the program itself, without the recorder
    run 0 "$trace" run $few --output $binding -- "$mpirun" -n 4 ./$binding
    complains "4 traces of 4 ranks"
    run 0 "$check" $binding.*.otrace
    says "messages 56 unmatched 0 early 0 collectives 14 sessions 2 exchanges 60 groups 23 lost 0"
    counted $binding >counted.$binding
    expected | diff - counted.$binding >difference || { cat difference && fail "$binding: not the calls of the program"; }
    # The messages have their bytes, tags and communicators.
    awk -F, '$3 == "recv" { bytes[$6] += $7 } END { exit !(bytes[1] == 4 * 32 && bytes[3] == 4 * 4 && bytes[20] == 4 * 16 && bytes[21] == 4 * 12) }' \
        $binding.csv || fail "$binding: wrong bytes"
done

# --- calls of the program to its recorder: regions without the blanks at the end of a name, and sessions
build regions MPI -DREGIONS "$recorder" -Wl,-rpath,"$(dirname "$recorder")"
run 0 env ORDO_TRACE_LOGFILE_NAME=linked ORDO_TRACE_CLOCK=monotonic "$mpirun" -n 2 ./regions # linked, and not preloaded
run 0 "$trace" run $few --output regions -- "$mpirun" -n 2 ./regions
for prefix in linked regions; do
    counted $prefix >counted.regions
    printf '%s\n' "0 MPI_Barrier 1" "0 ordo_trace_timesync 4" "0 solve 1" "1 MPI_Barrier 1" "1 ordo_trace_timesync 4" "1 solve 1" |
        diff - counted.regions >difference || { cat difference && fail "$prefix: not the regions and sessions of the program"; }
done

# --- a program that calls MPI past the recorder on purpose: one line says so
cat >past.c <<'C'
#include <mpi.h>
int main(void)
{
    PMPI_Init(0, 0);
    PMPI_Barrier(MPI_COMM_WORLD);
    PMPI_Finalize();
    return 0;
}
C
if "${compiler/mpifort/mpicc}" -o past past.c 2>err; then
    run 2 "$trace" run $few --output past -- "$mpirun" -n 2 ./past
    complains "a call that the recorder does not see"
    [ "$(grep -c "does not see" err)" -eq 1 ] || fail "not exactly one complaint"
else
    fail "past.c does not compile"
fi

# --- a binding whose slots are read-only once it is loaded is recorded too; another library that calls PMPI is not
cat >slots.c <<'C'
#include <mpi.h>
void CALLER(void)
{
    PMPI_Barrier(MPI_COMM_WORLD);
}
C
cat >sealed.c <<'C'
#include <mpi.h>
void binding(void), tool(void);
int main(void)
{
    MPI_Init(0, 0);
    binding();
    binding();
    tool();
    MPI_Finalize();
    return 0;
}
C
cc=${compiler/mpifort/mpicc}
if "$cc" -shared -fPIC -DCALLER=binding -Wl,-z,relro,-z,now -o libsealed_mpifh.so slots.c 2>err &&
    "$cc" -shared -fPIC -DCALLER=tool -o libtool.so slots.c 2>err &&
    "$cc" -o sealed sealed.c -L. -lsealed_mpifh -ltool -Wl,-rpath,"$PWD" 2>err; then
    readelf -d libsealed_mpifh.so | grep -Eq 'NOW' || fail "the slots of the binding are not read-only"
    run 0 "$trace" run $few --output sealed -- "$mpirun" -n 2 ./sealed
    counted sealed >counted.sealed
    [ "$(grep MPI_Barrier counted.sealed | tr '\n' ' ')" = "0 MPI_Barrier 2 1 MPI_Barrier 2 " ] || fail "sealed: $(cat counted.sealed)"
else
    fail "sealed.c does not compile"
fi
exit $((failures > 0))
