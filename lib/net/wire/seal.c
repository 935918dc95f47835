#include "net/wire/seal.h"

#include <sodium.h>
#include <sys/random.h>

static void digest(const struct ordo_net_key *key, const unsigned char *bytes, size_t count,
                   unsigned char seal[ORDO_NET_SEAL_BYTES])
{
    crypto_auth_hmacsha256_state state;
    (void)crypto_auth_hmacsha256_init(&state, key->bytes, sizeof key->bytes);
    (void)crypto_auth_hmacsha256_update(&state, bytes, count);
    (void)crypto_auth_hmacsha256_final(&state, seal);
}

void ordo_net_seal(const struct ordo_net_key *key, unsigned char *bytes, size_t count)
{
    digest(key, bytes, count, bytes + count);
}

bool ordo_net_sealed(const struct ordo_net_key *key, const unsigned char *bytes, size_t count)
{
    unsigned char seal[ORDO_NET_SEAL_BYTES];
    digest(key, bytes, count, seal);
    return sodium_memcmp(seal, bytes + count, sizeof seal) == 0;
}

void ordo_net_key_forget(struct ordo_net_key *key)
{
    sodium_memzero(key, sizeof *key);
}

bool ordo_net_secret(uint64_t *number)
{
    do
        if (getrandom(number, sizeof *number, 0) != (ssize_t)sizeof *number)
            return false;
    while (*number == 0);
    return true;
}
