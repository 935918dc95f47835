/* JSON documents: complete, or an error. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/report/report.h"
#include "json/reader.h"

static int countdown; /* number of the allocation of the JSON library that fails; 0: none */

static void *allocate(size_t size)
{
    return countdown > 0 && --countdown == 0 ? NULL : malloc(size);
}

/* Writes the report of a small calibration. `text`: malloc'ed. Returns the code of writing. */
static char *report(int *code)
{
    struct ordo_calibration *calibration = ordo_calibration_new(2);
    char *text = NULL;
    size_t bytes;
    calibration->cpus[1] = 1;
    calibration->tick_hz = 1e9;
    calibration->delta_ticks[0] = calibration->delta_ticks[3] = ORDO_DELTA_NONE;
    calibration->rate_count = 1;
    ordo_calibration_warn(calibration, "a warning");
    FILE *stream = open_memstream(&text, &bytes);
    *code = ordo_report_find("json")->write(calibration, (struct ordo_report_style){.width = 80}, stream);
    (void)fclose(stream);
    ordo_calibration_free(calibration);
    return text;
}

Test(json, a_failed_allocation_leaves_no_partial_document)
{
    int code, failed = 0;
    char *whole = report(&code);
    cr_assert_eq(code, 0);
    ordo_json_allocate_by(allocate, free);
    for (int n = 1; countdown == 0; n++) {
        countdown = n;
        char *text = report(&code);
        cr_assert(code != 0 || strcmp(text, whole) == 0, "allocation %d failed, and the document is incomplete:\n%s", n,
                  text);
        failed += code != 0;
        free(text);
        if (countdown > 0)
            break;
    }
    countdown = 0;
    ordo_json_allocate_by(malloc, free);
    cr_assert_gt(failed, 100, "only %d allocations failed", failed);
    free(whole);
}

/* Expects this compact text of a document. */
static void expect(struct ordo_json *json, const char *expected)
{
    size_t bytes;
    char *text = ordo_json_compact(json, &bytes);
    cr_assert(text && bytes > 0 && text[bytes - 1] == '\n');
    text[bytes - 1] = '\0';
    cr_assert_str_eq(text, expected);
    free(text);
}

Test(json, keys_keep_order_and_unknown_values_are_null)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "z", INT64_MIN);
    ordo_json_put_bool(&object, "y", true);
    ordo_json_put_real(&object, "x", 0.5);
    ordo_json_put_real(&object, "infinite", INFINITY);
    ordo_json_put_reals(&object, "interval", 1.5, NAN);
    ordo_json_put_ints(&object, "ints", -1, 2);
    ordo_json_put_text(&object, "none", NULL);
    ordo_json_put_text(&object, "bytes", "a\xff");
    expect(&object, "{\"z\":-9223372036854775808,\"y\":true,\"x\":0.5,\"infinite\":null,\"interval\":[1.5,null],"
                    "\"ints\":[-1,2],\"none\":null,\"bytes\":\"a?\"}");
}

Test(json, a_failed_part_fails_the_whole_document)
{
    struct ordo_json outer = ordo_json_document("x/1"), inner = ordo_json_array();
    ordo_json_add(&inner, (struct ordo_json){0});
    ordo_json_put(&outer, "inner", inner);
    ordo_json_put_int(&outer, "after", 1);
    cr_assert_eq(ordo_json_write(&outer, stdout), -1);
    cr_assert_eq(ordo_json_write(&outer, stdout), -1, "a document can be written only once");
}

Test(json, a_list_in_an_object_can_grow)
{
    struct ordo_json object = ordo_json_object(), more = ordo_json_object(), shared;
    ordo_json_put(&object, "a", ordo_json_array());
    ordo_json_append(&object, "b", ordo_json_int(1));
    ordo_json_append(&object, "b", ordo_json_characters("xyz", 2));
    shared = ordo_json_share(&object);
    ordo_json_put(&more, "shared", shared);
    ordo_json_put_all(&more, &object);
    ordo_json_put_all(&more, &(struct ordo_json){0});
    expect(&object, "{\"a\":[],\"b\":[1,\"xy\"]}");
    expect(&more, "{\"shared\":{\"a\":[],\"b\":[1,\"xy\"]},\"a\":[],\"b\":[1,\"xy\"]}");
}

Test(json, a_reader_visits_keys_in_their_order)
{
    struct ordo_json object = ordo_json_object();
    struct ordo_json_entry entry = {0};
    ordo_json_put_int(&object, "z", 7);
    ordo_json_put_text(&object, "a", "b");
    const struct ordo_json_value *value = ordo_json_view(&object);
    cr_assert(ordo_json_next(value, &entry) && strcmp(entry.key, "z") == 0 && ordo_json_whole_of(entry.value, 0) == 7);
    cr_assert(ordo_json_next(value, &entry) && strcmp(entry.key, "a") == 0);
    cr_assert_str_eq(ordo_json_word_of(entry.value), "b");
    cr_assert(!ordo_json_next(value, &entry));
    ordo_json_drop(&object);
    cr_assert_null(ordo_json_view(&object));
}

/* Returns the error line about a file with this text. */
static const char *said_of(const void *text, size_t bytes)
{
    static struct ordo_error error;
    struct ordo_json_value *value;
    char path[] = "/tmp/ordo-json-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, text, bytes) == (ssize_t)bytes && close(fd) == 0);
    int code = ordo_json_load(path, "mend it", &value, &error);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(code != ORDO_OK, value == NULL);
    ordo_json_free(value);
    cr_assert(!code || strncmp(error.text, path, strlen(path)) == 0, "%s", error.text);
    return code ? error.text + strlen(path) : "";
}

#define SAID_OF(text) said_of(text, sizeof(text) - 1)

Test(json, the_error_names_a_malformed_file_and_the_place)
{
    static char deep[100000];
    memset(deep, '[', sizeof deep);
    cr_assert_str_eq(SAID_OF("{\"a\": [1, 2.5, null]}\n"), "");
    cr_assert_str_eq(SAID_OF(""), ": line 1, column 0: the file is empty: mend it");
    cr_assert_str_eq(SAID_OF("\xef\xbb\xbf{}"),
                     ": line 1, column 1: a byte order mark: save the file without one: mend it");
    cr_assert_str_eq(SAID_OF("{\n \"a\": NaN}"), ": line 2, column 9: invalid token near 'NaN': mend it");
    cr_assert_str_eq(SAID_OF("{\"a\": 1, \"a\": 2}"),
                     ": line 1, column 12: duplicate object key near '\"a\"': mend it");
    cr_assert_str_eq(SAID_OF("{\"a\": \"\xff\"}"), ": line 1, column 7: unable to decode byte 0xff near '\"': mend it");
    cr_assert_str_eq(said_of(deep, sizeof deep),
                     ": line 1, column 2049: maximum parsing depth reached near '[': mend it");
}

Test(json, the_error_names_an_unreadable_file)
{
    struct ordo_error error = {0};
    struct ordo_json_value *value;
    cr_assert_eq(ordo_json_load("/nowhere.json", "mend it", &value, &error), ORDO_E_INVALID);
    cr_assert_str_eq(error.text, "/nowhere.json: No such file or directory: mend it");
    cr_assert_eq(ordo_json_load("/", "mend it", &value, &error), ORDO_E_INVALID);
    cr_assert_str_eq(error.text, "/: Is a directory: mend it");
}
