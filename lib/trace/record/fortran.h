/* Calls of MPI's Fortran bindings. A binding converts the arguments of Fortran, and then calls the C interface. It calls
 * MPI_Send, which this library defines, or PMPI_Send, which goes past this library:
 *
 *   | library                      | interfaces          | calls                                     |
 *   |------------------------------|---------------------|-------------------------------------------|
 *   | Open MPI, libmpi_mpifh       | mpif.h, mpi         | PMPI_*                                    |
 *   | Open MPI, libmpi_usempif08   | mpi_f08             | functions of libmpi_mpifh, and PMPI_*     |
 *   | MPICH, libmpichfort          | mpif.h, mpi         | MPI_*                                     |
 *   | MPICH, libmpichfort          | mpi_f08             | MPI_* if there is a buffer, PMPI_* if not |
 *
 *  [F1] The dynamic linker keeps the address of each imported function in a slot of the importing library. This file
 *       writes the address of this library's MPI_Send into the slot of PMPI_Send, in the libraries of bindings only. C
 *       programs and tools, which call PMPI_Send on purpose, keep theirs; and so does this library. A Fortran program that
 *       calls PMPI_SEND is recorded, because MPI_SEND and PMPI_SEND are one function of the binding.
 *  [F2] A binding therefore calls MPI_Send at most once for a call of the program, by either name, and the call is
 *       recorded once. Calls of MPI that a recorded call makes inside are not recorded (`inside`).
 *  [F3] All conversions stay MPI's own: handles, MPI_IN_PLACE, MPI_BOTTOM, MPI_STATUS_IGNORE, lengths of strings, and an
 *       absent ierror.
 *  [F4] The linker has written all slots before it calls a constructor; with lazy binding it writes a slot again only if
 *       a call finds the old value.
 */
#ifndef ORDO_TRACE_RECORD_FORTRAN_H
#define ORDO_TRACE_RECORD_FORTRAN_H

/** Redirects the bindings that are loaded. Called before main, and again by ordo_trace_start, because the program may
 * have loaded bindings by dlopen(3) in the meantime. */
void ordo_trace_fortran_redirect(void);

#endif
