#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 40 };

void progress_begin(struct progress *progress, bool quiet)
{
    *progress = (struct progress){.shown = !quiet && isatty(STDERR_FILENO), .drawn = -1};
}

void progress_show(struct progress *progress, double share, const char *words)
{
    static const char full[BAR + 1] = "########################################";
    if (!progress->shown || (share < 1 && share >= progress->drawn && share - progress->drawn < 0.002))
        return;
    int filled = (int)(share * BAR);
    fprintf(stderr, "\r\033[K[%.*s%*s] %3d%% %s", filled, full, BAR - filled, "", (int)(share * 100), words);
    fflush(stderr);
    progress->drawn = share;
}

void progress_clear(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->drawn = -1;
}

void progress_end(struct progress *progress)
{
    progress_clear(progress);
    progress->shown = false;
}
