#include <stdio.h>
#include <string.h>

#include "lab/net/protocol/protocol.h"

enum { TEXT = 200 };

static const struct ordo_net_protocol *find_protocol(const char *name)
{
    for (const struct ordo_net_protocol *const *at = ordo_net_protocols; *at; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}

/* Appends the first `length` bytes of a piece, cut to the room that is left. */
static void append_piece(char text[ORDO_NET_OPTIONS_TEXT], const char *piece, size_t length)
{
    size_t used = strlen(text);
    (void)snprintf(text + used, ORDO_NET_OPTIONS_TEXT - used, "%.*s", (int)length, piece);
}

void ordo_net_protocol_options(const struct ordo_net_protocol *protocol, char text[ORDO_NET_OPTIONS_TEXT])
{
    size_t before = strcspn(protocol->options, "@");
    text[0] = '\0';
    append_piece(text, protocol->options, before);
    if (!protocol->options[before])
        return;
    for (const struct ordo_net_offset_estimator *const *at = ordo_net_offset_estimators; *at; at++) {
        append_piece(text, "|", at != ordo_net_offset_estimators);
        append_piece(text, (*at)->name, strlen((*at)->name));
    }
    append_piece(text, protocol->options + before + 1, strlen(protocol->options + before + 1));
}

/* Returns the protocol's description of the option of this name, or NULL. */
static const char *described(const char *options, const char *name)
{
    size_t length = strlen(name);
    const char *at = options;
    while (at && (strncmp(at, name, length) != 0 || at[length] != '=')) {
        at = strchr(at, ' ');
        at += at != NULL;
    }
    return at;
}

/* Writes the names alone: "a, b" for "a=1..2, b=x|y". */
static void names_of(const char *options, char names[TEXT])
{
    bool in_value = false;
    int count = 0;
    for (; *options && count < TEXT - 1; options++) {
        in_value = in_value ? *options != ',' : *options == '=';
        if (!in_value)
            names[count++] = *options;
    }
    names[count] = '\0';
}

static int refuse_option(const struct ordo_net_protocol *protocol, const char *option, const char *value,
                         struct ordo_error *error)
{
    char options[ORDO_NET_OPTIONS_TEXT], names[TEXT];
    ordo_net_protocol_options(protocol, options);
    const char *takes = described(options, option);
    names_of(protocol->options, names);
    if (!takes)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: '%.40s' is not an option of it; it takes %s",
                              protocol->name, option, names);
    return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: '%.40s%s%.40s' is wrong: give %.*s", protocol->name, option,
                          value ? "=" : "", value ? value : "", (int)strcspn(takes, ","), takes);
}

/* True if an earlier option has the same name. */
static bool came_before(const char *text, const char *option, const char *name)
{
    size_t length = strlen(name);
    bool came = false;
    for (const char *at = strchr(text, ':'); at && at + 1 < option; at = strchr(at + 1, ':'))
        came = came || (strncmp(at + 1, name, length) == 0 && at[1 + length] == '=');
    return came;
}

/* Takes an option. `option` is a copy of the text at `at`. */
static int take_option(struct ordo_net_choice *choice, const char *text, const char *at, char *option,
                       struct ordo_error *error)
{
    char *value = strchr(option, '=');
    if (value)
        *value++ = '\0';
    if (!value || !choice->protocol->take(choice, option, value))
        return refuse_option(choice->protocol, option, value, error);
    if (came_before(text, at, option))
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: '%s' is given twice: leave one out",
                              choice->protocol->name, option);
    return ORDO_OK;
}

static int unknown(const char *name, struct ordo_error *error)
{
    char known[TEXT] = "";
    for (const struct ordo_net_protocol *const *at = ordo_net_protocols; *at; at++) {
        if (*known)
            strncat(known, ", ", sizeof known - strlen(known) - 1);
        strncat(known, (*at)->name, sizeof known - strlen(known) - 1);
    }
    return ordo_error_set(error, ORDO_E_INVALID, 0, "'%.40s' is not a protocol; take one of %s", name, known);
}

int ordo_net_choice_parse(struct ordo_net_choice *choice, const char *text, struct ordo_error *error)
{
    char copy[TEXT], *rest = copy, *name;
    if (strlen(text) >= sizeof copy)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "'%.40s...': longer than %d letters", text, TEXT - 1);
    (void)strcpy(copy, text);
    name = strsep(&rest, ":");
    *choice = (struct ordo_net_choice){.protocol = find_protocol(name)};
    int code = choice->protocol ? ORDO_OK : unknown(name, error);
    if (!code)
        choice->protocol->begin(choice);
    while (!code && rest) {
        const char *at = text + (rest - copy);
        code = take_option(choice, text, at, strsep(&rest, ":"), error);
    }
    return code;
}
