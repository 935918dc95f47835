/* Damaged and forged traces, in every form. Usage: trace_fuzz [--seed N] [--count N]
 *
 * Each input is written to a file, so that by default there are only 1500. The long run is fuzz-trace-soak.
 *
 * For any content of a file, reading ends either with an error code and one line that names the file, or with events
 * that are in range. A damaged binary trace of Ordo is refused, or cut at the begin of the damage, and never read as
 * another form. A second reading gives the same result. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "trace/clocks/clocks.h"
#include "trace/correct/correct.h"
#include "trace/file/layout.h"

enum { LARGEST = 1 << 14, SOUND_EVENTS = 40 };

static char path[64], names_path[72];

static void fail(const char *what)
{
    printf("%s\n", what);
    (void)fflush(stdout);
    abort();
}

static void write_file(const char *name, const unsigned char *bytes, size_t count)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, bytes, count) != (ssize_t)count || close(fd) != 0)
        fail("no file");
}

static size_t add_chunk(unsigned char *bytes, size_t at, uint32_t kind, uint32_t count, const void *payload,
                        uint32_t size, uint64_t number)
{
    static unsigned char room[4096];
    volatile uint32_t opaque = size; /* so that no compiler warns about a loop over an impossible range */
    struct ordo_trace_chunk chunk = {.kind = kind, .bytes = opaque, .count = count, .number = number};
    if (size > 0)
        memcpy(room, payload, size);
    ordo_trace_chunk_seal(&chunk, room);
    memcpy(bytes + at, &chunk, sizeof chunk);
    memcpy(bytes + at + sizeof chunk, room, size);
    return at + sizeof chunk + size;
}

/* Makes a sound binary trace of rank 1. Returns its size in bytes. */
static size_t make_binary(unsigned char *bytes)
{
    struct ordo_trace_head head = {.rank = 1, .size = 2, .clock_of = 1, .clock = "tsc", .host = "node"};
    struct ordo_trace_event events[SOUND_EVENTS];
    struct ordo_trace_exchange exchange = {0, 0, 5000, 900, 7000};
    struct {
        struct ordo_trace_group head;
        int32_t ranks[2];
    } group = {{.communicator = 1, .size = 2, .number = 2, .place = 1}, {0, 1}};
    unsigned char name[16] = {1, 0, 0, 0, 8, 0, 0, 0, 'M', 'P', 'I', '_', 'S', 'e', 'n', 'd'};
    ordo_trace_rate(&head, 2000000000);
    ordo_trace_head_seal(&head);
    memcpy(bytes, &head, sizeof head);
    for (uint32_t i = 0; i < SOUND_EVENTS; i++)
        events[i] = (struct ordo_trace_event){.ticks = 1000 * (i + 1),
                                              .name = 1,
                                              .peer = i % 4 < 2 ? -1 : 0,
                                              .tag = (int32_t)i,
                                              .root = -1,
                                              .communicator = i % 2,
                                              .kind = i % 4 == 2   ? ORDO_TRACE_SEND
                                                      : i % 4 == 3 ? ORDO_TRACE_RECV
                                                                   : (uint16_t)(1 + i % 4),
                                              .number = ORDO_TRACE_UNCOUNTED};
    size_t at = add_chunk(bytes, sizeof head, ORDO_TRACE_STRINGS, 1, name, sizeof name, 0);
    at = add_chunk(bytes, at, ORDO_TRACE_GROUP, 1, &group, sizeof group, 1);
    at = add_chunk(bytes, at, ORDO_TRACE_EVENTS, SOUND_EVENTS / 2, events, sizeof events / 2, 2);
    at = add_chunk(bytes, at, ORDO_TRACE_EXCHANGES, 1, &exchange, sizeof exchange, 3);
    at = add_chunk(bytes, at, ORDO_TRACE_EVENTS, SOUND_EVENTS / 2, events + SOUND_EVENTS / 2, sizeof events / 2, 4);
    return add_chunk(bytes, at, ORDO_TRACE_CLOSED, 0, NULL, 0, 5);
}

#define SOUND(text)                                                                                                    \
    {                                                                                                                  \
        text, sizeof(text) - 1                                                                                         \
    }

/* Indices in `sounds`. From SPANS on, a file that is read again has other events, because its times were rounded. */
enum { PARAVER = 5, SYNC = 6, SPANS = 15 };

static const struct {
    const char *at;
    size_t size;
} sounds[] = {
    SOUND("rank,time_ns,kind,name,peer,tag,bytes,other\n0,100,begin,\"a,\"\"b\",,,,x\n0,200,send,,1,7,64,\n1,-300,recv,"
          ",0,7,"
          "64,y\n1,5,end,c,,,,\n"),
    SOUND("{\"rank\":0,\"time_ns\":100,\"kind\":\"begin\",\"name\":\"a\\u00e4\\\"b\"}\n{\"rank\":1,\"time_ns\":5,\"x\":"
          "[1,{"
          "\"y\":\"]\"}],\"peer\":0,\"kind\":\"send\"}\n"),
    SOUND("{\"distributedInfo\":{\"rank\":3},\"traceEvents\":[\n{\"ph\":\"X\",\"name\":\"k\",\"pid\":1,\"tid\":2,"
          "\"ts\":1.5,"
          "\"dur\":2e3,\"args\":{\"a\":[1]}},\n"
          "{\"ph\":\"M\",\"name\":\"n\"},{\"ph\":\"B\",\"name\":\"q\",\"pid\":1,\"tid\":2,\"ts\":-12.0005,\"args\":{"
          "\"send_"
          "to\":1}}]}"),
    SOUND("rank,time_ns,kind,name,communicator,root,number\n0,100,begin,MPI_Barrier,0,,3\n0,200,end,MPI_Barrier,0,,"
          "3\n1,5150,"
          "begin,MPI_Barrier,0,,3\n1,5210,end,MPI_Barrier,0,,3\n1,6000,begin,MPI_Bcast,7,0,\n1,6100,end,MPI_Bcast,7,0,"
          "\n"),
    SOUND("[{\"ph\":\"X\",\"name\":\"ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)\",\"pid\":1,\"tid\":2,\"ts\":1.5,"
          "\"dur\":20,"
          "\"args\":{\"Seq\":4,\"Process Group Name\":\"0\",\"Process Group Ranks\":\"[0, 1]\",\"Collective "
          "name\":\"allreduce\","
          "\"In split size\":\"[]\"}}]"),
    SOUND("#Paraver (01/02/03 at 04:05):1000_ns:1(2):1:2(2:1,1:1),1\nc:1:1:2:1:2\n# text\n1:1:1:1:1:0:100:1\n"
          "2:1:1:1:2:5:50000001:3:60000019:7:9:-1\n2:1:1:1:2:9:60000019:0:50000001:0:9:2\n"
          "3:1:1:1:1:10:20:2:1:2:1:5:60:64:9\n2:2:1:2:1:70:50000002:8:50100004:1\n"),
    SOUND("session,rank,send_ns,master_ns,receive_ns\n0,1,100,5,300\n1,1,100000,99905,100300\n"),
    SOUND("[\n{\"ph\":\"b\",\"cat\":\"c\",\"id\":\"0x1\",\"pid\":\"p\",\"ts\":\"1\"}\n{\"ph\":\"X\",\"name\":\"x\","
          "\"ts\":2,\"args\":{\"v\":NaN}},\n"
          "{\"ph\":\"e\",\"cat\":\"c\",\"id\":\"0x1\",\"pid\":\"p\",\"ts\":3},,{\"ph\":\"C\",\"pid\":4194303,\"ts\":4,"
          "\"args\":{\"a\":1}}\n"),
    SOUND("{\"traceEvents\":[{\"ph\":\"E\",\"ts\":9,\"id2\":{\"global\":1}},{\"ph\":\"B\",\"name\":\"\\u00e9\",\"ts\":"
          "5,\"dur\":-1}],\"a\":[1],\"base"
          "TimeNanoseconds\":\"5\",\"stackFrames\":{\"1\":{}}}\n{\"ph\":\"i\",\"ts\":1672924880617123457}"),
    SOUND("[22:31:35.666263625] (+?.?) vm s:start: { cpu_id = 1 }, { vpid = 5, vtid = 6, procname = "
          "\"a,\\\"{\" }, { }\n"
          "[22:31:35.700000001] (+0.1) vm u:func_entry: { cpu_id = 0 }, { vpid = 5, vtid = 6 }, { addr = 0x5A, ids = [ "
          "[0] = 0x4, [1] = 5 ] }\n"
          "[00:00:01.000000001] (+0.1) w sched_switch: { cpu_id = 0 }, { prev_comm = \"x\", prev_tid = 6, prev_state = "
          "( \"R\" : container = 0 ), next_comm = \"y\", next_tid = 7 }\n"
          "WARNING: Tracer discarded 12 events between [1] and [2]\n"
          "[00:00:02.000000001] (+0.1) w irq_handler_entry: { cpu_id = 0 }, { irq = 5 }\n"
          "[00:00:03.000000001] (+0.1) vm u:func_exit: { cpu_id = 0 }, { vpid = 5, vtid = 6 }, { addr = 0x5A, s = { a "
          "= 1 } }\n"),
    SOUND("# captured on : today\n"
          "a b 17/18 [001] 5.000000001: 250 cpu-clock:ppp: \n"
          "\tffff0 f+0x1 (k)\n"
          " x 18 [001] 5.1: probe:f: (10)\n"
          " x 18 [001] 5.2: probe:f__return: (10 <- 20)\n"
          " x 18 [001] 5.3: sched:sched_switch: prev_comm=x prev_pid=18 prev_prio=1 prev_state=S ==> next_comm=y z "
          "next_pid=19 next_prio=1\n"
          " x 18 [001] 5.4: PERF_RECORD_LOST lost 7\n"
          " :-1 -1 [000] 5.5: syscalls:sys_enter_openat: dfd: 1\n"
          " y 19 [001] 5.6: sched:sched_switch: prev_comm=y prev_pid=19 ==> next_comm=swapper next_pid=0\n"),
    SOUND("# tracer: nop\n"
          "CPU:1 [LOST 12 EVENTS]\n"
          " a-b c-17 ( 5) [001] d..2. 9.000001: sched_switch: bash:17 [120] S ==> x:18 [120]\n"
          " <idle>-0 (-----) [001] 9.000002: sys_enter: NR 5 (1, 2)\n"
          " a-17 [001] .... 9.000003: tracing_mark_write: B|5|w|x\n"
          " a-17 [001] .... 9.000004: tracing_mark_write: S|5|w|7\n"
          " a-17 [001] .... 9.000005: tracing_mark_write: F|5|w|7\n"
          " a-17 [001] .... 9.000005: tracing_mark_write: E\n"
          " a-17 1d..2. 9000006us+: vfs_read <-x\n"
          " a-17 [001] 9.000007: funcgraph_entry: + 12.5 us | f();\n"
          " 9.000008 | 1) a-17 | d..1 | | g() {\n"
          " 9.000009 | 1) a-17 | d..1 | ! 123.456 us | } /* g */\n"
          " 1) a-17 => b-18\n"
          " x-17 [000] 9.1: sys_open(a: 1)\n"
          " x-17 [000] 9.2: sys_open -> 0x3\n"),
    SOUND("\037\213\010\000\000\000\000\000\002\003\125\215\061\013\302\060\020\205\377\212\334\034\244\251"
          "\330\102\166\007\027\351\040\042\210\103\232\234\064\224\044\045\111\273\224\374\167\057\266\213"
          "\267\334\203\367\276\367\126\210\152\100\053\037\030\242\361\016\004\147\240\161\061\012\273\340"
          "\047\014\311\140\004\361\132\301\150\020\125\176\063\110\101\052\274\054\350\322\146\114\003\010"
          "\170\002\003\047\055\222\034\111\116\277\064\145\313\207\230\002\112\173\150\311\050\014\077\236"
          "\151\143\016\040\352\314\166\076\222\127\262\174\147\371\316\326\033\162\052\303\275\214\170\067"
          "\026\157\322\371\210\312\073\135\312\332\246\251\376\217\312\015\115\232\176\116\250\257\356\343"
          "\101\254\020\244\033\051\235\363\027\110\113\014\076\361\000\000\000"),
    SOUND("\050\265\057\375\004\130\105\005\000\202\213\043\040\140\151\332\006\050\100\024\333\214\022\216"
          "\267\021\352\347\351\202\232\154\111\200\314\233\012\333\246\007\322\040\010\314\003\255\031\374"
          "\142\235\375\202\147\013\213\040\145\063\022\272\315\232\176\107\222\034\014\236\323\142\050\231"
          "\255\123\220\112\017\222\117\342\207\150\001\210\061\167\276\206\340\227\221\176\002\000\006\317"
          "\375\373\301\240\116\156\363\361\111\373\247\374\276\070\076\325\131\277\047\034\257\120\172\145"
          "\143\040\321\331\376\041\332\201\117\372\105\001\317\251\275\251\260\065\110\244\215\114\077\203"
          "\137\114\171\023\341\250\124\040\376\022\010\000\343\244\133\205\017\144\366\065\105\031\155\160"
          "\010\356\215\112\060\346\141\102\001\301\261\124\135"),
    SOUND(
        "[{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":9,\"tid\":9,\"ts\":50,\"dur\":3,"
        "\"args\":{\"correlation\":1}},\n{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":10,"
        "\"dur\":5,\"args\":{\"correlation\":1,\"device\":0,\"stream\":7}},\n{\"ph\":\"X\",\"cat\":\"cuda_runtime\","
        "\"name\":\"cudaStreamSynchronize\",\"pid\":9,\"tid\":9,\"ts\":54,\"dur\":9,\"args\":{\"correlation\":2}},\n"
        "{\"ph\":\"X\",\"cat\":\"cuda_sync\",\"name\":\"s\",\"pid\":0,\"tid\":7,\"ts\":54,\"dur\":9,\"args\":{"
        "\"correlation\":2,\"stream\":7,\"device\":0}},\n{\"ph\":\"f\",\"bp\":\"e\",\"id\":1,\"pid\":0,\"tid\":7,"
        "\"ts\":10}]"),
    SOUND("{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":"
          "\"a\"}}]},"
          "\"scopeSpans\":[{\"spans\":[{\"traceId\":\"1\",\"spanId\":\"1\",\"name\":\"c\",\"kind\":3,"
          "\"startTimeUnixNano\":"
          "\"100\",\"endTimeUnixNano\":\"900\",\"events\":[{\"timeUnixNano\":150,\"name\":\"e\"}]}]}]},{\"scopeSpans\":"
          "[{\"spans\":["
          "{\"traceId\":\"1\",\"spanId\":\"2\",\"parentSpanId\":\"1\",\"kind\":2,\"startTimeUnixNano\":\"5000\","
          "\"endTimeUnixNano\":\"5300\",\"links\":[{\"traceId\":\"1\",\"spanId\":\"1\"}]}]}],\"resource\":{}}]}\n"),
    SOUND("{\"data\":[{\"traceID\":\"a\",\"spans\":[{\"traceID\":\"a\",\"spanID\":\"1\",\"operationName\":\"c\","
          "\"startTime\":"
          "100,\"duration\":50,\"tags\":[{\"key\":\"span.kind\",\"value\":\"client\"}],\"processID\":\"p1\",\"logs\":[{"
          "\"timestamp\":120}]},{\"traceID\":\"a\",\"spanID\":\"2\",\"references\":[{\"refType\":\"CHILD_OF\","
          "\"traceID\":"
          "\"a\",\"spanID\":\"1\"}],\"startTime\":900,\"duration\":30,\"processID\":\"p2\"}],\"processes\":{\"p1\":{"
          "\"serviceName\":\"a\"}}}],\"total\":0}"),
    SOUND("[[{\"traceId\":\"a\",\"id\":\"1\",\"kind\":\"CLIENT\",\"timestamp\":100,\"duration\":50,\"localEndpoint\":{"
          "\"serviceName\":\"a\"}}],[{\"traceId\":\"a\",\"id\":\"1\",\"kind\":\"SERVER\",\"shared\":true,\"timestamp\":"
          "900,"
          "\"duration\":30,\"localEndpoint\":{\"serviceName\":\"b\",\"ipv4\":\"1.2.3.4\"},\"annotations\":[{"
          "\"timestamp\":910,"
          "\"value\":\"x\"}]}]]"),
    SOUND("\012\021\120\001\062\015\012\004\010\006\020\144\012\005\010\001\020\350\007\012\034\120\002\150"
          "\001\332\003\007\320\003\001\132\002\130\010\342\003\013\010\010\042\007\010\004\020\005\052\001"
          "\164\012\066\222\003\063\170\234\343\122\166\370\304\036\300\224\301\224\304\045\304\301\301\050"
          "\304\122\236\137\224\035\305\347\301\030\300\370\223\211\223\001\002\270\270\035\376\200\025\105"
          "\061\171\060\001\000\373\107\011\113\012\042\100\202\001\320\003\006\120\002\132\030\110\003\272"
          "\001\004\164\151\143\153\130\011\042\013\122\007\163\145\156\144\137\164\157\040\001\012\016\100"
          "\232\010\120\002\150\002\132\005\110\004\360\001\003\012\022\120\001\062\016\012\005\010\006\020"
          "\310\001\012\005\010\001\020\314\010"),
};

/* The names of the trace of Paraver. */
static const char names[] =
    "STATES\n0 Idle\n1 Running\n\nEVENT_TYPE\n9 50000001 MPI\n9  9  other\nVALUES\n3 MPI_Isend\n0 End\n"
    "2 two\n\nGRADIENT_NAMES\n0 none\n";

/* The result of a reading. */
struct outcome {
    int code;
    uint64_t events, sum;
    uint64_t split; /* spans of a form that is only read: CSV gets a begin and an end */
    char text[sizeof((struct ordo_error *)0)->text];
};

static void check_event(const struct ordo_event *event, struct outcome *outcome)
{
    if (event->kind >= ORDO_EVENT_KINDS)
        fail("a kind that is none");
    outcome->events++;
    if (event->kind == ORDO_EVENT_META)
        return;
    if (event->rank < 0 || event->rank >= ORDO_TRACE_RANKS_MOST || event->peer < -1 || event->duration_ns < 0)
        fail("an event out of range");
    for (size_t i = 0; i < event->name.length; i++)
        outcome->sum += (unsigned char)event->name.at[i];
    outcome->sum = outcome->sum * 31 + (uint64_t)event->time_ns + event->bytes;
}

static struct outcome read_trace(const struct ordo_form *form)
{
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_error error = {0};
    struct ordo_reader reader;
    struct ordo_event event;
    struct outcome outcome = {0};
    outcome.code = ordo_reader_open(&reader, path, form, &columns, &error);
    if (!outcome.code) {
        while ((outcome.code = ordo_reader_next(&reader, &event, &error)) == 1) {
            check_event(&event, &outcome);
            outcome.split += event.kind == ORDO_EVENT_SPAN && !reader.form->begin;
        }
        ordo_reader_close(&reader);
    }
    memcpy(outcome.text, error.text, sizeof outcome.text);
    return outcome;
}

/* Reads the file twice, and expects the same result: events in range, or one line of error. */
static struct outcome check(const struct ordo_form *form)
{
    struct outcome first = read_trace(form), second = read_trace(form);
    if (first.code != second.code || first.events != second.events || first.sum != second.sum ||
        strcmp(first.text, second.text) != 0)
        fail("read once more it is another trace");
    if (first.code > 0)
        fail("ended with an event");
    if (first.code && (strncmp(first.text, path, strlen(path)) != 0 || strchr(first.text, '\n')))
        fail("no line that names the file");
    return first;
}

static void check_sync(void)
{
    struct ordo_clocks clocks = {0};
    struct ordo_error error = {0};
    struct ordo_declared declared = ordo_declared_defaults();
    int code = ordo_clocks_read(&clocks, path, &error);
    for (const struct ordo_method *const *method = ordo_methods; !code && *method; method++) {
        for (int i = ordo_clocks_next(&clocks, -1); i < clocks.count; i = ordo_clocks_next(&clocks, i))
            clocks.of[i].made = false;
        code = ordo_clocks_make(&clocks, *method, &declared, &error);
        for (int i = ordo_clocks_next(&clocks, -1); i < clocks.count; i = ordo_clocks_next(&clocks, i))
            ordo_correction_free(&clocks.of[i].correction);
    }
    if (code && !*error.text)
        fail("no line about it");
    ordo_clocks_free(&clocks);
}

/* What was written is read again with as many events, and nothing is odd in its frame. */
static void check_again(const unsigned char *text, size_t size, uint64_t events)
{
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_error error = {0};
    struct ordo_reader reader;
    struct ordo_event event;
    int code;
    write_file(path, text, size);
    if (ordo_reader_open(&reader, path, NULL, &columns, &error))
        fail(error.text);
    while ((code = ordo_reader_next(&reader, &event, &error)) == 1)
        events -= event.kind != ORDO_EVENT_META;
    if (code)
        fail(error.text);
    if (events != 0)
        fail("other events than were written");
    for (int i = ORDO_ODD_NO_OBJECT; i < ORDO_ODDS; i++)
        if (reader.odds.of[i].count > 0)
            fail(ordo_odd_text(i));
    ordo_reader_close(&reader);
}

/* A correction of it writes something or says why not. */
static void check_correct(bool is_forged, uint64_t split)
{
    char made[sizeof path + 8];
    struct ordo_folder folder = {.path = made};
    (void)snprintf(made, sizeof made, "%s.made", path);
    const char *paths[] = {path};
    struct ordo_correct_options options = {.traces = {.paths = paths, .count = 1, .columns = ordo_columns_defaults()},
                                           .method = ordo_method_find("interval"),
                                           .declared = ordo_declared_defaults(),
                                           .folder = &folder,
                                           .stretch = 1e-4,
                                           .causal = true};
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *sink = open_memstream(&text, &size);
    if (!sink)
        fail("no memory");
    int code = ordo_correct(&options, sink, &report, &error);
    (void)fclose(sink);
    if (code != ORDO_OK && !*error.text)
        fail("no line about it");
    if (code == ORDO_OK) {
        if (!is_forged && folder.staged[0] == '\0') /* text cannot hold all that a forger writes */
            check_again((const unsigned char *)text, size, report.events + split);
        ordo_correct_report_free(&report);
    }
    if (ordo_folder_finish(&folder, false, NULL) != ORDO_OK)
        fail("the folder cannot be removed");
    free(text);
}

static size_t damage(unsigned char *bytes, size_t count, uint64_t *random)
{
    int times = 1 + (int)(ordo_random_next(random) % 4);
    for (int i = 0; i < times && count > 0; i++) {
        size_t at = ordo_random_next(random) % count;
        switch (ordo_random_next(random) % 4) {
        case 0:
            bytes[at] ^= (unsigned char)(1 << ordo_random_next(random) % 8);
            break;
        case 1:
            bytes[at] = (unsigned char)"0,\n\"{}[]:-9\\.e| ="[ordo_random_next(random) % 17];
            break;
        case 2:
            memmove(bytes + at, bytes + at + 1, count - at - 1);
            count--;
            break;
        default:
            count = at;
        }
    }
    return count;
}

/* Changes bytes of the head and of the payloads, and corrects the checksums as a forger would. */
static void forge(unsigned char *bytes, size_t count, uint64_t *random)
{
    struct ordo_trace_head head;
    struct ordo_trace_chunk chunk;
    int times = 1 + (int)(ordo_random_next(random) % 4);
    for (int i = 0; i < times; i++) {
        size_t at = 16 + ordo_random_next(random) % (count - 16), from = sizeof head;
        while (from + sizeof chunk <= at) {
            memcpy(&chunk, bytes + from, sizeof chunk);
            if (at < from + sizeof chunk + chunk.bytes)
                break;
            from += sizeof chunk + chunk.bytes;
        }
        if (at < sizeof head || at >= from + sizeof chunk)
            bytes[at] = (unsigned char)ordo_random_next(random);
    }
    memcpy(&head, bytes, sizeof head);
    head.layout -= ordo_random_next(random) % 4 == 0; /* layout 1 has other groups and proofs */
    head.checksum = ordo_record_fold(&head, offsetof(struct ordo_trace_head, checksum));
    memcpy(bytes, &head, sizeof head);
    for (size_t at = sizeof head; at < count; at += sizeof chunk + chunk.bytes) {
        memcpy(&chunk, bytes + at, sizeof chunk);
        ordo_trace_chunk_seal(&chunk, bytes + at + sizeof chunk);
        memcpy(bytes + at, &chunk, sizeof chunk);
    }
}

static void run(uint64_t seed, uint64_t count)
{
    static unsigned char sound[LARGEST], bytes[LARGEST];
    size_t kinds = sizeof sounds / sizeof *sounds;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t random = seed * 1000003 + i;
        size_t which = i % (kinds + 1), size = which < kinds ? sounds[which].size : make_binary(sound);
        memcpy(bytes, which < kinds ? (const void *)sounds[which].at : sound, size);
        size_t left = size;
        if (i > kinds && which == kinds && i % 2)
            forge(bytes, size, &random);
        else if (i > kinds)
            left = damage(bytes, size, &random);
        write_file(path, bytes, left);
        if (which == PARAVER) {
            memcpy(bytes, names, sizeof names - 1);
            write_file(names_path, bytes, i > kinds ? damage(bytes, sizeof names - 1, &random) : sizeof names - 1);
        }
        struct outcome outcome = check(NULL);
        if (which == kinds && outcome.code == 0 && outcome.events > SOUND_EVENTS)
            fail("more events than there were");
        if (i < kinds && which != SYNC && outcome.code && !strstr(outcome.text, "which this program cannot read"))
            fail(outcome.text);
        if (i == kinds && (outcome.code || outcome.events != SOUND_EVENTS))
            fail("the sound file is refused");
        if (which == SYNC)
            check_sync();
        else
            check_correct(which >= SPANS, outcome.split);
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, count = 1500;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--count") == 0)
            count = strtoull(argv[i + 1], NULL, 0);
    }
    (void)snprintf(path, sizeof path, "/tmp/trace_fuzz.%ld", (long)getpid());
    (void)snprintf(names_path, sizeof names_path, "%s.pcf", path);
    run(seed, count);
    (void)unlink(path);
    (void)unlink(names_path);
    return 0;
}
