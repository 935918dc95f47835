/* Finds a function in the vDSO, the library that the kernel maps into each process (vdso(7)). */
#ifndef ORDO_PRELOAD_VDSO_H
#define ORDO_PRELOAD_VDSO_H

/** Returns the address of the function `name`; NULL if `image` is NULL or has no such function. `image` is the vDSO's
 * ELF header, as getauxval(AT_SYSINFO_EHDR) returns it. */
const void *preload_vdso_find(const void *image, const char *name);

#endif
