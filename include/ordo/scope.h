/* A boundary for a part of the CPUs.
 *
 * The boundary of a whole machine is the boundary of the two CPUs whose clocks are farthest apart. The clocks within
 * one cache, package or NUMA node are closer together, on large machines by a factor of 5 to 11. The record contains
 * the measurement between any two CPUs, so a handle can be opened for just the CPUs that a program uses:
 *
 *     struct ordo o;
 *     ordo_open_scope(&o, NULL, ORDO_SCOPE_L3, NULL);      // the L3 cache that this thread runs on
 *     ordo_open_cpus(&o, NULL, "0-7,64-71", NULL);         // the CPUs of this list
 *
 * Every thread whose times are compared with such a handle must run only on CPUs of the set, as long as its times are
 * in use: pin it first. No later call checks this. A time from a CPU outside the set may be off by the boundary of the
 * whole machine. Times of handles with different sets may be compared with a handle whose set contains both sets.
 *
 * If any two CPUs of a set were not measured with each other, the set is refused.
 */
#ifndef ORDO_SCOPE_H
#define ORDO_SCOPE_H

#include <ordo/ordo.h>

/** The scopes of ordo_open_scope. */
enum ordo_scope {
    ORDO_SCOPE_L3 = 1,      /* the CPUs that share the L3 cache with this thread's CPU */
    ORDO_SCOPE_PACKAGE = 2, /* the CPUs of the same package (socket) */
    ORDO_SCOPE_NUMA = 3,    /* the CPUs of the same NUMA node */
    ORDO_SCOPE_ALLOWED = 4  /* the CPUs that this thread may run on */
};

/** Returns the word for a scope: "l3", "package", "numa", "allowed"; NULL for anything else. */
static inline const char *ordo_scope_word(int scope)
{
    static const char *const words[] = {NULL, "l3", "package", "numa", "allowed"};
    return scope >= ORDO_SCOPE_L3 && scope <= ORDO_SCOPE_ALLOWED ? words[scope] : NULL;
}

/* Parses a number of one to six digits at the beginning of the text. Returns the text behind the number; NULL if there
 * is no such number. */
static inline const char *ordo_scope_number(const char *text, unsigned long *number)
{
    int digits;
    *number = 0;
    for (digits = 0; text[digits] >= '0' && text[digits] <= '9'; digits++)
        if (digits < 6)
            *number = 10 * *number + (unsigned long)(text[digits] - '0');
    return digits >= 1 && digits <= 6 ? text + digits : NULL;
}

/* Parses a list such as "0-3,8" into a set. Returns 0, or -1 if the text is not such a list. */
static inline int ordo_scope_parse(const char *list, struct ordo_record_set *set)
{
    memset(set, 0, sizeof *set);
    do {
        unsigned long first, last;
        list = ordo_scope_number(list, &first);
        last = first;
        if (list && *list == '-')
            list = ordo_scope_number(list + 1, &last);
        if (!list || last < first || last >= ORDO_RECORD_MOST_CPUS)
            return -1;
        for (; first <= last; first++)
            ordo_record_set_add(set, first);
    } while (*list == ',' && *++list);
    return *list || list[-1] == ',' ? -1 : 0;
}

/* Returns the number of CPUs that the record covers, which is the order of its matrix. */
static inline size_t ordo_scope_covered(const struct ordo_record_view *view)
{
    size_t count = 0, at;
    for (at = 0; at < view->cpus_bytes; at++) {
        unsigned char bits;
        for (bits = view->cpus[at]; bits; bits = (unsigned char)(bits & (bits - 1)))
            count++;
    }
    return count;
}

/* The members of a set: their numbers, and their indices among the covered CPUs. */
struct ordo_scope_members {
    size_t count;
    uint16_t index[8192], cpu[8192]; /* a record cannot have a larger matrix */
};

static inline int ordo_scope_list(const struct ordo_record_view *view, const struct ordo_record_set *set,
                                  struct ordo_scope_members *members)
{
    unsigned long cpu, most = view->cpus_bytes * 8;
    size_t index = 0;
    members->count = 0;
    for (cpu = 0; cpu < most && cpu < ORDO_RECORD_MOST_CPUS; cpu++) {
        if (!ordo_record_covers(view, cpu))
            continue;
        if (index >= sizeof members->index / sizeof *members->index)
            return ORDO_E_UNMEASURED;
        if (ordo_record_set_has(set, cpu)) {
            members->index[members->count] = (uint16_t)index;
            members->cpu[members->count++] = (uint16_t)cpu;
        }
        index++;
    }
    return ORDO_OK;
}

/* Finds the largest delta between two members, in both directions; 0 for a single CPU. */
static inline int ordo_scope_largest(const struct ordo_scope_members *members, const unsigned char *matrix, size_t n,
                                     int64_t *largest, struct ordo_error *error)
{
    size_t i, j;
    *largest = members->count > 1 ? INT64_MIN : 0;
    for (i = 0; i < members->count; i++)
        for (j = 0; j < members->count; j++) {
            int64_t delta;
            char object[64];
            if (i == j)
                continue;
            memcpy(&delta, matrix + 8 * (members->index[i] * n + members->index[j]), sizeof delta);
            if (delta == ORDO_DELTA_UNMEASURED) {
                (void)snprintf(object, sizeof object, "cpu %u and cpu %u", members->cpu[i], members->cpu[j]);
                return ordo_record_refuse(error, ORDO_E_UNMEASURED, 0, object);
            }
            *largest = delta > *largest ? delta : *largest;
        }
    return ORDO_OK;
}

/** Finds the boundary of a set of CPUs in a parsed record: the largest delta between any two of them, plus granule and
 * margin. The result depends only on the arguments. Returns 0, or
 *
 * - ORDO_E_INVALID: the set is empty;
 * - ORDO_E_CPUS: a CPU of the set is not covered;
 * - ORDO_E_UNMEASURED: two CPUs of the set were not measured with each other, or the record has no matrix at all;
 * - ORDO_E_CHECKSUM, ORDO_E_MALFORMED, ORDO_E_BOUNDARY: the matrix is damaged, or has an impossible value. */
static inline int ordo_scope_boundary(const struct ordo_record_view *view, const struct ordo_record_set *set,
                                      uint64_t *boundary_ticks, struct ordo_error *error)
{
    const int64_t least = -(INT64_C(1) << 61), most = INT64_C(1) << 61;
    struct ordo_scope_members members;
    const void *matrix = NULL;
    size_t bytes = 0, n = ordo_scope_covered(view);
    int64_t largest = 0, added = (int64_t)(view->head.granule_ticks + view->head.margin_ticks);
    int code = ordo_record_check_set(view, set, error);
    if (code)
        return code;
    code = ordo_scope_list(view, set, &members);
    if (!code)
        code = members.count == 0 ? ORDO_E_INVALID : ordo_record_part(view, ORDO_PART_MATRIX, &matrix, &bytes);
    if (!code && bytes / 8 != (uint64_t)n * n)
        code = ORDO_E_MALFORMED;
    if (code)
        return ordo_record_refuse(error, code, 0, members.count ? "the matrix of the record" : "an empty set of CPUs");
    code = ordo_scope_largest(&members, (const unsigned char *)matrix, n, &largest, error);
    if (code)
        return code;
    if (largest < least || largest > most || added > most)
        return ordo_record_refuse(error, ORDO_E_MALFORMED, 0, "the matrix of the record");
    if (largest + added <= 0)
        return ordo_record_refuse(error, ORDO_E_BOUNDARY, 0, "the set of CPUs");
    *boundary_ticks = (uint64_t)(largest + added);
    return ORDO_OK;
}

/* Returns the number of the cache, package or node that the CPU with this index belongs to. */
static inline uint32_t ordo_scope_place(const unsigned char *places, size_t index, int scope)
{
    struct ordo_place place;
    memcpy(&place, places + index * sizeof place, sizeof place);
    return scope == ORDO_SCOPE_L3 ? place.l3 : scope == ORDO_SCOPE_PACKAGE ? place.package : place.numa;
}

/* Finds the cache, package or node that all members belong to. */
static inline int ordo_scope_agree(const struct ordo_scope_members *members, const unsigned char *places, int scope,
                                   uint32_t *common, struct ordo_error *error)
{
    char object[80];
    size_t i;
    *common = ordo_scope_place(places, members->index[0], scope);
    if (*common == ORDO_PLACE_NONE) {
        (void)snprintf(object, sizeof object, "cpu %u is in no %s that the record knows", members->cpu[0],
                       ordo_scope_word(scope));
        return ordo_record_refuse(error, ORDO_E_UNMEASURED, 0, object);
    }
    for (i = 1; i < members->count; i++)
        if (ordo_scope_place(places, members->index[i], scope) != *common) {
            if (error) {
                error->code = ORDO_E_CPUS;
                error->sys_errno = 0;
                (void)snprintf(error->text, sizeof error->text,
                               "this thread may run on cpu %u and cpu %u, which share no %s: restrict its affinity, or "
                               "open a larger scope",
                               members->cpu[0], members->cpu[i], ordo_scope_word(scope));
            }
            return ORDO_E_CPUS;
        }
    return ORDO_OK;
}

/** Finds the CPUs of a scope in a parsed record: all CPUs of the cache, package or node that contains the CPUs of
 * `allowed`, on which the thread may run. Returns 0, or
 *
 * - ORDO_E_INVALID: there is no such scope, or `allowed` is empty;
 * - ORDO_E_CPUS: the CPUs of `allowed` span two caches, packages or nodes, or one of these CPUs is not covered;
 * - ORDO_E_UNMEASURED: the record does not state the caches, packages or nodes of the CPUs;
 * - ORDO_E_CHECKSUM, ORDO_E_MALFORMED: this part of the record is damaged. */
static inline int ordo_scope_set(const struct ordo_record_view *view, int scope, const struct ordo_record_set *allowed,
                                 struct ordo_record_set *set, struct ordo_error *error)
{
    struct ordo_scope_members members;
    const void *places = NULL;
    size_t bytes = 0, n = ordo_scope_covered(view), index = 0;
    uint32_t common = ORDO_PLACE_NONE;
    unsigned long cpu;
    int code = ordo_scope_word(scope) ? ordo_record_check_set(view, allowed, error)
                                      : ordo_record_refuse(error, ORDO_E_INVALID, 0, "the scope");
    *set = *allowed;
    if (code || scope == ORDO_SCOPE_ALLOWED)
        return code;
    memset(set, 0, sizeof *set);
    code = ordo_scope_list(view, allowed, &members);
    if (!code)
        code = members.count == 0 ? ORDO_E_INVALID : ordo_record_part(view, ORDO_PART_PLACES, &places, &bytes);
    if (!code && bytes != n * sizeof(struct ordo_place))
        code = ORDO_E_MALFORMED;
    if (code)
        return ordo_record_refuse(error, code, 0, "what the CPUs of the record share");
    code = ordo_scope_agree(&members, (const unsigned char *)places, scope, &common, error);
    for (cpu = 0; !code && index < n && cpu < ORDO_RECORD_MOST_CPUS; cpu++) /* the limit of a set */
        if (ordo_record_covers(view, cpu) && ordo_scope_place((const unsigned char *)places, index++, scope) == common)
            ordo_record_set_add(set, cpu);
    return code;
}

/* The ordo_open_kind of ordo_open_cpus; `wish` points to a struct ordo_record_set. */
static inline int ordo_scope_open_cpus(struct ordo *o, const struct ordo_record_view *view, const void *wish,
                                       struct ordo_error *error)
{
    uint64_t boundary_ticks = 0;
    int code = ordo_record_holds(view, error);
    if (!code)
        code = ordo_scope_boundary(view, (const struct ordo_record_set *)wish, &boundary_ticks, error);
    o->not_boundary = ~boundary_ticks;
    return code;
}

/* The ordo_open_kind of ordo_open_scope; `wish` points to an int. */
static inline int ordo_scope_open(struct ordo *o, const struct ordo_record_view *view, const void *wish,
                                  struct ordo_error *error)
{
    struct ordo_record_set allowed, set;
    int code = ordo_record_allowed(&allowed, error);
    if (!code)
        code = ordo_scope_set(view, *(const int *)wish, &allowed, &set, error);
    return code ? code : ordo_scope_open_cpus(o, view, &set, error);
}

/** Opens as ordo_open_error, for the CPUs of a list such as "0-3,8": the boundary is the largest delta between two of
 * them, plus granule and margin. EVERY THREAD WHOSE TIMES ARE COMPARED MUST RUN ON THESE CPUS ONLY (head of this file);
 * the CPU of the calling thread does not matter. Returns 0, or the codes of ordo_open_error, or
 *
 * - ORDO_E_INVALID: `cpus` is not a list of CPUs;
 * - ORDO_E_CPUS: the record does not cover a CPU of the list;
 * - ORDO_E_UNMEASURED: two CPUs of the list were not measured with each other;
 * - ORDO_E_BOUNDARY: the boundary of the list would be 0. */
ORDO_INLINE int ordo_open_cpus(struct ordo *o, const char *path, const char *cpus, struct ordo_error *error)
{
    struct ordo_record_set set;
    memset(o, 0, sizeof *o);
    if (!cpus || ordo_scope_parse(cpus, &set)) {
        if (error) {
            error->code = ORDO_E_INVALID;
            error->sys_errno = 0;
            (void)snprintf(error->text, sizeof error->text, "'%.40s': not a list of CPUs (example: 0-3,8)",
                           cpus ? cpus : "");
            ordo_error_tidy(error->text);
        }
        return ORDO_E_INVALID;
    }
    return ordo_open_as(o, path, ordo_scope_open_cpus, &set, error);
}

/** Opens as ordo_open_cpus, for all covered CPUs of the L3 cache, package or NUMA node (enum ordo_scope) that contains
 * all CPUs on which this thread may run. All threads of one scope therefore get one boundary. The record states which
 * CPUs share a cache, package or node. With ORDO_SCOPE_ALLOWED, opens for just the CPUs on which this thread may run.
 * EVERY THREAD WHOSE TIMES ARE COMPARED MUST RUN ON CPUS OF THE SCOPE ONLY. Returns 0, or the codes of ordo_open_cpus,
 * or
 *
 * - ORDO_E_INVALID: there is no such scope;
 * - ORDO_E_CPUS: this thread may run on CPUs of two caches, packages or nodes;
 * - ORDO_E_UNMEASURED: the machine has no such cache, package or node, or the record does not state them. */
ORDO_INLINE int ordo_open_scope(struct ordo *o, const char *path, int scope, struct ordo_error *error)
{
    return ordo_open_as(o, path, ordo_scope_open, &scope, error);
}

#endif
