/* The caches of a simulated machine: each transition of each protocol with its time. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/random.h"
#include "lab/cores/cache/cache.h"
#include "lab/cores/cache/tlb.h"

/* Six cores in three clusters on two nodes; core 0 has the CPUs 0 and 6. Times tell their origin. */
enum { CPUS = 7, CORES = 6, CLUSTERS = 3, NODES = 2 };
enum { L1_PS = 1000, L2_PS = 4000, L3_PS = 20000, NEAR_PS = 90000, FAR_PS = 140000, LINE = 64, AT = 0x7f0000010000 };

static int core_of[CPUS] = {0, 1, 2, 3, 4, 5, 0}, cluster_of[CPUS] = {0, 0, 1, 1, 2, 2, 0};
static int node_of[CPUS] = {0, 0, 0, 0, 1, 1, 0};
static uint32_t transfers_ps[CPUS * CPUS], memories_ps[NODES * NODES] = {NEAR_PS, FAR_PS, FAR_PS, NEAR_PS};
static struct cores_machine machine;
static struct cores_caches *caches;
static uint64_t now_ps;

/* The time of a transfer: different in each direction. */
static uint32_t transfer(int holder, int requester)
{
    return 50000 + 1000 * (uint32_t)abs(core_of[holder] - core_of[requester]) + (uint32_t)core_of[requester];
}

static void machine_make(enum cores_protocol protocol)
{
    for (int i = 0; i < CPUS * CPUS; i++)
        transfers_ps[i] = transfer(i / CPUS, i % CPUS);
    machine = (struct cores_machine){.cpus = CPUS,
                                     .cores = CORES,
                                     .clusters = CLUSTERS,
                                     .nodes = NODES,
                                     .core = core_of,
                                     .cluster = cluster_of,
                                     .node = node_of,
                                     .line_bytes = LINE,
                                     .protocol = protocol,
                                     .l1 = {1024, 4, L1_PS},
                                     .l2 = {4096, 4, L2_PS},
                                     .l3 = {16384, 8, L3_PS},
                                     .transfer_ps = transfers_ps,
                                     .memory_ps = memories_ps,
                                     .transfer_percent = {20, 50, 100}};
}

static void caches_open(int step)
{
    cores_caches_close(caches);
    cr_assert_eq(cores_caches_open(&caches, &machine, step, NULL), 0);
    now_ps = 0;
}

static void make(enum cores_protocol protocol)
{
    machine_make(protocol);
    caches_open(2);
}

static void without_l3(enum cores_protocol protocol)
{
    machine_make(protocol);
    machine.l3.bytes = 0;
    caches_open(2);
}

static bool hit(int cpu, uintptr_t address, enum cores_access access, uint32_t ps)
{
    uint32_t took = 0;
    return cores_caches_hit(caches, cpu, address, access, &took) && took == ps;
}

/* A request that is served before the next one is queued. */
struct served {
    struct cores_ask ask;
    struct cores_miss miss;
};

static struct served serve(int cpu, uintptr_t address, enum cores_access access, uint64_t at_ps)
{
    struct served served;
    served.ask = cores_caches_ask(caches, cpu, address, access, at_ps);
    cr_assert(at_ps <= served.ask.start_ps && served.ask.start_ps <= served.ask.take_ps);
    served.miss = cores_caches_take(caches, cpu, address, access, &served.ask);
    cr_assert(served.ask.take_ps <= served.miss.done_ps, "CPU %d has the line before it is taken", cpu);
    return served;
}

/* Misses long after all earlier requests. */
static struct cores_miss miss(int cpu, uintptr_t address, enum cores_access access)
{
    uint32_t ps;
    struct served served;
    struct cores_miss result;
    now_ps += 1000000000;
    cr_assert(!cores_caches_hit(caches, cpu, address, access, &ps));
    served = serve(cpu, address, access, now_ps);
    cr_assert_eq(served.ask.start_ps, now_ps, "no request is queued");
    result = served.miss;
    result.done_ps -= now_ps;
    return result;
}

static void expect(int cpu, enum cores_access access, uint32_t ps, enum cores_from from, int holder)
{
    struct cores_miss result = miss(cpu, AT, access);
    cr_expect_eq(result.done_ps, ps, "CPU %d: %llu ps, not %u", cpu, (unsigned long long)result.done_ps, ps);
    cr_expect_eq(result.from, from, "CPU %d: from %d, not %d", cpu, result.from, from);
    cr_expect_eq(result.holder, holder, "CPU %d: holder %d, not %d", cpu, result.holder, holder);
}

static void expect_cpu(int cpu, enum cores_access access, int holder)
{
    expect(cpu, access, transfer(holder, cpu), CORES_FROM_CPU, holder);
}

static struct cores_line costliest(void)
{
    struct cores_line *lines, line;
    int count;
    cr_assert_eq(cores_caches_costliest(caches, 1, &lines, &count, NULL), 0);
    cr_assert_eq(count, 1);
    line = lines[0];
    free(lines);
    return line;
}

Test(cores_cache, a_line_that_no_core_has_comes_from_memory_and_is_then_written_without_a_word)
{
    for (int protocol = CORES_MESI; protocol <= CORES_MOESI; protocol++) {
        make((enum cores_protocol)protocol);
        expect(4, CORES_READ, NEAR_PS, CORES_FROM_MEMORY, -1);
        cr_expect(hit(4, AT + 63, CORES_READ, L1_PS));
        cr_expect(hit(4, AT, CORES_WRITE, L1_PS));
        cr_expect(hit(4, AT, CORES_UPDATE, L1_PS));
        cr_expect(!hit(5, AT, CORES_READ, L1_PS));
    }
}

Test(cores_cache, memory_belongs_to_the_node_that_touches_the_page_first)
{
    make(CORES_MESI);
    cr_expect_eq(miss(0, AT, CORES_READ).done_ps, NEAR_PS);
    cr_expect_eq(miss(4, AT + 4032, CORES_READ).done_ps, FAR_PS, "the same page");
    cr_expect_eq(miss(5, AT + 4096, CORES_READ).done_ps, NEAR_PS, "the next page");
    cores_caches_forget(caches);
    cr_expect_eq(miss(0, AT + 4096, CORES_READ).done_ps, FAR_PS, "nodes are not forgotten");
}

Test(cores_cache, an_exclusive_line_comes_from_its_core_and_both_share_it)
{
    for (int protocol = CORES_MESI; protocol <= CORES_MOESI; protocol++) {
        make((enum cores_protocol)protocol);
        miss(0, AT, CORES_READ);
        expect_cpu(3, CORES_READ, 0);
        cr_expect(hit(0, AT, CORES_READ, L1_PS) && hit(3, AT, CORES_READ, L1_PS));
        cr_expect(!hit(0, AT, CORES_WRITE, L1_PS) && !hit(3, AT, CORES_WRITE, L1_PS));
        cr_expect_eq(costliest().writebacks, 0);
    }
}

Test(cores_cache, a_write_takes_a_modified_line_from_its_core)
{
    for (int protocol = CORES_MESI; protocol <= CORES_MOESI; protocol++) {
        make((enum cores_protocol)protocol);
        expect(0, CORES_WRITE, NEAR_PS, CORES_FROM_MEMORY, -1);
        expect_cpu(5, CORES_UPDATE, 0);
        cr_expect(!hit(0, AT, CORES_READ, L1_PS));
        expect_cpu(0, CORES_WRITE, 5);
        cr_expect_eq(costliest().writebacks, 0);
        cr_expect_eq(costliest().invalidations, 0);
    }
}

Test(cores_cache, mesi_writes_a_modified_line_back_when_it_is_read)
{
    make(CORES_MESI);
    miss(0, AT, CORES_WRITE);
    expect_cpu(2, CORES_READ, 0);
    cr_expect_eq(costliest().writebacks, 1);
    expect(3, CORES_READ, L3_PS, CORES_FROM_L3, -1);
    expect(1, CORES_READ, L3_PS, CORES_FROM_L3, -1);
    expect(4, CORES_READ, transfer(0, 4), CORES_FROM_L3, -1);
    without_l3(CORES_MESI);
    miss(0, AT, CORES_WRITE);
    expect_cpu(2, CORES_READ, 0);
    expect(4, CORES_READ, FAR_PS, CORES_FROM_MEMORY, -1);
    cr_expect_eq(costliest().writebacks, 1);
}

Test(cores_cache, mesif_forwards_from_the_last_reader)
{
    without_l3(CORES_MESIF);
    miss(0, AT, CORES_WRITE);
    expect_cpu(2, CORES_READ, 0);
    cr_expect_eq(costliest().writebacks, 1);
    expect_cpu(4, CORES_READ, 2);
    expect_cpu(5, CORES_READ, 4);
    expect_cpu(1, CORES_READ, 5);
    cr_expect_eq(costliest().transfers, 4);
}

Test(cores_cache, moesi_forwards_modified_data_from_the_owner_and_writes_nothing_back)
{
    without_l3(CORES_MOESI);
    miss(0, AT, CORES_WRITE);
    expect_cpu(2, CORES_READ, 0);
    expect_cpu(4, CORES_READ, 0);
    expect_cpu(5, CORES_READ, 0);
    cr_expect(!hit(0, AT, CORES_WRITE, L1_PS), "the owner must ask before it writes");
    expect(0, CORES_WRITE, transfer(5, 0), CORES_FROM_NOWHERE, 5);
    cr_expect(hit(0, AT, CORES_WRITE, L1_PS));
    cr_expect_eq(costliest().writebacks, 0);
    cr_expect_eq(costliest().invalidations, 3);
}

Test(cores_cache, shared_lines_without_a_forwarder_come_from_memory)
{
    without_l3(CORES_MESI);
    miss(0, AT, CORES_READ);
    miss(1, AT, CORES_READ);
    expect(2, CORES_READ, NEAR_PS, CORES_FROM_MEMORY, -1);
    without_l3(CORES_MOESI);
    miss(0, AT, CORES_READ);
    miss(1, AT, CORES_READ);
    expect(2, CORES_READ, NEAR_PS, CORES_FROM_MEMORY, -1);
}

Test(cores_cache, the_farthest_sharer_bounds_an_invalidation)
{
    make(CORES_MESIF);
    for (int cpu = 0; cpu < 4; cpu++)
        miss(cpu, AT, CORES_READ);
    expect(1, CORES_WRITE, transfer(3, 1), CORES_FROM_NOWHERE, 3);
    cr_expect_eq(costliest().invalidations, 3);
    for (int cpu = 0; cpu < 4; cpu++)
        cr_expect_eq(hit(cpu, AT, CORES_READ, L1_PS), cpu == 1, "CPU %d", cpu);
}

Test(cores_cache, an_invalidation_and_the_data_overlap)
{
    without_l3(CORES_MESI);
    miss(0, AT, CORES_READ);
    miss(1, AT, CORES_READ);
    expect(3, CORES_WRITE, NEAR_PS, CORES_FROM_MEMORY, -1);
    without_l3(CORES_MESIF);
    miss(0, AT, CORES_READ);
    miss(1, AT, CORES_READ);
    expect(3, CORES_WRITE, transfer(0, 3), CORES_FROM_CPU, 0);
}

Test(cores_cache, the_last_sharer_asks_only_the_directory_before_it_writes)
{
    make(CORES_MESI);
    miss(0, AT, CORES_READ);
    miss(2, AT, CORES_READ);
    for (uintptr_t i = 1; i <= 4; i++)
        miss(0, AT + 1024 * i, CORES_READ); /* the set of L2 is full */
    expect(2, CORES_WRITE, L3_PS, CORES_FROM_NOWHERE, -1);
}

Test(cores_cache, cpus_of_one_core_share_its_caches)
{
    make(CORES_MESI);
    miss(0, AT, CORES_WRITE);
    cr_expect(hit(6, AT, CORES_READ, L1_PS));
    cr_expect(hit(6, AT, CORES_UPDATE, L1_PS));
    expect_cpu(3, CORES_WRITE, 0);
    cr_expect(!hit(6, AT, CORES_READ, L1_PS));
}

Test(cores_cache, a_miss_that_another_cpu_of_the_core_has_resolved_costs_a_hit)
{
    struct cores_ask ask, other;
    struct cores_miss result;
    make(CORES_MESI);
    ask = cores_caches_ask(caches, 0, AT, CORES_WRITE, 7000);
    other = cores_caches_ask(caches, 6, AT, CORES_WRITE, 7000);
    cr_expect_eq(cores_caches_take(caches, 0, AT, CORES_WRITE, &ask).from, CORES_FROM_MEMORY);
    result = cores_caches_take(caches, 6, AT, CORES_WRITE, &other);
    cr_expect_eq(result.done_ps, other.take_ps + L1_PS);
    cr_expect_eq(result.from, CORES_FROM_L1);
}

Test(cores_cache, requesters_of_one_line_wait_for_each_other)
{
    static const uint32_t percent[] = {20, 50, 100};
    for (int step = 0; step < 3; step++) {
        uint64_t start_ps, total_ps = 0, had_ps = 0;
        machine_make(CORES_MESI);
        caches_open(step);
        miss(0, AT, CORES_WRITE);
        start_ps = now_ps += 1000000000;
        for (int cpu = 1; cpu < CORES; cpu++) {
            struct served served = serve(cpu, AT, CORES_UPDATE, start_ps);
            uint64_t ps = transfer(cpu - 1, cpu), take_ps = start_ps + total_ps + ps / 2;
            take_ps = take_ps < had_ps ? had_ps : take_ps;
            cr_expect_eq(served.ask.start_ps, start_ps + total_ps);
            cr_expect_eq(served.ask.take_ps, take_ps);
            cr_expect(served.miss.done_ps >= start_ps + total_ps + ps && served.miss.done_ps >= take_ps + ps / 2);
            cr_expect(served.miss.done_ps == start_ps + total_ps + ps || served.miss.done_ps == take_ps + ps / 2);
            total_ps += ps * percent[step] / 100;
            had_ps = take_ps + ps - ps / 2;
        }
    }
}

Test(cores_cache, readers_of_a_shared_line_hardly_wait_for_each_other)
{
    make(CORES_MESI);
    miss(0, AT, CORES_WRITE);
    miss(2, AT, CORES_READ);
    now_ps += 1000000000;
    cr_expect_eq(serve(1, AT, CORES_READ, now_ps).ask.start_ps, now_ps);
    cr_expect_leq(serve(3, AT, CORES_READ, now_ps).ask.start_ps, now_ps + L1_PS);
    cr_expect_leq(serve(4, AT, CORES_READ, now_ps).ask.start_ps, now_ps + 2 * L1_PS);
    cr_expect_leq(costliest().queued_ps, 3 * L1_PS);
}

Test(cores_cache, a_holder_uses_its_line_until_a_request_takes_it)
{
    for (int protocol = CORES_MESI; protocol <= CORES_MOESI; protocol++)
        for (int access = CORES_READ; access <= CORES_UPDATE; access++) {
            struct cores_ask ask;
            make((enum cores_protocol)protocol);
            miss(0, AT, CORES_WRITE);
            now_ps += 1000000000;
            ask = cores_caches_ask(caches, 3, AT, (enum cores_access)access, now_ps);
            cr_expect_eq(ask.take_ps, now_ps + transfer(0, 3) / 2,
                         "the request's way to the holder is half of the time");
            cr_expect(hit(0, AT, CORES_WRITE, L1_PS), "the request is on its way");
            cr_expect(!hit(3, AT, CORES_READ, L1_PS));
            cr_expect_eq(cores_caches_take(caches, 3, AT, (enum cores_access)access, &ask).done_ps,
                         now_ps + transfer(0, 3));
            cr_expect(!hit(0, AT, CORES_WRITE, L1_PS));
            cr_expect_eq(hit(0, AT, CORES_READ, L1_PS), access == CORES_READ);
            cr_expect(hit(3, AT, CORES_READ, L1_PS));
        }
}

/* All requests are queued before the first one is served. */
Test(cores_cache, a_queue_is_served_in_order_and_each_requester_has_the_line_before_the_next_one_takes_it)
{
    for (int step = 0; step < 3; step++) {
        struct cores_ask asks[CORES];
        uint64_t done_ps = 0;
        machine_make(CORES_MOESI);
        caches_open(step);
        miss(0, AT, CORES_WRITE);
        now_ps += 1000000000;
        for (int cpu = 1; cpu < CORES; cpu++)
            asks[cpu] = cores_caches_ask(caches, cpu, AT, CORES_UPDATE, now_ps);
        for (int cpu = 1; cpu < CORES; cpu++) {
            struct cores_miss result;
            cr_expect_geq(asks[cpu].take_ps, done_ps, "CPU %d takes a line on its way to CPU %d", cpu, cpu - 1);
            cr_expect(hit(cpu - 1, AT, CORES_UPDATE, L1_PS), "CPU %d has the line until then", cpu - 1);
            result = cores_caches_take(caches, cpu, AT, CORES_UPDATE, &asks[cpu]);
            cr_expect_eq(result.holder, cpu - 1);
            cr_expect_geq(result.done_ps, asks[cpu].take_ps + transfer(cpu - 1, cpu) / 2);
            done_ps = result.done_ps;
        }
    }
}

Test(cores_cache, reads_that_are_queued_behind_a_read_go_side_by_side)
{
    struct cores_ask asks[4];
    make(CORES_MESI);
    miss(0, AT, CORES_WRITE);
    now_ps += 1000000000;
    for (int i = 0; i < 3; i++)
        asks[i] = cores_caches_ask(caches, 1 + i, AT, CORES_READ, now_ps);
    asks[3] = cores_caches_ask(caches, 4, AT, CORES_UPDATE, now_ps);
    cr_expect_eq(asks[1].start_ps, now_ps + transfer(0, 1), "when the first reader has the line");
    cr_expect_eq(asks[2].start_ps, asks[1].start_ps);
    cr_expect_eq(asks[2].take_ps, asks[2].start_ps);
    cr_expect_eq(asks[3].start_ps, now_ps + transfer(0, 1), "a write waits for its turn behind the first read");
    cr_expect_eq(cores_caches_take(caches, 1, AT, CORES_READ, &asks[0]).done_ps, now_ps + transfer(0, 1));
    cr_expect_eq(cores_caches_take(caches, 2, AT, CORES_READ, &asks[1]).done_ps, asks[1].start_ps + transfer(0, 2));
    cr_expect_eq(cores_caches_take(caches, 3, AT, CORES_READ, &asks[2]).done_ps, asks[2].start_ps + L3_PS);
    cr_expect_eq(costliest().queued_ps, 3 * (uint64_t)transfer(0, 1));
}

Test(cores_cache, a_line_without_copies_is_taken_at_once)
{
    struct cores_ask ask;
    make(CORES_MESI);
    ask = cores_caches_ask(caches, 0, AT, CORES_WRITE, 5000);
    cr_expect_eq(ask.start_ps, 5000);
    cr_expect_eq(ask.take_ps, 5000);
    cr_expect_eq(cores_caches_take(caches, 0, AT, CORES_WRITE, &ask).done_ps, 5000 + NEAR_PS);
}

/* A share of 20 percent: the line is busy until 18000 only, and arrives at 90000. */
Test(cores_cache, a_line_on_its_way_from_memory_is_taken_after_it_has_arrived)
{
    make(CORES_MESI);
    caches_open(0);
    cr_expect_eq(serve(0, AT, CORES_WRITE, 0).miss.done_ps, NEAR_PS);
    struct served second = serve(1, AT, CORES_WRITE, 10000);
    cr_expect_eq(second.ask.take_ps, NEAR_PS);
    cr_expect_eq(second.miss.done_ps, NEAR_PS + transfer(0, 1) / 2);
    cr_expect_eq(serve(0, AT + LINE, CORES_WRITE, 0).miss.done_ps, NEAR_PS);
    second = serve(1, AT + LINE, CORES_READ, 50000);
    cr_expect_eq(second.ask.take_ps, NEAR_PS, "not even if the queue is empty");
}

Test(cores_cache, reads_of_a_line_on_its_way_from_memory_go_side_by_side)
{
    make(CORES_MESI);
    cr_expect_eq(serve(0, AT, CORES_READ, 0).miss.done_ps, NEAR_PS);
    struct cores_ask first = cores_caches_ask(caches, 1, AT, CORES_READ, 10000);
    struct cores_ask second = cores_caches_ask(caches, 2, AT, CORES_READ, 20000);
    cr_expect_eq(first.start_ps, NEAR_PS);
    cr_expect_eq(second.start_ps, NEAR_PS);
    struct cores_ask writer = cores_caches_ask(caches, 3, AT, CORES_WRITE, 30000);
    uint64_t first_ps = cores_caches_take(caches, 1, AT, CORES_READ, &first).done_ps;
    uint64_t second_ps = cores_caches_take(caches, 2, AT, CORES_READ, &second).done_ps;
    cr_expect_eq(first_ps, NEAR_PS + transfer(0, 1));
    cr_expect_eq(second_ps, NEAR_PS + NEAR_PS, "shared: from memory again");
    cr_expect_gt(writer.take_ps, NEAR_PS);
    cr_expect_gt(cores_caches_ask(caches, 4, AT, CORES_READ, 95000).start_ps, writer.start_ps, "behind the writer");
}

Test(cores_cache, forgotten_lines_have_no_queue)
{
    make(CORES_MESI);
    serve(0, AT, CORES_READ, 0);
    cores_caches_forget(caches);
    struct cores_ask writer = cores_caches_ask(caches, 1, AT, CORES_WRITE, 0);
    cr_expect_eq(writer.take_ps, 0);
    cr_expect_eq(cores_caches_take(caches, 1, AT, CORES_WRITE, &writer).done_ps, NEAR_PS);
    cr_expect_eq(cores_caches_ask(caches, 2, AT, CORES_READ, 10000).start_ps, NEAR_PS, "behind a write, not a read");
}

Test(cores_cache, the_line_used_longest_ago_leaves_l1_then_l2)
{
    make(CORES_MESI);
    for (uintptr_t i = 0; i < 5; i++)
        miss(0, AT + 256 * i, CORES_WRITE);
    cr_expect(hit(0, AT, CORES_WRITE, L2_PS));
    cr_expect(hit(0, AT, CORES_WRITE, L1_PS));
    for (uintptr_t i = 2; i <= 4; i++)
        miss(0, AT + 1024 * i, CORES_WRITE);
    cr_expect(hit(0, AT, CORES_WRITE, L1_PS), "the line at 1024 was used before it");
    cr_expect_eq(miss(0, AT + 1024, CORES_READ).done_ps, L3_PS);
    cr_expect(hit(0, AT + 1024, CORES_WRITE, L1_PS), "the modified data came back");
}

Test(cores_cache, an_evicted_modified_line_is_sent_by_the_l3_of_its_cluster)
{
    make(CORES_MOESI);
    for (uintptr_t i = 0; i < 5; i++)
        miss(0, AT + 1024 * i, CORES_WRITE);
    expect(4, CORES_READ, transfer(0, 4), CORES_FROM_L3, -1);
    expect(5, CORES_READ, L3_PS, CORES_FROM_L3, -1);
    expect(2, CORES_WRITE, transfer(5, 2), CORES_FROM_L3, 5);
}

Test(cores_cache, a_write_makes_the_copies_in_all_l3_caches_invalid)
{
    make(CORES_MESI);
    miss(0, AT, CORES_READ);
    miss(2, AT, CORES_READ);
    miss(4, AT, CORES_READ);
    miss(4, AT, CORES_WRITE);
    expect_cpu(1, CORES_READ, 4);
    expect(3, CORES_READ, transfer(4, 3), CORES_FROM_L3, -1);
}

Test(cores_cache, both_levels_evict_in_the_order_of_use)
{
    make(CORES_MESI);
    for (uintptr_t i = 0; i < 4; i++)
        miss(0, AT + 1024 * i, CORES_READ);
    cr_expect(hit(0, AT, CORES_READ, L1_PS));
    miss(0, AT + 256, CORES_READ); /* the same set of L1, another one of L2 */
    cr_expect(hit(0, AT + 3072, CORES_READ, L1_PS));
    cr_expect(hit(0, AT + 2048, CORES_READ, L1_PS));
    cr_expect(hit(0, AT + 1024, CORES_READ, L2_PS));
    for (uintptr_t i = 2; i < 6; i++)
        miss(0, AT + 256 * i + (i > 3 ? 256 : 0), CORES_READ);
    cr_expect(hit(0, AT, CORES_READ, L2_PS));
    miss(0, AT + 4096, CORES_READ);
    cr_expect_eq(miss(0, AT + 2048, CORES_READ).done_ps, L3_PS);
    cr_expect(hit(0, AT + 1024, CORES_READ, L2_PS));
}

Test(cores_cache, the_first_write_of_an_exclusive_line_makes_it_modified)
{
    for (int protocol = CORES_MESI; protocol <= CORES_MOESI; protocol++) {
        make((enum cores_protocol)protocol);
        miss(0, AT, CORES_READ);
        cr_expect(hit(0, AT, CORES_WRITE, L1_PS));
        expect_cpu(4, CORES_READ, 0);
        cr_expect_eq(costliest().writebacks, protocol != CORES_MOESI);
    }
}

Test(cores_cache, an_evicted_owned_line_is_written_back)
{
    make(CORES_MOESI);
    miss(0, AT, CORES_WRITE);
    miss(2, AT, CORES_READ);
    for (uintptr_t i = 1; i <= 4; i++)
        miss(0, AT + 1024 * i, CORES_WRITE);
    cr_expect(hit(2, AT, CORES_READ, L1_PS));
    expect(4, CORES_READ, transfer(0, 4), CORES_FROM_L3, -1);
}

Test(cores_cache, modified_data_that_return_from_l3_stay_modified)
{
    make(CORES_MOESI);
    for (uintptr_t i = 0; i <= 4; i++)
        miss(0, AT + 1024 * i, CORES_WRITE);
    expect(0, CORES_READ, L3_PS, CORES_FROM_L3, -1);
    expect_cpu(4, CORES_READ, 0);
    expect_cpu(2, CORES_READ, 0);
}

Test(cores_cache, modified_data_that_leave_l3_are_written_to_memory)
{
    make(CORES_MESI);
    for (uintptr_t i = 0; i < 1024; i++)
        miss(0, AT + LINE * i, CORES_WRITE);
    expect(4, CORES_READ, FAR_PS, CORES_FROM_MEMORY, -1);
    cr_expect_eq(costliest().writebacks, 2, "to L3, and to memory");
}

Test(cores_cache, what_leaves_l3_comes_from_memory)
{
    make(CORES_MESI);
    for (uintptr_t i = 0; i < 1024; i++)
        miss(0, AT + LINE * i, CORES_READ);
    expect(0, CORES_READ, NEAR_PS, CORES_FROM_MEMORY, -1);
}

Test(cores_cache, false_sharing_is_counted_on_the_line)
{
    struct cores_line line;
    make(CORES_MESI);
    for (uintptr_t i = 0; i < 10; i++)
        miss((int)i % 2, AT + 8 + 8 * (i % 2), CORES_WRITE);
    miss(2, AT + 64, CORES_WRITE);
    line = costliest();
    cr_expect_eq(line.address, AT);
    cr_expect_eq(line.misses, 10);
    cr_expect_eq(line.transfers, 9);
    cr_expect_eq(line.wait_ps, NEAR_PS + 5 * (uint64_t)transfer(0, 1) + 4 * (uint64_t)transfer(1, 0));
    cores_caches_forget(caches);
    cr_expect_eq(costliest().misses, 10, "counts are not forgotten");
    expect(1, CORES_WRITE, NEAR_PS, CORES_FROM_MEMORY, -1);
}

Test(cores_cache, the_costliest_lines_are_sorted)
{
    struct cores_line *lines;
    int count;
    make(CORES_MESI);
    for (uintptr_t i = 0; i < 40; i++)
        for (uintptr_t j = 0; j <= i * 7 % 40; j++)
            miss((int)(j % 2), AT + 4096 * i + LINE, CORES_WRITE);
    cr_assert_eq(cores_caches_costliest(caches, 10, &lines, &count, NULL), 0);
    cr_assert_eq(count, 10);
    for (int i = 0; i < count; i++)
        cr_expect_eq(lines[i].misses, (uint64_t)(40 - i));
    free(lines);
    cr_assert_eq(cores_caches_costliest(caches, 100, &lines, &count, NULL), 0);
    cr_expect_eq(count, 40);
    free(lines);
}

/* The reference: each line has a value that writes change; a core that reads or writes a line sees its value. */
enum { LINES = 48, STEPS = 60000 };
static unsigned value[LINES], seen[CORES][LINES], writes[CORES][LINES]; /* 0: never */

/* Checks one access against the reference. `roomy`: nothing is evicted, so that a current copy must hit. */
static void reference_check(int cpu, unsigned line, enum cores_access access, bool roomy)
{
    int core = core_of[cpu];
    bool current = seen[core][line] == value[line] + 1, last = writes[core][line] == value[line] + 1;
    uint32_t ps;
    bool was = cores_caches_hit(caches, cpu, AT + LINE * line, access, &ps);
    cr_assert(!was || current, "core %d hits an old copy of line %u", core, line);
    cr_assert(!roomy || access != CORES_READ || was == current, "core %d has lost line %u", core, line);
    cr_assert(!roomy || access == CORES_READ || !last || was, "core %d may not write line %u", core, line);
    if (!was) {
        struct served served = serve(cpu, AT + LINE * line, access, now_ps += 100);
        cr_assert(served.miss.done_ps > now_ps && served.miss.holder != cpu);
    }
    for (int other = 0; access != CORES_READ && other < CORES; other++)
        cr_assert(other == core || !cores_caches_hit(caches, other, AT + LINE * line, CORES_READ, &ps),
                  "core %d writes beside core %d", core, other);
    for (int other = 0; other < CORES; other++)
        writes[other][line] = 0; /* a reader ends the writer's right; the line's last user may have it */
    value[line] += access != CORES_READ;
    seen[core][line] = value[line] + 1;
    writes[core][line] = access != CORES_READ || (last && was) ? value[line] + 1 : 0;
}

static void reference_run(enum cores_protocol protocol, bool roomy, uint64_t seed)
{
    machine_make(protocol);
    if (!roomy) {
        machine.l1 = (struct cores_level){256, 2, L1_PS};
        machine.l2 = (struct cores_level){768, 2, L2_PS}; /* six sets: not a power of two */
        machine.l3 = (struct cores_level){seed % 2 ? 0 : 1024, 2, L3_PS};
    }
    caches_open(1);
    memset(value, 0, sizeof value);
    memset(seen, 0, sizeof seen);
    memset(writes, 0, sizeof writes);
    for (int i = 0; i < STEPS; i++) {
        uint64_t random = ordo_random_next(&seed);
        enum cores_access access = random % 8 < 5 ? CORES_READ : random % 8 < 7 ? CORES_WRITE : CORES_UPDATE;
        reference_check((int)((random >> 8) % CPUS), (unsigned)(random >> 32) % LINES, access, roomy);
    }
}

Test(cores_cache, every_hit_has_the_last_written_value_and_a_writer_is_alone)
{
    for (int protocol = CORES_MESI; protocol <= CORES_MOESI; protocol++)
        for (uint64_t seed = 1; seed <= 4; seed++)
            reference_run((enum cores_protocol)protocol, seed % 2, seed * 3 / 2);
}

/* Many cores: the sharers do not fit into the line's entry. */
Test(cores_cache, a_write_takes_the_copies_of_hundreds_of_cores_away)
{
    enum { MANY = 300 };
    static int cores[MANY], same[MANY];
    uint32_t *matrix = calloc(MANY * MANY, sizeof *matrix), ps;
    struct cores_miss result;
    cr_assert(matrix);
    for (int i = 0; i < MANY * MANY; i++)
        matrix[i] = 1000 + (uint32_t)(i / MANY);
    for (int i = 0; i < MANY; i++)
        cores[i] = i;
    machine_make(CORES_MESIF);
    machine.cpus = machine.cores = MANY;
    machine.clusters = machine.nodes = 1;
    machine.core = cores;
    machine.cluster = machine.node = same;
    machine.transfer_ps = matrix;
    caches_open(2);
    for (int round = 0; round < 3; round++) {
        for (int cpu = 0; cpu < MANY; cpu++)
            cr_assert(cores_caches_hit(caches, cpu, AT, CORES_READ, &ps) ||
                      serve(cpu, AT, CORES_READ, now_ps += 1000000).miss.done_ps);
        result = serve(7, AT, CORES_WRITE, now_ps += 1000000).miss;
        cr_expect_eq(result.done_ps - now_ps, 1000 + MANY - 1);
        cr_expect_eq(result.holder, MANY - 1);
        for (int cpu = 0; cpu < MANY; cpu++)
            cr_expect_eq(cores_caches_hit(caches, cpu, AT, CORES_READ, &ps), cpu == 7);
    }
    cr_expect_eq(costliest().invalidations, 3 * (MANY - 1));
    cores_caches_close(caches);
    caches = NULL;
    free(matrix);
}

/* Returns the time of the translation of a page. */
static uint32_t translate(struct cores_tlb *tlb, int core, int page)
{
    return cores_tlb_translate(tlb, core, AT + (uintptr_t)page * 4096);
}

Test(cores_cache, a_core_holds_the_pages_that_it_used_last)
{
    struct cores_tlb tlb;
    machine_make(CORES_MESI);
    machine.tlb = (struct cores_pages){8, 16, 4096, 2000, 30000};
    cr_assert_eq(cores_tlb_open(&tlb, &machine, NULL), 0);
    cr_expect_eq(translate(&tlb, 0, 0), 30000);
    cr_expect_eq(translate(&tlb, 0, 0), 0);
    cr_expect_eq(translate(&tlb, 1, 0), 30000, "the cores share pages");
    for (int page = 1; page <= 8; page++)
        cr_expect_eq(translate(&tlb, 0, page), 30000);
    cr_expect_eq(translate(&tlb, 0, 1), 0);
    cr_expect_eq(translate(&tlb, 0, 0), 2000, "the first level has nine pages");
    for (int page = 9; page <= 24; page++)
        cr_expect_eq(translate(&tlb, 0, page), 30000);
    cr_expect_eq(translate(&tlb, 0, 0), 30000, "the second level has more than 16 pages");
    cores_tlb_close(&tlb);
    machine.tlb.first = 0;
    cr_assert_eq(cores_tlb_open(&tlb, &machine, NULL), 0);
    cr_expect_eq(translate(&tlb, 0, 0), 0);
    cores_tlb_close(&tlb);
}

Test(cores_cache, a_machine_that_cannot_be_is_refused)
{
    struct ordo_error error;
    struct cores_caches *none;
    machine_make(CORES_MESI);
    machine.line_bytes = 48;
    cr_expect_eq(cores_caches_open(&none, &machine, 1, &error), ORDO_E_INVALID);
    machine_make(CORES_MESI);
    machine.l2.ways = 1000;
    cr_expect_eq(cores_caches_open(&none, &machine, 1, &error), ORDO_E_INVALID);
    machine_make(CORES_MESI);
    machine.cores = 2049;
    cr_expect_eq(cores_caches_open(&none, &machine, 1, &error), ORDO_E_INVALID);
    cr_expect_null(none);
}
