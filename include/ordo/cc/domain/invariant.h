/* Checks of the engines' invariants while the program runs. They are compiled only if ORDO_DEBUG is 1.
 *
 * A check that fails prints one line to stderr and ends the program by abort(). The line has the engine, the tag of the
 * condition in the engine's argument (`use` for a promise of the caller), the claim, the object, two values, and the
 * source line of the check:
 *
 *     ordo: rlu [C5] broken: a section is after its mark: t 0x55c1e0, t->time 1712, w.ticks 1800 (ordo_rlu_refresh, section.h:64)
 *
 * A check must hold at any time, whatever other threads do meanwhile. It therefore reads only words of three kinds, and
 * its comment says which: words that only the calling thread writes, words that no other thread writes while the caller
 * holds a lock, and words that only grow. It reads shared words by relaxed or plain loads, because a check that ordered
 * memory accesses would hide a missing order.
 *
 * The layout of structures does not depend on ORDO_DEBUG: files compiled with and without it may share a domain.
 */
#ifndef ORDO_CC_DOMAIN_INVARIANT_H
#define ORDO_CC_DOMAIN_INVARIANT_H

#ifndef ORDO_DEBUG
#define ORDO_DEBUG 0
#endif

#include <stdint.h>

#if ORDO_DEBUG
#include <stdio.h>
#include <stdlib.h>

struct ordo_cc_claim {
    const char *engine, *tag, *claim, *object, *first, *second, *function, *file;
    int line;
};

/* Prints a word whose upper bits are set in base 16, because it holds a tag, and any other word in base 10. */
static inline const char *ordo_cc_word_text(char *text, size_t bytes, uint64_t word)
{
    (void)snprintf(text, bytes, word >> 62 ? "0x%llx" : "%llu", (unsigned long long)word);
    return text;
}

static __attribute__((noinline, cold, noreturn, unused)) void
ordo_cc_broken(const struct ordo_cc_claim *c, const void *object, uint64_t first, uint64_t second)
{
    char texts[2][24];
    (void)fprintf(stderr, "ordo: %s [%s] broken: %s: %s %p, %s %s, %s %s (%s, %s:%d)\n", c->engine, c->tag, c->claim,
                  c->object, object, c->first, ordo_cc_word_text(texts[0], sizeof texts[0], first), c->second,
                  ordo_cc_word_text(texts[1], sizeof texts[1], second), c->function, c->file, c->line);
    abort();
}

#define ORDO_INVARIANT(engine, tag, holds, claim, object, first, second)                                               \
    do {                                                                                                               \
        if (__builtin_expect(!(holds), 0)) {                                                                           \
            const struct ordo_cc_claim ordo_cc_claim = {engine,  tag,      claim,    #object, #first,                  \
                                                        #second, __func__, __FILE__, __LINE__};                        \
            ordo_cc_broken(&ordo_cc_claim, object, (uint64_t)(first), (uint64_t)(second));                             \
        }                                                                                                              \
    } while (0)
#else
/** Checks that `holds` is true. `object` is a pointer; `first` and `second` are integers; all three are printed with
 * their source text. In this disabled form the operands of sizeof are compiled but not evaluated, so that a disabled
 * check stays correct C and C++. */
#define ORDO_INVARIANT(engine, tag, holds, claim, object, first, second)                                               \
    ((void)sizeof(!(holds)), (void)sizeof(object), (void)sizeof((uint64_t)(first)), (void)sizeof((uint64_t)(second)))
#endif

#endif
