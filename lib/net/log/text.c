#include "net/log/text.h"

#include <math.h>

enum { DIGITS_MOST = 19, TOO_MANY = 1000 };

const char *ordo_log_find(struct ordo_log_text text, const char *word)
{
    return memmem(text.at, ordo_log_length(text), word, strlen(word));
}

bool ordo_log_digits(struct ordo_log_text *text, int digits, int *value)
{
    int sum = 0;
    if (ordo_log_length(*text) < (size_t)digits)
        return false;
    for (int i = 0; i < digits; i++) {
        if (!ordo_log_is_digit(text->at[i]))
            return false;
        sum = 10 * sum + text->at[i] - '0';
    }
    text->at += digits;
    *value = sum;
    return true;
}

void ordo_log_fraction(struct ordo_log_text *text, int64_t *ns)
{
    if (ordo_log_length(*text) < 2 || (*text->at != '.' && *text->at != ',') || !ordo_log_is_digit(text->at[1]))
        return;
    text->at++;
    for (int64_t worth = 100000000; text->at < text->end && ordo_log_is_digit(*text->at); text->at++, worth /= 10)
        *ns += worth * (*text->at - '0');
}

/* Steps over digits, and adds them to the mantissa. Returns their number; TOO_MANY: they do not fit into 64 bits. */
static int take_digits(struct ordo_log_text *word, int64_t *mantissa)
{
    int count = 0;
    for (; word->at < word->end && ordo_log_is_digit(*word->at); word->at++, count++)
        if (*mantissa < INT64_MAX / 10 - 1)
            *mantissa = 10 * *mantissa + (*word->at - '0');
        else
            return TOO_MANY;
    return count;
}

/* Steps over an exponent such as "e-06". False: there is something else. */
static bool take_exponent(struct ordo_log_text *word, int *exponent)
{
    if (word->at == word->end)
        return true;
    if (*word->at != 'e' && *word->at != 'E')
        return false;
    word->at++;
    bool negative = word->at < word->end && *word->at == '-';
    word->at += word->at < word->end && (*word->at == '-' || *word->at == '+');
    int64_t value = 0;
    int digits = take_digits(word, &value);
    *exponent += negative ? -(int)value : (int)value;
    return digits > 0 && digits <= 3;
}

static double scale(int64_t mantissa, int exponent)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { EXACT = 22 };
    if (exponent >= -EXACT && exponent < 0)
        return (double)mantissa / tens[-exponent];
    if (exponent >= 0 && exponent <= EXACT)
        return (double)mantissa * tens[exponent];
    return (double)mantissa * pow(10, exponent);
}

bool ordo_log_number(struct ordo_log_text word, double *number)
{
    int64_t mantissa = 0;
    bool negative = word.at < word.end && *word.at == '-';
    word.at += word.at < word.end && (*word.at == '-' || *word.at == '+');
    int digits = take_digits(&word, &mantissa), exponent = 0;
    if (word.at < word.end && *word.at == '.') {
        word.at++;
        int decimals = take_digits(&word, &mantissa);
        digits += decimals;
        exponent = -decimals;
    }
    if (digits == 0 || digits > DIGITS_MOST || !take_exponent(&word, &exponent) || word.at != word.end)
        return false;
    *number = negative ? -scale(mantissa, exponent) : scale(mantissa, exponent);
    return true;
}

bool ordo_log_whole(struct ordo_log_text word, int64_t *number)
{
    int64_t value = 0;
    int digits = take_digits(&word, &value);
    *number = value;
    return digits > 0 && digits < DIGITS_MOST && word.at == word.end;
}

void ordo_log_copy(char *copy, size_t size, struct ordo_log_text text)
{
    size_t length = ordo_log_length(text) < size - 1 ? ordo_log_length(text) : size - 1;
    for (size_t i = 0; i < length; i++)
        copy[i] = text.at[i] >= ' ' && text.at[i] <= '~' ? text.at[i] : '?';
    copy[length] = '\0';
}
