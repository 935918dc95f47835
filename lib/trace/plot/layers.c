#include "trace/plot/layers.h"

#include <unistd.h>

#include "base/spool.h"

FILE *ordo_layers_open(struct ordo_layers *layers, int layer)
{
    if (layers->of[layer])
        return layers->of[layer];
    int fd = ordo_spool_open();
    if (fd < 0)
        return NULL;
    layers->of[layer] = fdopen(fd, "w+");
    if (!layers->of[layer])
        (void)close(fd);
    return layers->of[layer];
}

static int append_layer(FILE *to, FILE *from)
{
    char room[1 << 14];
    if (fflush(from) || fseek(from, 0, SEEK_SET))
        return -1;
    for (size_t got; (got = fread(room, 1, sizeof room, from)) > 0;)
        fwrite(room, 1, got, to); /* errors are checked when the picture is closed */
    return ferror(from) ? -1 : 0;
}

int ordo_layers_close(struct ordo_layers *layers, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 1; i < ORDO_LAYERS; i++) {
        if (!layers->of[i])
            continue;
        if (!code && append_layer(layers->of[0], layers->of[i]))
            code = ordo_error_errno(error, "layers of the picture, in $TMPDIR or /tmp");
        (void)fclose(layers->of[i]);
        layers->of[i] = NULL;
    }
    return code;
}
