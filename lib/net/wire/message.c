#include "net/wire/message.h"

#include <stdbool.h>
#include <string.h>

#include "net/wire/bytes.h"

enum { VERSION = 2, KEY_AT = 6 };

static const unsigned char magic[4] = {'O', 'R', 'D', 'N'};

size_t ordo_net_length(enum ordo_net_kind kind)
{
    switch (kind) {
    case ORDO_NET_ORDER:
    case ORDO_NET_ORDERED:
        return ORDO_NET_HEAD + 40 + ORDO_NET_SEAL_BYTES;
    case ORDO_NET_COLLECT:
    case ORDO_NET_HARVEST:
    case ORDO_NET_CLAIMS:
    case ORDO_NET_CLAIMED:
        return ORDO_NET_LONGEST;
    case ORDO_NET_COUNT:
    case ORDO_NET_TALLY:
        return ORDO_NET_HEAD + 8 * ORDO_NET_MOST_COUNTS + ORDO_NET_SEAL_BYTES;
    default:
        return ORDO_NET_PROBE_LENGTH;
    }
}

/* A position in a message, for writing (`writes`) or for reading. The same functions write and read the fields. When
 * reading, `right` becomes false if a field has a value that is not allowed. */
struct cursor {
    unsigned char *at;
    bool writes, right;
};

static void field_bytes(struct cursor *cursor, uint64_t *value, int bytes)
{
    if (cursor->writes)
        ordo_net_bytes_put(cursor->at, *value, bytes);
    else
        *value = ordo_net_bytes_get(cursor->at, bytes);
    cursor->at += bytes;
}

/* Writes or reads a field whose value is at most `most`. */
static unsigned small(struct cursor *cursor, uint64_t value, int bytes, uint64_t most)
{
    field_bytes(cursor, &value, bytes);
    cursor->right = cursor->right && value <= most;
    return (unsigned)value;
}

/* Writes or reads a time: 0 <= ns < 2^62, so that the sum of two times does not overflow. */
static void moment(struct cursor *cursor, int64_t *ns)
{
    uint64_t value = (uint64_t)*ns;
    field_bytes(cursor, &value, 8);
    cursor->right = cursor->right && value < UINT64_C(1) << 62;
    *ns = (int64_t)value;
}

static void zeros(struct cursor *cursor, int bytes)
{
    for (; bytes > 0; bytes--)
        (void)small(cursor, 0, 1, 0);
}

static void welcome(struct cursor *cursor, struct ordo_net_message *message)
{
    field_bytes(cursor, &message->welcome.session, 8);
    moment(cursor, &message->welcome.now_ns);
    message->welcome.clock = (uint8_t)small(cursor, message->welcome.clock, 1, 2);
    message->welcome.stamps = (uint8_t)small(cursor, message->welcome.stamps, 1, 2);
}

static void pong(struct cursor *cursor, struct ordo_net_message *message)
{
    moment(cursor, &message->pong.received_ns);
    moment(cursor, &message->pong.returned_ns);
    moment(cursor, &message->pong.about_ns);
    message->pong.fine = (uint8_t)small(cursor, message->pong.fine, 1, 1);
}

static void order_body(struct cursor *cursor, struct ordo_net_order *order, bool answer)
{
    order->edge = small(cursor, order->edge, 4, UINT32_MAX);
    order->every_us = small(cursor, order->every_us, 4, 10000000);
    order->lease_s = small(cursor, order->lease_s, 4, 86400);
    order->spacing_ns = small(cursor, order->spacing_ns, 4, 100000);
    order->family = (uint8_t)small(cursor, order->family, 1, 6);
    order->done = (uint8_t)small(cursor, order->done, 1, answer ? ORDO_NET_NO_KEY : 0);
    order->port = (uint16_t)small(cursor, order->port, 2, UINT16_MAX);
    for (int i = 0; i < 16; i++)
        order->address[i] = (unsigned char)small(cursor, order->address[i], 1, order->family == 4 && i >= 4 ? 0 : 255);
    order->key = (uint16_t)small(cursor, order->key, 2, UINT16_MAX);
    cursor->right = cursor->right && (order->family == 4 || order->family == 6) && order->port && order->key &&
                    order->every_us >= 100;
}

static void exchange_body(struct cursor *cursor, struct ordo_net_exchange *exchange)
{
    moment(cursor, &exchange->sent_ns);
    moment(cursor, &exchange->received_ns);
    moment(cursor, &exchange->returned_ns);
    moment(cursor, &exchange->back_ns);
    exchange->flags = small(cursor, exchange->flags, 4, ORDO_NET_FLAGS);
}

static void harvest(struct cursor *cursor, struct ordo_net_message *message)
{
    message->harvest.edge = small(cursor, message->harvest.edge, 4, UINT32_MAX);
    message->harvest.count =
        (uint16_t)small(cursor, message->harvest.count, 2, message->kind == ORDO_NET_HARVEST ? ORDO_NET_MOST_PAIRS : 0);
    zeros(cursor, 2);
    field_bytes(cursor, &message->harvest.first, 8);
    for (int i = 0; cursor->right && i < message->harvest.count; i++) {
        exchange_body(cursor, &message->harvest.pair[i].of[0]);
        exchange_body(cursor, &message->harvest.pair[i].of[1]);
    }
}

/* Writes or reads a signed time: |ns| < 2^62. */
static void signed_time(struct cursor *cursor, int64_t *ns)
{
    uint64_t value = (uint64_t)*ns;
    field_bytes(cursor, &value, 8);
    *ns = (int64_t)value;
    cursor->right = cursor->right && *ns > -(INT64_C(1) << 62) && *ns < INT64_C(1) << 62;
}

/* Writes or reads a text that ends with a byte that is 0, within `room` bytes. All characters must be printable. */
static void text_body(struct cursor *cursor, char *text, int room)
{
    bool ended = false;
    for (int i = 0; i < room; i++) {
        text[i] = (char)small(cursor, (unsigned char)text[i], 1, 0x7e);
        ended = ended || text[i] == 0;
        cursor->right = cursor->right && (ended ? text[i] == 0 : text[i] >= 0x20);
    }
    cursor->right = cursor->right && ended;
}

static void claim_body(struct cursor *cursor, struct ordo_net_claim *claim)
{
    text_body(cursor, claim->source, ORDO_NET_CLAIM_NAME);
    claim->state = (uint8_t)small(cursor, claim->state, 1, ORDO_NET_CLAIM_STATES - 1);
    claim->code = (int8_t) - (int)small(cursor, (uint64_t)-claim->code, 1, ORDO_NET_CLAIM_CODES - 1);
    zeros(cursor, 6);
    moment(cursor, &claim->reading_ns);
    signed_time(cursor, &claim->utc_ns.low);
    signed_time(cursor, &claim->utc_ns.high);
    signed_time(cursor, &claim->age_ns);
    text_body(cursor, claim->text, ORDO_NET_CLAIM_TEXT);
    cursor->right = cursor->right && ordo_net_claim_named(claim->source) && claim->utc_ns.low <= claim->utc_ns.high;
}

static void claims_body(struct cursor *cursor, struct ordo_net_message *message)
{
    bool answer = message->kind == ORDO_NET_CLAIMED;
    message->claims.first = (uint16_t)small(cursor, message->claims.first, 2, ORDO_NET_MOST_HOST_CLAIMS);
    message->claims.count = (uint16_t)small(cursor, message->claims.count, 2, answer ? ORDO_NET_MOST_CLAIMS : 0);
    message->claims.total = (uint16_t)small(cursor, message->claims.total, 2, answer ? ORDO_NET_MOST_HOST_CLAIMS : 0);
    zeros(cursor, 2);
    for (int i = 0; cursor->right && i < message->claims.count; i++)
        claim_body(cursor, &message->claims.claim[i]);
}

/* Writes or reads the fields of the message's kind. Unused bytes must be 0. */
static void body(struct cursor *cursor, struct ordo_net_message *message)
{
    switch (message->kind) {
    case ORDO_NET_WELCOME:
        welcome(cursor, message);
        break;
    case ORDO_NET_PING:
        field_bytes(cursor, &message->about, 8);
        break;
    case ORDO_NET_PONG:
        pong(cursor, message);
        break;
    case ORDO_NET_ORDER:
    case ORDO_NET_ORDERED:
        order_body(cursor, &message->order, message->kind == ORDO_NET_ORDERED);
        break;
    case ORDO_NET_COLLECT:
    case ORDO_NET_HARVEST:
        harvest(cursor, message);
        break;
    case ORDO_NET_CLAIMS:
    case ORDO_NET_CLAIMED:
        claims_body(cursor, message);
        break;
    case ORDO_NET_TALLY:
        for (int i = 0; i < ORDO_NET_MOST_COUNTS; i++)
            field_bytes(cursor, &message->count[i], 8);
        break;
    default:
        break;
    }
}

size_t ordo_net_encode(const struct ordo_net_message *message, const struct ordo_net_keys *keys, unsigned char *bytes)
{
    int key = ordo_net_keys_find(keys, message->key);
    if (key < 0)
        return 0;
    struct ordo_net_message copy = *message;
    size_t length = ordo_net_length(message->kind), sealed = length - ORDO_NET_SEAL_BYTES;
    struct cursor cursor = {bytes + ORDO_NET_HEAD, true, true};
    memset(bytes, 0, length);
    memcpy(bytes, magic, sizeof magic);
    bytes[4] = VERSION;
    bytes[5] = (unsigned char)message->kind;
    ordo_net_bytes_put(bytes + KEY_AT, keys->number[key], 2);
    ordo_net_bytes_put(bytes + 8, message->session, 8);
    ordo_net_bytes_put(bytes + 16, message->number, 8);
    body(&cursor, &copy);
    ordo_net_seal(&keys->key[key], bytes, sealed);
    return length;
}

static enum ordo_net_refusal check_head(const unsigned char *bytes, size_t count)
{
    if (count < ORDO_NET_PROBE_LENGTH)
        return ORDO_NET_TRUNCATED;
    if (memcmp(bytes, magic, sizeof magic) != 0)
        return ORDO_NET_FOREIGN;
    if (bytes[4] != VERSION)
        return ORDO_NET_VERSION;
    if (bytes[5] == 0 || bytes[5] >= ORDO_NET_KINDS)
        return ORDO_NET_KIND;
    size_t length = ordo_net_length((enum ordo_net_kind)bytes[5]);
    return count < length ? ORDO_NET_TRUNCATED : count > length ? ORDO_NET_OVERSIZED : ORDO_NET_ACCEPTED;
}

enum ordo_net_refusal ordo_net_decode(struct ordo_net_message *message, const struct ordo_net_keys *keys,
                                      const unsigned char *bytes, size_t count)
{
    unsigned char copy[ORDO_NET_LONGEST];
    enum ordo_net_refusal refusal = check_head(bytes, count);
    if (refusal != ORDO_NET_ACCEPTED)
        return refusal;
    uint16_t number = (uint16_t)ordo_net_bytes_get(bytes + KEY_AT, 2);
    int key = number ? ordo_net_keys_find(keys, number) : -1;
    if (key < 0)
        return ORDO_NET_UNKNOWN;
    if (!ordo_net_sealed(&keys->key[key], bytes, count - ORDO_NET_SEAL_BYTES))
        return ORDO_NET_KEY;
    memcpy(copy, bytes, count);
    struct cursor cursor = {copy + ORDO_NET_HEAD, false, true};
    memset(message, 0, sizeof *message);
    message->kind = (enum ordo_net_kind)bytes[5];
    message->key = number;
    message->session = ordo_net_bytes_get(bytes + 8, 8);
    message->number = ordo_net_bytes_get(bytes + 16, 8);
    body(&cursor, message);
    if (cursor.right)
        zeros(&cursor, (int)(copy + count - ORDO_NET_SEAL_BYTES - cursor.at));
    return cursor.right ? ORDO_NET_ACCEPTED : ORDO_NET_FIELD;
}
