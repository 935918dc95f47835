#include "choice.h"

#include <string.h>

int bench_word(const char *const *words, const char *text, size_t length)
{
    for (int i = 0; words[i]; i++)
        if (strlen(words[i]) == length && strncmp(words[i], text, length) == 0)
            return i;
    return -1;
}

static void join_words(const char *const *words, char *text, size_t size)
{
    *text = '\0';
    for (int i = 0; words[i]; i++) {
        (void)strncat(text, i ? ", " : "", size - strlen(text) - 1);
        (void)strncat(text, words[i], size - strlen(text) - 1);
    }
}

int bench_word_parse(const struct argp_state *state, const char *option, const char *text, size_t length,
                     const char *const *words)
{
    char known[256];
    int word = bench_word(words, text, length);
    if (word < 0) {
        join_words(words, known, sizeof known);
        cli_wrong(state, "%s '%.*s': not one of %s", option, (int)length, text, known);
    }
    return word;
}

struct known {
    const struct argp_state *state;
    const char *option;
    const char *const *words;
};

static int read_word(const char *item, size_t length, void *context)
{
    const struct known *known = context;
    return bench_word_parse(known->state, known->option, item, length, known->words);
}

int bench_words_parse(const struct argp_state *state, const char *option, const char *text, const char *const *words,
                      int indexes[BENCH_WORDS])
{
    struct known known = {state, option, words};
    int count = cli_list(state, option, text, read_word, &known, indexes, BENCH_WORDS);
    if (count < 0)
        cli_wrong(state, "%s '%.80s': more than %d words: leave some out", option, text, BENCH_WORDS);
    return count;
}

void bench_choice_parse(const struct argp_state *state, const char *option, const char *text, const char *const *words,
                        struct bench_choice *choice)
{
    int indexes[BENCH_WORDS], count = bench_words_parse(state, option, text, words, indexes);
    *choice = (struct bench_choice){.given = true};
    for (int i = 0; i < count; i++)
        choice->chosen[indexes[i]] = true;
}

bool bench_choice_has(const struct bench_choice *choice, const char *const *words, const char *word)
{
    int index = bench_word(words, word, strlen(word));
    return index >= 0 && choice->chosen[index];
}
