#include "trace/input/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With an exponent, or more digits than fit: by way of a double. */
static bool by_double(struct ordo_text text, int places, int64_t *number)
{
    char copy[64], *end;
    if (text.length == 0 || text.length >= sizeof copy)
        return false;
    for (size_t i = 0; i < text.length; i++) /* what JSON does not know is not for strtod */
        if (!memchr("+-0123456789.eE", text.at[i], 15))
            return false;
    memcpy(copy, text.at, text.length);
    copy[text.length] = '\0';
    double value = strtod(copy, &end) * pow(10, places);
    if (*end || !(fabs(value) < 9e18))
        return false;
    *number = llrint(value);
    return true;
}

bool ordo_text_decimal(struct ordo_text text, int places, int64_t *number)
{
    size_t at = text.length > 0 && *text.at == '-', digits = 0;
    bool negative = at > 0, point = false, up = false;
    uint64_t value = 0;
    int after = 0;
    for (; at < text.length; at++) {
        unsigned digit = (unsigned char)text.at[at] - '0';
        if (text.at[at] == '.' && !point) {
            point = true;
            continue;
        }
        if (digit > 9 || digits >= 18)
            return by_double(text, places, number);
        if (point && after >= places) { /* the first digit that is cut off rounds */
            up = after++ == places ? digit >= 5 : up;
            continue;
        }
        value = value * 10 + digit;
        digits++;
        after += point;
    }
    for (; after < places && digits < 18; after++, digits++)
        value *= 10;
    if (after < places || digits == 0)
        return false;
    value += up;
    *number = negative ? -(int64_t)value : (int64_t)value;
    return true;
}
