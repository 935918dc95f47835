/* Kernels have the category "kernel", copies "gpu_memcpy", fills "gpu_memset"; calls "cuda_runtime", "cuda_driver" or
 * "hip_runtime"; formerly "Kernel", "Memcpy", "Memset" and "Runtime". Calls and their work have the same "correlation".
 * Without it they have the "External id" of the operator that made the calls. Several calls may share it; [V2] of
 * device/work.c takes the earliest begin of them, which is right unless the first call was dropped.
 * Events of the category "cuda_sync" state the stream and the device for which a call waited. */
#include "trace/input/device.h"

#include <string.h>
#include <strings.h>

#include "trace/input/number.h"

static bool is_word(struct ordo_text text, const char *word)
{
    return strlen(word) == text.length && strncasecmp(text.at, word, text.length) == 0;
}

static bool has_part(struct ordo_text text, const char *part)
{
    return text.length > 0 && memmem(text.at, text.length, part, strlen(part)) != NULL;
}

static bool ends_with(struct ordo_text text, const char *part)
{
    size_t length = strlen(part);
    return text.length >= length && strncasecmp(text.at + text.length - length, part, length) == 0;
}

static enum ordo_device_role role_of(struct ordo_text category)
{
    static const char *const works[] = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset"};
    /* The last letters of all words below. Most events are of other categories, and are known by it not to be ours. */
    if (category.length == 0 || !memchr("cCeEiIlLrRtTyY", category.at[category.length - 1], 14))
        return ORDO_DEVICE_NONE;
    if (is_word(category, "cuda_sync"))
        return ORDO_DEVICE_NOTE;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        if (is_word(category, works[i]))
            return ORDO_DEVICE_WORK;
    bool calls = ends_with(category, "runtime") || ends_with(category, "driver") || ends_with(category, "hip_api");
    return calls ? ORDO_DEVICE_CALL : ORDO_DEVICE_NONE;
}

/* Returns the name of a call without "cuda", "cu" or "hip"; with length 0 if it has none of these. */
static struct ordo_text plain_call(struct ordo_text name)
{
    static const char *const prefixes[] = {"cuda", "cu", "hip"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);
        if (name.length > length && memcmp(name.at, prefixes[i], length) == 0)
            return (struct ordo_text){name.at + length, name.length - length};
    }
    return (struct ordo_text){"", 0};
}

static bool begins_with(struct ordo_text text, const char *word)
{
    size_t length = strlen(word);
    return text.length >= length && memcmp(text.at, word, length) == 0;
}

static enum ordo_device_wait waits_of(struct ordo_text call)
{
    static const struct {
        const char *word;
        enum ordo_device_wait waits;
    } known[] = {{"StreamSynchronize", ORDO_WAIT_STREAM},
                 {"DeviceSynchronize", ORDO_WAIT_DEVICE},
                 {"CtxSynchronize", ORDO_WAIT_DEVICE},
                 {"EventSynchronize", ORDO_WAIT_EVENT}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (begins_with(call, known[i].word))
            return known[i].waits;
    bool copies = is_word(call, "Memcpy") || (begins_with(call, "MemcpyDtoH") && !has_part(call, "Async"));
    return copies ? ORDO_WAIT_COPY : ORDO_WAIT_NONE;
}

static bool is_launch(struct ordo_text call)
{
    return has_part(call, "Launch") || begins_with(call, "Memcpy") || begins_with(call, "Memset");
}

/* The numbers among the args of an event of a device. */
struct device_args {
    int64_t correlation, external, device, stream, record;
};

/* Returns the field that a key names; NULL if it names none. */
static int64_t *field_of(struct device_args *args, struct ordo_text key)
{
    switch (key.length) {
    case 6:
        return is_word(key, "stream") ? &args->stream : is_word(key, "device") ? &args->device : NULL;
    case 11:
        return is_word(key, "correlation") ? &args->correlation : is_word(key, "External id") ? &args->external : NULL;
    case 14:
        return is_word(key, "wait_on_stream") ? &args->stream : NULL;
    case 33:
        return is_word(key, "wait_on_cuda_event_record_corr_id") ? &args->record : NULL;
    default:
        return NULL;
    }
}

static void set_device_arg(struct device_args *args, const struct ordo_member *member)
{
    char room[32];
    int64_t number, *field = field_of(args, member->key);
    if (field && ordo_text_within(ordo_json_plain(member->value, room, sizeof room), 0, INT64_MAX, &number))
        *field = number;
}

static struct device_args read_device_args(const struct ordo_json_members *members)
{
    struct device_args args = {.device = -1, .stream = -1};
    struct ordo_text rest = members->count < 0 ? (struct ordo_text){NULL, 0} : members->rest;
    struct ordo_member member;
    for (int i = 0; i < members->count; i++)
        set_device_arg(&args, &members->all[i]);
    while (rest.length > 0 && ordo_json_member(&rest, &member) == 1)
        set_device_arg(&args, &member);
    return args;
}

bool ordo_device_args(struct ordo_event *event, struct ordo_text category, const struct ordo_json_members *args)
{
    if (event->kind != ORDO_EVENT_SPAN || category.length < 3 || *category.at != '"')
        return false;
    category = (struct ordo_text){category.at + 1, category.length - 2};
    enum ordo_device_role role = role_of(category);
    if (role == ORDO_DEVICE_NONE)
        return false;
    struct device_args read = read_device_args(args);
    struct ordo_device_event device = {.role = (uint8_t)role,
                                       .device = read.device,
                                       .stream = read.stream,
                                       .record = (uint64_t)read.record,
                                       .correlation = (uint64_t)read.correlation};
    if (device.correlation == 0 && read.external != 0)
        device.correlation = (uint64_t)read.external | UINT64_C(1) << 63; /* no correlation is as large */
    if (role == ORDO_DEVICE_CALL) {
        struct ordo_text call = plain_call(event->name);
        device.waits = (uint8_t)waits_of(call);
        device.launches = is_launch(call);
    }
    device.reads = role == ORDO_DEVICE_WORK && ends_with(category, "memcpy") &&
                   (has_part(event->name, "DtoH") || has_part(event->name, "DeviceToHost"));
    event->device = device;
    return true;
}
