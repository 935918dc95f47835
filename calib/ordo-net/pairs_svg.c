/* The pairs as a drawing: the table of pairs_print, with colours. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/minmax.h"
#include "base/utf8.h"
#include "common/duration.h"
#include "ordo-net/pairs.h"

enum {
    MOST_DRAWN = 64,
    MOST_WITH_TEXT = 20,
    ROW = 24,
    WIDE = 72,
    NARROW = 14,
    LETTER = 7,
    LONGEST_NAME = 40,
    TOP = 76
};

struct drawing {
    const struct measured *measured;
    const int *host;
    int count, left, cell_width, cell_height;
    double least_ns, most_ns; /* without limits: the range of the colours */
};

/* Writes at most `most` characters of a text, as XML. Bytes that are no characters become question marks. */
static void put_xml(FILE *stream, const char *text, int most)
{
    size_t left = strlen(text);
    for (size_t bytes; left > 0 && most > 0; text += bytes, left -= bytes, most--) {
        bytes = ordo_utf8_letter(text, left);
        const char *entity = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : NULL;
        if (entity || bytes == 0)
            fputs(entity ? entity : "?", stream);
        else
            (void)fwrite(text, 1, bytes, stream);
        bytes = bytes ? bytes : 1;
    }
}

static double size_of_offset(const struct ordo_net_survey_pair *pair)
{
    return fmax(fabs((double)pair->estimate_ns), 1);
}

/* Chooses a colour. Without limits, it is darker for larger offsets, on a logarithmic scale. */
static void choose_colour(const struct drawing *drawing, const struct ordo_net_survey_pair *pair, char colour[8])
{
    enum alarm_finding worst = alarm_worst(drawing->measured->alarm, pair);
    double range = log(drawing->most_ns / drawing->least_ns);
    double share = range > 0 ? log(size_of_offset(pair) / drawing->least_ns) / range : 0;
    if (worst != ALARM_WITHIN)
        (void)snprintf(colour, 8, "%s", worst == ALARM_EXCEEDS ? "#c62828" : "#bdbdbd");
    else if (alarm_limits(drawing->measured->alarm))
        (void)snprintf(colour, 8, "#c8e6c9");
    else
        (void)snprintf(colour, 8, "#%02x%02x%02x", (unsigned)(240 - 130 * share), (unsigned)(246 - 90 * share),
                       (unsigned)(255 - 25 * share));
}

static void write_title(const struct drawing *drawing, int a, int b, const struct ordo_net_survey_pair *pair,
                        FILE *stream)
{
    char low[DURATION_TEXT], high[DURATION_TEXT];
    put_xml(stream, drawing->measured->name[b], 250);
    fputs(" minus ", stream);
    put_xml(stream, drawing->measured->name[a], 250);
    if (pair->proved)
        fprintf(stream, ": %s to %s", duration_exact(pair->offset_ns.low, low),
                duration_exact(pair->offset_ns.high, high));
    else
        fputs(": nothing is proved", stream);
}

static void draw_cell(const struct drawing *drawing, int column, int row, FILE *stream)
{
    char colour[8], text[DURATION_TEXT] = "";
    int a = drawing->host[column], b = drawing->host[row];
    struct ordo_net_survey_pair pair = ordo_net_survey_pair(&drawing->measured->result, a, b);
    enum alarm_finding worst = alarm_worst(drawing->measured->alarm, &pair);
    int x = drawing->left + column * drawing->cell_width, y = TOP + row * drawing->cell_height;
    choose_colour(drawing, &pair, colour);
    fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"white\"><title>", x, y,
            drawing->cell_width, drawing->cell_height, colour);
    write_title(drawing, a, b, &pair, stream);
    fputs("</title></rect>\n", stream);
    if (drawing->count > MOST_WITH_TEXT)
        return;
    if (pair.likely)
        (void)duration_brief(pair.estimate_ns, text);
    fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\" pointer-events=\"none\">%s%s</text>\n",
            x + drawing->cell_width / 2, y + 16, worst == ALARM_EXCEEDS ? "white" : "black", text,
            worst == ALARM_EXCEEDS     ? " !"
            : worst == ALARM_UNDECIDED ? " ?"
                                       : "");
}

static void draw_matrix(const struct drawing *drawing, FILE *stream)
{
    for (int row = 0; row < drawing->count; row++) {
        int y = TOP + row * drawing->cell_height;
        fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", drawing->left - 8,
                y + drawing->cell_height / 2 + 4);
        put_xml(stream, drawing->measured->name[drawing->host[row]], LONGEST_NAME);
        fprintf(stream, " %d</text>\n", drawing->host[row] + 1);
        if (row + 1 < drawing->count)
            fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
                    drawing->left + row * drawing->cell_width + drawing->cell_width / 2, TOP + drawing->cell_height - 8,
                    drawing->host[row] + 1);
        for (int column = 0; column < row; column++)
            draw_cell(drawing, column, row, stream);
    }
}

static void draw_head(const struct drawing *drawing, FILE *stream)
{
    char at[32], text[PAIR_TEXT];
    time_t seconds = (time_t)drawing->measured->at_s;
    struct tm utc;
    int y = 36;
    (void)strftime(at, sizeof at, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&seconds, &utc));
    fprintf(stream, "<text x=\"8\" y=\"18\" font-size=\"13\">clock of each row minus that of each column, likely; %s",
            at);
    if (drawing->count < drawing->measured->result.hosts)
        fprintf(stream, "; %d of %d hosts", drawing->count, drawing->measured->result.hosts);
    fputs("</text>\n", stream);
    for (int kind = 0; kind < ALARM_KINDS; kind++)
        if (drawing->measured->alarm->limit_ns[kind]) {
            fprintf(stream, "<text x=\"8\" y=\"%d\">%s</text>\n", y,
                    pairs_sum(drawing->measured, (enum alarm_kind)kind, text));
            y += 16;
        }
}

static struct drawing lay_out_drawing(const struct measured *measured, const int *host, int count)
{
    struct drawing drawing = {measured, host, count, 0, WIDE, ROW, INFINITY, 0};
    size_t longest = 4;
    for (int i = 0; i < count; i++) {
        longest = strlen(measured->name[host[i]]) > longest ? strlen(measured->name[host[i]]) : longest;
        for (int k = 0; k < i; k++) {
            struct ordo_net_survey_pair pair = ordo_net_survey_pair(&measured->result, host[k], host[i]);
            drawing.least_ns = pair.likely ? fmin(drawing.least_ns, size_of_offset(&pair)) : drawing.least_ns;
            drawing.most_ns = pair.likely ? fmax(drawing.most_ns, size_of_offset(&pair)) : drawing.most_ns;
        }
    }
    if (count > MOST_WITH_TEXT)
        drawing.cell_width = drawing.cell_height = NARROW;
    drawing.left = LETTER * ((int)ordo_min((int64_t)longest, LONGEST_NAME) + 6);
    return drawing;
}

static void draw_pairs(const struct drawing *drawing, FILE *stream)
{
    int width = drawing->left + drawing->count * drawing->cell_width + 16;
    int height = TOP + drawing->count * drawing->cell_height + 16;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            width > 640 ? width : 640, height);
    draw_head(drawing, stream);
    draw_matrix(drawing, stream);
    fputs("</svg>\n", stream);
}

int pairs_write_svg(const struct measured *measured, const char *path, struct ordo_error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    int count, *host = pairs_choose(measured, MOST_DRAWN, &count), code = ORDO_E_SYSTEM;
    FILE *stream = host ? open_memstream(&text, &bytes) : NULL;
    if (stream) {
        struct drawing drawing = lay_out_drawing(measured, host, count);
        draw_pairs(&drawing, stream);
        code = ferror(stream) ? ORDO_E_SYSTEM : ORDO_OK;
        code = fclose(stream) ? ORDO_E_SYSTEM : code;
    }
    code = code ? ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%.150s: out of memory", path)
                : ordo_file_replace(path, text, bytes, 0644, error);
    free(text);
    free(host);
    return code;
}
