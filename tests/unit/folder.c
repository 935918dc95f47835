#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"

static char within[] = "/tmp/ordo-folder-XXXXXX", name[64];

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
