/* JSON documents: whole, or an error. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/report/report.h"
#include "json/builder.h"

static int countdown; /* the allocation of the JSON library that fails; 0: none */

static void *allocate(size_t size)
{
    return countdown > 0 && --countdown == 0 ? NULL : malloc(size);
}

/* The report of a small calibration; its text, malloc'ed, and what writing it returned. */
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

Test(json, whatever_cannot_be_had_no_half_document_passes)
{
    int code, failed = 0;
    char *whole = report(&code);
    cr_assert_eq(code, 0);
    json_set_alloc_funcs(allocate, free);
    for (int n = 1; countdown == 0; n++) {
        countdown = n;
        char *text = report(&code);
        cr_assert(code != 0 || strcmp(text, whole) == 0, "allocation %d failed, and the document lacks something:\n%s",
                  n, text);
        failed += code != 0;
        free(text);
        if (countdown > 0)
            break;
    }
    countdown = 0;
    json_set_alloc_funcs(malloc, free);
    cr_assert_gt(failed, 100, "only %d allocations failed", failed);
    free(whole);
}

/* What the builder makes, as compact text. */
static void expect(struct ordo_json *json, const char *expected)
{
    json_t *value = ordo_json_end(json);
    char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
    cr_assert(text && strcmp(text, expected) == 0, "%s", text ? text : "(nothing)");
    free(text);
    json_decref(value);
}

Test(json, keys_stay_in_order_and_what_is_not_known_is_null)
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

Test(json, a_failure_inside_is_a_failure_of_the_whole)
{
    struct ordo_json outer = ordo_json_document("x/1"), inner = ordo_json_array();
    ordo_json_add(&inner, NULL);
    ordo_json_put(&outer, "inner", ordo_json_end(&inner));
    ordo_json_put_int(&outer, "after", 1);
    cr_assert_eq(ordo_json_write(&outer, stdout), -1);
    cr_assert_eq(ordo_json_write(&outer, stdout), -1, "a document is written once");
}
