/* A file appears complete or not at all, and never replaces anything but a regular file. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static struct ordo_error error;
static char directory[] = "/tmp/ordo-file-XXXXXX";

static void enter(void)
{
    cr_assert(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
}

static void leave(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", directory);
    cr_assert_eq(chdir("/"), 0);
    cr_assert_eq(system(command), 0);
}

TestSuite(file, .init = enter, .fini = leave);

static mode_t kind(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 ? info.st_mode & S_IFMT : 0;
}

/* True if the file contains exactly this text. */
static bool holds(const char *path, const char *text)
{
    char bytes[64] = "";
    FILE *stream = fopen(path, "re");
    if (!stream)
        return false;
    size_t count = fread(bytes, 1, sizeof bytes - 1, stream);
    (void)fclose(stream);
    return count == strlen(text) && memcmp(bytes, text, count) == 0;
}

static int replace(const char *path, const char *text)
{
    int code = ordo_file_prepare_output(path, &error);
    return code ? code : ordo_file_replace(path, text, strlen(text), 0644, &error);
}

Test(file, a_replaced_file_keeps_its_mode)
{
    struct ordo_file_stream stream;
    struct stat info;
    cr_assert_eq(replace("file", "old"), 0, "%s", error.text);
    cr_assert_eq(chmod("file", 0600), 0);
    cr_assert_eq(replace("file", "new"), 0, "%s", error.text);
    cr_assert_eq(lstat("file", &info), 0);
    cr_assert_eq(info.st_mode & 07777, 0600);
    cr_assert_eq(ordo_file_stream_open(&stream, "file", 0644, &error), 0, "%s", error.text);
    cr_assert_eq(ordo_file_stream_close(&stream, true, &error), 0, "%s", error.text);
    cr_assert_eq(lstat("file", &info), 0);
    cr_assert_eq(info.st_mode & 07777, 0600);
}

Test(file, a_file_of_another_user_is_not_replaced)
{
    cr_assert_eq(replace("file", "old"), 0, "%s", error.text);
    if (chown("file", 65534, (gid_t)-1) != 0)
        return; /* not root */
    cr_assert_eq(replace("file", "new"), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "another user (65534)"), "%s", error.text);
    cr_assert(holds("file", "old"));
    cr_assert_eq(ordo_file_replace("file", "new", 3, 0644, &error), ORDO_E_SYSTEM,
                 "the file is refused without an earlier check");
    cr_assert(holds("file", "old"));
}

Test(file, a_link_is_followed)
{
    cr_assert_eq(mkdir("far", 0755), 0);
    cr_assert_eq(replace("far/file", "old"), 0, "%s", error.text);
    cr_assert_eq(symlink("far/file", "link"), 0);
    cr_assert_eq(symlink("link", "link to link"), 0);
    cr_assert_eq(ordo_file_replace("link", "new", 3, 0644, &error), 0, "%s", error.text);
    cr_assert_eq(kind("link"), S_IFLNK, "the link was replaced");
    cr_assert(holds("far/file", "new"));
    cr_assert_eq(replace("link to link", "newer"), 0, "%s", error.text);
    cr_assert(kind("link to link") == S_IFLNK && kind("link") == S_IFLNK && holds("far/file", "newer"));
}

Test(file, a_link_may_point_to_a_missing_file)
{
    cr_assert_eq(mkdir("far", 0755), 0);
    cr_assert_eq(symlink("far/file", "link"), 0);
    cr_assert_eq(replace("link", "new"), 0, "%s", error.text);
    cr_assert(kind("link") == S_IFLNK && holds("far/file", "new"));
    cr_assert_eq(symlink("nowhere/file", "lost"), 0);
    cr_assert_eq(replace("lost", "new"), ORDO_E_SYSTEM);
    cr_assert_eq(kind("lost"), S_IFLNK);
    cr_assert_eq(symlink("round", "round"), 0);
    cr_assert_eq(replace("round", "new"), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "round"), "%s", error.text);
    cr_assert_eq(kind("round"), S_IFLNK);
}

static void *read_pipe(void *path)
{
    static char bytes[16];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = fd < 0 ? -1 : read(fd, bytes, sizeof bytes - 1);
    if (fd >= 0)
        (void)close(fd);
    return count > 0 ? bytes : NULL;
}

/* Waits until the reader has opened the FIFO. Before, opening the FIFO for writing fails. */
static void await_reader(const char *path)
{
    int fd;
    while ((fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0)
        (void)usleep(1000);
    cr_assert_eq(ordo_file_prepare_output(path, &error), 0, "%s", error.text);
    cr_assert_eq(ordo_file_replace("pipe link", "through", 7, 0644, &error), 0, "%s", error.text);
    (void)close(fd);
}

Test(file, a_pipe_is_written_and_not_replaced, .timeout = 20)
{
    pthread_t reader;
    void *read = NULL;
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    cr_assert_eq(symlink("pipe", "pipe link"), 0);
    cr_assert_eq(replace("pipe", "nobody"), ORDO_E_SYSTEM, "the call neither waits nor replaces the file");
    cr_assert(strstr(error.text, "pipe"), "%s", error.text);
    cr_assert_eq(pthread_create(&reader, NULL, read_pipe, (void *)(uintptr_t) "pipe"), 0);
    await_reader("pipe");
    cr_assert_eq(pthread_join(reader, &read), 0);
    cr_assert(read && strcmp(read, "through") == 0);
    cr_assert(kind("pipe") == S_IFIFO && kind("pipe link") == S_IFLNK);
}

/* The path is a link to a descriptor, like /dev/stdout. The descriptor may be of a file. */
Test(file, a_descriptor_is_written_at_its_position)
{
    char name[32];
    int fd = open("output", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    cr_assert(fd >= 0 && write(fd, "before ", 7) == 7);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    cr_assert_eq(symlink(name, "link"), 0);
    cr_assert_eq(ordo_file_replace("link", "between", 7, 0644, &error), 0, "%s", error.text);
    cr_assert_eq(write(fd, " after", 6), 6);
    cr_assert_eq(kind("link"), S_IFLNK, "the link was replaced");
    cr_assert(holds("output", "before between after"));
    (void)close(fd);
    cr_assert_eq(replace("link", "closed"), ORDO_E_SYSTEM);
    fd = open("output", O_RDONLY | O_CLOEXEC);
    cr_assert_eq(replace("link", "for reading"), ORDO_E_SYSTEM);
    (void)close(fd);
}

Test(file, pipes_and_directories_are_not_replaced)
{
    struct ordo_staged_file staged;
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    cr_assert_eq(symlink("pipe", "link"), 0);
    cr_assert_eq(symlink("/proc/self/fd/2", "descriptor"), 0);
    static const char *const wrong[] = {"pipe", "link", "descriptor", "."};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        mode_t before = kind(wrong[i]);
        cr_assert_eq(ordo_file_prepare(wrong[i], false, &error), ORDO_E_SYSTEM, "%s", wrong[i]);
        cr_assert_eq(ordo_file_stage(&staged, wrong[i], "x", 1, 0644, &error), ORDO_E_SYSTEM, "%s", wrong[i]);
        cr_assert(strstr(error.text, wrong[i]), "%s", error.text);
        cr_assert_eq(kind(wrong[i]), before);
    }
    cr_assert_eq(replace(".", "x"), ORDO_E_SYSTEM);
}

/* If root writes to /tmp, another user must not be able to choose by a link which file is replaced. */
Test(file, a_link_of_another_user_is_not_followed)
{
    if (geteuid() != 0)
        cr_skip_test("only root can make such a file");
    cr_assert_eq(replace("precious", "old"), 0, "%s", error.text);
    cr_assert_eq(symlink("precious", "link"), 0);
    cr_assert_eq(lchown("link", 65534, 65534), 0);
    cr_assert_eq(replace("link", "new"), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "65534"), "%s", error.text);
    cr_assert(kind("link") == S_IFLNK && holds("precious", "old"));
}

/* If root writes, a folder of the path must not be a link of another user. */
Test(file, a_folder_link_of_another_user_is_not_followed)
{
    struct ordo_file_stream stream;
    if (geteuid() != 0)
        cr_skip_test("only root can make such a file");
    cr_assert_eq(mkdir("far", 0755), 0);
    cr_assert_eq(replace("far/precious", "old"), 0, "%s", error.text);
    cr_assert_eq(symlink("far", "own"), 0);
    cr_assert_eq(replace("own/precious", "new"), 0, "%s", error.text);
    cr_assert_eq(lchown("own", 65534, 65534), 0);
    cr_assert_eq(replace("own/precious", "newer"), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "own: is a link of another user (65534)"), "%s", error.text);
    cr_assert_eq(ordo_file_replace("own/precious", "newer", 5, 0644, &error), ORDO_E_SYSTEM, "unasked");
    cr_assert_eq(ordo_file_stream_open(&stream, "own/precious", 0644, &error), ORDO_E_SYSTEM);
    cr_assert(holds("far/precious", "new"));
}

/* Replaces a folder by a link, so that its path leads to another folder. */
static void divert(const char *folder, const char *moved, const char *other)
{
    cr_assert_eq(rename(folder, moved), 0);
    cr_assert_eq(symlink(other, folder), 0);
}

/* Changing a link after the path has been checked does not redirect the writing. */
Test(file, a_path_is_resolved_only_once)
{
    struct ordo_staged_file staged;
    struct ordo_file_stream stream;
    cr_assert(mkdir("run", 0755) == 0 && mkdir("other", 0755) == 0);
    cr_assert_eq(replace("run/file", "old"), 0, "%s", error.text);
    cr_assert_eq(replace("other/file", "precious"), 0, "%s", error.text);
    cr_assert_eq(ordo_file_stage(&staged, "run/file", "new", 3, 0644, &error), 0, "%s", error.text);
    divert("run", "moved", "other");
    cr_assert_eq(ordo_file_finish(&staged, true, &error), 0, "%s", error.text);
    cr_assert(holds("moved/file", "new") && holds("other/file", "precious"));

    cr_assert_eq(unlink("run"), 0);
    cr_assert_eq(ordo_file_stream_open(&stream, "moved/file", 0644, &error), 0, "%s", error.text);
    divert("moved", "again", "other");
    cr_assert_geq(fputs("newer", stream.stream), 0);
    cr_assert_eq(ordo_file_stream_close(&stream, true, &error), 0, "%s", error.text);
    cr_assert(holds("again/file", "newer") && holds("other/file", "precious"));
}

Test(file, a_path_may_contain_links_and_dots)
{
    char absolute[200];
    cr_assert(mkdir("far", 0755) == 0 && mkdir("far/away", 0755) == 0);
    cr_assert_eq(symlink("far/away", "there"), 0);
    cr_assert_eq(symlink("../../there/file", "far/away/back"), 0);
    cr_assert_eq(replace(".//there/../away/./back", "one"), 0, "%s", error.text);
    cr_assert(holds("far/away/file", "one"));
    snprintf(absolute, sizeof absolute, "%s/far", directory);
    cr_assert_eq(symlink(absolute, "whole"), 0);
    cr_assert_eq(replace("whole/away/file", "two"), 0, "%s", error.text);
    cr_assert(holds("far/away/file", "two"));
    cr_assert_eq(replace("far/away/", "x"), ORDO_E_SYSTEM);
    cr_assert_eq(replace("far/away/file/more", "x"), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "Not a directory"), "%s", error.text);
    cr_assert_eq(replace("", "x"), ORDO_E_SYSTEM);
}

Test(file, only_the_last_folder_of_a_path_is_created)
{
    struct stat info;
    (void)umask(077);
    cr_assert_eq(ordo_file_prepare("none/at/all", true, &error), ORDO_E_SYSTEM);
    cr_assert_eq(kind("none"), 0);
    cr_assert_eq(ordo_file_prepare("made/file", true, &error), 0, "%s", error.text);
    cr_assert(stat("made", &info) == 0 && (info.st_mode & 07777) == 0755, "the mode does not depend on the umask");
}
