/* Copies records that other threads may be writing or reading at the same time. A reader copies between two loads of a
 * version word; the copy is good if the word did not change. For this, the loads of the copy must be performed between
 * these two loads, and a writer's stores to the record between its two stores to the word.
 *
 * Every word is loaded with acquire order or stored with release order. x86 does not reorder loads with loads, nor
 * stores with stores, so there it is enough to restrain the compiler, and longer records are copied by memcpy. There
 * are two exceptions, which copy words on x86 too: ThreadSanitizer, and tests that define CC_COPY_BY_WORDS to run code
 * between the words. The address `shared` is a multiple of 8.
 */
#ifndef ORDO_CC_TXN_COPY_H
#define ORDO_CC_TXN_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CC_COPY_SHORT = 32 }; /* up to this number of bytes, copying words is faster than a call of memcpy */

#if defined __x86_64__ && !defined __SANITIZE_THREAD__ && !defined CC_COPY_BY_WORDS
#define CC_COPY_PLAIN 1
#if defined __has_feature
#if __has_feature(thread_sanitizer)
#undef CC_COPY_PLAIN
#endif
#endif
#endif

static inline void cc_copy_word_out(unsigned char *target, const unsigned char *source)
{
    /* Pairs with cc_copy_words_in: a reader that sees a word of the new record sees the version word locked. */
    uint64_t word = __atomic_load_n((const uint64_t *)(const void *)source, __ATOMIC_ACQUIRE);
    memcpy(target, &word, 8);
}

/* A later load of the version word is performed after all loads of the copy. Records of 8, 16 and 24 bytes are copied
 * without a loop: a core waits for the record's cache line, and fetches the next record meanwhile only if few
 * instructions are between the two. */
static inline void cc_copy_words_out(void *to, const void *shared, size_t bytes)
{
    const unsigned char *source = shared;
    unsigned char *target = to;
    if (bytes == 8 || bytes == 16 || bytes == 24) {
        cc_copy_word_out(target, source);
        if (bytes > 8)
            cc_copy_word_out(target + 8, source + 8);
        if (bytes > 16)
            cc_copy_word_out(target + 16, source + 16);
        return;
    }
    for (; bytes >= 8; bytes -= 8, source += 8, target += 8)
        cc_copy_word_out(target, source);
    for (; bytes > 0; bytes--)
        *target++ = __atomic_load_n(source++, __ATOMIC_ACQUIRE); /* pairs with cc_copy_words_in, as above */
}

static inline void cc_copy_words_in(void *shared, const void *from, size_t bytes)
{
    const unsigned char *source = from;
    unsigned char *target = shared;
    for (; bytes >= 8; bytes -= 8, source += 8, target += 8) {
        uint64_t word;
        memcpy(&word, source, 8);
        /* Pairs with cc_copy_words_out: the version word was locked before. */
        __atomic_store_n((uint64_t *)(void *)target, word, __ATOMIC_RELEASE);
    }
    for (; bytes > 0; bytes--)
        __atomic_store_n(target++, *source++, __ATOMIC_RELEASE); /* pairs with cc_copy_words_out, as above */
}

static inline void cc_copy_out(void *to, const void *shared, size_t bytes)
{
#if defined CC_COPY_PLAIN
    if (bytes > CC_COPY_SHORT) {
        memcpy(to, shared, bytes);
        __asm__ volatile("" : : : "memory");
        return;
    }
#endif
    cc_copy_words_out(to, shared, bytes);
}

static inline void cc_copy_in(void *shared, const void *from, size_t bytes)
{
#if defined CC_COPY_PLAIN
    if (bytes > CC_COPY_SHORT) {
        __asm__ volatile("" : : : "memory");
        memcpy(shared, from, bytes);
        return;
    }
#endif
    cc_copy_words_in(shared, from, bytes);
}

#endif
