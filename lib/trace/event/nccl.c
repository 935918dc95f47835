#include "trace/event/nccl.h"

#include <string.h>
#include <strings.h>

struct ordo_text ordo_nccl_kernel(struct ordo_text name)
{
    static const char *const prefixes[] = {"ncclDevKernel_", "ncclKernel_", "rcclDevKernel_", "rcclKernel_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);
        if (name.length > length && memcmp(name.at, prefixes[i], length) == 0)
            return (struct ordo_text){name.at + length, name.length - length};
    }
    return (struct ordo_text){NULL, 0};
}

struct ordo_text ordo_nccl_operation(struct ordo_text name)
{
    struct ordo_text kernel = ordo_nccl_kernel(name);
    size_t length = 0;
    while (length < kernel.length && kernel.at[length] != '_' && kernel.at[length] != '(')
        length++;
    return kernel.at ? (struct ordo_text){kernel.at, length} : name;
}

enum ordo_event_collective ordo_nccl_collective_of(struct ordo_text name)
{
    static const struct {
        const char *word;
        enum ordo_event_collective makes;
    } known[] = {{"AllReduce", ORDO_COLLECTIVE_ALL_TO_ALL},
                 {"AllGather", ORDO_COLLECTIVE_ALL_TO_ALL},
                 {"ReduceScatter", ORDO_COLLECTIVE_ALL_TO_ALL},
                 {"Broadcast", ORDO_COLLECTIVE_ONE_TO_ALL},
                 {"Reduce", ORDO_COLLECTIVE_ALL_TO_ONE}};
    struct ordo_text word = ordo_nccl_operation(name);
    for (size_t i = 0; ordo_nccl_kernel(name).at && i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].word) == word.length && strncasecmp(known[i].word, word.at, word.length) == 0)
            return known[i].makes; /* [K1] */
    return ORDO_COLLECTIVE_NONE;   /* [K3] */
}
