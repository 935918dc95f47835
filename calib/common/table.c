#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MOST_ROWS, MOST_SECTIONS: the size of the largest table. */
enum { MOST_ROWS = 48, MOST_SECTIONS = 4, FIRST_KEY = 1000 };

/* A section of the help: a part with a header, and the following parts without one. argp gets a parser for each
 * section. */
struct section {
    struct argp_option options[MOST_ROWS + 1];
    struct argp argp;
    const char *header;
    int count;
};

/* Global, because a process reads one command line. */
static struct {
    const struct cli_table *table;
    const struct cli_row *rows[MOST_ROWS];
    const struct cli_part *parts[MOST_ROWS]; /* the part of each row */
    int count;
    struct section sections[MOST_SECTIONS];
    struct argp_child children[MOST_SECTIONS];
} reading;

/* Returns the index of the row with a key of argp, or -1. The key of a row with a letter is the letter, because
 * cli_parse searches for letters. */
static int index_of(int key)
{
    if (key >= FIRST_KEY && key < FIRST_KEY + reading.count)
        return key - FIRST_KEY;
    for (int i = 0; key > 0 && i < reading.count; i++)
        if (reading.rows[i]->letter == key)
            return i;
    return -1;
}

static void set(int index, char *text, void *options, const struct argp_state *state)
{
    char option[64];
    const struct cli_row *row = reading.rows[index];
    void *member = (char *)options + reading.parts[index]->offset + row->offset;
    (void)snprintf(option, sizeof option, "--%s", row->name);
    const struct cli_given given = {row, option, text, state};
    const struct cli_store store = {0, option, row->kind, 0, row->least, row->most};
    if (row->read)
        row->read(&given, member);
    else
        cli_set(&store, member, text, state);
}

/* Sets the defaults. A text option keeps the pointer to its value, so it gets the string of the table. A `read`
 * function may change its text, so it gets a copy. */
static void set_defaults(void *options)
{
    char text[200];
    for (int i = 0; i < reading.count; i++) {
        const struct cli_row *row = reading.rows[i];
        if (!row->usual)
            continue;
        (void)snprintf(text, sizeof text, "%s", row->usual);
        set(i, row->read ? text : (char *)(uintptr_t)row->usual, options, NULL);
    }
}

/* Checks the parts from the last to the first, because the check of a part may use the results of later parts. */
static void check_parts(const struct argp_state *state)
{
    char text[400];
    const struct cli_part *parts = reading.table->parts, *part = parts;
    while (part->rows)
        part++;
    while (part-- > parts) {
        const char *wrong = part->check ? part->check((char *)state->input + part->offset, text) : NULL;
        if (wrong)
            cli_wrong(state, "%s", wrong);
    }
}

/* Parses an option of a section. */
static error_t parse_section(int key, char *argument, struct argp_state *state)
{
    int index = index_of(key);
    if (index < 0)
        return ARGP_ERR_UNKNOWN;
    set(index, argument, state->input, state);
    return 0;
}

/* Parses an option of the first section, and the operands of the command. */
static error_t parse_command(int key, char *argument, struct argp_state *state)
{
    if (key == ARGP_KEY_INIT)
        for (int i = 0; reading.children[i].argp; i++)
            state->child_inputs[i] = state->input;
    if (key == ARGP_KEY_END)
        check_parts(state);
    return key == ARGP_KEY_INIT || key == ARGP_KEY_END ? 0 : parse_section(key, argument, state);
}

static char *help_of_table(int key, const char *text, void *input)
{
    char *made;
    int index = index_of(key);
    const struct cli_row *row = index < 0 ? NULL : reading.rows[index];
    (void)input;
    if (row && row->usual)
        return asprintf(&made, "%s (default %s)", text, row->usual) < 0 ? NULL : made;
    return (char *)(uintptr_t)text;
}

static void add_row(struct section *section, const struct cli_part *part, const struct cli_row *row)
{
    int index = reading.count++;
    if (reading.count > MOST_ROWS)
        abort();
    reading.rows[index] = row;
    reading.parts[index] = part;
    section->options[section->count++] =
        (struct argp_option){row->name,     row->letter ? row->letter : FIRST_KEY + index,
                             row->argument, row->optional ? OPTION_ARG_OPTIONAL : 0,
                             row->help,     row->group};
}

/* Makes a parser for each section. */
static void add_parts(const struct cli_table *table)
{
    struct section *section = reading.sections;
    reading.table = table;
    for (const struct cli_part *part = table->parts; part->rows; part++) {
        if (part->header)
            (++section)->header = part->header;
        for (const struct cli_row *row = part->rows; row->name; row++)
            add_row(section, part, row);
    }
    for (int i = 1; reading.sections[i].header; i++) {
        struct section *child = &reading.sections[i];
        child->argp = (struct argp){child->options, parse_section, NULL, NULL, NULL, help_of_table, NULL};
        reading.children[i - 1] = (struct argp_child){&child->argp, 0, child->header, i};
    }
    reading.sections[0].argp = (struct argp){
        reading.sections[0].options, parse_command, NULL, table->help, reading.children, help_of_table, NULL};
}

void cli_read(const struct cli_table *table, int argc, char **argv, void *options)
{
    add_parts(table);
    set_defaults(options);
    cli_parse(&reading.sections[0].argp, argc, argv, options);
}

int cli_percent(const struct cli_given *given)
{
    size_t length = strlen(given->text);
    if (length > 0 && given->text[length - 1] == '%')
        given->text[length - 1] = '\0';
    return (int)cli_number(given->state, given->option, given->text, (uint64_t)given->row->least,
                           (uint64_t)given->row->most);
}
