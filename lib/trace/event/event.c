#include "trace/event/event.h"

#include <string.h>
#include <strings.h>

static const char *const kinds[] = {"event", "begin", "end", "send", "recv"};

const char *ordo_event_kind_name(int kind)
{
    return kind >= 0 && kind <= ORDO_EVENT_RECV ? kinds[kind] : "event";
}

/* The words of programs that print archives of OTF2. */
static const struct {
    const char *word;
    int kind;
} others[] = {{"enter", ORDO_EVENT_BEGIN},    {"leave", ORDO_EVENT_END},     {"MPI_SEND", ORDO_EVENT_SEND},
              {"MPI_ISEND", ORDO_EVENT_SEND}, {"MPI_RECV", ORDO_EVENT_RECV}, {"MPI_IRECV", ORDO_EVENT_RECV}};

static bool text_equals(struct ordo_text text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.at, word, text.length) == 0;
}

static bool is_same_word(struct ordo_text text, const char *word)
{
    return strlen(word) == text.length && strncasecmp(text.at, word, text.length) == 0;
}

int ordo_event_kind_of(struct ordo_text word)
{
    for (int kind = 0; kind <= ORDO_EVENT_RECV; kind++)
        if (text_equals(word, kinds[kind]))
            return kind;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_same_word(word, others[i].word))
            return others[i].kind;
    return -1;
}
