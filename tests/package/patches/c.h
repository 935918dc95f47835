/* In place of PostgreSQL's c.h: the names that the added file uses. */
#include <stdbool.h>
#include <stdint.h>
typedef int64_t int64;
typedef uint64_t uint64;
#define unlikely(x) __builtin_expect((x) != 0, 0)
