/* Damaged and forged messages (lib/net/wire/message.h). Usage: wire_fuzz [--seed N] [--count N]
 *
 * A damaged message is refused. A forged message, sealed again after the damage, is refused or read exactly: the
 * reader's answer, written again, equals the datagram bit by bit, so an accepted datagram has no hidden content. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/wire/message.h"

static const struct ordo_net_keys keys = {.count = 2, .number = {9, 700}, .key = {{{1, 2, 3}}, {{4}}}};

/* True if the datagram is accepted; ends the program if its content differs from the reader's answer. */
static int check(const unsigned char *bytes, size_t count)
{
    unsigned char again[ORDO_NET_LONGEST];
    struct ordo_net_message message;
    enum ordo_net_refusal refusal = ordo_net_decode(&message, &keys, bytes, count);
    if (refusal != ORDO_NET_ACCEPTED) {
        if (!ordo_net_refusal_name((int)refusal))
            abort();
        return 0;
    }
    size_t length = ordo_net_encode(&message, &keys, again);
    if (length != count || memcmp(again, bytes, count) != 0) {
        printf("accepted, and means something else\n");
        abort();
    }
    return 1;
}

/* Seals a datagram with the first key. Mostly corrects the number of the key in the head too. */
static void seal(unsigned char *bytes, size_t count)
{
    if (bytes[7] % 4)
        memcpy(bytes + 6, "\0\x09", 2);
    ordo_net_seal(&keys.key[0], bytes, count - ORDO_NET_SEAL_BYTES);
}

/* Expects that a file of keys is refused with one line, or that each of its keys is found by its number and no number
 * is used twice. Returns the number of keys. */
static int check_file(const unsigned char *bytes, size_t count)
{
    static struct ordo_net_keys found;
    struct ordo_error error = {.text = ""};
    int code = ordo_net_keys_parse(&found, (const char *)bytes, count, "file", &error);
    if (code ? code != ORDO_E_MALFORMED || !*error.text || strchr(error.text, '\n') || found.count
             : found.count < 1 || found.count > ORDO_NET_KEYS)
        abort();
    for (int i = 0; i < found.count; i++)
        if (!found.number[i] || ordo_net_keys_find(&found, found.number[i]) != i)
            abort();
    return found.count;
}

#ifdef ORDO_FUZZ_LIBFUZZER

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count);

/* Corrects the head and seals the datagram, so that the fuzzer reaches the fields. */
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count)
{
    unsigned char copy[ORDO_NET_LONGEST] = {0};
    if (count < ORDO_NET_HEAD)
        return 0;
    enum ordo_net_kind kind = (enum ordo_net_kind)(1 + bytes[5] % (ORDO_NET_KINDS - 1));
    size_t length = ordo_net_length(kind);
    memcpy(copy, bytes, count < sizeof copy ? count : sizeof copy);
    memcpy(copy, "ORDN\2", 5);
    copy[5] = (unsigned char)kind;
    seal(copy, length);
    (void)check(copy, length);
    check_file(bytes, count);
    return 0;
}

#else

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}

static int64_t a_time(void)
{
    return draw(8) ? (int64_t)(draw(UINT64_C(1) << 50)) : (INT64_C(1) << 62) - 1;
}

static void fill_harvest(struct ordo_net_message *message)
{
    message->harvest.edge = (uint32_t)draw(1 << 20);
    message->harvest.first = draw(1 << 20);
    message->harvest.count = message->kind == ORDO_NET_HARVEST ? (uint16_t)draw(ORDO_NET_MOST_PAIRS + 1) : 0;
    for (int i = 0; i < message->harvest.count; i++)
        for (int k = 0; k < 2; k++)
            message->harvest.pair[i].of[k] =
                (struct ordo_net_exchange){a_time(), a_time(), a_time(), a_time(), (unsigned)draw(16)};
}

static struct ordo_net_message make(void)
{
    struct ordo_net_message message = {.kind = (enum ordo_net_kind)(1 + draw(ORDO_NET_KINDS - 1)),
                                       .key = draw(2) ? 9 : 700,
                                       .session = draw(UINT64_C(1) << 50),
                                       .number = draw(UINT64_C(1) << 50)};
    if (message.kind == ORDO_NET_WELCOME) {
        message.welcome.session = draw(1000);
        message.welcome.now_ns = a_time();
        message.welcome.clock = (uint8_t)draw(3);
    } else if (message.kind == ORDO_NET_PING) {
        message.about = draw(1000);
    } else if (message.kind == ORDO_NET_PONG) {
        message.pong.received_ns = a_time();
        message.pong.about_ns = a_time();
        message.pong.fine = (uint8_t)draw(2);
    } else if (message.kind == ORDO_NET_ORDER || message.kind == ORDO_NET_ORDERED) {
        message.order = (struct ordo_net_order){.edge = 7,
                                                .every_us = 100 + (uint32_t)draw(1000),
                                                .lease_s = 3,
                                                .family = 4,
                                                .port = 1,
                                                .address = {127},
                                                .key = 5};
    } else if (message.kind == ORDO_NET_COLLECT || message.kind == ORDO_NET_HARVEST) {
        fill_harvest(&message);
    }
    return message;
}

static size_t damage(unsigned char *bytes, size_t count)
{
    size_t at = draw(count);
    switch (draw(4)) {
    case 0:
        bytes[at] ^= (unsigned char)(1u << draw(8));
        break;
    case 1:
        bytes[at] = draw(2) ? 0xff : 0;
        break;
    case 2:
        return at;
    default:
        bytes[count] = (unsigned char)draw(256);
        return count + 1;
    }
    return count;
}

/* Makes a file of up to five lines, most of which are keys. Returns its size in bytes. */
static size_t make_file(unsigned char *bytes)
{
    static const char *const odd[] = {"", "# a comment", " \t", "0 ", "65536 12", "7", "x 1"};
    char *at = (char *)bytes;
    for (uint64_t lines = 1 + draw(5); lines > 0; lines--) {
        if (draw(6) == 0)
            at += sprintf(at, "%s\n", odd[draw(sizeof odd / sizeof *odd)]);
        else
            at += sprintf(at, "%d %064llx\n", 1 + (int)draw(40), (unsigned long long)draw(UINT64_C(1) << 50));
    }
    return (size_t)(at - (char *)bytes);
}

/* True if some files were accepted and some refused. */
static bool judge_files(long count)
{
    unsigned char bytes[512];
    long read = 0;
    for (long i = 0; i < count; i++) {
        size_t size = make_file(bytes);
        for (uint64_t damages = draw(3); damages > 0 && size > 0; damages--)
            size = damage(bytes, size);
        read += check_file(bytes, size) > 0;
    }
    printf("%ld files of keys: %ld read\n", count, read);
    return read > 0 && read < count;
}

int main(int argc, char **argv)
{
    unsigned char bytes[ORDO_NET_LONGEST + 8], original[ORDO_NET_LONGEST];
    uint64_t seed = 1;
    long count = 20000, wrong = 0, forged = 0, accepted = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--count") == 0)
            count = strtol(argv[i + 1], NULL, 0);
    }
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (long i = 0; i < count; i++) {
        struct ordo_net_message message = make();
        size_t length = ordo_net_encode(&message, &keys, original), size = length;
        wrong += !check(original, length);
        memcpy(bytes, original, length);
        for (uint64_t damages = 1 + draw(3); damages > 0 && size > 0 && size <= ORDO_NET_LONGEST; damages--)
            size = damage(bytes, size);
        if (i % 2 && size == length) {
            seal(bytes, size);
            accepted += check(bytes, size);
            forged++;
        } else {
            wrong += check(bytes, size) != (size == length && memcmp(bytes, original, size) == 0);
        }
    }
    printf("%ld messages: %ld wrongly judged, %ld of %ld forged ones well-formed\n", count, wrong, accepted, forged);
    return !judge_files(count) || wrong > 0 || accepted == 0 || accepted == forged;
}

#endif
