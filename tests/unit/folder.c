#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"

static char within[] = "/tmp/ordo-folder-XXXXXX", name[64];

/* Replaces the function of the C library: as on a file system of the network if `is_remote`. */
static bool is_remote;

int renameat2(int old_at, const char *old, int new_at, const char *new, unsigned flags)
{
    if (is_remote && flags) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_renameat2, old_at, old, new_at, new, flags);
}

static void begin(void)
{
    cr_assert(mkdtemp(within));
    (void)snprintf(name, sizeof name, "%s/new", within);
}

static void end(void)
{
    char command[64];
    (void)snprintf(command, sizeof command, "rm -rf %s", within);
    cr_assert_eq(system(command), 0);
}

static void put_file(const char *folder)
{
    char path[PATH_MAX + 8];
    (void)snprintf(path, sizeof path, "%s/file", folder);
    FILE *stream = fopen(path, "w");
    cr_assert(stream && fputs("text", stream) >= 0 && fclose(stream) == 0);
}

static int count_entries(void)
{
    int count = -2;
    DIR *folder = opendir(within);
    while (readdir(folder))
        count++;
    (void)closedir(folder);
    return count;
}

Test(folder, appears_whole, .init = begin, .fini = end)
{
    struct ordo_folder folder = {.path = name};
    struct stat status;
    cr_assert_eq(ordo_folder_make(&folder, NULL), ORDO_OK);
    put_file(folder.staged);
    cr_assert_neq(access(name, F_OK), 0);
    cr_assert_eq(ordo_folder_finish(&folder, true, NULL), ORDO_OK);
    cr_assert(stat(name, &status) == 0 && S_ISDIR(status.st_mode) && (status.st_mode & 0500) == 0500);
    cr_assert_eq(count_entries(), 1);
}

Test(folder, leaves_nothing_behind_if_it_is_not_committed, .init = begin, .fini = end)
{
    struct ordo_folder folder = {.path = name};
    cr_assert_eq(ordo_folder_make(&folder, NULL), ORDO_OK);
    put_file(folder.staged);
    cr_assert_eq(ordo_folder_finish(&folder, false, NULL), ORDO_OK);
    cr_assert_eq(count_entries(), 0);
    cr_assert_eq(ordo_folder_finish(&folder, true, NULL), ORDO_OK, "a folder that was not made cannot fail");
}

Test(folder, disappears_if_its_process_is_killed, .init = begin, .fini = end)
{
    int ready[2];
    char byte;
    cr_assert_eq(pipe(ready), 0);
    pid_t writer = fork();
    if (writer == 0) {
        struct ordo_folder folder = {.path = name};
        if (ordo_folder_make(&folder, NULL) == ORDO_OK)
            put_file(folder.staged);
        while (write(ready[1], "", 1) == 1)
            (void)pause();
    }
    cr_assert(writer > 0 && read(ready[0], &byte, 1) == 1);
    cr_assert_eq(count_entries(), 1);
    cr_assert(kill(writer, SIGKILL) == 0 && waitpid(writer, NULL, 0) == writer);
    for (int tries = 0; tries < 1000 && count_entries() > 0; tries++)
        (void)usleep(10000);
    cr_assert_eq(count_entries(), 0);
}

/* The guard has ended when the folder is finished, so that the caller never waits for an unknown child. */
Test(folder, leaves_no_process_behind, .init = begin, .fini = end)
{
    for (int commit = 0; commit < 2; commit++) {
        struct ordo_folder folder = {.path = name};
        cr_assert_eq(ordo_folder_make(&folder, NULL), ORDO_OK);
        cr_assert_eq(ordo_folder_finish(&folder, commit, NULL), ORDO_OK);
        cr_assert(waitpid(-1, NULL, 0) == -1);
        cr_assert_eq(count_entries(), commit);
    }
}

Test(folder, appears_on_file_systems_of_the_network_and_replaces_nothing_there, .init = begin, .fini = end)
{
    struct ordo_folder folder = {.path = name}, again = {.path = name};
    struct ordo_error error;
    is_remote = true;
    cr_assert_eq(ordo_folder_make(&folder, NULL), ORDO_OK);
    put_file(folder.staged);
    cr_assert_eq(ordo_folder_make(&again, NULL), ORDO_OK);
    cr_assert_eq(ordo_folder_finish(&folder, true, NULL), ORDO_OK);
    cr_assert_eq(ordo_folder_finish(&again, true, &error), ORDO_E_INVALID);
    cr_assert(strstr(error.text, "exists already"));
    cr_assert_eq(count_entries(), 1);
}

Test(folder, replaces_nothing, .init = begin, .fini = end)
{
    struct ordo_folder folder = {.path = name};
    struct ordo_error error;
    cr_assert_eq(ordo_folder_make(&folder, NULL), ORDO_OK);
    put_file(folder.staged);
    cr_assert_eq(mkdir(name, 0755), 0);
    cr_assert_eq(ordo_folder_finish(&folder, true, &error), ORDO_E_INVALID);
    cr_assert(strstr(error.text, "exists already"));
    cr_assert_eq(ordo_folder_make(&folder, &error), ORDO_E_INVALID);
    cr_assert_eq(count_entries(), 1);
}

Test(folder, names_the_path_if_it_cannot_be_made)
{
    struct ordo_folder folder = {.path = "/proc/none/new"};
    struct ordo_error error;
    cr_assert_eq(ordo_folder_make(&folder, &error), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "/proc/none/new"));
}
