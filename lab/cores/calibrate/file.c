/* The file of the measured machine; its form is that of lab/cores/machine/shape.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/cores/calibrate/walk.h"

#if defined __x86_64__
#define ORDER "TSO"
#else
#define ORDER "WEAK"
#endif

enum { FAR = 3 };

static const char form_places[] =
    "{\n"
    "  \"schema\": \"ordo-machine/1\",\n"
    "  \"title\": \"%s, 2 CPUs\",\n"
    "  \"matrix\": {\"file\": null, \"rows_ns\": [[], [%.1f]], \"levels_ns\": null, \"pick\": null, \"threads\": "
    "null},\n"
    "  \"cpus\": [[{\"each\": \"core\", \"count\": %d}, {\"each\": \"cluster\", \"count\": %d}]],\n"
    "  \"packages\": {\"count\": 1, \"board\": 1, \"near_ns\": []},\n"
    "  \"memory\": {\"local_ns\": %.1f, \"board\": 1, \"near_ns\": []},\n"
    "  \"far\": {\"transfer_ns\": 0, \"memory_ns\": 0},\n"
    "  \"line_bytes\": %d,\n"
    "  \"protocol\": \"%s\",\n"
    "  \"order\": \"" ORDER "\",\n";

static const char form_sources[] =
    "  \"sources\": {\n"
    "    \"transfer\": \"ordo-lab cores calibrate: a ping-pong of compare-and-swap, %.1f to %.1f ns one way. The "
    "share: two "
    "adders of one line, %.2f to %.2f ns an addition.\",\n"
    "    \"numbering\": \"The two CPUs are one group if a transfer takes at most three loads from the L3.\",\n"
    "    \"memory\": \"ordo-lab cores calibrate: a chase of pointers through 256 MB, %.1f to %.1f ns.\",\n"
    "    \"caches\": \"Sizes by the kernel, but of the L3 only what a ring of pointers can use; ordo-lab cores "
    "calibrate: L1 %.2f to %.2f, L2 %.2f to %.2f, L3 %.2f to %.2f ns. Pointers in many pages: the second level of the "
    "TLB adds %.2f to %.2f, a walk %.2f to %.2f ns.\",\n"
    "    \"protocol\": \"By the vendor: AMD MOESI, Intel MESIF, others MESI.\",\n"
    "    \"overlap\": \"ordo-lab cores calibrate: 32 independent chains of pointers, %.2f to %.2f ns a load.\",\n"
    "    \"code\": \"ordo-lab cores calibrate: the mean of six loops from L1, %.0f to %.0f ps an instruction; a wrong "
    "branch "
    "%.1f to %.1f ns with its load.\",\n"
    "    \"atomics\": \"ordo-lab cores calibrate: an addition to an owned line %.2f to %.2f, compare-and-swap %.2f, "
    "fence "
    "%.2f ns.\",\n"
    "    \"clock\": \"ordo-lab cores calibrate: unordered %.2f to %.2f, ordered on both sides %.2f to %.2f ns.\",\n"
    "    \"call\": \"ordo-lab cores calibrate: getppid, %.0f to %.0f ns.\",\n"
    "    \"wake\": \"ordo-lab cores calibrate: a thread that sleeps on an idle CPU (futex) runs %.0f to %.0f ns after "
    "its wake-up begins, which takes its caller %.0f to %.0f ns. Turns of two threads that sleep on one CPU, %.0f to "
    "%.0f ns, less two calls: a switch.\",\n"
    "    \"pause\": \"ordo-lab cores calibrate: %.1f to %.1f ns.\",\n"
    "    \"smt\": \"Two CPUs that the calibration takes for two cores.\"\n"
    "  }\n"
    "}\n";

static const struct cores_calibrate_interval *at(const struct cores_calibrate_machine *machine,
                                                 enum cores_calibrate_value value)
{
    return &machine->ns[value];
}

/* Returns whole picoseconds, at least 1. */
static long ps_of(double ns)
{
    return ns > 0.001 ? lround(1000 * ns) : 1;
}

static long ps_at(const struct cores_calibrate_machine *machine, enum cores_calibrate_value value)
{
    return ps_of(at(machine, value)->median);
}

static const char *protocol_of(const char *title)
{
    return strstr(title, "AMD") ? "MOESI" : strstr(title, "Intel") ? "MESIF" : "MESI";
}

static void write_places(FILE *file, const struct cores_calibrate_machine *machine)
{
    double transfer_ns = at(machine, CORES_CALIBRATE_TRANSFER)->median;
    int clusters = transfer_ns > FAR * at(machine, CORES_CALIBRATE_L3)->median ? 2 : 1;
    (void)fprintf(file, form_places, machine->title, transfer_ns, 2 / clusters, clusters,
                  at(machine, CORES_CALIBRATE_MEMORY)->median, machine->line_bytes, protocol_of(machine->title));
}

static void write_level(FILE *file, const char *key, uint64_t bytes, int ways, long hit_ps)
{
    (void)fprintf(file, "  \"%s\": {\"bytes\": %llu, \"ways\": %d, \"hit_ps\": %ld},\n", key, (unsigned long long)bytes,
                  ways, bytes ? hit_ps : 0);
}

static void write_tlb(FILE *file, const struct cores_calibrate_machine *machine)
{
    if (!machine->first_pages) {
        (void)fprintf(file, "  \"tlb\": null,\n");
        return;
    }
    (void)fprintf(file,
                  "  \"tlb\": {\"first\": %d, \"second\": %d, \"page_bytes\": %d, \"second_ps\": %ld, "
                  "\"walk_ps\": %ld},\n",
                  machine->first_pages, machine->second_pages, machine->page_bytes,
                  ps_at(machine, CORES_CALIBRATE_SECOND), ps_at(machine, CORES_CALIBRATE_WALK));
}

/* A holder uses the line for the additions that it does between two transfers, and half a transfer before. */
static long percent_of(const struct cores_calibrate_machine *machine, double two_ns)
{
    return lround(50 + 100 * at(machine, CORES_CALIBRATE_ADD)->median / two_ns);
}

static long overlap_of(double one_ns, double each_ns)
{
    long overlap = lround(one_ns / each_ns);
    return overlap < 1 ? 1 : overlap > CORES_CALIBRATE_CHAINS_MOST ? CORES_CALIBRATE_CHAINS_MOST : overlap;
}

static void write_ranges(FILE *file, const struct cores_calibrate_machine *machine)
{
    const struct cores_calibrate_interval *two = at(machine, CORES_CALIBRATE_TWO_ADDERS);
    const struct cores_calibrate_interval *one = at(machine, CORES_CALIBRATE_MEMORY);
    const struct cores_calibrate_interval *chains = at(machine, CORES_CALIBRATE_CHAINS);
    (void)fprintf(file, "  \"transfer_percent\": [%ld, %ld, %ld],\n", percent_of(machine, two->high),
                  percent_of(machine, two->median), percent_of(machine, two->low));
    (void)fprintf(file, "  \"overlap\": [%ld, %ld, %ld],\n  \"store_entries\": 64,\n",
                  overlap_of(one->low, chains->high), overlap_of(one->median, chains->median),
                  overlap_of(one->high, chains->low));
}

static void write_times(FILE *file, const struct cores_calibrate_machine *machine)
{
    double l1_ns = at(machine, CORES_CALIBRATE_L1)->median, clock_ns = at(machine, CORES_CALIBRATE_CLOCK)->median;
    double call_ns = at(machine, CORES_CALIBRATE_CALL)->median;
    const struct {
        const char *key;
        long ps;
    } times[] = {
        {"cycle_ps", ps_at(machine, CORES_CALIBRATE_CYCLE)},
        {"instruction_ps", ps_at(machine, CORES_CALIBRATE_INSTRUCTION)},
        {"mispredict_ps", ps_of(at(machine, CORES_CALIBRATE_MISPREDICT)->median - l1_ns)},
        {"call_ps", ps_at(machine, CORES_CALIBRATE_CALL)},
        {"wake_ps", ps_at(machine, CORES_CALIBRATE_WAKE)},
        {"wake_call_ps", ps_of(at(machine, CORES_CALIBRATE_WAKE_CALL)->median - call_ns)},
        {"switch_ps", ps_of(at(machine, CORES_CALIBRATE_SWITCH)->median - 2 * call_ns)},
        {"pause_ps", ps_at(machine, CORES_CALIBRATE_PAUSE)},
        {"update_ps", ps_of(at(machine, CORES_CALIBRATE_ADD)->median - l1_ns)},
        {"fence_ps", ps_at(machine, CORES_CALIBRATE_FENCE)},
        {"clock_ps", ps_of(clock_ns)},
        {"clock_load_ps", ps_of((at(machine, CORES_CALIBRATE_CLOCK_ORDERED)->median - clock_ns) / 2)},
    };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        (void)fprintf(file, "  \"%s\": %ld,\n", times[i].key, times[i].ps);
    (void)fprintf(file, "  \"smt_percent\": 100,\n  \"clock_hz\": %llu,\n", (unsigned long long)machine->clock_hz);
}

static void write_sources(FILE *file, const struct cores_calibrate_machine *machine)
{
#define SPAN(name) at(machine, CORES_CALIBRATE_##name)->low, at(machine, CORES_CALIBRATE_##name)->high
    const struct cores_calibrate_interval *instruction = at(machine, CORES_CALIBRATE_INSTRUCTION);
    (void)fprintf(file, form_sources, SPAN(TRANSFER), SPAN(TWO_ADDERS), SPAN(MEMORY), SPAN(L1), SPAN(L2), SPAN(L3),
                  SPAN(SECOND), SPAN(WALK), SPAN(CHAINS), 1000 * instruction->low, 1000 * instruction->high,
                  SPAN(MISPREDICT), SPAN(ADD), at(machine, CORES_CALIBRATE_CAS)->median,
                  at(machine, CORES_CALIBRATE_FENCE)->median, SPAN(CLOCK), SPAN(CLOCK_ORDERED), SPAN(CALL), SPAN(WAKE),
                  SPAN(WAKE_CALL), SPAN(SWITCH), SPAN(PAUSE));
#undef SPAN
}

char *cores_calibrate_text(const struct cores_calibrate_machine *machine)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return NULL;
    write_places(file, machine);
    write_level(file, "l1", machine->l1_bytes, machine->l1_ways, ps_at(machine, CORES_CALIBRATE_L1));
    write_level(file, "l2", machine->l2_bytes, machine->l2_ways, ps_at(machine, CORES_CALIBRATE_L2));
    write_level(file, "l3", machine->l3_bytes, machine->l3_ways, ps_at(machine, CORES_CALIBRATE_L3));
    write_tlb(file, machine);
    write_ranges(file, machine);
    write_times(file, machine);
    write_sources(file, machine);
    if (fclose(file)) {
        free(text);
        return NULL;
    }
    return text;
}
