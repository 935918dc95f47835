/* The text of babeltrace2, perf script and the kernel's tracer: every notation is read exactly, regions and bars are on
 * the right threads, and odd lines are counted while the rest is read. */
#include "trace_files.h"

#include "base/random.h"
#include "trace/form/form.h"
#include "trace/lines/lines.h"
#include "trace/lines/scan.h"

enum { EVENTS_MOST = 64 };

/* A text that was read. */
struct seen {
    int code, count;
    struct ordo_event events[EVENTS_MOST];
    char names[EVENTS_MOST][48];
    struct ordo_odds odds;
    struct ordo_error error;
};

static struct seen seen_in(const char *form, const void *bytes, size_t size, bool strict)
{
    struct seen seen = {0};
    struct file file = file_of_bytes(bytes, size);
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_reader reader;
    struct ordo_event event;
    seen.code = ordo_reader_open(&reader, file.path, NULL, &columns, &seen.error);
    if (!seen.code) {
        cr_assert_str_eq(reader.form->name, form);
        reader.odds.is_strict = strict;
        while ((seen.code = ordo_reader_next(&reader, &event, &seen.error)) == 1 && seen.count < EVENTS_MOST) {
            if (event.kind == ORDO_EVENT_META)
                continue;
            size_t length = event.name.length < 47 ? event.name.length : 47;
            if (length > 0)
                memcpy(seen.names[seen.count], event.name.at, length);
            seen.events[seen.count++] = event;
        }
        seen.odds = reader.odds;
        ordo_reader_close(&reader);
    }
    file_close(&file);
    return seen;
}

static struct seen seen_of(const char *form, const char *text)
{
    return seen_in(form, text, strlen(text), false);
}

/* Expects event `i`: its kind, thread, time and name. */
static void expect(const struct seen *seen, int i, int kind, uint32_t thread, int64_t time_ns, const char *name)
{
    cr_assert(seen->code == 0 && i < seen->count, "%s: %d events", seen->error.text, seen->count);
    const struct ordo_event *event = &seen->events[i];
    cr_assert(event->kind == kind && event->thread == thread && event->time_ns == time_ns &&
                  strcmp(seen->names[i], name) == 0,
              "event %d: kind %d, thread %u, at %lld, '%s'", i, event->kind, event->thread, (long long)event->time_ns,
              seen->names[i]);
}

static void expect_odd(const struct seen *seen, enum ordo_odd odd, uint64_t count, uint64_t row)
{
    cr_assert(seen->odds.of[odd].count == count && seen->odds.of[odd].row == row, "%s: %d at %d", ordo_odd_key(odd),
              (int)seen->odds.of[odd].count, (int)seen->odds.of[odd].row);
}

static uint64_t odds_of(const struct seen *seen)
{
    uint64_t count = 0;
    for (int i = 0; i < ORDO_ODDS; i++)
        count += seen->odds.of[i].count;
    return count;
}

/* Expects that a text is refused with these words. */
static void expect_refusal(const char *form, const char *text, const char *words)
{
    struct seen seen = seen_of(form, text);
    cr_assert(seen.code < 0 && strstr(seen.error.text, words), "%s: %s", text, seen.error.text);
}

/* Reads the next event that is no name of a thread. */
static int next_event(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    int more = ordo_reader_next(reader, event, error);
    while (more == 1 && event->kind == ORDO_EVENT_META)
        more = ordo_reader_next(reader, event, error);
    return more;
}

#define CTX " { cpu_id = 1 }, { vpid = 5, vtid = 6, procname = \"p\" }, "

Test(trace_lines, times_of_babeltrace2_are_exact_in_every_notation)
{
    static const struct {
        const char *text;
        int64_t time_ns;
    } all[] = {
        {"[22:31:35.666263625] (+?.?) vm a:b:" CTX "{ }\n", 81095666263625},
        {"[1795905095.667079317] (+0.000000941) vm a:b:" CTX "{ }\n", 1795905095667079317},
        {"[2026-11-28 22:31:35.667079317] vm a:b:" CTX "{ }\n", 1795905095667079317},
        {"[2000-02-29 00:00:00.000000001] a:b:" CTX "{ }\n", 951782400000000001},
        {"[1969-12-31 23:59:59.999999999] a:b:" CTX "{ }\n", -1},
        {"timestamp = 1795905095.667079317, delta = +0.1, trace:hostname = vm, name = a:b, stream.packet.context = { "
         "cpu_id = 1 }, stream.event.context = { vpid = 5, vtid = 6 }, event.fields = { x = 1 }\n",
         1795905095667079317},
        {"[22:31:35.666263625] (+0.1) vm/ust/uid/0/64-bitvm:ust:TRACE_DEBUG_LINE (13) a:b:" CTX "{ }\r\n",
         81095666263625}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct seen seen = seen_of("ctf", all[i].text);
        expect(&seen, 0, ORDO_EVENT_POINT, 6, all[i].time_ns, "a:b");
        cr_assert(seen.count == 1 && odds_of(&seen) == 0);
    }
}

Test(trace_lines, a_time_of_day_goes_on_after_midnight)
{
    struct seen seen = seen_of("ctf", "[23:59:59.999999999] vm a:" CTX "{ }\n[00:00:00.000000001] vm b:" CTX "{ }\n"
                                      "[00:00:00.000000000] vm c:" CTX "{ }\n");
    expect(&seen, 0, ORDO_EVENT_POINT, 6, INT64_C(86399999999999), "a");
    expect(&seen, 1, ORDO_EVENT_POINT, 6, INT64_C(86400000000001), "b");
    expect(&seen, 2, ORDO_EVENT_POINT, 6, INT64_C(86400000000000), "c");
}

Test(trace_lines, functions_and_pairs_of_lttng_are_regions_of_their_thread)
{
    struct seen seen =
        seen_of("ctf", "[1.000000001] vm l:func_entry:" CTX "{ addr = 0x5A, call_site = 0x6 }\n"
                       "[1.000000002] vm syscall_entry_openat:" CTX "{ dfd = -100 }\n"
                       "[1.000000003] vm irq_handler_entry: { cpu_id = 1 }, { vpid = 5, vtid = 7 }, { irq = 4 }\n"
                       "[1.000000004] vm syscall_exit_openat:" CTX "{ ret = 3 }\n"
                       "[1.000000005] vm l:func_exit:" CTX "{ addr = 0x5A, call_site = 0x6 }\n"
                       "[1.000000006] vm irq_handler_exit: { cpu_id = 1 }, { vpid = 5, vtid = 7 }, { irq = 4 }\n"
                       "[1.000000007] vm sched_process_exit:" CTX "{ }\n");
    expect(&seen, 0, ORDO_EVENT_BEGIN, 6, 1000000001, "0x5A");
    expect(&seen, 1, ORDO_EVENT_BEGIN, 6, 1000000002, "syscall_openat");
    expect(&seen, 2, ORDO_EVENT_BEGIN, 7, 1000000003, "irq_handler");
    expect(&seen, 3, ORDO_EVENT_END, 6, 1000000004, "syscall_openat");
    expect(&seen, 4, ORDO_EVENT_END, 6, 1000000005, "0x5A");
    expect(&seen, 5, ORDO_EVENT_END, 7, 1000000006, "irq_handler");
    expect(&seen, 6, ORDO_EVENT_POINT, 6, 1000000007, "sched_process_exit");
    cr_assert(seen.count == 7 && odds_of(&seen) == 0);
}

Test(trace_lines, kernel_events_belong_to_the_task_that_runs_on_their_cpu)
{
    struct seen seen = seen_of(
        "ctf",
        "[1.1] vm syscall_entry_read: { cpu_id = 2 }, { fd = 1 }\n"
        "[1.2] vm sched_switch: { cpu_id = 2 }, { prev_comm = \"a\", prev_tid = 3, prev_state = ( \"R, }\" : container "
        "= 0 ), next_comm = \"b c\", next_tid = 4 }\n"
        "[1.3] vm syscall_entry_read: { cpu_id = 2 }, { fd = 1 }\n"
        "[1.4] vm sched_switch: { cpu_id = 2 }, { prev_comm = \"b c\", prev_tid = 4, next_comm = \"swapper/2\", "
        "next_tid = 0 }\n"
        "[1.5] vm x: { cpu_id = 2 }, { tid = 9 }\n");
    expect(&seen, 0, ORDO_EVENT_BEGIN, ORDO_LINES_IDLE + 2, 1100000000, "syscall_read");
    expect(&seen, 1, ORDO_EVENT_BEGIN, ORDO_LINES_CPUS + 2, 1200000000, "b c-4");
    expect(&seen, 2, ORDO_EVENT_BEGIN, 4, 1300000000, "syscall_read");
    expect(&seen, 3, ORDO_EVENT_END, ORDO_LINES_CPUS + 2, 1400000000, "b c-4");
    expect(&seen, 4, ORDO_EVENT_POINT, ORDO_LINES_IDLE + 2, 1500000000, "x");
    cr_assert_eq(seen.count, 5);
}

Test(trace_lines, fields_in_texts_arrays_and_payloads_place_no_event)
{
    struct seen seen = seen_of(
        "ctf",
        "[1.1] vm a: { cpu_id = 1 }, { vpid = 5, procname = \"}, { vtid = 8, \\\"\", vtid = 6 }, { vtid = 9, v = "
        "[ [0] = 1, [1] = 2 ], s = { vtid = 10 } }\n");
    expect(&seen, 0, ORDO_EVENT_POINT, 6, 1100000000, "a");
    cr_assert_eq(odds_of(&seen), 0);
}

Test(trace_lines, threads_of_two_containers_are_two_threads)
{
    struct seen seen = seen_of("ctf", "[1.1] vm a_entry: { cpu_id = 1 }, { vpid = 5, vtid = 6 }, { }\n"
                                      "[1.2] vm a_entry: { cpu_id = 0 }, { vpid = 7, vtid = 6 }, { }\n"
                                      "[1.3] vm a_exit: { cpu_id = 1 }, { vpid = 5, vtid = 6 }, { }\n"
                                      "[1.4] vm a_exit: { cpu_id = 0 }, { vpid = 7, vtid = 6 }, { }\n");
    expect(&seen, 0, ORDO_EVENT_BEGIN, 6, 1100000000, "a");
    expect(&seen, 1, ORDO_EVENT_BEGIN, ORDO_LINES_OTHERS + 1, 1200000000, "a");
    expect(&seen, 2, ORDO_EVENT_END, 6, 1300000000, "a");
    expect(&seen, 3, ORDO_EVENT_END, ORDO_LINES_OTHERS + 1, 1400000000, "a");
}

Test(trace_lines, hosts_of_one_file_are_ranks)
{
    struct seen seen = seen_of("ctf", "[1.1] b x:" CTX "{ }\n[1.2] a x:" CTX "{ }\n[1.3] b x:" CTX "{ }\n");
    cr_assert(seen.count == 3 && seen.events[0].rank == 0 && seen.events[1].rank == 1 && seen.events[2].rank == 0);
}

Test(trace_lines, text_without_times_threads_or_names_is_refused_with_the_remedy)
{
    expect_refusal("ctf", "[00000062046396962197] (+000000000941) vm a:" CTX "{ }\n", "without --clock-cycles");
    expect_refusal("ctf", "[1.5] vm a: { 1 }, { 5, 6, \"p\" }, { }\n", "without --names");
    expect_refusal("perf", "   ls  5960   raw_syscalls:sys_exit: \n",
                   "perf script -F comm,pid,tid,cpu,time,event,trace");
    expect_refusal("perf", "62228.701824:     raw_syscalls:sys_exit: \n", "has no thread");
    expect_refusal("ftrace", "# tracer: nop\n a-17 [001] ..... 123456789: e: x\n",
                   "row 2: is no event, and neither is any other line");
    expect_refusal("ftrace", "# tracer: function_graph\n#\n 0)   0.541 us    |  irq_disable();\n", "funcgraph-abstime");
}

Test(trace_lines, samples_of_perf_are_events_of_their_thread)
{
    struct seen seen =
        seen_of("perf", "# ========\n# captured on    : today\n"
                        "sh 12 61967.121131:     250000 cpu-clock:ppp: \n\tffff b+0x5 ([k])\n\t 1ab a (/x y)\n\n"
                        "my cmd: 1  5/17 [003] 61967.121132001:  1 cycles:  ffffffff81 f+0x1 ([k])\n"
                        "     :-1    -1 [003] 61967.2:  1 cycles: \n"
                        "sh 12 61967.3: \n\tffff b\n\n");
    expect(&seen, 0, ORDO_EVENT_POINT, 12, INT64_C(61967121131000), "cpu-clock:ppp");
    expect(&seen, 1, ORDO_EVENT_POINT, 17, INT64_C(61967121132001), "cycles");
    expect(&seen, 2, ORDO_EVENT_POINT, ORDO_LINES_IDLE + 3, INT64_C(61967200000000), "cycles");
    expect(&seen, 3, ORDO_EVENT_POINT, 12, INT64_C(61967300000000), "sample");
    cr_assert(seen.count == 4 && odds_of(&seen) == 0);
}

Test(trace_lines, probes_are_regions_if_their_return_has_a_probe)
{
    struct seen seen =
        seen_of("perf", "x 7 [001] 5.1: probe:f: (10)\nx 7 [001] 5.2: probe:g: (11)\n"
                        "x 7 [001] 5.3: probe:f__return: (10 <- 20)\n"
                        "x 7 [001] 5.4: sdt_py:h__entry: (30) a\nx 7 [001] 5.5: sdt_py:h__return: (31) a\n");
    expect(&seen, 0, ORDO_EVENT_BEGIN, 7, 5100000000, "probe:f");
    expect(&seen, 1, ORDO_EVENT_POINT, 7, 5200000000, "probe:g");
    expect(&seen, 2, ORDO_EVENT_END, 7, 5300000000, "probe:f");
    expect(&seen, 3, ORDO_EVENT_BEGIN, 7, 5400000000, "sdt_py:h");
    expect(&seen, 4, ORDO_EVENT_END, 7, 5500000000, "sdt_py:h");
}

#define SWITCH(from, to)                                                                                               \
    "sched_switch: prev_comm=x prev_pid=" #from " prev_prio=120 prev_state=S ==> next_comm=a b=c next_pid=" #to        \
    " next_prio=9\n"

Test(trace_lines, tasks_are_bars_of_their_cpu_until_the_end_of_the_trace)
{
    struct seen seen = seen_of(
        "perf",
        "x 7 [001] 5.1: sched:" SWITCH(7, 8) "x 7 [000] 5.2: sched:" SWITCH(7, 0) "y 8 [001] 5.3: sched:" SWITCH(
            8, 0) "y 0 [001] 5.4: sched:" SWITCH(0,
                                                 9) "z 9 [001] 5.5: sched:" SWITCH(4,
                                                                                   3) "z 9 [000] 5.9: probe:g: (1)\n");
    expect(&seen, 0, ORDO_EVENT_BEGIN, ORDO_LINES_CPUS + 1, 5100000000, "a b=c-8");
    expect(&seen, 1, ORDO_EVENT_END, ORDO_LINES_CPUS + 1, 5300000000, "a b=c-8");
    expect(&seen, 2, ORDO_EVENT_BEGIN, ORDO_LINES_CPUS + 1, 5400000000, "a b=c-9");
    expect(&seen, 3, ORDO_EVENT_END, ORDO_LINES_CPUS + 1, 5500000000, "a b=c-9");
    expect(&seen, 4, ORDO_EVENT_BEGIN, ORDO_LINES_CPUS + 1, 5500000000, "a b=c-3");
    expect(&seen, 5, ORDO_EVENT_POINT, 9, 5900000000, "probe:g");
    expect(&seen, 6, ORDO_EVENT_END, ORDO_LINES_CPUS + 1, 5900000000, "a b=c-3");
    cr_assert_eq(seen.count, 7);
    expect_odd(&seen, ORDO_ODD_EARLY_END, 1, 5); /* the task that leaves is another one than that which came */
}

Test(trace_lines, every_column_form_of_ftrace_is_read)
{
    static const char *const all[] = {"  a-b [1] c-17 [002] d..2. 9.000001: e: x\n",
                                      "  a-17 (-----) [002] .... 9.000001: e: x\n",
                                      "  a-17  (   17) [002]  9.000001: e: x\n",
                                      "# tracer: nop\n#\n  a-17 [002] 9.000001000: e:\n",
                                      "cpus=2\n  a-17 [002] 9.000001: e:   x\n",
                                      "  a-17    2d..2. 9000001us+: e: x\n",
                                      "  a-17    2d..2. 9000001us : e: x\n",
                                      "  a-17    2d..2 9.000001: e: x\n",
                                      "TRACE:\n# tracer: function\n a-17 [002] d..1 9.000001: e <-f\n",
                                      "  a-17 [002] 9.000001: function:  e <-- f\n",
                                      "  a-17 [002] 9.000001: (+3)     e:   x\n",
                                      "buffer:       a-17 [002] 9.000001:   e:  x\n"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct seen seen = seen_of("ftrace", all[i]);
        expect(&seen, 0, ORDO_EVENT_POINT, 17, 9000001000, "e");
        cr_assert(seen.count == 1 && odds_of(&seen) == 0, "%s", all[i]);
    }
}

Test(trace_lines, function_graphs_are_regions_and_spans)
{
    struct seen seen = seen_of("ftrace", " 9.000001 |   1)  a-17  | d..1 |               |  f() {\n"
                                         " 9.000002 |   1)  a-17  | d..1 | + 12.345 us   |    g();\n"
                                         " 9.000003 |   1)  a-17  | d..1 | ! 123.456 us  |  } /* f */\n"
                                         " ------------------------------------------\n"
                                         " 1)   a-17    =>    b-18   \n"
                                         " 9.000004 |   1)   0.5 us    |  h [mod]();\n"
                                         " c-19 [001] 9.000005: funcgraph_entry:               |  f() {\n"
                                         " c-19 [001] 9.000006: funcgraph_entry:   # 6219.5 us |    k();\n"
                                         " c-19 [001] 9.000007: funcgraph_exit:    2.0 us      |  }\n");
    expect(&seen, 0, ORDO_EVENT_BEGIN, 17, 9000001000, "f");
    expect(&seen, 1, ORDO_EVENT_SPAN, 17, 9000002000, "g");
    expect(&seen, 2, ORDO_EVENT_END, 17, 9000003000, "f");
    expect(&seen, 3, ORDO_EVENT_SPAN, 18, 9000004000, "h [mod]");
    expect(&seen, 4, ORDO_EVENT_BEGIN, 19, 9000005000, "f");
    expect(&seen, 5, ORDO_EVENT_SPAN, 19, 9000006000, "k");
    expect(&seen, 6, ORDO_EVENT_END, 19, 9000007000, "f");
    cr_assert(seen.events[1].duration_ns == 12345 && seen.events[3].duration_ns == 500 &&
              seen.events[5].duration_ns == 6219500);
    cr_assert(seen.count == 7 && odds_of(&seen) == 0);
}

#define MARK(mark) " a-17 ( 5) [001] .... 9.1: tracing_mark_write: " mark "\n"

Test(trace_lines, marks_of_programs_are_regions_of_their_thread)
{
    struct seen seen =
        seen_of("ftrace", MARK("B|5|a|b") MARK("C|5|count|7") MARK("S|5|load|1") MARK("S|5|load|2") MARK("E|5")
                              MARK("F|5|load|1") MARK("F|5|load|2") MARK("G|5|track|load|3") MARK("H|5|track|3")
                                  MARK("I|5|now") " a-17 [001] 9.1: print:   tracing_mark_write: B|5|c\n" MARK("E"));
    static const struct {
        int kind;
        uint32_t thread;
        const char *name;
    } all[] = {{ORDO_EVENT_BEGIN, 17, "a|b"},
               {ORDO_EVENT_POINT, 17, "count"},
               {ORDO_EVENT_BEGIN, ORDO_LINES_LANES, "load"},
               {ORDO_EVENT_BEGIN, ORDO_LINES_LANES + 1, "load"},
               {ORDO_EVENT_END, 17, "a|b"},
               {ORDO_EVENT_END, ORDO_LINES_LANES, "load"},
               {ORDO_EVENT_END, ORDO_LINES_LANES + 1, "load"},
               {ORDO_EVENT_BEGIN, ORDO_LINES_LANES + 1, "load"},
               {ORDO_EVENT_END, ORDO_LINES_LANES + 1, "load"},
               {ORDO_EVENT_POINT, 17, "now"},
               {ORDO_EVENT_BEGIN, 17, "c"},
               {ORDO_EVENT_END, 17, "c"}};
    for (int i = 0; i < 12; i++)
        expect(&seen, i, all[i].kind, all[i].thread, 9100000000, all[i].name);
    cr_assert(seen.count == 12 && odds_of(&seen) == 0);
}

Test(trace_lines, calls_that_are_traced_twice_do_not_cross)
{
    struct seen seen = seen_of(
        "perf", "x 7 [001] 5.1: raw_syscalls:sys_enter: NR 2 (1)\nx 7 [001] 5.2: syscalls:sys_enter_open: 1\n"
                "x 7 [001] 5.3: raw_syscalls:sys_exit: NR 2 = 3\nx 7 [001] 5.4: syscalls:sys_exit_open: 3\n"
                "x 7 [001] 5.5: raw_syscalls:sys_enter: NR 15 (1)\nx 7 [001] 5.6: raw_syscalls:sys_exit: NR -1 = 0\n");
    expect(&seen, 0, ORDO_EVENT_BEGIN, 7, 5100000000, "syscall 2");
    expect(&seen, 1, ORDO_EVENT_POINT, 7, 5200000000, "syscalls:sys_enter_open");
    expect(&seen, 2, ORDO_EVENT_END, 7, 5300000000, "syscall 2");
    expect(&seen, 3, ORDO_EVENT_POINT, 7, 5400000000, "syscalls:sys_exit_open");
    expect(&seen, 4, ORDO_EVENT_BEGIN, 7, 5500000000, "syscall 15");
    expect(&seen, 5, ORDO_EVENT_END, 7, 5600000000, "syscall 15");
    cr_assert(seen.count == 6 && odds_of(&seen) == 0);
}

Test(trace_lines, marks_do_not_cross_the_system_calls_that_write_them)
{
    static const char text[] = " a-17 [001] 9.1: sys_enter: NR 1 (1)\n" MARK(
        "B|5|w") " a-17 [001] 9.2: sys_exit: NR 1 = 3\n"
                 " a-17 [001] 9.3: sys_enter: NR 1 (1)\n" MARK("E|5") " a-17 [001] 9.4: sys_exit: NR 1 = 3\n";
    struct seen seen = seen_of("ftrace", text);
    expect(&seen, 0, ORDO_EVENT_BEGIN, 17, 9100000000, "syscall 1");
    expect(&seen, 1, ORDO_EVENT_BEGIN, ORDO_LINES_MARKS + 17, 9100000000, "w");
    expect(&seen, 2, ORDO_EVENT_END, 17, 9200000000, "syscall 1");
    expect(&seen, 3, ORDO_EVENT_BEGIN, 17, 9300000000, "syscall 1");
    expect(&seen, 4, ORDO_EVENT_END, ORDO_LINES_MARKS + 17, 9100000000, "w");
    expect(&seen, 5, ORDO_EVENT_END, 17, 9400000000, "syscall 1");
    cr_assert_eq(odds_of(&seen), 0);
}

Test(trace_lines, a_call_whose_end_was_lost_lasts_until_the_next_call)
{
    struct seen seen = seen_of("ftrace", " a-17 [001] 9.1: sys_enter: NR 5 (1)\nCPU:1 [LOST 3 EVENTS]\n"
                                         " a-17 [001] 9.2: sys_enter: NR 6 (1)\n a-17 [001] 9.3: sys_exit: NR 6 = 1\n");
    expect(&seen, 0, ORDO_EVENT_BEGIN, 17, 9100000000, "syscall 5");
    expect(&seen, 1, ORDO_EVENT_END, 17, 9200000000, "syscall 5");
    expect(&seen, 2, ORDO_EVENT_BEGIN, 17, 9200000000, "syscall 6");
    expect(&seen, 3, ORDO_EVENT_END, 17, 9300000000, "syscall 6");
    cr_assert_eq(seen.count, 4);
    expect_odd(&seen, ORDO_ODD_OPEN_BEGIN, 1, 1);
    expect_odd(&seen, ORDO_ODD_LOST, 3, 2);
}

Test(trace_lines, switches_and_calls_of_trace_cmd_are_read_plain_and_raw)
{
    struct seen seen =
        seen_of("ftrace", "b:  a-17 [001] 9.1: sched_switch:   a:17 [120] R ==> x y:18 [9]\n"
                          "b:  a-18 [001] 9.2: sys_enter:   id=5 args=ARRAY[0b, 00]\n"
                          "b:  a-18 [001] 9.3: sys_exit:    id=5 ret=2\n"
                          "b:  a-18 [001] 9.4: sched_switch:  prev_comm=x y prev_pid=18 prev_prio=9 prev_state=256 "
                          "next_comm=z next_pid=19 next_prio=1\n");
    expect(&seen, 0, ORDO_EVENT_BEGIN, ORDO_LINES_CPUS + 1, 9100000000, "x y-18");
    expect(&seen, 1, ORDO_EVENT_BEGIN, 18, 9200000000, "syscall 5");
    expect(&seen, 2, ORDO_EVENT_END, 18, 9300000000, "syscall 5");
    expect(&seen, 3, ORDO_EVENT_END, ORDO_LINES_CPUS + 1, 9400000000, "x y-18");
    expect(&seen, 4, ORDO_EVENT_BEGIN, ORDO_LINES_CPUS + 1, 9400000000, "z-19");
    cr_assert_eq(odds_of(&seen), 0);
}

Test(trace_lines, system_calls_are_regions_in_every_notation)
{
    struct seen seen =
        seen_of("ftrace", " a-17 [001] 9.1: sys_enter: NR 5 (1, 2)\n a-17 [001] 9.1: sys_exit: NR 5 = 3\n"
                          " a-17 [001] 9.1: sys_openat(dfd: 1, filename: 2)\n a-17 [001] 9.1: sys_openat -> 0x3\n"
                          " a-17 [001] 9.1: sys_enter_exit_group: 1\n a-17 [001] 9.1: sys_exit_exit_group: 1\n");
    static const char *const names[] = {"syscall 5", "sys_openat", "sys_exit_group"};
    for (int i = 0; i < 6; i++)
        expect(&seen, i, i % 2 ? ORDO_EVENT_END : ORDO_EVENT_BEGIN, 17, 9100000000, names[i / 2]);
    cr_assert(seen.count == 6 && odds_of(&seen) == 0);
}

Test(trace_lines, lost_events_and_odd_lines_are_counted_and_the_rest_is_read)
{
    static const char ftrace[] =
        " a-17 [001] 9.1: e: x\nCPU:3 [LOST 12 EVENTS]\nCPU:1 [5 EVENTS DROPPED]\nnoise\0\xff\n"
        " a-17 [001] x: e\n a-99999999 [001] 9.1: e: x\nCPU:1 [LOST EVENTS]\n"
        " a-17 [001] -0.5: back: x\n a-17 [001] 99999999999999.1: e: x\n";
    struct seen seen = seen_in("ftrace", ftrace, sizeof ftrace - 1, false);
    expect(&seen, 0, ORDO_EVENT_POINT, 17, 9100000000, "e");
    expect(&seen, 1, ORDO_EVENT_POINT, 17, -500000000, "back");
    expect_odd(&seen, ORDO_ODD_LOST, 18, 2);
    expect_odd(&seen, ORDO_ODD_NO_EVENT, 4, 4);
    cr_assert(seen_in("ftrace", ftrace, sizeof ftrace - 1, true).code < 0);
    seen = seen_of("perf", "x 7 [001] 5.1: e: 1\nx 7 [001] 5.2: PERF_RECORD_LOST lost 9\nPERF_RECORD_LOST lost 2\n"
                           "x 7 [001] 5.2: PERF_RECORD_COMM: y:7\nnoise\nx 7 [001] 5.3: e: 1\n");
    cr_assert_eq(seen.count, 2);
    expect_odd(&seen, ORDO_ODD_LOST, 11, 2);
    expect_odd(&seen, ORDO_ODD_NO_EVENT, 1, 5);
    seen = seen_of("ctf", "WARNING: Tracer discarded 7 events between [1] and [2] in trace x\n[1.1] vm a:" CTX "{ }\n"
                          "[warning] Tracer discarded 3 events at end of stream\nnoise\n[1.x] vm a:" CTX "{ }\n");
    cr_assert_eq(seen.count, 1);
    expect_odd(&seen, ORDO_ODD_LOST, 10, 1);
    expect_odd(&seen, ORDO_ODD_NO_EVENT, 2, 4);
}

Test(trace_lines, an_end_leaves_the_regions_whose_end_is_missing)
{
    struct seen seen =
        seen_of("ctf", "[1.1] vm l:func_exit:" CTX "{ addr = 0x1 }\n[1.2] vm l:func_entry:" CTX
                       "{ addr = 0x2 }\n[1.3] vm l:func_entry:" CTX "{ addr = 0x3 }\n[1.4] vm l:func_exit:" CTX
                       "{ addr = 0x2 }\n[1.5] vm l:func_entry:" CTX "{ addr = 0x4 }\n");
    expect(&seen, 2, ORDO_EVENT_END, 6, 1400000000, "0x3");
    expect(&seen, 3, ORDO_EVENT_END, 6, 1400000000, "0x2");
    cr_assert_eq(seen.count, 5);
    expect_odd(&seen, ORDO_ODD_EARLY_END, 1, 1);
    expect_odd(&seen, ORDO_ODD_OPEN_BEGIN, 2, 3);
}

/* A random trace of which all is known. */
enum { LINES = 3000, THREADS = 5, DEPTH = 6 };

struct drawn {
    int64_t time_ns;
    int thread, name;
    bool begins;
};

static void draw_regions(struct drawn *all, uint64_t *random)
{
    int depth[THREADS] = {0}, open[THREADS][DEPTH];
    int64_t time_ns = INT64_C(1795905095000000000);
    for (int i = 0; i < LINES; i++) {
        int thread = (int)(ordo_random_next(random) % THREADS);
        bool begins = depth[thread] == 0 || (depth[thread] < DEPTH && ordo_random_next(random) % 2);
        time_ns += (int64_t)(ordo_random_next(random) % 3000000);
        if (begins)
            open[thread][depth[thread]++] = (int)(ordo_random_next(random) % 9);
        else
            depth[thread]--;
        all[i] = (struct drawn){time_ns, thread, open[thread][depth[thread] - begins], begins};
    }
}

static void print_drawn(FILE *stream, const char *form, const struct drawn *line)
{
    int64_t s = line->time_ns / 1000000000, ns = line->time_ns % 1000000000;
    if (strcmp(form, "ctf") == 0)
        fprintf(stream,
                "[%lld.%09lld] (+0.000000001) node lib:f%d_%s: { cpu_id = %d }, { vpid = 50, vtid = %d, procname = "
                "\"a, {\" "
                "}, { n = %d }\n",
                (long long)s, (long long)ns, line->name, line->begins ? "entry" : "exit", line->thread % 2,
                100 + line->thread, line->name);
    else if (strcmp(form, "perf") == 0)
        fprintf(stream, "%*s  50/%d [%03d] %lld.%09lld: lib:f%d_%s: n=%d\n\tffff f+0x1 (x)\n\n", 16, "my prog",
                100 + line->thread, line->thread % 2, (long long)s, (long long)ns, line->name,
                line->begins ? "enter" : "exit", line->name);
    else
        fprintf(stream, "%*s-%d   (   50) [%03d] d..1. %lld.%09lld: tracing_mark_write: %s%s%d\n", 16, "my prog",
                100 + line->thread, line->thread % 2, (long long)s, (long long)ns, line->begins ? "B" : "E",
                line->begins ? "|50|lib:f" : "|", line->begins ? line->name : 50);
}

Test(trace_lines, a_random_trace_is_read_as_it_was_drawn_in_every_form)
{
    static const char *const forms[] = {"ctf", "perf", "ftrace"};
    static struct drawn all[LINES];
    uint64_t random = 71;
    for (int f = 0; f < 3; f++) {
        char *text = NULL, name[32];
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        draw_regions(all, &random);
        for (int i = 0; i < LINES; i++)
            print_drawn(stream, forms[f], &all[i]);
        cr_assert_eq(fclose(stream), 0);
        struct file file = file_of(text);
        struct ordo_reader reader = file_reader(&file);
        struct ordo_event event;
        struct ordo_error error = {0};
        cr_assert_str_eq(reader.form->name, forms[f]);
        for (int again = 0; again < 2; again++) {
            for (int i = 0; i < LINES; i++) {
                cr_assert_eq(next_event(&reader, &event, &error), 1, "%s: %s", forms[f], error.text);
                int length = snprintf(name, sizeof name, "lib:f%d", all[i].name);
                cr_assert(event.time_ns == all[i].time_ns && event.thread == (uint32_t)(100 + all[i].thread) &&
                              event.kind == (all[i].begins ? ORDO_EVENT_BEGIN : ORDO_EVENT_END) &&
                              event.name.length == (size_t)length &&
                              memcmp(event.name.at, name, event.name.length) == 0,
                          "%s: event %d", forms[f], i);
            }
            cr_assert_eq(next_event(&reader, &event, &error), 0);
            cr_assert_eq(next_event(&reader, &event, &error), 0);
            cr_assert_eq(ordo_reader_rewind(&reader, &error), ORDO_OK, "%s", error.text);
        }
        ordo_reader_close(&reader);
        file_close(&file);
        free(text);
    }
}

Test(trace_lines, a_region_keeps_its_name_whatever_its_length)
{
    size_t length = 100000;
    char *text = malloc(length + 200), *at = text;
    cr_assert(text);
    at += sprintf(at, " a-17 [001] 9.1: tracing_mark_write: B|5|");
    memset(at, 'x', length);
    sprintf(at + length, "\n" MARK("E|5"));
    struct file file = file_of(text);
    struct ordo_reader reader = file_reader(&file);
    struct ordo_event event;
    struct ordo_error error = {0};
    for (int i = 0; i < 2; i++)
        cr_assert(next_event(&reader, &event, &error) == 1 && event.name.length == length &&
                  memchr(event.name.at, '\n', length) == NULL && event.name.at[length - 1] == 'x');
    ordo_reader_close(&reader);
    file_close(&file);
    free(text);
}

/* Returns the metadata of all threads, one after the other. */
static const char *titles_of(const char *text)
{
    static char titles[1000];
    struct file file = file_of(text);
    struct ordo_reader reader = file_reader(&file);
    struct ordo_event event;
    struct ordo_error error = {0};
    *titles = '\0';
    while (ordo_reader_next(&reader, &event, &error) == 1)
        if (event.kind == ORDO_EVENT_META)
            strcat(strncat(titles, event.raw.at, event.raw.length), "\n");
    ordo_reader_close(&reader);
    file_close(&file);
    return titles;
}

Test(trace_lines, threads_have_the_names_of_their_commands_once)
{
    cr_assert_str_eq(titles_of("buffer:   my \"a\xff-17 [001] 9.1: e: x\n b-17 [001] 9.2: " SWITCH(
                         17, 0) " <idle>-0 [001] 9.3: e: x\n" MARK("S|5|load|1")),
                     "my ?a?-17\nCPU 1\n"
                     "idle 1\nasynchronous 0\n");
    cr_assert_str_eq(titles_of("my b  5/17 [003] 9.1: 1 cycles: \n 8 9.2: 1 cycles: \n"), "my b-17\n8\n");
    cr_assert_str_eq(
        titles_of("[1.1] vm a:" CTX "{ }\n[1.2] vm a: { cpu_id = 1 }, { vpid = 7, vtid = 6, procname = \"q\" }, { }\n"),
        "p-6\nq\n");
}

/* Under a sanitizer this fails if a number of more digits overflows on the way. */
Test(trace_lines, numbers_have_at_most_18_digits)
{
    static const char digits[] = "9223372036854775808922337203685477580899999999999999999999999";
    for (size_t length = 0; length < sizeof digits; length++) {
        int64_t number;
        cr_expect_eq(ordo_scan_number((struct ordo_text){digits, length}, &number), length > 0 && length <= 18);
    }
}
