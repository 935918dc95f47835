#include "trace/spans/spans.h"

#include <stdlib.h>
#include <string.h>

#include "trace/input/json.h"

enum { NAME_LETTERS_MOST = 4096, SERVICES_MOST = 1 << 20, ITEMS_MOST = 1 << 30 };

static int hex_digit(char letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    letter = (char)(letter | 0x20);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

static uint64_t text_hash(struct ordo_text text)
{
    uint64_t x = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < text.length; i++) {
        x = (x ^ (unsigned char)text.at[i]) * UINT64_C(0xd6e8feb86659fd93);
        x ^= x >> 32;
    }
    return x | 1;
}

uint64_t ordo_span_id(struct ordo_text text)
{
    uint64_t id = 0;
    bool is_hex = text.length <= 16;
    for (size_t i = 0; is_hex && i < text.length; i++) {
        is_hex = hex_digit(text.at[i]) >= 0;
        id = id << 4 | (uint64_t)(hex_digit(text.at[i]) & 15);
    }
    return is_hex ? id : text_hash(text);
}

int32_t ordo_spans_rank(struct ordo_spans *spans, struct ordo_text service, struct ordo_text host)
{
    enum { PART_MOST = 512 };
    char room[2 * PART_MOST + 1], plain[PART_MOST];
    struct ordo_text text = ordo_json_plain(service, plain, sizeof plain);
    size_t length = text.length < PART_MOST ? text.length : PART_MOST;
    if (length > 0)
        memcpy(room, text.at, length);
    text = ordo_json_plain(host, plain, sizeof plain);
    if (text.length > 0) {
        size_t more = text.length < PART_MOST ? text.length : PART_MOST;
        room[length++] = '@';
        memcpy(room + length, text.at, more);
        length += more;
    }
    uint32_t number = ordo_names_number(&spans->services, (struct ordo_text){room, length});
    return number == UINT32_MAX ? -1 : number >= SERVICES_MOST ? -2 : (int32_t)number;
}

uint32_t ordo_spans_name(struct ordo_spans *spans, struct ordo_text value)
{
    char room[NAME_LETTERS_MOST];
    return ordo_names_number(&spans->names, ordo_json_plain(value, room, sizeof room));
}

/* Makes room for one more element, which is 0. Returns it, or NULL if out of memory. */
static void *add_element(void **all, size_t *count, size_t *room, size_t size)
{
    if (*count == *room) {
        size_t more = *room ? 2 * *room : 256;
        void *larger = more <= ITEMS_MOST ? realloc(*all, more * size) : NULL;
        if (!larger)
            return NULL;
        *all = larger;
        *room = more;
    }
    void *element = (char *)*all + (*count)++ * size;
    memset(element, 0, size);
    return element;
}

#define ADD(member, counted, roomy)                                                                                    \
    void *all = spans->member;                                                                                         \
    void *added = add_element(&all, &spans->counted, &spans->roomy, sizeof *spans->member);                            \
    spans->member = all;                                                                                               \
    return added

struct ordo_span *ordo_spans_add(struct ordo_spans *spans)
{
    ADD(all, count, room);
}

struct ordo_span_reference *ordo_spans_add_reference(struct ordo_spans *spans)
{
    ADD(references, reference_count, reference_room);
}

struct ordo_span_message *ordo_spans_add_message(struct ordo_spans *spans)
{
    ADD(messages, message_count, message_room);
}

struct ordo_span_moment *ordo_spans_add_moment(struct ordo_spans *spans)
{
    ADD(moments, moment_count, moment_room);
}

struct ordo_span_edit *ordo_spans_add_edit(struct ordo_spans *spans)
{
    ADD(edits, edit_count, edit_room);
}

void ordo_spans_free(struct ordo_spans *spans)
{
    free(spans->all);
    free(spans->references);
    free(spans->messages);
    free(spans->moments);
    free(spans->edits);
    ordo_map_free(&spans->ids);
    ordo_names_free(&spans->names);
    ordo_names_free(&spans->services);
    *spans = (struct ordo_spans){0};
}
