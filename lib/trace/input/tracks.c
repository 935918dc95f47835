#include "trace/input/tracks.h"

#include <stdlib.h>
#include <string.h>

#include "trace/input/number.h"

/* Returns the number of the name made of `kind`, rank and two texts; UINT32_MAX if out of memory. The name contains the
 * lengths, so that no two pairs of texts make the same name. */
static uint32_t number_of_track(struct ordo_tracks *tracks, char kind, int32_t rank, struct ordo_text a,
                                struct ordo_text b)
{
    size_t wanted = a.length + b.length + 64;
    if (wanted > tracks->key_room) {
        char *key = realloc(tracks->key, 2 * wanted);
        if (!key)
            return UINT32_MAX;
        tracks->key = key;
        tracks->key_room = 2 * wanted;
    }
    char *at = tracks->key;
    *at++ = kind;
    at = ordo_text_put_int(at, rank);
    *at++ = '.';
    at = ordo_text_put_int(at, (int64_t)a.length);
    *at++ = '.';
    if (a.length > 0)
        at = mempcpy(at, a.at, a.length);
    if (b.length > 0)
        at = mempcpy(at, b.at, b.length);
    return ordo_names_number(&tracks->names, (struct ordo_text){tracks->key, (size_t)(at - tracks->key)});
}

/* Reserves a name, a number or a text, for a thread of a rank. A text has quotes, so a number and a text are never the
 * same name.
 * 1: the name was free
 * 0: another thread of the rank has the name
 * -1: out of memory */
static int claim(struct ordo_tracks *tracks, int32_t rank, struct ordo_text name)
{
    uint32_t before = tracks->names.count,
             number = number_of_track(tracks, 'C', rank, name, (struct ordo_text){NULL, 0});
    return number == UINT32_MAX ? -1 : number == before;
}

/* Gives a thread its own number or name if that is free, and a new number otherwise. New numbers are >=
 * ORDO_TRACKS_NEW. No thread keeps its own number in this range, so a new number is never the own number of a later
 * thread. */
static int name_track(struct ordo_tracks *tracks, int32_t rank, struct ordo_text thread,
                      struct ordo_thread_track *track)
{
    int64_t own = 0;
    bool is_number = ordo_text_within(thread, 0, ORDO_TRACKS_NEW - 1, &own);
    int free = claim(tracks, rank, thread);
    if (free < 0)
        return -1;
    bool keeps = is_number && free;
    /* A thread whose number in the file is in the range of new numbers may collide with a new number of another thread. */
    bool is_new = !is_number && ordo_text_within(thread, ORDO_TRACKS_NEW, UINT32_MAX, &own);
    track->number = keeps ? (uint32_t)own : ORDO_TRACKS_NEW + tracks->next;
    track->is_renamed = !free || is_new;
    tracks->next += !keeps;
    return 0;
}

static struct ordo_thread_track *find_track(struct ordo_tracks *tracks, int32_t rank, struct ordo_text process,
                                            struct ordo_text thread, uint32_t *name)
{
    uint32_t before = tracks->names.count;
    *name = number_of_track(tracks, 'T', rank, process, thread);
    if (*name == UINT32_MAX)
        return NULL;
    if (*name >= tracks->room) {
        uint32_t room = 2 * *name + 64;
        struct ordo_thread_track *all = realloc(tracks->all, room * sizeof *all);
        if (!all)
            return NULL;
        memset(all + tracks->room, 0, (room - tracks->room) * sizeof *all);
        tracks->all = all;
        tracks->room = room;
    }
    if (*name == before && name_track(tracks, rank, thread, &tracks->all[*name]))
        return NULL;
    return &tracks->all[*name];
}

/* Packs at most 8 letters into one number. JSON has no letter 0, so no two texts make the same number. */
static bool pack(struct ordo_text text, uint64_t *packed)
{
    *packed = 0;
    if (text.length > sizeof *packed)
        return false;
    if (text.length > 0)
        memcpy(packed, text.at, text.length);
    return true;
}

/* Called for every event. Threads are few, so a thread with a short name is found in `near`, without building a key. */
struct ordo_thread_track *ordo_tracks_find(struct ordo_tracks *tracks, int32_t rank, struct ordo_text process,
                                           struct ordo_text thread)
{
    struct ordo_track_near own = {.rank = rank, .is_known = true};
    if (!pack(process, &own.process) || !pack(thread, &own.thread))
        return find_track(tracks, rank, process, thread, &own.name);
    uint64_t hash = (own.process ^ own.thread * UINT64_C(0x9e3779b97f4a7c15)) + (uint32_t)rank;
    struct ordo_track_near *near = &tracks->near[hash * UINT64_C(0xd6e8feb86659fd93) >> 56];
    if (near->is_known && near->process == own.process && near->thread == own.thread && near->rank == rank)
        return &tracks->all[near->name];
    struct ordo_thread_track *track = find_track(tracks, rank, process, thread, &own.name);
    if (track)
        *near = own;
    return track;
}

void ordo_tracks_free(struct ordo_tracks *tracks)
{
    ordo_names_free(&tracks->names);
    free(tracks->all);
    free(tracks->key);
    *tracks = (struct ordo_tracks){0};
}
