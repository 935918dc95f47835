/* Converts between objects and their copies, and compares and stores pointers to objects. Part of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

static inline void *ordo_rlu_allocate(const struct ordo_rlu *rlu, size_t bytes)
{
    return ordo_cc_allocate(&rlu->options.memory, bytes);
}

static inline void ordo_rlu_release(const struct ordo_rlu *rlu, void *what)
{
    ordo_cc_release(&rlu->options.memory, what);
}

static inline struct ordo_rlu_header *ordo_rlu_header_of(void *object)
{
    return (struct ordo_rlu_header *)object - 1;
}

static inline struct ordo_rlu_record *ordo_rlu_record_of(void *copy)
{
    return (struct ordo_rlu_record *)((uintptr_t)copy - sizeof(struct ordo_rlu_record));
}

static inline struct ordo_rlu_log *ordo_rlu_log_of(void *copy)
{
    return ordo_rlu_record_of(copy)->log;
}

/* Returns the header of the object of a copy. Works for MV-RLU too, because a record and a version end with the same
 * two members. */
static inline struct ordo_rlu_header *ordo_rlu_object_of(void *copy)
{
    return *(struct ordo_rlu_header **)((uintptr_t)copy - sizeof(struct ordo_rlu_header) - sizeof(void *));
}

/* Returns the word of a link that this copy has locked. */
static inline void *ordo_rlu_locked_by(struct ordo_rlu_link_copy *copy)
{
    return (char *)copy + ORDO_RLU_LOCKED;
}

/* Returns the copy that has locked the link with this word; NULL: the link is unlocked. */
static inline struct ordo_rlu_link_copy *ordo_rlu_link_copy_of(void *word)
{
    if (!((uintptr_t)word & ORDO_RLU_LOCKED))
        return NULL;
    return (struct ordo_rlu_link_copy *)(void *)((char *)word - ORDO_RLU_LOCKED);
}

/* True if the object, or the link, of a record shows the record's copy. */
static inline int ordo_rlu_shows(struct ordo_rlu_record *record)
{
    uintptr_t word = (uintptr_t)__atomic_load_n(&record->object->copy, __ATOMIC_RELAXED);
    return (word & ~ORDO_RLU_LOCKED) == (uintptr_t)(record + 1);
}

/* True if the object, or the link, of a record shows the record's copy or a later copy of the same thread. */
static inline int ordo_rlu_holds(const struct ordo_rlu_record *record)
{
    void *word = __atomic_load_n(&record->object->copy, __ATOMIC_RELAXED);
    void *copy = record->kind == ORDO_RLU_LINK ? (void *)ordo_rlu_link_copy_of(word) : word;
    return copy && copy != ORDO_RLU_IS_COPY && ordo_rlu_log_of(copy)->owner == record->log->owner;
}

/* Returns the object itself; the argument points to the object or to a copy of it, or is NULL. */
static inline void *ordo_rlu_master(void *object)
{
    /* Relaxed: while a section has the pointer, a copy remains a copy and an object remains an object. */
    if (object && __atomic_load_n(&ordo_rlu_header_of(object)->copy, __ATOMIC_RELAXED) == ORDO_RLU_IS_COPY)
        return ordo_rlu_object_of(object) + 1;
    return object;
}

static inline void ordo_rlu_assign(void *where, void *object)
{
    object = ordo_rlu_master(object);
    memcpy(where, &object, sizeof object);
}

static inline int ordo_rlu_cmp_ptrs(void *a, void *b)
{
    return a == b || ordo_rlu_master(a) == ordo_rlu_master(b);
}

static inline void ordo_rlu_will_lock(void *object)
{
    ordo_fetch_to_write(ordo_rlu_header_of(ordo_rlu_master(object)));
}

/* Turns memory into an unlocked object (ordo_rlu_object_begin) or a node (ordo_rlu_node_begin). NULL if `memory` is
 * NULL. */
static inline void *ordo_rlu_object_begin(void *memory)
{
    struct ordo_rlu_header *header = (struct ordo_rlu_header *)memory;
    if (!header)
        return NULL;
    header->copy = NULL;
    return header + 1;
}

static inline void *ordo_rlu_node_begin(void *memory)
{
    if (memory)
        ordo_rlu_link_init((struct ordo_rlu_link *)memory, NULL);
    return memory;
}
