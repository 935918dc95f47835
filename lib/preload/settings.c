#include "preload/settings.h"

#include <stdio.h>
#include <string.h>

static const char *const words[] = {"ordered", "raised", "durations"};

const char *preload_order_word(enum preload_order order)
{
    return words[order];
}

bool preload_order_read(const char *word, size_t length, enum preload_order *order)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncmp(words[i], word, length) == 0) {
            *order = (enum preload_order)i;
            return true;
        }
    return false;
}

static bool read_whole_number(const char *text, size_t length, int64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || i >= 15)
            return false;
        *number = *number * 10 + (text[i] - '0');
    }
    return length > 0;
}

static bool read_path(const char *text, char path[PRELOAD_PATH])
{
    const size_t length = strlen(text);
    if (length == 0 || length >= PRELOAD_PATH || text[0] != '/')
        return false;
    memcpy(path, text, length + 1);
    return true;
}

/* Returns the value if `text` begins with `key`; else NULL. */
static const char *setting_value(const char *text, const char *key)
{
    const size_t length = strlen(key);
    return strncmp(text, key, length) == 0 ? text + length : NULL;
}

/* Reads one setting, which ends at a comma or at the end of the text. */
static bool read_setting(const char *text, size_t length, struct preload_settings *settings)
{
    const char *value;
    int64_t number;
    if ((value = setting_value(text, "order=")))
        return preload_order_read(value, length - (size_t)(value - text), &settings->order);
    if ((value = setting_value(text, "max-boundary-ns=")))
        return read_whole_number(value, length - (size_t)(value - text), &settings->max_boundary_ns);
    if (!(value = setting_value(text, "reopen=")) ||
        !read_whole_number(value, length - (size_t)(value - text), &number) || number > 1)
        return false;
    settings->reopen = number == 1;
    return true;
}

bool preload_settings_read(const char *text, struct preload_settings *settings)
{
    *settings = (struct preload_settings){.reopen = true, .max_boundary_ns = PRELOAD_MAX_BOUNDARY_NS};
    while (text && *text) {
        const size_t length = strcspn(text, ",");
        const char *path;
        if ((path = setting_value(text, "record=")))
            return read_path(path, settings->record);
        if ((path = setting_value(text, "count=")))
            return read_path(path, settings->count);
        if (!read_setting(text, length, settings))
            return false;
        text += length + (text[length] == ',');
    }
    return true;
}

bool preload_settings_write(const struct preload_settings *settings, char *text, size_t size)
{
    const char *path = *settings->count ? settings->count : settings->record;
    const char *key = *settings->count ? ",count=" : *path ? ",record=" : "";
    const int length = snprintf(text, size, "order=%s,max-boundary-ns=%lld,reopen=%d%s%s", words[settings->order],
                                (long long)settings->max_boundary_ns, (int)settings->reopen, key, path);
    return length > 0 && (size_t)length < size;
}
