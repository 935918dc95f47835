#include "lab/ordo-lab/figures.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

static const char *const places[] = {"simulated network", "simulated cluster", "this machine", "MPI on this machine",
                                     "arithmetic"};

struct figures_printer figures_printer_begin(enum figures_form form)
{
    struct figures_printer printer = {.form = form};
    if (form == FIGURES_JSON)
        printer.figures = ordo_json_array();
    if (form == FIGURES_MARKDOWN)
        printf("# Figures of the documents, repeated\n\n`ordo-lab figures --markdown` writes this page: a line for "
               "each figure "
               "and table of the documents on which Ordo is\nbuilt. `ordo-lab figures DOCUMENT FIGURE` prints all "
               "numbers of "
               "one, and `--svg FOLDER` draws it. A number is\nreproduced within a factor that the figure states, and "
               "better "
               "if it is beyond in the better direction. A\npublished upper limit that is kept is reproduced.\n");
    return printer;
}

static const char *reason_of_figure(const struct ordo_figure_run *run, enum ordo_figure_verdict verdict,
                                    const char *absent)
{
    if (verdict != ORDO_FIGURE_DIFFERS)
        return verdict == ORDO_FIGURE_ABSENT ? absent : "";
    const char *reason = ordo_figure_reason(run);
    return reason ? reason : "the reason is not known";
}

static void print_value(const struct ordo_figure_value *value)
{
    printf("  %-60s %12.4g %12.4g %-8s %7.2f  %-10s %s %gx\n", value->what, value->published, value->ours, value->unit,
           value->ours / value->published, ordo_figure_verdict_name(ordo_figure_judge_value(value)),
           value->sense == ORDO_FIGURE_LIMIT ? "at most" : "within", value->factor);
}

/* Prints the note of a document before its first figure. */
static void print_note(const struct figures_printer *printer, const struct ordo_document *document)
{
    if (printer->document != document && document->note)
        printf("%s\n\n", document->note);
}

static void print_figure_text(const struct ordo_document *document, const struct ordo_figure *figure,
                              const struct ordo_figure_run *run, enum ordo_figure_verdict verdict, const char *reason)
{
    printf("%s %s: %s\n", document->name, figure->name, figure->title);
    if (run->values)
        printf("  %-60s %12s %12s %-8s %7s\n", "", "published", "ours", "unit", "ratio");
    for (int i = 0; i < run->values; i++)
        print_value(&run->value[i]);
    for (int i = 0; i < run->claims; i++)
        printf("  %s: %s\n", run->claim[i].holds ? "holds" : "does not hold", run->claim[i].what);
    printf("  %s%s%s (%s, %.1f s)\n\n", ordo_figure_verdict_name(verdict), *reason ? ", because " : "", reason,
           places[figure->place], run->seconds);
}

/* The published and our value of the first number, for a line of a table. */
static void print_first_value(const struct ordo_figure_run *run)
{
    if (run->values)
        printf("%s: %.4g, here %.4g %s", run->value[0].what, run->value[0].published, run->value[0].ours,
               run->value[0].unit);
    else if (run->claims)
        printf("%s", run->claim[0].what);
}

static void print_figure_line(struct figures_printer *printer, const struct ordo_document *document,
                              const struct ordo_figure *figure, const struct ordo_figure_run *run,
                              enum ordo_figure_verdict verdict, const char *reason)
{
    if (printer->document != document) {
        printf("\n## %s\n\n%s\n\n", document->name, document->title);
        print_note(printer, document);
        printf("| figure | shows | by | a number or claim | numbers, claims | s | verdict "
               "|\n|---|---|---|---|---|---|---|\n");
    }
    printf("| %s | %s | %s | ", figure->name, figure->title, places[figure->place]);
    print_first_value(run);
    printf(" | %d, %d | %.0f | %s%s%s |\n", run->values, run->claims, run->seconds, ordo_figure_verdict_name(verdict),
           *reason ? ": " : "", reason);
}

static struct ordo_json value_json(const struct ordo_figure_value *value)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "what", value->what);
    ordo_json_put_text(&object, "unit", value->unit);
    ordo_json_put_real(&object, "published", value->published);
    ordo_json_put_real(&object, "ours", value->ours);
    ordo_json_put_real(&object, "ratio", value->ours / value->published);
    ordo_json_put_real(&object, "factor", value->factor);
    ordo_json_put_text(&object, "verdict", ordo_figure_verdict_name(ordo_figure_judge_value(value)));
    return object;
}

static struct ordo_json figure_json(const struct ordo_document *document, const struct ordo_figure *figure,
                                    const struct ordo_figure_run *run, enum ordo_figure_verdict verdict,
                                    const char *reason)
{
    struct ordo_json object = ordo_json_object(), values = ordo_json_array(), claims = ordo_json_array();
    for (int i = 0; i < run->values; i++)
        ordo_json_add(&values, value_json(&run->value[i]));
    for (int i = 0; i < run->claims; i++) {
        struct ordo_json claim = ordo_json_object();
        ordo_json_put_text(&claim, "what", run->claim[i].what);
        ordo_json_put_bool(&claim, "holds", run->claim[i].holds);
        ordo_json_add(&claims, claim);
    }
    ordo_json_put_text(&object, "document", document->name);
    ordo_json_put_text(&object, "figure", figure->name);
    ordo_json_put_text(&object, "title", figure->title);
    ordo_json_put_text(&object, "place", places[figure->place]);
    ordo_json_put_text(&object, "verdict", ordo_figure_verdict_name(verdict));
    ordo_json_put_text(&object, "because", *reason ? reason : NULL);
    ordo_json_put_real(&object, "seconds", run->seconds);
    ordo_json_put(&object, "values", values);
    ordo_json_put(&object, "claims", claims);
    return object;
}

void figures_print(struct figures_printer *printer, const struct ordo_document *document,
                   const struct ordo_figure *figure, const struct ordo_figure_run *run,
                   enum ordo_figure_verdict verdict, const char *because)
{
    const char *reason = reason_of_figure(run, verdict, because);
    if (printer->form == FIGURES_TEXT) {
        print_note(printer, document);
        print_figure_text(document, figure, run, verdict, reason);
    } else if (printer->form == FIGURES_MARKDOWN)
        print_figure_line(printer, document, figure, run, verdict, reason);
    else
        ordo_json_add(&printer->figures, figure_json(document, figure, run, verdict, reason));
    printer->document = document;
    printer->count[verdict]++;
    (void)fflush(stdout);
}

int figures_printer_end(struct figures_printer *printer)
{
    const int *count = printer->count;
    if (printer->form != FIGURES_JSON) {
        printf("%s%d figures and tables: %d better, %d reproduced, %d different, %d that cannot be had here.\n",
               printer->form == FIGURES_MARKDOWN ? "\n" : "", count[0] + count[1] + count[2] + count[3],
               count[ORDO_FIGURE_BETTER], count[ORDO_FIGURE_REPRODUCED], count[ORDO_FIGURE_DIFFERS],
               count[ORDO_FIGURE_ABSENT]);
        return 0;
    }
    struct ordo_json document = ordo_json_document("ordo-lab-figures/1");
    ordo_json_put(&document, "figures", printer->figures);
    return ordo_json_write(&document, stdout);
}

void figures_print_list(const char *document)
{
    for (const struct ordo_document *const *at = ordo_documents; *at; at++) {
        if (document && strcmp(document, (*at)->name) != 0)
            continue;
        printf("%s: %s\n", (*at)->name, (*at)->title);
        if ((*at)->note)
            printf("(%s)\n", (*at)->note);
        for (const struct ordo_figure *figure = (*at)->figures; figure->name; figure++)
            printf("  %-10s %s\n", figure->name, figure->title);
    }
}

int figures_save_picture(const char *folder, const struct ordo_document *document, const struct ordo_figure *figure,
                         const struct ordo_figure_run *run, struct ordo_error *error)
{
    char path[PATH_MAX], title[200], *text = NULL;
    size_t bytes = 0;
    if (!run->panels)
        return ORDO_OK;
    if (mkdir(folder, 0755) && errno != EEXIST)
        return ordo_error_errno(error, "%s", folder);
    (void)snprintf(path, sizeof path, "%s/%s-%s.svg", folder, document->name, figure->name);
    (void)snprintf(title, sizeof title, "%s %s: %s", document->name, figure->name, figure->title);
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream)
        return ordo_error_errno(error, "%s", path);
    int code = ordo_figure_draw(run, title, stream, error);
    if (fclose(stream) && !code)
        code = ordo_error_errno(error, "%s", path);
    if (!code)
        code = ordo_file_replace(path, text, bytes, 0644, error);
    free(text);
    return code;
}
