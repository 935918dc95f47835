#include "target.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "common/child.h"
#include "common/result.h"

#if defined __x86_64__
#define OWN_MACHINE EM_X86_64
#elif defined __aarch64__
#define OWN_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_RISCV
#endif

enum { HEAD_BYTES = 512, SEGMENTS = 64, NOTE_BYTES = 4096, DYNAMIC_ENTRIES = 64, SCRIPTS = 4 };

/* The contents of a program that are needed. All bytes are untrusted. */
struct program_file {
    const char *path;
    int fd;
    unsigned char head[HEAD_BYTES];
    size_t have;
};

static bool refuse_target(const struct program_file *file, char *why, size_t size, const char *reason)
{
    (void)snprintf(why, size, "%s: %s", cli_show(file->path), reason);
    return false;
}

/* True if the kernel starts this program in secure mode, in which the loader ignores preloads with a path. Root gains
 * nothing by root's programs. */
static bool gains_rights(const struct program_file *file)
{
    struct stat info;
    char capability[64];
    if (fstat(file->fd, &info) != 0)
        return false;
    return ((info.st_mode & S_ISUID) && info.st_uid != geteuid()) ||
           ((info.st_mode & S_ISGID) && (info.st_mode & S_IXGRP) && info.st_gid != getegid()) ||
           (geteuid() != 0 && fgetxattr(file->fd, "security.capability", capability, sizeof capability) > 0);
}

/* True if a note segment holds Go's build id. */
static bool is_go_note(const struct program_file *file, const Elf64_Phdr *segment)
{
    unsigned char notes[NOTE_BYTES];
    const size_t want = segment->p_filesz < sizeof notes ? segment->p_filesz : sizeof notes;
    const ssize_t got = pread(file->fd, notes, want, (off_t)segment->p_offset);
    size_t at = 0;
    while (got >= 0 && at + sizeof(Elf64_Nhdr) + 4 <= (size_t)got) {
        Elf64_Nhdr note;
        memcpy(&note, notes + at, sizeof note);
        if (note.n_namesz == 4 && memcmp(notes + at + sizeof note, "Go\0\0", 4) == 0)
            return true;
        const uint64_t step = sizeof note + (((uint64_t)note.n_namesz + 3) & ~UINT64_C(3)) +
                              (((uint64_t)note.n_descsz + 3) & ~UINT64_C(3));
        if (step > (size_t)got - at)
            break;
        at += step;
    }
    return false;
}

/* True if a dynamic segment is that of a library: it has a name, and is not marked as a program. */
static bool is_library(const struct program_file *file, const Elf64_Phdr *segment)
{
    Elf64_Dyn entries[DYNAMIC_ENTRIES];
    const size_t want = segment->p_filesz < sizeof entries ? segment->p_filesz : sizeof entries;
    const ssize_t got = pread(file->fd, entries, want, (off_t)segment->p_offset);
    bool named = false, program = false;
    for (size_t i = 0; got > 0 && i < (size_t)got / sizeof *entries; i++) {
        named |= entries[i].d_tag == DT_SONAME;
        program |= entries[i].d_tag == DT_FLAGS_1 && (entries[i].d_un.d_val & DF_1_PIE);
    }
    return named && !program;
}

/* The segments of the program that decide. A library without an interpreter that can be executed is the loader. */
struct segments {
    bool interpreter, go, library;
};

static bool read_segments(const struct program_file *file, const Elf64_Ehdr *head, struct segments *found)
{
    Elf64_Phdr segments[SEGMENTS];
    const size_t count = head->e_phnum < SEGMENTS ? head->e_phnum : SEGMENTS;
    if (head->e_phentsize != sizeof *segments || pread(file->fd, segments, count * sizeof *segments,
                                                       (off_t)head->e_phoff) != (ssize_t)(count * sizeof *segments))
        return false;
    for (size_t i = 0; i < count; i++) {
        found->interpreter |= segments[i].p_type == PT_INTERP;
        found->library |= segments[i].p_type == PT_DYNAMIC && is_library(file, &segments[i]);
        found->go |= segments[i].p_type == PT_NOTE && is_go_note(file, &segments[i]);
    }
    return true;
}

static bool is_elf_reached(const struct program_file *file, char *why, size_t size)
{
    Elf64_Ehdr head;
    struct segments found = {0};
    memcpy(&head, file->head, sizeof head);
    if (head.e_ident[EI_CLASS] != ELFCLASS64)
        return refuse_target(file, why, size, "a 32-bit program: the preload has 64 bits");
    if (head.e_machine != OWN_MACHINE)
        return refuse_target(file, why, size, "a program for another processor");
    if (gains_rights(file))
        return refuse_target(file, why, size,
                             "has more rights than its caller (set-user-ID, set-group-ID or capabilities): the loader "
                             "ignores the preload");
    if (!read_segments(file, &head, &found))
        return true;
    if (found.go)
        return refuse_target(file, why, size, "a Go program: it reads the kernel's clock without the C library");
    if (!found.interpreter && !found.library)
        return refuse_target(file, why, size, "linked statically: it loads no preload");
    return true;
}

static bool is_path_reached(const char *path, int scripts, char *why, size_t size);

/* Finds the program that env(1) would start: the first word that is neither an option nor an assignment. */
static bool find_behind_env(char *words, char *path, size_t size)
{
    for (char *save = NULL, *word = strtok_r(words, " \t", &save); word; word = strtok_r(NULL, " \t", &save))
        if (word[0] != '-' && !strchr(word, '='))
            return cli_search_program(word, path, size);
    return false;
}

/* Judges a script by its interpreter. */
static bool is_script_reached(const struct program_file *file, int scripts, char *why, size_t size)
{
    char line[HEAD_BYTES + 1], path[PATH_MAX];
    memcpy(line, file->head + 2, file->have - 2);
    line[file->have - 2] = '\0';
    line[strcspn(line, "\n")] = '\0';
    char *name = line + strspn(line, " \t");
    const size_t length = strcspn(name, " \t");
    char *words = name + length + (name[length] != '\0');
    name[length] = '\0';
    const char *base = strrchr(name, '/');
    if (base && strcmp(base, "/env") == 0)
        return !find_behind_env(words, path, sizeof path) || is_path_reached(path, scripts - 1, why, size);
    return is_path_reached(name, scripts - 1, why, size);
}

static bool is_path_reached(const char *path, int scripts, char *why, size_t size)
{
    struct program_file file = {.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)};
    bool reached = true;
    if (file.fd < 0)
        return true;
    const ssize_t got = read(file.fd, file.head, sizeof file.head);
    file.have = got > 0 ? (size_t)got : 0;
    if (file.have >= sizeof(Elf64_Ehdr) && memcmp(file.head, ELFMAG, SELFMAG) == 0)
        reached = is_elf_reached(&file, why, size);
    else if (file.have > 2 && memcmp(file.head, "#!", 2) == 0 && scripts > 0)
        reached = is_script_reached(&file, scripts, why, size);
    (void)close(file.fd);
    return reached;
}

bool target_is_reached(const char *path, char *why, size_t size)
{
    return is_path_reached(path, SCRIPTS, why, size);
}
