/* The functions that the compiler calls in a program built with -fsanitize=thread -fsanitize-coverage=trace-pc. */
#ifndef ORDO_LAB_CORES_CODE_HOOKS_H
#define ORDO_LAB_CORES_CODE_HOOKS_H

#include <stdint.h>

enum cores_hook_kind {
    CORES_HOOK_NONE,   /* a function of the program, or of a library */
    CORES_HOOK_BLOCK,  /* __sanitizer_cov_trace_pc: a block begins */
    CORES_HOOK_ACCESS, /* announces a load or a store, which follows */
    CORES_HOOK_ATOMIC, /* does an atomic access, which is one instruction of the program */
    CORES_HOOK_EXIT,   /* the function returns */
};

struct cores_hook {
    enum cores_hook_kind kind;
    int arguments;
};

/** Returns the hook at an address of this program. A program of the host is linked with the hooks, so their addresses are
 * known without its table of symbols. */
struct cores_hook cores_hook_at(uintptr_t address);

#endif
