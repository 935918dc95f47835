/* Messages, keys, permissions, and the fate of probes (lib/net/wire, lib/net/udp, lib/net/live). */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <ordo/net.h>

#include "base/random.h"
#include "net/live/agent.h"
#include "net/live/fix.h"
#include "net/live/guests.h"
#include "net/live/points.h"
#include "net/live/prober.h"
#include "net/live/survey.h"
#include "net/offset/cone.h"
#include "net/offset/rate.h"
#include "net/wire/bytes.h"
#include "net/wire/keys.h"

static const struct ordo_net_keys keys = {.count = 2, .number = {1, 7}, .key = {{{42}}, {{43}}}};

Test(wire, the_authentication_code_matches_rfc_4231)
{
    /* Test case 1 has a key shorter than a block, which equals the key padded with zeros. */
    struct ordo_net_key eleven = {{0}};
    unsigned char bytes[8 + ORDO_NET_SEAL_BYTES] = "Hi There";
    const unsigned char expected[8] = {0xb0, 0x34, 0x4c, 0x61, 0xd8, 0xdb, 0x38, 0x53};
    memset(eleven.bytes, 0x0b, 20);
    ordo_net_seal(&eleven, bytes, 8);
    cr_assert(memcmp(bytes + 8, expected, sizeof expected) == 0);
    cr_assert(bytes[8 + 31] == 0xf7);
    cr_assert(ordo_net_sealed(&eleven, bytes, 8));
    bytes[8 + 31] ^= 1;
    cr_assert_not(ordo_net_sealed(&eleven, bytes, 8));
}

Test(wire, an_answer_is_as_long_as_its_question)
{
    for (int kind = ORDO_NET_HELLO; kind < ORDO_NET_KINDS; kind += 2)
        cr_assert(ordo_net_length((enum ordo_net_kind)kind) == ordo_net_length((enum ordo_net_kind)(kind + 1)));
}

Test(wire, a_wrong_datagram_is_refused_with_its_reason)
{
    struct ordo_net_message message = {.kind = ORDO_NET_PING, .session = 1}, read;
    struct ordo_net_keys other = {.count = 1, .number = {1}};
    unsigned char bytes[ORDO_NET_LONGEST + 1] = {0}, copy[sizeof bytes];
    size_t count = ordo_net_encode(&message, &keys, bytes);
    cr_assert(ordo_net_decode(&read, &keys, bytes, count) == ORDO_NET_ACCEPTED);
    cr_assert(ordo_net_decode(&read, &other, bytes, count) == ORDO_NET_KEY);
    cr_assert(ordo_net_decode(&read, &keys, bytes, count - 1) == ORDO_NET_TRUNCATED);
    cr_assert(ordo_net_decode(&read, &keys, bytes, 0) == ORDO_NET_TRUNCATED);
    cr_assert(ordo_net_decode(&read, &keys, bytes, count + 1) == ORDO_NET_OVERSIZED);
    const struct {
        size_t at;
        unsigned char value;
        enum ordo_net_refusal refusal;
    } wrong[] = {{0, 'X', ORDO_NET_FOREIGN}, {4, 1, ORDO_NET_VERSION},
                 {5, 0, ORDO_NET_KIND},      {5, ORDO_NET_KINDS, ORDO_NET_KIND},
                 {7, 0, ORDO_NET_UNKNOWN},   {7, 2, ORDO_NET_UNKNOWN},
                 {7, 7, ORDO_NET_KEY},       {count - ORDO_NET_SEAL_BYTES - 1, 1, ORDO_NET_FIELD}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(copy, bytes, sizeof copy);
        copy[wrong[i].at] = wrong[i].value;
        ordo_net_seal(&keys.key[0], copy, count - ORDO_NET_SEAL_BYTES);
        cr_assert(ordo_net_decode(&read, &keys, copy, count) == wrong[i].refusal, "case %zu", i);
    }
}

/* Makes an answer with all claims that a message can have. */
static struct ordo_net_message claims_message(void)
{
    struct ordo_net_message message = {.kind = ORDO_NET_CLAIMED, .session = 1};
    message.claims.total = 7;
    message.claims.count = ORDO_NET_MOST_CLAIMS;
    message.claims.first = 2;
    for (int i = 0; i < ORDO_NET_MOST_CLAIMS; i++) {
        struct ordo_net_claim *claim = &message.claims.claim[i];
        *claim = (struct ordo_net_claim){.source = "chrony",
                                         .state = 1,
                                         .code = (int8_t)-i,
                                         .reading_ns = 1000 + i,
                                         .utc_ns = {-(INT64_C(1) << 61) + i, (INT64_C(1) << 61) - i},
                                         .age_ns = i - 1};
        ordo_net_claim_write(claim->text, i ? "evidence\nof \x80 bytes" : "");
    }
    return message;
}

Test(wire, claims_are_passed_on_unchanged)
{
    struct ordo_net_message message = claims_message(), read;
    unsigned char bytes[ORDO_NET_LONGEST];
    size_t count = ordo_net_encode(&message, &keys, bytes);
    cr_assert_eq(ordo_net_decode(&read, &keys, bytes, count), ORDO_NET_ACCEPTED);
    cr_assert(read.claims.first == 2 && read.claims.count == ORDO_NET_MOST_CLAIMS && read.claims.total == 7);
    for (int i = 0; i < ORDO_NET_MOST_CLAIMS; i++) {
        const struct ordo_net_claim *a = &message.claims.claim[i], *b = &read.claims.claim[i];
        cr_assert(strcmp(a->source, b->source) == 0 && strcmp(a->text, b->text) == 0);
        cr_assert(a->state == b->state && a->code == b->code && a->reading_ns == b->reading_ns);
        cr_assert(a->utc_ns.low == b->utc_ns.low && a->utc_ns.high == b->utc_ns.high && a->age_ns == b->age_ns);
    }
    cr_assert_str_eq(read.claims.claim[1].text, "evidence?of ? bytes");
}

Test(wire, claims_with_a_wrong_field_are_refused)
{
    enum { FIRST = ORDO_NET_HEAD + 8, TEXT_AT = FIRST + 56 };
    const struct {
        size_t at;
        unsigned char value;
    } wrong[] = {{ORDO_NET_HEAD + 1, 16}, /* first */
                 {ORDO_NET_HEAD + 3, 6},  /* count */
                 {ORDO_NET_HEAD + 5, 16}, /* total */
                 {ORDO_NET_HEAD + 7, 1},  /* unused */
                 {FIRST, 0},              /* a source without a name */
                 {FIRST, 'C'},            /* a name with a capital letter */
                 {FIRST + 2, '\n'},       /* a control character */
                 {FIRST + 15, 'x'},       /* a name without an end */
                 {FIRST + 16, 4},         /* state */
                 {FIRST + 17, 64},        /* code */
                 {FIRST + 23, 1},         /* unused */
                 {FIRST + 24, 0x40},      /* reading */
                 {FIRST + 32, 0x40},      /* low end above the high end */
                 {FIRST + 48, 0x40},      /* age */
                 {TEXT_AT, 0x1b},         /* an escape in the text */
                 {TEXT_AT + 5, 'x'}};     /* a text after its end */
    struct ordo_net_message message = claims_message(), read;
    unsigned char bytes[ORDO_NET_LONGEST], copy[ORDO_NET_LONGEST];
    size_t count = ordo_net_encode(&message, &keys, bytes);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(copy, bytes, count);
        copy[wrong[i].at] = wrong[i].value;
        ordo_net_seal(&keys.key[0], copy, count - ORDO_NET_SEAL_BYTES);
        cr_assert_eq(ordo_net_decode(&read, &keys, copy, count), ORDO_NET_FIELD, "case %zu", i);
    }
}

/* A source that the test makes: UTC is its clock plus 5 s, within 1000 ns. */
static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static struct ordo_source_claim stated;
static int outcome;

static int read_stated(const struct ordo_source_options *options, struct ordo_source_claim *claim,
                       struct ordo_error *error)
{
    (void)options;
    *claim = stated;
    claim->reading = (uint64_t)clock_ns(stated.clock == ORDO_SOURCE_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC_RAW);
    claim->earliest_ns = (int64_t)claim->reading + INT64_C(5000000000) - 1000;
    claim->latest_ns = (int64_t)claim->reading + INT64_C(5000000000) + 1000;
    claim->void_after_raw_ns = INT64_MAX;
    return outcome ? ordo_error_set(error, outcome, 0, "the source says no") : ORDO_OK;
}

static const struct ordo_source made = {.name = "made", .read = read_stated};
static const struct ordo_net_claimed_source taken = {&made, NULL, 0};

Test(claims, are_converted_to_the_clock_of_the_agent)
{
    static const enum ordo_source_clock clocks[] = {ORDO_SOURCE_REALTIME, ORDO_SOURCE_RAW};
    for (int i = 0; i < 4; i++) {
        struct ordo_net_claim claim;
        enum ordo_net_clock clock = i % 2 ? ORDO_NET_MONOTONIC : ORDO_NET_REALTIME;
        clockid_t own = i % 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME,
                  its = clocks[i / 2] == ORDO_SOURCE_RAW ? CLOCK_MONOTONIC_RAW : CLOCK_REALTIME;
        stated = (struct ordo_source_claim){.clock = clocks[i / 2], .state = ORDO_SOURCE_SYNCHRONISED, .evidence = "e"};
        outcome = 0;
        ordo_net_take_claim(&taken, clock, &claim);
        int64_t truth_ns = clock_ns(its) - clock_ns(own) + INT64_C(5000000000), slack_ns = 1000000;
        cr_assert_eq(claim.code, 0, "%s", claim.text);
        cr_assert(claim.utc_ns.low <= truth_ns + slack_ns && claim.utc_ns.high >= truth_ns - slack_ns, "case %d", i);
        cr_assert_geq(claim.utc_ns.high - claim.utc_ns.low, 2000);
        cr_assert_lt(llabs(claim.reading_ns - clock_ns(own)), INT64_C(1000000000));
        cr_assert_str_eq(claim.source, "made");
    }
}

Test(claims, that_are_withdrawn_or_void_are_none)
{
    struct ordo_net_claim claim;
    stated = (struct ordo_source_claim){.state = ORDO_SOURCE_DISRUPTED, .evidence = "why"};
    outcome = 0;
    ordo_net_take_claim(&taken, ORDO_NET_REALTIME, &claim);
    cr_assert_eq(claim.code, ORDO_E_DISRUPTED);
    stated.state = ORDO_SOURCE_UNKNOWN;
    ordo_net_take_claim(&taken, ORDO_NET_REALTIME, &claim);
    cr_assert_eq(claim.code, ORDO_E_MEASURE);
    cr_assert_str_eq(claim.text, "not synchronised: why");
    stated.state = ORDO_SOURCE_SYNCHRONISED;
    ordo_net_take_claim(&taken, ORDO_NET_HARDWARE, &claim);
    cr_assert_eq(claim.code, ORDO_E_CLOCK);
    outcome = ORDO_E_LAYOUT;
    ordo_net_take_claim(&taken, ORDO_NET_REALTIME, &claim);
    cr_assert_eq(claim.code, ORDO_E_LAYOUT);
    cr_assert(claim.reading_ns == 0 && claim.utc_ns.low == 0 && claim.utc_ns.high == 0);
}

Test(claims, are_read_only_on_request_and_told_when_fresh)
{
    struct ordo_net_claimed_source sources[7];
    struct ordo_net_message answer = {.kind = ORDO_NET_CLAIMED};
    for (int i = 0; i < 7; i++)
        sources[i] = taken;
    stated = (struct ordo_source_claim){.state = ORDO_SOURCE_SYNCHRONISED, .evidence = "e"};
    outcome = 0;
    struct ordo_net_claims *claims = ordo_net_claims_new(sources, 7, ORDO_NET_MONOTONIC);
    cr_assert(claims);
    usleep(20000);
    cr_assert(!ordo_net_claims_give(claims, 0, &answer), "nobody has asked before");
    for (int i = 0; i < 500 && !ordo_net_claims_give(claims, 0, &answer); i++)
        usleep(10000);
    cr_assert(answer.claims.count == ORDO_NET_MOST_CLAIMS && answer.claims.total == 7);
    cr_assert_str_eq(answer.claims.claim[0].source, "made");
    cr_assert_str_eq(answer.claims.claim[4].source, "made-5", "the names of a host are unique");
    cr_assert(ordo_net_claims_give(claims, ORDO_NET_MOST_CLAIMS, &answer));
    cr_assert(answer.claims.count == 2 && answer.claims.first == ORDO_NET_MOST_CLAIMS);
    cr_assert(ordo_net_claims_give(claims, 15, &answer) && answer.claims.count == 0);
    usleep(300000);
    cr_assert(!ordo_net_claims_give(claims, 0, &answer), "they are no longer fresh");
    ordo_net_claims_free(claims);
}

Test(wire, each_message_number_is_accepted_at_most_once)
{
    struct ordo_net_replay replay = {0};
    static bool came[20000];
    uint64_t random = 3, highest = 0;
    for (int i = 0; i < 200000; i++) {
        uint64_t number = (uint64_t)i / 12 + ordo_random_next(&random) % 2000;
        bool old = highest >= ORDO_NET_REPLAY_WINDOW && number <= highest - ORDO_NET_REPLAY_WINDOW;
        bool first = ordo_net_replay_first(&replay, number);
        cr_assert(!(first && came[number]), "%lu twice", (unsigned long)number);
        cr_assert(first || came[number] || old, "%lu refused", (unsigned long)number);
        came[number] |= first;
        highest = number > highest ? number : highest;
    }
    cr_assert(ordo_net_replay_first(&replay, UINT64_MAX - 1));
    cr_assert_not(ordo_net_replay_first(&replay, UINT64_MAX - 1));
    cr_assert_not(ordo_net_replay_first(&replay, UINT64_MAX));
    cr_assert_not(ordo_net_replay_first(&replay, 19999));
}

static int read_key(const char *text, mode_t mode)
{
    char path[] = "/tmp/ordo-key-XXXXXX";
    struct ordo_net_keys found;
    struct ordo_error error = {0};
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && fchmod(fd, mode) == 0);
    int code = ordo_net_keys_read(&found, path, &error);
    cr_assert(code == ORDO_OK || strncmp(error.text, path, strlen(path)) == 0, "%s", error.text);
    cr_assert(code != ORDO_OK || (found.key[0].bytes[0] == 0x0a && found.key[0].bytes[31] == 0xbf));
    (void)close(fd);
    (void)unlink(path);
    return code;
}

Test(wire, a_key_file_needs_64_digits_and_private_permissions)
{
#define DIGITS "0A112233445566778899aabbccddeeff00112233445566778899aabbccddee"
    cr_assert(read_key(DIGITS "BF\n", 0600) == ORDO_OK);
    cr_assert(read_key(DIGITS "bf", 0400) == ORDO_OK);
    cr_assert(read_key(DIGITS "bf", 0640) == ORDO_E_WRITABLE);
    cr_assert(read_key(DIGITS "bf", 0604) == ORDO_E_WRITABLE);
    cr_assert(read_key(DIGITS "b", 0600) == ORDO_E_MALFORMED);
    cr_assert(read_key("# ours\r\n\r\n " DIGITS "bf\t\r\n\r\n", 0600) == ORDO_OK);
    cr_assert(read_key(DIGITS "bff", 0600) == ORDO_E_MALFORMED);
    cr_assert(read_key(DIGITS "b:", 0600) == ORDO_E_MALFORMED);
    cr_assert(read_key("", 0600) == ORDO_E_MALFORMED);
    struct ordo_net_keys found;
    cr_assert(ordo_net_keys_read(&found, "/tmp", NULL) == ORDO_E_MALFORMED);
    cr_assert(ordo_net_keys_read(&found, "/tmp/no such key", NULL) == ORDO_E_MISSING);
}

/* Returns the error for a file of keys, or the numbers of its keys in order, as text. */
static const char *see_keys(const char *text)
{
    static char seen[300];
    static struct ordo_net_keys found;
    struct ordo_error error;
    if (ordo_net_keys_parse(&found, text, strlen(text), "f", &error)) {
        cr_assert(error.code == ORDO_E_MALFORMED && found.count == 0);
        (void)snprintf(seen, sizeof seen, "%s", error.text);
        return seen;
    }
    *seen = '\0';
    for (int i = 0; i < found.count; i++)
        (void)snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%u ", (unsigned)found.number[i]);
    return seen;
}

Test(wire, an_error_in_a_file_of_keys_names_the_line)
{
    const struct {
        const char *text, *seen;
    } cases[] = {
        {DIGITS "bf\n", "1 "},
        {"1 " DIGITS "bf", "1 "},
        {"# ours\n\n \t7\t" DIGITS "bf \r\n65535 " DIGITS "00\n12 " DIGITS "11\n", "7 65535 12 "},
        {"7 " DIGITS "bf\n8 " DIGITS "b\n", "f, line 2: not a key of 64 hexadecimal digits"},
        {"7 " DIGITS "bg\n", "f, line 1: not a key of 64 hexadecimal digits"},
        {"7 " DIGITS "bf 8\n", "f, line 1: not a key of 64 hexadecimal digits"},
        {"7\n", "f, line 1: not a key of 64 hexadecimal digits behind the number: see"},
        {DIGITS "bf\r\n", "1 "},
        {"# ours\n" DIGITS "bf \n\n# and nobody else's\n", "1 "},
        {DIGITS "b\n", "f, line 1: not a key of 64 hexadecimal digits: see the chapter on keys"},
        {DIGITS "bg\n", "f, line 1: not a key of 64 hexadecimal digits: see the chapter on keys"},
        {DIGITS "bf\n" DIGITS "00\n", "f, line 2: a key without a number beside others: write a number"},
        {"\n" DIGITS "bf\n3 " DIGITS "00\n", "f, line 2: a key without a number, and others beside it: write a number"},
        {DIGITS "bf\n1 " DIGITS "00\n", "f, line 2: key 1 stands there twice"},
        {DIGITS "bf " DIGITS "00\n", "f, line 1: not a key of 64 hexadecimal digits behind a number"},
        {"7 \n", "f, line 1: not a key of 64 hexadecimal digits"},
        {"# none\n", "f: no key of 64 hexadecimal digits: make one"},
        {"", "f: no key of 64 hexadecimal digits: make one"},
        {"0 " DIGITS "bf\n", "f, line 1: not a key of 64 hexadecimal digits behind a number"},
        {"65536 " DIGITS "bf\n", "f, line 1: not a key of 64 hexadecimal digits behind a number"},
        {"-1 " DIGITS "bf\n", "f, line 1: not a key of 64 hexadecimal digits behind a number"},
        {"key " DIGITS "bf\n", "f, line 1: not a key of 64 hexadecimal digits behind a number"},
        {"7 " DIGITS "bf\n" DIGITS "00\n", "f, line 2: a key without a number beside others"},
        {"7 " DIGITS "bf\n\n07 " DIGITS "00\n", "f, line 3: key 7 stands there twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *seen = see_keys(cases[i].text);
        cr_expect(strncmp(seen, cases[i].seen, strlen(cases[i].seen)) == 0, "case %zu: %s", i, seen);
        cr_expect_null(strstr(seen, "0A11"), "an error shows a key");
    }
    char many[65 * 80] = "";
    for (int i = 1; i <= 64; i++)
        (void)snprintf(many + strlen(many), sizeof many - strlen(many), "%d %s\n", i, DIGITS "bf");
    cr_expect_str_eq(strrchr(see_keys(many), '6'), "64 ");
    (void)strcat(many, "65 " DIGITS "bf\n");
    cr_expect_not_null(strstr(see_keys(many), "line 65: more keys than 64"));
    cr_assert(read_key("7 " DIGITS "bf\n", 0600) == ORDO_OK);
    cr_assert(read_key("7 " DIGITS "bf\n", 0640) == ORDO_E_WRITABLE);
}

Test(wire, a_message_names_the_key_of_its_authentication_code)
{
    struct ordo_net_message message = {.kind = ORDO_NET_PING, .session = 1, .key = 7}, read;
    const struct ordo_net_keys second = {.count = 1, .number = {7}, .key = {{{43}}}},
                               first = {.count = 1, .number = {1}, .key = {{{42}}}};
    unsigned char bytes[ORDO_NET_LONGEST];
    size_t count = ordo_net_encode(&message, &keys, bytes);
    cr_assert(ordo_net_decode(&read, &keys, bytes, count) == ORDO_NET_ACCEPTED && read.key == 7);
    cr_assert(ordo_net_decode(&read, &second, bytes, count) == ORDO_NET_ACCEPTED && read.key == 7);
    cr_assert(ordo_net_decode(&read, &first, bytes, count) == ORDO_NET_UNKNOWN);
    message.key = 0;
    count = ordo_net_encode(&message, &keys, bytes);
    cr_assert(ordo_net_decode(&read, &keys, bytes, count) == ORDO_NET_ACCEPTED && read.key == 1,
              "key 0 selects the first key");
    message.key = 8;
    cr_assert(ordo_net_encode(&message, &keys, bytes) == 0);
}

static bool finds(const char *text, const char *printed)
{
    struct ordo_net_address address, back;
    struct ordo_net_order order = {0};
    char name[ORDO_NET_ADDRESS_TEXT];
    if (ordo_net_address_find(&address, text, NULL) != ORDO_OK)
        return false;
    ordo_net_address_give(&address, &order);
    ordo_net_address_take(&back, &order);
    ordo_net_address_print(&back, name);
    cr_assert_str_eq(name, printed);
    return true;
}

Test(udp, addresses_are_read_and_ordered)
{
    cr_assert(finds("192.0.2.7", "192.0.2.7:21075"));
    cr_assert(finds("192.0.2.7:99", "192.0.2.7:99"));
    cr_assert(finds("[2001:db8::7]:99", "[2001:db8::7]:99"));
    cr_assert(finds("2001:db8::7", "[2001:db8::7]:21075"));
    cr_assert(finds("[::ffff:192.0.2.7]:99", "192.0.2.7:99"));
    const char *wrong[] = {"",     ":",      ":99", "192.0.2.7:", "192.0.2.7:0", "192.0.2.7:65536", "192.0.2.7:9x",
                           "[::1", "[::1]9", "[]:9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_assert_not(finds(wrong[i], ""), "%s", wrong[i]);
}

/* --- permissions */

static struct ordo_net_guests *guests_of(int per_second)
{
    static struct ordo_net_guests guests;
    guests = (struct ordo_net_guests){.per_second = per_second};
    return &guests;
}

static struct ordo_net_guest *hello(struct ordo_net_guests *guests, uint64_t client, uint64_t number, int64_t now_ns,
                                    enum ordo_net_refusal *refusal)
{
    struct ordo_net_message message = {.kind = ORDO_NET_HELLO, .session = client, .number = number};
    return ordo_net_guests_welcome(guests, &message, now_ns, refusal);
}

static struct ordo_net_guest *ask(struct ordo_net_guests *guests, uint64_t session, uint64_t number, int64_t now_ns,
                                  enum ordo_net_refusal *refusal)
{
    struct ordo_net_message message = {.kind = ORDO_NET_PING, .session = session, .number = number};
    return ordo_net_guests_admit(guests, &message, now_ns, refusal);
}

Test(guests, a_repeated_question_is_refused_in_every_session)
{
    struct ordo_net_guests *guests = guests_of(1000);
    enum ordo_net_refusal refusal;
    struct ordo_net_guest *guest = hello(guests, 1, 1, 0, &refusal);
    cr_assert(guest && hello(guests, 1, 2, 0, &refusal) == guest);
    cr_assert(!hello(guests, 1, 1, 0, &refusal) && refusal == ORDO_NET_REPLAYED);
    uint64_t session = guest->session;
    cr_assert(ask(guests, session, 5, 0, &refusal) == guest);
    cr_assert(!ask(guests, session, 5, 0, &refusal) && refusal == ORDO_NET_REPLAYED);
    cr_assert(!ask(guests, session + 1, 6, 0, &refusal) && refusal == ORDO_NET_SESSION);
    cr_assert(!ask(guests, 0, 6, 0, &refusal) && refusal == ORDO_NET_SESSION);
    guests = guests_of(1000); /* as if the agent had been restarted */
    cr_assert(hello(guests, 1, 1, 0, &refusal));
    cr_assert(!ask(guests, session, 6, 0, &refusal) && refusal == ORDO_NET_SESSION);
}

Test(guests, a_session_belongs_to_the_key_of_its_hello)
{
    struct ordo_net_guests *guests = guests_of(1000);
    enum ordo_net_refusal refusal;
    struct ordo_net_message message = {.kind = ORDO_NET_HELLO, .key = 7, .session = 1, .number = 1};
    struct ordo_net_guest *guest = ordo_net_guests_welcome(guests, &message, 0, &refusal), *other;
    cr_assert_not_null(guest);
    message.key = 1;
    cr_assert((other = ordo_net_guests_welcome(guests, &message, 0, &refusal)) && other != guest);
    message = (struct ordo_net_message){.kind = ORDO_NET_PING, .key = 1, .session = guest->session, .number = 1};
    cr_assert(!ordo_net_guests_admit(guests, &message, 0, &refusal) && refusal == ORDO_NET_SESSION);
    message.key = 7;
    cr_assert(ordo_net_guests_admit(guests, &message, 0, &refusal) == guest);
}

Test(guests, repeated_hellos_do_not_evict_an_active_peer)
{
    struct ordo_net_guests *guests = guests_of(1000);
    enum ordo_net_refusal refusal;
    const int64_t step_ns = 1000000000 / ORDO_NET_HELLOS_PER_SECOND;
    uint64_t session = hello(guests, 1000, 1, 0, &refusal)->session;
    cr_assert(ask(guests, session, 0, 0, &refusal));
    for (int i = 1; i < 1000; i++)
        cr_assert(hello(guests, 1000 + (uint64_t)i, 1, i * step_ns, &refusal));
    cr_assert(ask(guests, session, 1, 1000 * step_ns, &refusal));
}

Test(guests, a_guest_can_be_replaced_after_a_minute_of_silence)
{
    struct ordo_net_guests *guests = guests_of(1000);
    enum ordo_net_refusal refusal;
    int64_t now_ns = 0;
    for (int i = 0; i < ORDO_NET_GUESTS; i++, now_ns += 10000000) {
        uint64_t session = hello(guests, 1 + (uint64_t)i, 1, now_ns, &refusal)->session;
        cr_assert(ask(guests, session, 0, now_ns, &refusal));
    }
    cr_assert(!hello(guests, 999, 1, now_ns, &refusal) && refusal == ORDO_NET_CROWDED);
    cr_assert(hello(guests, 999, 2, now_ns + 60000000000, &refusal));
}

Test(guests, questions_above_the_rate_limit_are_refused)
{
    struct ordo_net_guests *guests = guests_of(1000);
    enum ordo_net_refusal refusal;
    uint64_t session = hello(guests, 1, 1, 0, &refusal)->session;
    int admitted = 0;
    for (uint64_t i = 0; i < 10000; i++) /* ten questions a millisecond, for a second */
        admitted += ask(guests, session, i, (int64_t)i * 100000, &refusal) != NULL;
    cr_assert(admitted >= 1000 && admitted <= 1101, "%d", admitted);
    cr_assert(refusal == ORDO_NET_RATE);
    int hellos = 0;
    for (uint64_t i = 0; i < 5000; i++)
        hellos += hello(guests, 5, 10 + i, 5000000000, &refusal) != NULL;
    cr_assert(hellos == ORDO_NET_HELLOS_PER_SECOND / 10, "%d", hellos);
}

/* --- points */

static struct ordo_net_pair pair_of(int64_t there_apart_ns, int64_t back_apart_ns, unsigned flags)
{
    return (struct ordo_net_pair){
        {{1000, 501100, 501200, 1400, flags}, {1010, 501110 + there_apart_ns, 501220, 1420 + back_apart_ns, flags}}};
}

static void count_points(const struct ordo_net_pair *pair, size_t all[2], size_t pure[2])
{
    struct ordo_net_points points[2] = {0};
    const struct ordo_net_bases bases = {0, 500000};
    cr_assert(ordo_net_points_add(&points[0], &points[1], pair, &bases, 20));
    all[0] = points[0].samples.forwards;
    all[1] = points[0].samples.reverses;
    pure[0] = points[1].samples.forwards;
    pure[1] = points[1].samples.reverses;
    if (all[0] == 2)
        cr_assert(points[0].samples.forward[0].at_ps == 1000000 && points[0].samples.forward[0].delta_ps == 100000);
    if (all[1] == 2)
        cr_assert(points[0].samples.reverse[0].at_ps == 1400000 && points[0].samples.reverse[0].delta_ps == -200000);
    ordo_net_points_free(&points[0]);
    ordo_net_points_free(&points[1]);
}

Test(points, only_probes_with_undisturbed_spacing_count_as_pure)
{
    const struct {
        struct ordo_net_pair pair;
        size_t all[2], pure[2];
    } cases[] = {
        {pair_of(0, 0, ORDO_NET_FLAGS), {2, 2}, {1, 1}},
        {pair_of(20, -20, ORDO_NET_FLAGS), {2, 2}, {1, 1}},
        {pair_of(21, 0, ORDO_NET_FLAGS), {2, 2}, {0, 1}},
        {pair_of(0, -21, ORDO_NET_FLAGS), {2, 2}, {1, 0}},
        {pair_of(0, 0, ORDO_NET_THERE | ORDO_NET_BACK), {2, 2}, {0, 0}},
        {pair_of(0, 0, ORDO_NET_THERE | ORDO_NET_THERE_FINE), {2, 0}, {1, 0}},
        {pair_of(0, 0, 0), {0, 0}, {0, 0}},
        {pair_of(INT64_MAX / 2, 0, ORDO_NET_FLAGS), {1, 2}, {0, 1}}, /* a clock was set by centuries */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t all[2], pure[2];
        count_points(&cases[i].pair, all, pure);
        cr_assert(all[0] == cases[i].all[0] && all[1] == cases[i].all[1], "case %zu", i);
        cr_assert(pure[0] == cases[i].pure[0] && pure[1] == cases[i].pure[1], "case %zu", i);
    }
}

/* The rate of a steered clock jumps at any time, within its declared limits. */
Test(points, each_single_probe_bounds_the_offset_of_a_steered_clock)
{
    enum { STEPS = 400 };
    const struct ordo_net_limits limits = {.rate = 1e-3, .change = 2e-3, .stamp_ps = 0};
    struct ordo_net_point there[STEPS], back[STEPS];
    uint64_t random = 11;
    double truth_ps[STEPS];
    int64_t tight = 0;
    for (int round = 0; round < 200; round++) {
        double offset_ps = 0, rate = 0;
        for (int i = 0; i < STEPS; i++, offset_ps += rate * 1e9) {
            rate = i % 20 == 0 ? (ordo_random_next(&random) % 2 ? 1e-3 : -1e-3) : rate;
            truth_ps[i] = offset_ps;
            double delay_ps = 1e6 + (ordo_random_next(&random) % 4 ? 1e9 : 1e5) * ordo_random_unit(&random);
            there[i] = (struct ordo_net_point){i * INT64_C(1000000000), (int64_t)ceil(offset_ps + delay_ps)};
            back[i] = (struct ordo_net_point){i * INT64_C(1000000000), (int64_t)floor(offset_ps - delay_ps)};
        }
        const struct ordo_net_samples samples = {there, back, STEPS, STEPS};
        for (int i = 0; i < STEPS; i++) {
            struct ordo_interval proved = ordo_net_cones_prove(&samples, there[i].at_ps, &limits);
            cr_assert((double)proved.low <= truth_ps[i] && truth_ps[i] <= (double)proved.high);
            tight += proved.high - proved.low < 20000000;
        }
    }
    cr_assert(tight > 200 * STEPS * 9 / 10, "%ld", (long)tight);
}

/* --- a prober and an agent */

static struct ordo_net_port port_at(struct ordo_net_address *address, enum ordo_net_clock clock)
{
    struct ordo_net_port port = {.keys = keys};
    struct ordo_error error;
    cr_assert(ordo_net_address_find(address, "127.0.0.1:1", NULL) == ORDO_OK);
    address->socket.ip4.sin_port = 0;
    cr_assert(ordo_net_socket_open(&port.socket, address, 0, clock, &error) == ORDO_OK, "%s", error.text);
    cr_assert(getsockname(port.socket.fd, &address->socket.any, &address->bytes) == 0);
    return port;
}

static void play(enum ordo_net_clock clock, uint64_t pairs, struct ordo_net_prober *prober)
{
    struct ordo_net_address address, own;
    struct ordo_net_port port = port_at(&own, clock), agents_port = port_at(&address, clock);
    struct ordo_net_agent *agent = ordo_net_agent_new(&agents_port, 100000);
    struct ordo_net_message message;
    struct ordo_net_arrival arrival;
    struct ordo_net_departure departure;
    cr_assert(agent && ordo_net_prober_make(prober, &address, 100000, 0));
    while (prober->sent < pairs) {
        ordo_net_prober_act(prober, &port, ordo_net_port_now_ns());
        ordo_net_agent_step(agent, ordo_net_port_now_ns());
        while (ordo_net_port_departed(&port, &departure))
            (void)ordo_net_prober_departed(prober, &departure);
        while (ordo_net_port_receive(&port, &message, &arrival) > 0)
            (void)ordo_net_prober_take(prober, &port, &message, &arrival);
    }
    const struct ordo_net_port *served = ordo_net_agent_port(agent);
    for (int i = 0; i < ORDO_NET_REFUSALS; i++)
        cr_assert(served->refused[i] == 0, "%s", ordo_net_refusal_name(i));
    ordo_net_agent_free(agent);
    ordo_net_socket_close(&port.socket);
}

/* Returns the number of exchanges with all wanted flags. Both ends read one clock here, so the stamps of an exchange
 * must ascend. */
static uint64_t see_pairs(const struct ordo_net_prober *prober, unsigned wanted)
{
    uint64_t whole = 0;
    for (uint64_t n = 0; n < prober->closed; n++)
        for (int i = 0; i < 2; i++) {
            const struct ordo_net_exchange *x = &prober->kept[n].of[i];
            if (!(x->flags & ORDO_NET_BACK))
                continue;
            cr_assert(x->sent_ns <= x->received_ns && x->returned_ns <= x->back_ns && x->received_ns <= x->returned_ns);
            whole += (x->flags & wanted) == wanted;
        }
    return whole;
}

Test(prober, the_timestamps_of_an_exchange_ascend)
{
    static struct ordo_net_prober prober;
    play(ORDO_NET_MONOTONIC, 200, &prober);
    cr_assert(see_pairs(&prober, ORDO_NET_FLAGS) > 0);
    cr_assert(prober.closed == prober.sent - ORDO_NET_OPEN_PAIRS);
    ordo_net_prober_free(&prober);
}

Test(prober, the_kernel_provides_timestamps_of_both_directions)
{
    static struct ordo_net_prober prober;
    uint64_t whole = 0;
    /* The kernel begins to stamp some time after the request, when one of its threads gets a CPU. */
    for (int tries = 0; whole == 0 && tries < 50; tries++) {
        play(ORDO_NET_REALTIME, tries == 0 ? 200 : ORDO_NET_KEPT_PAIRS, &prober);
        whole = see_pairs(&prober, ORDO_NET_FLAGS);
        ordo_net_prober_free(&prober);
    }
    cr_assert(whole > 0);
}

Test(prober, an_answer_with_another_key_does_not_count)
{
    struct ordo_net_address address;
    struct ordo_net_port port = port_at(&address, ORDO_NET_MONOTONIC);
    struct ordo_net_arrival arrival = {.from = address, .came_ns = 1};
    struct ordo_net_prober prober;
    cr_assert(ordo_net_prober_make(&prober, &address, 100000, 0));
    ordo_net_prober_act(&prober, &port, 0);
    struct ordo_net_message welcome = {.kind = ORDO_NET_WELCOME, .key = 7, .session = prober.client, .number = 1};
    welcome.welcome.session = 5;
    cr_assert_not(ordo_net_prober_take(&prober, &port, &welcome, &arrival));
    welcome.key = prober.key;
    cr_assert(ordo_net_prober_take(&prober, &port, &welcome, &arrival));
    cr_assert(prober.session == 5);
    ordo_net_prober_free(&prober);
    ordo_net_socket_close(&port.socket);
}

static bool take_welcome(struct ordo_net_prober *prober, struct ordo_net_port *port, uint64_t number, uint64_t session)
{
    const struct ordo_net_arrival arrival = {.from = prober->to, .came_ns = 1};
    struct ordo_net_message welcome = {.kind = ORDO_NET_WELCOME, .key = 1, .session = prober->client, .number = number};
    welcome.welcome.session = session;
    return ordo_net_prober_take(prober, port, &welcome, &arrival);
}

/* True if the prober counts this pong as a sign of life. */
static bool is_heard(struct ordo_net_prober *prober, struct ordo_net_port *port, uint64_t number,
                     const struct ordo_net_address *from)
{
    const struct ordo_net_arrival arrival = {.from = *from, .came_ns = 1};
    struct ordo_net_message pong = {.kind = ORDO_NET_PONG, .key = 1, .session = prober->session, .number = number};
    pong.pong.received_ns = pong.pong.returned_ns = 1;
    prober->heard_ns = 0;
    (void)ordo_net_prober_take(prober, port, &pong, &arrival);
    return prober->heard_ns != 0;
}

Test(prober, replayed_answers_do_not_keep_a_session_alive)
{
    struct ordo_net_address address, elsewhere;
    struct ordo_net_port port = port_at(&address, ORDO_NET_MONOTONIC);
    struct ordo_net_prober prober;
    const int64_t silent_ns = 2000000000;
    cr_assert(ordo_net_prober_make(&prober, &address, 100000, 0));
    elsewhere = address;
    elsewhere.socket.ip4.sin_port ^= htons(1);
    cr_assert_not(take_welcome(&prober, &port, 1, 5), "a welcome without a hello is refused");
    ordo_net_prober_act(&prober, &port, 0);
    cr_assert(take_welcome(&prober, &port, 1, 5) && prober.session == 5);
    ordo_net_prober_act(&prober, &port, 0);
    cr_assert_not(is_heard(&prober, &port, 0, &elsewhere));
    cr_assert(is_heard(&prober, &port, 0, &address));
    cr_assert_not(is_heard(&prober, &port, 0, &address), "a second answer to the same probe is refused");
    for (int i = 0; i < 2 * ORDO_NET_OPEN_PAIRS; i++)
        ordo_net_prober_act(&prober, &port, 0);
    cr_assert_not(is_heard(&prober, &port, 1, &address), "an answer of a closed pair is refused");
    ordo_net_prober_act(&prober, &port, silent_ns);
    cr_assert(prober.session == 0 && prober.hellos == 2);
    cr_assert_not(take_welcome(&prober, &port, 1, 5), "a welcome to the earlier hello is refused");
    cr_assert_not(take_welcome(&prober, &port, 3, 5), "a welcome to a hello that was not sent is refused");
    cr_assert(take_welcome(&prober, &port, 2, 6) && prober.session == 6);
    ordo_net_prober_free(&prober);
    ordo_net_socket_close(&port.socket);
}

/* Opens a socket that listens at all addresses, at any port. Returns false if the family does not exist. */
static bool listens_everywhere(struct ordo_net_port *port, struct ordo_net_address *address, int family)
{
    *port = (struct ordo_net_port){.keys = keys};
    *address =
        (struct ordo_net_address){.bytes = family == AF_INET ? sizeof address->socket.ip4 : sizeof address->socket.ip6};
    address->socket.any.sa_family = (sa_family_t)family;
    if (ordo_net_socket_open(&port->socket, address, 0, ORDO_NET_REALTIME, NULL) != ORDO_OK)
        return false;
    cr_assert(getsockname(port->socket.fd, &address->socket.any, &address->bytes) == 0);
    return true;
}

/* All addresses in 127.0.0.0/8 belong to this host. A datagram without an explicit source would come from 127.0.0.1. */
Test(udp, an_answer_comes_from_the_asked_address)
{
    const int families[] = {AF_INET, AF_INET6};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        struct ordo_net_port host, asker;
        struct ordo_net_address to, own;
        struct ordo_net_message message = {.kind = ORDO_NET_HELLO, .session = 1, .number = 1};
        struct ordo_net_arrival arrival;
        int got = -1;
        if (!listens_everywhere(&host, &own, families[i]))
            continue;
        asker = port_at(&to, ORDO_NET_MONOTONIC);
        cr_assert(ordo_net_address_find(&to, "127.0.0.2:1", NULL) == ORDO_OK);
        to.socket.ip4.sin_port = families[i] == AF_INET ? own.socket.ip4.sin_port : own.socket.ip6.sin6_port;
        cr_assert(ordo_net_port_send(&asker, &to, &message, NULL));
        for (int tries = 0; got <= 0 && tries < 100; tries++) {
            ordo_net_port_wait(&host, ordo_net_port_now_ns() + 100000000);
            got = ordo_net_port_receive(&host, &message, &arrival);
        }
        message.kind = ORDO_NET_WELCOME;
        cr_assert(got == 1 && ordo_net_port_send(&host, &arrival.from, &message, &(int64_t){0}));
        for (got = -1; got <= 0;) {
            ordo_net_port_wait(&asker, ordo_net_port_now_ns() + 100000000);
            got = ordo_net_port_receive(&asker, &message, &arrival);
        }
        cr_assert(ordo_net_address_same(&arrival.from, &to));
        ordo_net_socket_close(&host.socket);
        ordo_net_socket_close(&asker.socket);
    }
}

static bool next_once(void *context, int host, struct ordo_net_message *question)
{
    (void)host;
    *question = (struct ordo_net_message){.kind = ORDO_NET_COUNT};
    return *(uint64_t *)context == 0;
}

static bool keep_count(void *context, int host, const struct ordo_net_message *answer)
{
    (void)host;
    *(uint64_t *)context = answer->count[0];
    return true;
}

Test(asker, an_answer_with_another_key_does_not_count)
{
    struct ordo_net_address address, own;
    struct ordo_net_port port = port_at(&own, ORDO_NET_MONOTONIC), host = port_at(&address, ORDO_NET_MONOTONIC);
    struct ordo_net_asked asked = {.address = address, .key = 1, .session = 5};
    struct ordo_net_message answer = {.kind = ORDO_NET_TALLY, .key = 7, .session = 5, .number = 1, .count = {70}};
    uint64_t count = 0;
    const struct ordo_net_asking asking = {&count, next_once, keep_count, NULL, 0};
    cr_assert(ordo_net_port_send(&host, &own, &answer, NULL)); /* both answers arrive before the question is sent */
    answer.key = 1;
    answer.count[0] = 10;
    cr_assert(ordo_net_port_send(&host, &own, &answer, NULL));
    ordo_net_ask(&port, &asked, 1, &asking);
    cr_assert(count == 10 && port.refused[ORDO_NET_UNEXPECTED] == 1, "%lu", (unsigned long)count);
    ordo_net_socket_close(&port.socket);
    ordo_net_socket_close(&host.socket);
}

Test(asker, an_answer_from_another_address_does_not_count)
{
    struct ordo_net_address address, own, others;
    struct ordo_net_port port = port_at(&own, ORDO_NET_MONOTONIC), host = port_at(&address, ORDO_NET_MONOTONIC),
                         other = port_at(&others, ORDO_NET_MONOTONIC);
    struct ordo_net_asked asked = {.address = address, .key = 1, .session = 5};
    struct ordo_net_message answer = {.kind = ORDO_NET_TALLY, .key = 1, .session = 5, .number = 1, .count = {70}};
    uint64_t count = 0;
    const struct ordo_net_asking asking = {&count, next_once, keep_count, NULL, 0};
    cr_assert(ordo_net_port_send(&other, &own, &answer, NULL));
    answer.count[0] = 10;
    cr_assert(ordo_net_port_send(&host, &own, &answer, NULL));
    ordo_net_ask(&port, &asked, 1, &asking);
    cr_assert(count == 10 && port.refused[ORDO_NET_UNEXPECTED] == 1, "%lu", (unsigned long)count);
    ordo_net_socket_close(&port.socket);
    ordo_net_socket_close(&host.socket);
    ordo_net_socket_close(&other.socket);
}

/* --- a peer's clock */

Test(fix, an_interval_grows_until_a_probe_narrows_it)
{
    struct ordo_net_fix fix = {.at_ns = 1000000, .rate = 1e-3, .stamp_ns = 10};
    ordo_net_fix_narrow(&fix, 1000000, 500, true);
    cr_assert(fix.above && !fix.below && fix.offset_ns.high == 511);
    ordo_net_fix_narrow(&fix, 900000, 300, false); /* a probe from an earlier time */
    cr_assert(fix.below && fix.offset_ns.low == 300 - 10 - 100 - 1);
    ordo_net_fix_narrow(&fix, 1000000, 200, false); /* this bound is no better */
    cr_assert(fix.offset_ns.low == 189);
    struct ordo_interval later = ordo_net_fix_at(&fix, 2000000), before = ordo_net_fix_at(&fix, 0);
    cr_assert(later.high == 511 + 1001 && later.low == 189 - 1001);
    cr_assert(before.high == later.high && before.low == later.low);
    ordo_net_fix_move(&fix, 2000000);
    cr_assert(fix.offset_ns.high == later.high && fix.at_ns == 2000000);
    ordo_net_fix_narrow(&fix, 2000000, -5000, true);
    cr_assert(fix.offset_ns.low > fix.offset_ns.high); /* an empty interval: the clock was set */
}

/* The own clock is slow and the peer's clock is fast, each by the promised limit. */
Test(fix, an_interval_grows_by_the_promised_rates)
{
    const int64_t since_1970_ns = INT64_C(1700000000000000129),
                  second_ns = 1000000127; /* as a double this would lose 127 ns */
    for (int ppm = 1; ppm <= 100000; ppm *= 10) {
        double r = 1e-6 * ppm, truth_ns = (double)second_ns * ((1 + r) / (1 - r) - 1);
        struct ordo_net_fix fix = {.at_ns = since_1970_ns, .rate = ordo_net_rate_apart(r)};
        ordo_net_fix_narrow(&fix, since_1970_ns, 0, true);
        ordo_net_fix_narrow(&fix, since_1970_ns, 0, false);
        struct ordo_interval later = ordo_net_fix_at(&fix, since_1970_ns + second_ns);
        cr_assert((double)later.high >= truth_ns && (double)later.high < truth_ns + 4, "%d ppm: %lld", ppm,
                  (long long)later.high);
        cr_assert((double)later.low <= -truth_ns && (double)later.low > -truth_ns - 4);
    }
}

struct served {
    struct ordo_net_agent *agent;
    _Atomic int ended;
};

static void *serve(void *context)
{
    struct served *served = context;
    while (!atomic_load(&served->ended))
        ordo_net_agent_step(served->agent, ordo_net_port_now_ns() + 20000000);
    return NULL;
}

Test(peer, the_interval_contains_the_peers_clock)
{
    struct served served = {NULL, 0};
    struct ordo_net_address address;
    struct ordo_net_port port = port_at(&address, ORDO_NET_MONOTONIC);
    char where[ORDO_NET_ADDRESS_TEXT], path[] = "/tmp/ordo-key-XXXXXX";
    struct ordo_net_peer *peer = NULL;
    struct ordo_error error = {0};
    pthread_t thread;
    int fd = mkstemp(path), code = ORDO_E_MEASURE;
    cr_assert(fd >= 0 && write(fd, "2a00000000000000000000000000000000000000000000000000000000000000", 64) == 64);
    ordo_net_address_print(&address, where);
    struct ordo_net_peer_options options = {.address = where, .key = path, .clock = "monotonic", .every_us = 1000};
    cr_assert(ordo_net_peer_open(&options, &peer, &error) == ORDO_OK, "%s", error.text);
    cr_assert(ordo_net_peer_run(peer, 1000000, &error) == ORDO_E_MEASURE && strstr(error.text, "no answer yet"));
    struct ordo_global_time time = ordo_net_peer_now(peer);
    cr_assert(time.earliest_ns == INT64_MIN && time.latest_ns == INT64_MAX);
    served.agent = ordo_net_agent_new(&port, 100000);
    cr_assert(served.agent && pthread_create(&thread, NULL, serve, &served) == 0);
    for (int tries = 0; code && tries < 200; tries++)
        code = ordo_net_peer_run(peer, 50000000, &error);
    cr_assert(code == ORDO_OK, "%s", error.text);
    int64_t before_ns = ordo_net_peer_local_ns(peer);
    time = ordo_net_peer_now(peer);
    cr_assert(time.earliest_ns <= ordo_net_peer_local_ns(peer) && time.latest_ns >= before_ns);
    cr_assert(time.earliest_ns <= time.estimate_ns && time.estimate_ns <= time.latest_ns);
    struct ordo_global_time long_ago = ordo_net_peer_at(peer, before_ns - 10 * (time.latest_ns - time.earliest_ns));
    cr_assert(ordo_global_compare(time, long_ago) == 1 && ordo_global_compare(long_ago, time) == -1);
    cr_assert(ordo_global_compare(time, time) == 0);
    ordo_net_peer_close(peer);
    atomic_store(&served.ended, 1);
    (void)pthread_join(thread, NULL);
    ordo_net_agent_free(served.agent);
    (void)close(fd);
    (void)unlink(path);
}

Test(peer, wrong_options_are_named)
{
    struct ordo_net_peer_options options = {.address = "127.0.0.1", .key = "/tmp/no such key"};
    struct ordo_net_peer *peer;
    struct ordo_error error;
    cr_assert(ordo_net_peer_open(&options, &peer, &error) == ORDO_E_MISSING && !peer);
    char path[] = "/tmp/ordo-key-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, "7 " DIGITS "bf\n", 67) == 67);
    options.key = path;
    options.key_number = 8;
    cr_assert(ordo_net_peer_open(&options, &peer, &error) == ORDO_E_INVALID && strstr(error.text, "has no key 8"));
    (void)close(fd);
    (void)unlink(path);
    options.clock = "sundial";
    cr_assert(ordo_net_peer_open(&options, &peer, &error) == ORDO_E_INVALID && strstr(error.text, "sundial"));
    options = (struct ordo_net_peer_options){.address = "127.0.0.1", .key = "/tmp/no such key", .every_us = 5};
    cr_assert(ordo_net_peer_open(&options, &peer, &error) == ORDO_E_INVALID && strstr(error.text, "every_us"));
    cr_assert(ordo_net_peer_open(NULL, &peer, &error) == ORDO_E_INVALID && strstr(error.text, "address"));
    cr_assert(ordo_net_peer_run(NULL, 0, NULL) == ORDO_E_INVALID);
    ordo_net_peer_close(NULL);
}

/* --- a survey of two agents */

static void *serve_two(void *context)
{
    struct served *served = context;
    while (!atomic_load(&served[0].ended)) {
        ordo_net_agent_step(served[0].agent, ordo_net_port_now_ns() + 500000);
        if (atomic_load(&served[1].ended)) { /* a new agent starts at the same address */
            struct ordo_net_port port = *ordo_net_agent_port(served[1].agent);
            port.socket.fd = dup(port.socket.fd);
            ordo_net_agent_free(served[1].agent);
            port.keys = keys;
            served[1].agent = ordo_net_agent_new(&port, 100000);
            atomic_store(&served[1].ended, 0);
        }
        ordo_net_agent_step(served[1].agent, ordo_net_port_now_ns() + 500000);
    }
    return NULL;
}

static void look_until_joined(struct ordo_net_survey *survey)
{
    struct ordo_net_survey_result result;
    struct ordo_error error;
    int code = ORDO_E_MEASURE;
    for (int tries = 0; tries < 20 && code == ORDO_E_MEASURE; tries++)
        code = ordo_net_survey_window(survey, &result, &error);
    cr_assert(code == ORDO_OK, "%s", error.text);
    cr_assert(result.sound && result.host[1].joined && result.edge[0].used && result.edge[0].pairs > 0);
    cr_assert(result.host[1].offset_ns.low <= 0 && result.host[1].offset_ns.high >= 0); /* both agents read one clock */
    cr_assert(result.host[1].drift_low_ppb <= 0 && result.host[1].drift_high_ppb >= 0);
}

Test(survey, a_restarted_agent_is_measured_again)
{
    struct ordo_net_address address[2];
    struct ordo_net_port port = {.keys = keys};
    const struct ordo_net_survey_options options = {.estimator = ordo_net_offset_estimator_find("svm"),
                                                    .peers = 10,
                                                    .window_ns = 200000000,
                                                    .every_ns = 2000000,
                                                    .tolerance_ns = 2000,
                                                    .patience_ns = 10000000000,
                                                    .rate_ppm = 500,
                                                    .stamp_ns = 100};
    struct served served[2] = {{NULL, 0}, {NULL, 0}};
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        struct ordo_net_port own = port_at(&address[i], ORDO_NET_MONOTONIC);
        cr_assert((served[i].agent = ordo_net_agent_new(&own, 100000)));
    }
    cr_assert(pthread_create(&thread, NULL, serve_two, served) == 0);
    cr_assert(ordo_net_socket_open(&port.socket, NULL, AF_INET, ORDO_NET_MONOTONIC, NULL) == ORDO_OK);
    const uint16_t survey_keys[2] = {0, 7};
    struct ordo_net_survey *survey = ordo_net_survey_new(&port, address, survey_keys, 2, &options);
    cr_assert(survey);
    look_until_joined(survey);
    look_until_joined(survey);
    atomic_store(&served[1].ended, 1);
    while (atomic_load(&served[1].ended))
        (void)usleep(1000);
    look_until_joined(survey);
    ordo_net_survey_end(survey, NULL);
    ordo_net_survey_free(survey);
    atomic_store(&served[0].ended, 1);
    (void)pthread_join(thread, NULL);
    ordo_net_agent_free(served[0].agent);
    ordo_net_agent_free(served[1].agent);
}
