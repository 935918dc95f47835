#include "machine/advice/situation.h"

#include <string.h>

#include "base/error.h"

/* Returns the number of the first malformed line of a file "cpuid"; 0 if there is none. */
static int malformed_line(const char *text)
{
    uint32_t out[6];
    int number = 1;
    for (const char *line = text; line && *line; line = ordo_evidence_next_line(line), number++)
        if (ordo_evidence_cpuid_line(line, out) < 0)
            return number;
    return 0;
}

/* Drops the last line if the file is longer than the part that was read, because the line may be incomplete. */
static void drop_cut_line(char *text, long length)
{
    char *end = length == ORDO_EVIDENCE_CPUID - 1 ? strrchr(text, '\n') : NULL;
    if (end)
        end[1] = '\0';
}

static int check_cpuid(const char *root, const char *folder, struct ordo_error *error)
{
    char text[ORDO_EVIDENCE_CPUID];
    long length = ordo_evidence_read(root, "/cpuid", text, sizeof text);
    if (length <= 0)
        return ordo_error_set(error, ORDO_E_MISSING, 0,
                              "%s/cpuid: cannot be read, so what its processor promises is unknown: write lines of "
                              "LEAF SUBLEAF EAX EBX ECX EDX",
                              folder);
    drop_cut_line(text, length);
    int number = strlen(text) == (size_t)length || length == ORDO_EVIDENCE_CPUID - 1 ? malformed_line(text) : 1;
    if (number)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s/cpuid: line %d: not LEAF SUBLEAF EAX EBX ECX EDX", folder,
                              number);
    return ORDO_OK;
}

/* Checks that the folder has the two files that are needed to judge its machine. */
static int check_folder(const struct ordo_evidence *evidence, const char *root, struct ordo_error *error)
{
    char folder[160];
    ordo_evidence_copy_line(folder, sizeof folder, root, strlen(root));
    if (evidence->arch == ORDO_ARCH_OTHER)
        return ordo_error_set(error, ORDO_E_MISSING, 0,
                              "%s/arch: cannot be read, or is none of x86_64, aarch64, riscv64: name a folder that "
                              "shows a machine (tests/machines/README.md)",
                              folder);
    return evidence->arch == ORDO_ARCH_X86_64 ? check_cpuid(root, folder, error) : ORDO_OK;
}

int ordo_situation_read(struct ordo_situation *situation, const char *root, struct ordo_error *error)
{
    memset(situation, 0, sizeof *situation);
    ordo_evidence_gather(&situation->evidence, root);
    int code = root ? check_folder(&situation->evidence, root, error) : ORDO_OK;
    if (code)
        return code;
    ordo_evidence_judge(&situation->evidence, &situation->verdict);
    situation->chosen = ordo_situation_chosen(situation);
    if (root) {
        ordo_situation_read_costs(situation, root);
        situation->vdso = ordo_situation_vdso(situation);
    } else {
        ordo_situation_measure_costs(situation);
    }
    return ORDO_OK;
}
