#include "nearest.h"

#include <string.h>

#include "base/minmax.h"

enum { MOST_LETTERS = 32 };

/* Returns the distance by optimal string alignment (restricted Damerau-Levenshtein distance). */
static int distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int rows[MOST_LETTERS + 1][MOST_LETTERS + 1];
    for (size_t i = 0; i <= a_length; i++)
        for (size_t j = 0; j <= b_length; j++) {
            if (i == 0 || j == 0) {
                rows[i][j] = (int)(i + j);
                continue;
            }
            int changed = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            rows[i][j] = (int)ordo_min(changed, 1 + ordo_min(rows[i - 1][j], rows[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                rows[i][j] = (int)ordo_min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    return rows[a_length][b_length];
}

struct nearest nearest_to(const char *word)
{
    size_t length = strcspn(word, "=");
    return (struct nearest){.word = word, .length = length, .distance = length < 5 ? 2 : 3};
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
    size_t length = strlen(candidate);
    if (nearest->length < 2 || nearest->length > MOST_LETTERS || length > MOST_LETTERS)
        return;
    int distance = strncmp(candidate, nearest->word, nearest->length) == 0
                       ? 0
                       : distance_of(nearest->word, nearest->length, candidate, length);
    if (distance < nearest->distance) {
        nearest->found = candidate;
        nearest->distance = distance;
    }
}
