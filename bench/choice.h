/* Options that choose among words, such as --stamp ordo,logical. */
#ifndef BENCH_CHOICE_H
#define BENCH_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/options.h"

#define BENCH_WORDS 16 /* words an option may choose among */

/** Which of an option's words were given. */
struct bench_choice {
    bool given; /* else the default */
    bool chosen[BENCH_WORDS];
};

/** Index of the first `length` characters of `text` among the words, which end with NULL; -1: they are none of them. */
int bench_word(const char *const *words, const char *text, size_t length);

/** The same for a value of `option`; one that is none of them ends the program with a line that names them all. */
int bench_word_parse(const struct argp_state *state, const char *option, const char *text, size_t length,
                     const char *const *words);

/** The same for a list of them, of at most BENCH_WORDS; returns how many it has. More, and one that comes twice, are
 * refused too. */
int bench_words_parse(const struct argp_state *state, const char *option, const char *text, const char *const *words,
                      int indexes[BENCH_WORDS]);

/** The same, as a set. */
void bench_choice_parse(const struct argp_state *state, const char *option, const char *text, const char *const *words,
                        struct bench_choice *choice);

/** Whether `word` was chosen among `words`. */
bool bench_choice_has(const struct bench_choice *choice, const char *const *words, const char *word);

#endif
