#include "net/wire/claim.h"

#include <string.h>

bool ordo_net_claim_named(const char *name)
{
    size_t length = strnlen(name, ORDO_NET_CLAIM_NAME);
    return length > 0 && length < ORDO_NET_CLAIM_NAME &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

void ordo_net_claim_write(char text[ORDO_NET_CLAIM_TEXT], const char *from)
{
    size_t count = 0;
    for (; from[count] && count + 1 < ORDO_NET_CLAIM_TEXT; count++)
        text[count] = from[count] >= 0x20 && from[count] < 0x7f ? from[count] : '?';
    memset(text + count, 0, ORDO_NET_CLAIM_TEXT - count);
}
