#include "json/builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/version.h>

#include "json/library.h"

static struct ordo_json begin_value(json_t *value)
{
    return (struct ordo_json){value_of(value), value == NULL};
}

/* Completes a value and returns it; NULL if any part of it failed. */
static json_t *finish_value(struct ordo_json *json)
{
    json_t *value = jansson_of(json->value);
    if (json->failed) {
        json_decref(value);
        value = NULL;
    }
    *json = (struct ordo_json){NULL, true}; /* the value counts as failed from now on */
    return value;
}

struct ordo_json ordo_json_object(void)
{
    return begin_value(json_object());
}

struct ordo_json ordo_json_array(void)
{
    return begin_value(json_array());
}

struct ordo_json ordo_json_null(void)
{
    return begin_value(json_null());
}

struct ordo_json ordo_json_int(int64_t value)
{
    return begin_value(json_integer(value));
}

struct ordo_json ordo_json_bool(bool value)
{
    return begin_value(json_boolean(value));
}

struct ordo_json ordo_json_real(double value)
{
    return begin_value(isfinite(value) ? json_real(value) : json_null());
}

struct ordo_json ordo_json_text(const char *text)
{
    json_t *string = text ? json_string(text) : json_null();
    char *ascii = string ? NULL : strdup(text);
    if (!ascii)
        return begin_value(string);
    for (char *at = ascii; *at; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    string = json_string(ascii);
    free(ascii);
    return begin_value(string);
}

struct ordo_json ordo_json_characters(const char *characters, size_t count)
{
    return begin_value(json_stringn(characters, count));
}

struct ordo_json ordo_json_document(const char *schema)
{
    struct ordo_json document = ordo_json_object();
    ordo_json_put_text(&document, "schema", schema);
    ordo_json_put_text(&document, "tool_version", ORDO_VERSION);
    return document;
}

void ordo_json_put(struct ordo_json *object, const char *key, struct ordo_json value)
{
    object->failed |= json_object_set_new(jansson_of(object->value), key, finish_value(&value)) != 0;
}

void ordo_json_add(struct ordo_json *array, struct ordo_json value)
{
    array->failed |= json_array_append_new(jansson_of(array->value), finish_value(&value)) != 0;
}

void ordo_json_append(struct ordo_json *object, const char *key, struct ordo_json value)
{
    if (!json_object_get(jansson_of(object->value), key))
        ordo_json_put(object, key, ordo_json_array());
    object->failed |= json_array_append_new(json_object_get(jansson_of(object->value), key), finish_value(&value)) != 0;
}

void ordo_json_put_int(struct ordo_json *object, const char *key, int64_t value)
{
    ordo_json_put(object, key, ordo_json_int(value));
}

void ordo_json_put_real(struct ordo_json *object, const char *key, double value)
{
    ordo_json_put(object, key, ordo_json_real(value));
}

void ordo_json_put_bool(struct ordo_json *object, const char *key, bool value)
{
    ordo_json_put(object, key, ordo_json_bool(value));
}

void ordo_json_put_text(struct ordo_json *object, const char *key, const char *value)
{
    ordo_json_put(object, key, ordo_json_text(value));
}

static void put_two(struct ordo_json *object, const char *key, struct ordo_json low, struct ordo_json high)
{
    struct ordo_json two = ordo_json_array();
    ordo_json_add(&two, low);
    ordo_json_add(&two, high);
    ordo_json_put(object, key, two);
}

void ordo_json_put_ints(struct ordo_json *object, const char *key, int64_t low, int64_t high)
{
    put_two(object, key, ordo_json_int(low), ordo_json_int(high));
}

void ordo_json_put_reals(struct ordo_json *object, const char *key, double low, double high)
{
    put_two(object, key, ordo_json_real(low), ordo_json_real(high));
}

void ordo_json_put_median(struct ordo_json *object, const char *key, struct ordo_median median)
{
    struct ordo_json own = ordo_json_object();
    ordo_json_put_median_here(&own, median);
    ordo_json_put(object, key, own);
}

void ordo_json_put_median_here(struct ordo_json *object, struct ordo_median median)
{
    ordo_json_put_real(object, "median", median.median);
    ordo_json_put_real(object, "low", median.low);
    ordo_json_put_real(object, "high", median.high);
    ordo_json_put_real(object, "level", median.level);
}

void ordo_json_put_all(struct ordo_json *object, const struct ordo_json *other)
{
    object->failed |=
        other->failed || (other->value && json_object_update(jansson_of(object->value), jansson_of(other->value)) != 0);
}

struct ordo_json ordo_json_share(const struct ordo_json *json)
{
    return (struct ordo_json){value_of(json_incref(jansson_of(json->value))), json->failed};
}

const struct ordo_json_value *ordo_json_view(const struct ordo_json *json)
{
    return json->failed ? NULL : json->value;
}

void ordo_json_drop(struct ordo_json *json)
{
    json_decref(finish_value(json));
}

static int write_as(struct ordo_json *document, FILE *stream, size_t form)
{
    json_t *value = finish_value(document);
    if (!value)
        return -1;
    int failed = json_dumpf(value, stream, form | JSON_REAL_PRECISION(12));
    json_decref(value);
    return failed || fputc('\n', stream) == EOF ? -1 : 0;
}

int ordo_json_write(struct ordo_json *document, FILE *stream)
{
    return write_as(document, stream, JSON_INDENT(2));
}

int ordo_json_write_line(struct ordo_json *document, FILE *stream)
{
    return write_as(document, stream, 0);
}

char *ordo_json_compact(struct ordo_json *document, size_t *bytes)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, bytes);
    int failed = stream ? write_as(document, stream, JSON_COMPACT) : -1;
    if (!stream)
        ordo_json_drop(document);
    else if (fclose(stream) || failed) {
        free(text);
        return NULL;
    }
    return text;
}

void ordo_json_allocate_by(void *(*allocate)(size_t bytes), void (*release)(void *memory))
{
    json_set_alloc_funcs(allocate, release);
}
