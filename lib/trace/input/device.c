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

/* Sets a field from a member; *external if it is the id of an operator. */
static void set_device_arg(struct ordo_device_event *device, const struct ordo_member *member, uint64_t *external)
{
    static const char *const keys[] = {"correlation", "device",        "stream", "wait_on_cuda_event_record_corr_id",
                                       "External id", "wait_on_stream"};
    char room[32];
    int64_t number;
    size_t at = 0;
    while (at < sizeof keys / sizeof *keys && !is_word(member->key, keys[at]))
        at++;
    if (at == sizeof keys / sizeof *keys ||
        !ordo_text_within(ordo_json_plain(member->value, room, sizeof room), 0, INT64_MAX, &number))
        return;
    switch (at) {
    case 0:
        device->correlation = (uint64_t)number;
        break;
    case 1:
        device->device = number;
        break;
    case 3:
        device->record = (uint64_t)number;
        break;
    case 4:
        *external = (uint64_t)number;
        break;
    default:
        device->stream = number;
        break;
    }
}

bool ordo_device_args(struct ordo_event *event, struct ordo_text category, const struct ordo_json_members *args)
{
    struct ordo_device_event device = {.device = -1, .stream = -1};
    if (event->kind != ORDO_EVENT_SPAN || category.length < 3 || *category.at != '"')
        return false;
    device.role = (uint8_t)role_of((struct ordo_text){category.at + 1, category.length - 2});
    if (device.role == ORDO_DEVICE_NONE)
        return false;
    struct ordo_text rest = args->count < 0 ? (struct ordo_text){NULL, 0} : args->rest, call = plain_call(event->name);
    struct ordo_member member;
    uint64_t external = 0;
    for (int i = 0; i < args->count; i++)
        set_device_arg(&device, &args->all[i], &external);
    while (rest.length > 0 && ordo_json_member(&rest, &member) == 1)
        set_device_arg(&device, &member, &external);
    if (device.correlation == 0 && external != 0)
        device.correlation = external | UINT64_C(1) << 63; /* no correlation is as large */
    if (device.role == ORDO_DEVICE_CALL) {
        device.waits = (uint8_t)waits_of(call);
        device.launches = is_launch(call);
    }
    device.reads =
        device.role == ORDO_DEVICE_WORK && (has_part(event->name, "DtoH") || has_part(event->name, "DeviceToHost"));
    event->device = device;
    return true;
}
