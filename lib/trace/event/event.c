#include "trace/event/event.h"

#include <string.h>

static const char *const kinds[] = {"event", "begin", "end", "send", "recv"};

const char *ordo_event_kind_name(int kind)
{
    return kind >= 0 && kind <= ORDO_EVENT_RECV ? kinds[kind] : "event";
}

static bool text_equals(struct ordo_text text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.at, word, text.length) == 0;
}

int ordo_event_kind_of(struct ordo_text word)
{
    for (int kind = 0; kind <= ORDO_EVENT_RECV; kind++)
        if (text_equals(word, kinds[kind]))
            return kind;
    return -1;
}
