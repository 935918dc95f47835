/* Lists on the command line: items separated by commas. No two items may mean the same. */
#include <string.h>

#include "options.h"

static const char *item_at(const char *list, int index)
{
    while (index-- > 0)
        list += strcspn(list, ",") + 1;
    return list;
}

/* Refuses the item at `last` if an earlier item means the same. */
static void check_last(const struct argp_state *state, const char *option, const char *list, const int *meanings,
                       int last)
{
    for (int i = 0; i < last; i++)
        if (meanings[i] == meanings[last]) {
            const char *first = item_at(list, i), *second = item_at(list, last);
            cli_wrong(state, "%s '%s': '%.*s' is the same as '%.*s': leave one of them out", option, list,
                      (int)strcspn(second, ","), second, (int)strcspn(first, ","), first);
        }
}

int cli_list(const struct argp_state *state, const char *option, const char *list, cli_item_read *read, void *context,
             int *meanings, int limit)
{
    const char *item = list;
    for (int count = 0; count < limit; item++) {
        size_t length = strcspn(item, ",");
        meanings[count] = read(item, length, context);
        if (meanings[count] < 0)
            return -1;
        check_last(state, option, list, meanings, count++);
        item += length;
        if (*item == '\0')
            return count;
    }
    return -1;
}
