/* load LIBRARY: libordo loaded at run time, as an interpreter's foreign-function interface does. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t get_time(const void *o);
typedef uint64_t new_time(const void *o, uint64_t time);
typedef int cmp_time(const void *o, uint64_t a, uint64_t b);

/* ISO C has no conversion from an object pointer to a function pointer. */
static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

int main(int argc, char **argv)
{
    const uint64_t handle[8] = {~(uint64_t)1000};
    get_time *get = NULL;
    new_time *next = NULL;
    cmp_time *compare = NULL;
    void *library = dlopen(argc > 1 ? argv[1] : "libordo.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    find(library, "ordo_get_time", &get);
    find(library, "ordo_new_time", &next);
    find(library, "ordo_cmp_time", &compare);
    if (!get || !next || !compare)
        return 1;
    uint64_t before = get(handle), after = next(handle, before);
    int order = compare(handle, after, before);
    return dlclose(library) != 0 || order != 1;
}
