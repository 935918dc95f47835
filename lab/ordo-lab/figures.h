/* The repeated figures, as text, as JSON, as a table in Markdown, and as pictures. */
#ifndef ORDO_LAB_FIGURES_PRINTER_H
#define ORDO_LAB_FIGURES_PRINTER_H

#include "lab/figures/run.h"
#include "json/builder.h"

enum figures_form { FIGURES_TEXT, FIGURES_JSON, FIGURES_MARKDOWN };

struct figures_printer {
    enum figures_form form;
    const struct ordo_document *document; /* of the last figure; NULL: none yet */
    int count[ORDO_FIGURE_ABSENT + 1];    /* figures by verdict */
    struct ordo_json figures;
};

struct figures_printer figures_printer_begin(enum figures_form form);

/** Prints a figure. `because` says why it cannot be had, if that is the verdict. */
void figures_print(struct figures_printer *printer, const struct ordo_document *document,
                   const struct ordo_figure *figure, const struct ordo_figure_run *run,
                   enum ordo_figure_verdict verdict, const char *because);

/** Prints the number of figures by verdict, or the document of JSON. Returns 0, or -1 if it cannot be written. */
int figures_printer_end(struct figures_printer *printer);

/** Prints the names and titles of the figures of a document; of all documents if `document` is NULL. */
void figures_print_list(const char *document);

/** Draws a figure into a folder, which is made if it does not exist. */
int figures_save_picture(const char *folder, const struct ordo_document *document, const struct ordo_figure *figure,
                         const struct ordo_figure_run *run, struct ordo_error *error);

#endif
