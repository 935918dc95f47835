#include "json/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "json/library.h"

enum { SHOWN = 28 };

void ordo_json_show(const char *text, char *shown, size_t size)
{
    size_t length = strlen(text), i;
    for (i = 0; i < length && i + 1 < size; i++)
        shown[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    shown[i] = '\0';
    if (i < length && size > 4)
        memcpy(shown + i - 3, "...", 3);
}

static int wrong_value(struct ordo_json_fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int wrong_value(struct ordo_json_fault *fault, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault->found, sizeof fault->found, format, arguments);
    va_end(arguments);
    return -1;
}

/* Returns the parser's error in words for users, because the parser's own words are for programmers. */
static const char *plain_words(const json_error_t *error, const char *text, size_t bytes)
{
    if (bytes == 0)
        return "the file is empty";
    if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        return "a byte order mark: save the file without one";
    if (bytes >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return "UTF-16: save the file as UTF-8";
    return json_error_code(error) == json_error_null_character     ? "a text with \\u0000"
           : json_error_code(error) == json_error_null_byte_in_key ? "a key with \\u0000"
                                                                   : error->text;
}

int ordo_json_read(const char *text, size_t bytes, struct ordo_json_value **value, struct ordo_json_fault *fault)
{
    json_error_t error;
    *fault = (struct ordo_json_fault){.path = "$"};
    *value = value_of(json_loadb(text, bytes, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error));
    if (*value)
        return 0;
    if (error.text[0] == '\0' || json_error_code(&error) == json_error_out_of_memory)
        return ORDO_E_SYSTEM;
    if (error.line > 0)
        (void)snprintf(fault->path, sizeof fault->path, "line %d, column %d", error.line, error.column);
    ordo_json_show(plain_words(&error, text, bytes), fault->found, sizeof fault->found);
    return -1;
}

/* Returns the contents of a file in malloc'ed memory; NULL with errno on failure. */
static char *text_of(const char *path, size_t *bytes)
{
    char *text = NULL, part[4096];
    FILE *from = fopen(path, "re"), *to = from ? open_memstream(&text, bytes) : NULL;
    bool read = to != NULL;
    for (size_t got = 1; read && got > 0;) {
        got = fread(part, 1, sizeof part, from);
        read = !ferror(from) && fwrite(part, 1, got, to) == got;
    }
    int failure = errno;
    if (to && fclose(to) != 0 && read) {
        read = false;
        failure = errno;
    }
    if (from)
        (void)fclose(from);
    if (!read) {
        free(text);
        text = NULL;
        errno = failure;
    }
    return text;
}

int ordo_json_load(const char *path, const char *remedy, struct ordo_json_value **value, struct ordo_error *error)
{
    struct ordo_json_fault fault;
    size_t bytes = 0;
    char *text = text_of(path, &bytes);
    *value = NULL;
    if (!text)
        return ordo_error_set(error, ORDO_E_INVALID, errno, "%s: %s: %s", path, strerror(errno), remedy);
    int failed = ordo_json_read(text, bytes, value, &fault);
    free(text);
    if (failed == ORDO_E_SYSTEM)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", path);
    return failed ? ordo_error_set(error, ORDO_E_INVALID, 0, "%s: %s: %s: %s", path, fault.path, fault.found, remedy)
                  : ORDO_OK;
}

void ordo_json_free(struct ordo_json_value *value)
{
    json_decref(jansson_of(value));
}

/* Appends a key or an index to the path of the current value. Returns the previous length, to which the caller
 * truncates the path later. */
static size_t descend(struct ordo_json_fault *fault, const char *key, size_t index)
{
    size_t length = strlen(fault->path);
    char shown[SHOWN];
    if (key) {
        ordo_json_show(key, shown, sizeof shown);
        (void)snprintf(fault->path + length, sizeof fault->path - length, ".%s", shown);
    } else {
        (void)snprintf(fault->path + length, sizeof fault->path - length, "[%zu]", index);
    }
    return length;
}

static int check_value(const json_t *value, const struct ordo_json_shape *shape, struct ordo_json_fault *fault);

static int check_at(const json_t *value, const char *key, size_t index, const struct ordo_json_shape *shape,
                    struct ordo_json_fault *fault)
{
    size_t length = descend(fault, key, index);
    if (check_value(value, shape, fault))
        return -1;
    fault->path[length] = '\0';
    return 0;
}

static bool knows(const struct ordo_json_shape *shape, const char *key)
{
    const struct ordo_json_field *field = shape->fields;
    while (field->key && strcmp(field->key, key) != 0)
        field++;
    return field->key != NULL;
}

static int check_object(const json_t *value, const struct ordo_json_shape *shape, struct ordo_json_fault *fault)
{
    json_t *object = (json_t *)(uintptr_t)value; /* the library's iterators take no const pointer */
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        if (knows(shape, json_object_iter_key(at)))
            continue;
        (void)descend(fault, json_object_iter_key(at), 0);
        fault->unknown = true;
        return wrong_value(fault, "a key that no such document has");
    }
    for (const struct ordo_json_field *field = shape->fields; field->key; field++) {
        const json_t *found = json_object_get(value, field->key);
        if (!found)
            return wrong_value(fault, "lacks the key \"%s\"", field->key);
        if (check_at(found, field->key, 0, &field->shape, fault))
            return -1;
    }
    return 0;
}

static int check_array(const json_t *value, const struct ordo_json_shape *shape, struct ordo_json_fault *fault)
{
    size_t count = json_array_size(value);
    if (count < (size_t)shape->least || count > (size_t)shape->most)
        return wrong_value(fault, "%zu items, and not %" PRId64 " to %" PRId64, count, shape->least, shape->most);
    for (size_t i = 0; i < count; i++)
        if (check_at(json_array_get(value, i), NULL, i, shape->items, fault))
            return -1;
    return 0;
}

static int check_whole(const json_t *value, const struct ordo_json_shape *shape, struct ordo_json_fault *fault)
{
    int64_t number = json_integer_value(value);
    if (number < shape->least || number > shape->most)
        return wrong_value(fault, "%" PRId64 ", and not %" PRId64 " to %" PRId64, number, shape->least, shape->most);
    return 0;
}

static int check_real(const json_t *value, const struct ordo_json_shape *shape, struct ordo_json_fault *fault)
{
    double number = json_number_value(value);
    if (!(number >= (double)shape->least && number <= (double)shape->most))
        return wrong_value(fault, "%.9g, and not %" PRId64 " to %" PRId64, number, shape->least, shape->most);
    return 0;
}

/* True if a text matches the form; '9' in the form matches 1 to 4 digits. */
static bool has_form(const char *text, const char *form)
{
    for (; *form; form++) {
        if (*form != '9') {
            if (*text++ != *form)
                return false;
            continue;
        }
        size_t digits = strspn(text, "0123456789");
        if (digits < 1 || digits > 4)
            return false;
        text += digits;
    }
    return *text == '\0';
}

static int check_text(const json_t *value, const struct ordo_json_shape *shape, struct ordo_json_fault *fault)
{
    const char *text = json_string_value(value), *const *word = shape->words;
    char shown[SHOWN];
    ordo_json_show(text, shown, sizeof shown);
    if (shape->kind == ORDO_JSON_FORM)
        return has_form(text, shape->form)
                   ? 0
                   : wrong_value(fault, "\"%s\", and not of the form %s", shown, shape->form_name);
    while (*word && strcmp(*word, text) != 0)
        word++;
    return *word ? 0 : wrong_value(fault, "\"%s\", which is none of its words", shown);
}

static int check_codes(const json_t *value, const struct ordo_json_shape *shape, struct ordo_json_fault *fault)
{
    const char *text = json_string_value(value);
    size_t length = strlen(text), known = strspn(text, shape->form);
    if (length < (size_t)shape->least || length > (size_t)shape->most)
        return wrong_value(fault, "%zu characters, and not %" PRId64 " to %" PRId64, length, shape->least, shape->most);
    return known == length ? 0 : wrong_value(fault, "a character that is not of its set, at %zu", known);
}

static const char *type_word(const json_t *value)
{
    static const char *const words[] = {"an object",     "an array", "a text", "an integer",
                                        "a real number", "true",     "false",  "null"};
    return words[json_typeof(value)];
}

static bool is_of_kind(const json_t *value, enum ordo_json_kind kind)
{
    return kind == ORDO_JSON_OBJECT  ? json_is_object(value)
           : kind == ORDO_JSON_ARRAY ? json_is_array(value)
           : kind == ORDO_JSON_WHOLE ? json_is_integer(value)
           : kind == ORDO_JSON_REAL  ? json_is_number(value)
           : kind == ORDO_JSON_TRUTH ? json_is_boolean(value)
                                     : json_is_string(value);
}

static int check_value(const json_t *value, const struct ordo_json_shape *shape, struct ordo_json_fault *fault)
{
    static const struct {
        const char *name;
        int (*check)(const json_t *value, const struct ordo_json_shape *shape, struct ordo_json_fault *fault);
    } kinds[] = {
        [ORDO_JSON_OBJECT] = {"an object", check_object}, [ORDO_JSON_ARRAY] = {"an array", check_array},
        [ORDO_JSON_WHOLE] = {"an integer", check_whole},  [ORDO_JSON_REAL] = {"a number", check_real},
        [ORDO_JSON_TRUTH] = {"true or false", NULL},      [ORDO_JSON_WORD] = {"a word", check_text},
        [ORDO_JSON_FORM] = {"a text", check_text},        [ORDO_JSON_CODES] = {"a text", check_codes},
    };
    if (shape->or_null && json_is_null(value))
        return 0;
    if (!is_of_kind(value, shape->kind))
        return wrong_value(fault, "%s, and not %s", type_word(value), kinds[shape->kind].name);
    return kinds[shape->kind].check ? kinds[shape->kind].check(value, shape, fault) : 0;
}

int ordo_json_check(const struct ordo_json_value *value, const struct ordo_json_shape *shape,
                    struct ordo_json_fault *fault)
{
    *fault = (struct ordo_json_fault){.path = "$"};
    return check_value(jansson_of(value), shape, fault);
}

bool ordo_json_is(const struct ordo_json_value *value, enum ordo_json_kind kind)
{
    return is_of_kind(jansson_of(value), kind);
}

bool ordo_json_equal(const struct ordo_json_value *a, const struct ordo_json_value *b)
{
    return json_equal(jansson_of(a), jansson_of(b));
}

const struct ordo_json_value *ordo_json_get(const struct ordo_json_value *object, const char *key)
{
    return value_of(json_object_get(jansson_of(object), key));
}

const struct ordo_json_value *ordo_json_part(const struct ordo_json_value *object, const char *key)
{
    const struct ordo_json_value *value = ordo_json_get(object, key);
    return json_is_null(jansson_of(value)) ? NULL : value;
}

size_t ordo_json_count(const struct ordo_json_value *array)
{
    return json_array_size(jansson_of(array));
}

const struct ordo_json_value *ordo_json_item(const struct ordo_json_value *array, size_t index)
{
    return value_of(json_array_get(jansson_of(array), index));
}

bool ordo_json_next(const struct ordo_json_value *object, struct ordo_json_entry *entry)
{
    json_t *all = jansson_of(object);
    void *at = entry->key ? json_object_iter_next(all, json_object_key_to_iter(entry->key)) : json_object_iter(all);
    if (!at)
        return false;
    *entry = (struct ordo_json_entry){json_object_iter_key(at), value_of(json_object_iter_value(at))};
    return true;
}

int64_t ordo_json_whole_of(const struct ordo_json_value *value, int64_t otherwise)
{
    return json_is_integer(jansson_of(value)) ? json_integer_value(jansson_of(value)) : otherwise;
}

double ordo_json_number_of(const struct ordo_json_value *value, double otherwise)
{
    return json_is_number(jansson_of(value)) ? json_number_value(jansson_of(value)) : otherwise;
}

const char *ordo_json_word_of(const struct ordo_json_value *value)
{
    return json_string_value(jansson_of(value));
}

int64_t ordo_json_whole(const struct ordo_json_value *object, const char *key, int64_t otherwise)
{
    return ordo_json_whole_of(ordo_json_get(object, key), otherwise);
}

int64_t ordo_json_whole_at(const struct ordo_json_value *array, size_t index, int64_t otherwise)
{
    return ordo_json_whole_of(ordo_json_item(array, index), otherwise);
}

double ordo_json_number(const struct ordo_json_value *object, const char *key, double otherwise)
{
    return ordo_json_number_of(ordo_json_get(object, key), otherwise);
}

const char *ordo_json_word(const struct ordo_json_value *object, const char *key)
{
    return ordo_json_word_of(ordo_json_get(object, key));
}

bool ordo_json_truth(const struct ordo_json_value *object, const char *key)
{
    return json_is_true(jansson_of(ordo_json_get(object, key)));
}
