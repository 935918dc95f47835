#include "judging.h"

#include <errno.h>
#include <math.h>

#include "base/file.h"
#include "common/result.h"
#include "judged.h"

struct judging judging_begin(void)
{
    return (struct judging){.limits = {.offset_ns = NAN,
                                       .jitter_ns = NAN,
                                       .delay_ns = NAN,
                                       .bound_ns = NAN,
                                       .silence_ns = NAN,
                                       .percent = 100,
                                       .lost = NAN}};
}

static int verdict_of(const struct ordo_log_judge *judge)
{
    int code = EXIT_OK;
    for (int i = 0; i < ORDO_LOG_LIMITS; i++) {
        enum ordo_log_verdict verdict = ordo_log_judge_limit(judge, i);
        if (verdict == ORDO_LOG_EXCEEDED)
            return EXIT_FAILS;
        if (verdict == ORDO_LOG_UNKNOWN)
            code = EXIT_UNKNOWN;
    }
    return code;
}

static int report_judgement(const struct judging *judging, const struct judged *judged, const char *program)
{
    struct ordo_error error = {0};
    if (judging->svg && judged_save_picture(judged, judging->svg, &error))
        return cli_fail(EXIT_INTERNAL, program, error.text);
    if (judging->json && judged_print_json(judged))
        return cli_fail_output(program);
    if (!judging->json)
        judged_print_text(judged);
    int closed = cli_close_stdout(program);
    return closed ? closed : verdict_of(judged->judge);
}

/* Reports files in which nothing is judged. */
static int refuse_logs(const struct judged *judged, const char *program)
{
    const struct ordo_log_judge *judge = judged->judge;
    const struct ordo_log_file *file = &judged->files->file[0];
    const char *others = judged->files->count > 1 ? " and the other files" : "";
    if (judge->odd[ORDO_LOG_ODD_DAMAGED].count)
        return cli_failf(EXIT_UNKNOWN, program, "%s%s: no reading: compressed data are damaged or incomplete",
                         cli_show(file->path), others);
    return cli_failf(EXIT_UNKNOWN, program,
                     "%s%s: no offset of ptp4l, phc2sys, ts2phc or chronyd in %ju lines: give their logs, or the "
                     "output of chronyc",
                     cli_show(file->path), others, (uintmax_t)judge->lines);
}

static int judge_opened(const struct judging *judging, struct ordo_log_files *files, const char *program)
{
    struct ordo_error error = {0};
    struct ordo_log_judge *judge = ordo_log_judge_create(&judging->limits);
    if (!judge)
        return cli_fail(EXIT_INTERNAL, program, "out of memory");
    const struct judged judged = {judge, files, judging->all};
    int code = ordo_log_judge_files(judge, files, &error);
    if (code)
        code = cli_fail(error.sys_errno == ENOMEM ? EXIT_INTERNAL : EXIT_USAGE, program, error.text);
    else if (ordo_log_judge_readings(judge) + judge->kinds[ORDO_LOG_STATE] == 0)
        code = refuse_logs(&judged, program);
    else
        code = report_judgement(judging, &judged, program);
    ordo_log_judge_free(judge);
    return code;
}

int judging_run(const struct judging *judging, const char *program)
{
    struct ordo_error error = {0};
    struct ordo_log_files files;
    if (judging->svg && ordo_file_prepare_output(judging->svg, &error))
        return cli_fail(EXIT_INTERNAL, program, error.text);
    if (ordo_log_files_open(&files, judging->paths, judging->count, &error))
        return cli_fail(error.sys_errno == ENOMEM ? EXIT_INTERNAL : EXIT_USAGE, program, error.text);
    int code = judge_opened(judging, &files, program);
    ordo_log_files_free(&files);
    return code;
}
