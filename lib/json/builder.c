#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/version.h>

#include "json/builder.h"

static struct ordo_json begin(json_t *value)
{
    return (struct ordo_json){value, value == NULL};
}

struct ordo_json ordo_json_object(void)
{
    return begin(json_object());
}

struct ordo_json ordo_json_array(void)
{
    return begin(json_array());
}

struct ordo_json ordo_json_document(const char *schema)
{
    struct ordo_json document = ordo_json_object();
    ordo_json_put_text(&document, "schema", schema);
    ordo_json_put_text(&document, "tool_version", ORDO_VERSION);
    return document;
}

void ordo_json_put(struct ordo_json *object, const char *key, json_t *value)
{
    object->failed |= json_object_set_new(object->value, key, value) != 0; /* also of a value that could not be made */
}

void ordo_json_add(struct ordo_json *array, json_t *value)
{
    array->failed |= json_array_append_new(array->value, value) != 0;
}

void ordo_json_put_int(struct ordo_json *object, const char *key, int64_t value)
{
    ordo_json_put(object, key, json_integer(value));
}

void ordo_json_put_real(struct ordo_json *object, const char *key, double value)
{
    ordo_json_put(object, key, ordo_json_real(value));
}

void ordo_json_put_bool(struct ordo_json *object, const char *key, bool value)
{
    ordo_json_put(object, key, json_boolean(value));
}

void ordo_json_put_text(struct ordo_json *object, const char *key, const char *value)
{
    ordo_json_put(object, key, value ? ordo_json_text(value) : json_null());
}

static void put_two(struct ordo_json *object, const char *key, json_t *low, json_t *high)
{
    struct ordo_json two = ordo_json_array();
    ordo_json_add(&two, low);
    ordo_json_add(&two, high);
    ordo_json_put(object, key, ordo_json_end(&two));
}

void ordo_json_put_ints(struct ordo_json *object, const char *key, int64_t low, int64_t high)
{
    put_two(object, key, json_integer(low), json_integer(high));
}

void ordo_json_put_reals(struct ordo_json *object, const char *key, double low, double high)
{
    put_two(object, key, ordo_json_real(low), ordo_json_real(high));
}

void ordo_json_put_median(struct ordo_json *object, const char *key, struct ordo_median median)
{
    struct ordo_json own = ordo_json_object();
    ordo_json_put_median_here(&own, median);
    ordo_json_put(object, key, ordo_json_end(&own));
}

void ordo_json_put_median_here(struct ordo_json *object, struct ordo_median median)
{
    ordo_json_put_real(object, "median", median.median);
    ordo_json_put_real(object, "low", median.low);
    ordo_json_put_real(object, "high", median.high);
    ordo_json_put_real(object, "level", median.level);
}

void ordo_json_put_all(struct ordo_json *object, json_t *other)
{
    object->failed |= other && json_object_update(object->value, other) != 0;
}

json_t *ordo_json_end(struct ordo_json *json)
{
    json_t *value = json->value;
    if (json->failed) {
        json_decref(value);
        value = NULL;
    }
    json->value = NULL;
    json->failed = true; /* nothing more can be put into it */
    return value;
}

json_t *ordo_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *ordo_json_text(const char *text)
{
    json_t *string = json_string(text);
    char *ascii = string ? NULL : strdup(text);
    if (!ascii)
        return string;
    for (char *at = ascii; *at; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    string = json_string(ascii);
    free(ascii);
    return string;
}

static int write_as(struct ordo_json *document, FILE *stream, size_t form)
{
    json_t *value = ordo_json_end(document);
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
        json_decref(ordo_json_end(document));
    else if (fclose(stream) || failed) {
        free(text);
        return NULL;
    }
    return text;
}
