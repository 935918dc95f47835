/* Calls libordo through its own declarations, as a language that cannot read the header does: a handle has 64 bytes, a
 * time has 64 bits. */
#include <stdint.h>
#include <string.h>

typedef struct {
    uint64_t words[8];
} handle;

extern int ordo_open(handle *o, const char *path);
extern void ordo_close(handle *o);
extern int ordo_status(const handle *o);
extern uint64_t ordo_boundary(const handle *o);
extern uint64_t ordo_get_time(const handle *o);
extern uint64_t ordo_new_time(const handle *o, uint64_t time);
extern int ordo_cmp_time(const handle *o, uint64_t a, uint64_t b);
extern const char *ordo_strerror(int code);

int main(void)
{
    handle constant = {{~(uint64_t)1000}}, none;
    uint64_t before = ordo_get_time(&constant), after = ordo_new_time(&constant, before);
    if (after <= before + 1000 || ordo_cmp_time(&constant, after, before) != 1 || ordo_status(&constant) != 4)
        return 1;
    int code = ordo_open(&none, "/nonexistent/boundary");
    if (code != -1 || !strstr(ordo_strerror(code), "no boundary record") || ordo_boundary(&none) != UINT64_MAX)
        return 1;
    ordo_close(&none);
    return ordo_cmp_time(&none, after, before);
}
