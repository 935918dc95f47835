/* Options that choose among words, such as --stamp ordo,logical. */
#ifndef BENCH_CHOICE_H
#define BENCH_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/options.h"

#define BENCH_WORDS 16 /* largest number of words that an option can choose among */

/** The set of words that were given for an option. */
struct bench_choice {
    bool given; /* false: the default applies */
    bool chosen[BENCH_WORDS];
};

/** Returns the index of a word in `words`, which ends with NULL; -1 if the word is not there. The word is the first
 * `length` characters of `text`. */
int bench_word(const char *const *words, const char *text, size_t length);

/** Returns the index of a value of `option`, as bench_word() does. An unknown word ends the program with a message that
 * lists all known words. */
int bench_word_parse(const struct argp_state *state, const char *option, const char *text, size_t length,
                     const char *const *words);

/** Parses a list of at most BENCH_WORDS words, and returns their number. Ends the program with a message if a word is
 * unknown or occurs twice, or if the list is too long. */
int bench_words_parse(const struct argp_state *state, const char *option, const char *text, const char *const *words,
                      int indexes[BENCH_WORDS]);

/** Parses a list as bench_words_parse() does, into a set. */
void bench_choice_parse(const struct argp_state *state, const char *option, const char *text, const char *const *words,
                        struct bench_choice *choice);

/** True if `word` was chosen among `words`. */
bool bench_choice_has(const struct bench_choice *choice, const char *const *words, const char *word);

#endif
