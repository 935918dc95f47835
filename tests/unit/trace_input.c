/* The common parts of the readers: values in JSON text, words, and threads that are named by a process and a thread. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "trace/event/collective.h"
#include "trace/input/device.h"
#include "trace/input/json.h"
#include "trace/input/nccl.h"
#include "trace/input/tracks.h"

static struct ordo_text text_of(const char *word)
{
    return (struct ordo_text){word, strlen(word)};
}

Test(trace_input, the_end_of_a_json_value_is_found)
{
    const struct {
        const char *text;
        ptrdiff_t span;
    } values[] = {{"", 0},           {"{\"a\":[1,\"]}\"]} x", 14},
                  {"[[],{}],", 7},   {"\"a\\\"b\",", 6},
                  {"12.5e3,", 6},    {"true}", 4},
                  {"{\"a\":1", 0},   {"[1}", -1},
                  {"\"abc", 0},      {",", -1},
                  {"{\"a\":\"\\", 0}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        cr_expect_eq(ordo_json_span(text_of(values[i].text)), values[i].span, "%s: %td", values[i].text,
                     ordo_json_span(text_of(values[i].text)));
    char deep[2048];
    memset(deep, '[', 1024);
    memset(deep + 1024, ']', 1024);
    cr_expect_eq(ordo_json_span((struct ordo_text){deep, 2048}), 2048);
    memset(deep, '[', 1025);
    cr_expect_eq(ordo_json_span((struct ordo_text){deep, 1025}), -1);
}

/* 128 brackets are open, and those from the 65th on are closed and opened again with the other kind. */
Test(trace_input, deep_brackets_are_closed_by_their_own_kind)
{
    enum { DEPTH = 128, HALF = 64 };
    char text[4 * DEPTH + 1];
    size_t length = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int i = turn ? HALF : 0; i < DEPTH; i++)
            text[length++] = i % 3 == turn ? '[' : '{';
        for (int i = DEPTH; i-- > (turn ? 0 : HALF);)
            text[length++] = i % 3 == (i < HALF ? 0 : turn) ? ']' : '}';
    }
    cr_assert_eq(ordo_json_span((struct ordo_text){text, length}), (ptrdiff_t)length);
    for (size_t i = 0; i < length; i++) {
        if (text[i] != ']' && text[i] != '}')
            continue;
        text[i] ^= ']' ^ '}';
        cr_expect_eq(ordo_json_span((struct ordo_text){text, length}), -1, "%zu", i);
        text[i] ^= ']' ^ '}';
    }
}

Test(trace_input, events_of_a_device_are_known_by_their_category)
{
    const struct {
        const char *category, *name;
        enum ordo_device_role role;
        bool reads;
    } events[] = {{"\"kernel\"", "gemm_DtoH", ORDO_DEVICE_WORK, false},
                  {"\"Kernel\"", "gemm", ORDO_DEVICE_WORK, false},
                  {"\"gpu_memcpy\"", "Memcpy DtoH (Device -> Pageable)", ORDO_DEVICE_WORK, true},
                  {"\"MEMCPY\"", "CopyDeviceToHost", ORDO_DEVICE_WORK, true},
                  {"\"gpu_memcpy\"", "Memcpy HtoD", ORDO_DEVICE_WORK, false},
                  {"\"gpu_memset\"", "Memset", ORDO_DEVICE_WORK, false},
                  {"\"MEMSET\"", "Memset", ORDO_DEVICE_WORK, false},
                  {"\"cuda_runtime\"", "cudaLaunchKernel", ORDO_DEVICE_CALL, false},
                  {"\"Runtime\"", "cudaLaunchKernel", ORDO_DEVICE_CALL, false},
                  {"\"RUNTIME\"", "cudaLaunchKernel", ORDO_DEVICE_CALL, false},
                  {"\"cuda_driver\"", "cuLaunchKernel", ORDO_DEVICE_CALL, false},
                  {"\"CUDA_DRIVER\"", "cuLaunchKernel", ORDO_DEVICE_CALL, false},
                  {"\"hip_api\"", "hipLaunchKernel", ORDO_DEVICE_CALL, false},
                  {"\"HIP_API\"", "hipLaunchKernel", ORDO_DEVICE_CALL, false},
                  {"\"cuda_sync\"", "Stream Sync", ORDO_DEVICE_NOTE, false},
                  {"\"CUDA_SYNC\"", "Stream Sync", ORDO_DEVICE_NOTE, false},
                  {"\"cpu_op\"", "aten::add", ORDO_DEVICE_NONE, false},
                  {"\"Trace\"", "aten::add", ORDO_DEVICE_NONE, false},
                  {"\"\"", "aten::add", ORDO_DEVICE_NONE, false}};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        struct ordo_event event = {.name = text_of(events[i].name), .kind = ORDO_EVENT_SPAN};
        struct ordo_json_members members, args;
        cr_assert_gt(ordo_json_members(text_of("{\"args\":{\"Correlation\":17,\"stream\":\"7\",\"device\":-1}}"),
                                       &members, &args),
                     0);
        bool is_of_device = ordo_device_args(&event, text_of(events[i].category), &args);
        cr_assert_eq(is_of_device, events[i].role != ORDO_DEVICE_NONE, "%s", events[i].category);
        cr_assert_eq(event.device.role, events[i].role, "%s", events[i].category);
        cr_assert_eq(event.device.reads, events[i].reads, "%s", events[i].name);
        cr_assert(!is_of_device ||
                  (event.device.correlation == 17 && event.device.stream == 7 && event.device.device == -1));
    }
}

Test(trace_input, the_members_of_an_object_are_read_in_order)
{
    struct ordo_text inside = ordo_json_inside(text_of(" { \"a\" : 1 , \"b\\\"\":[2, 3],\"c\":{\"d\":4} } "));
    const char *keys[] = {"a", "b\\\"", "c"}, *values[] = {"1", "[2, 3]", "{\"d\":4}"};
    struct ordo_member member;
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(ordo_json_member(&inside, &member), 1);
        cr_assert(member.key.length == strlen(keys[i]) && memcmp(member.key.at, keys[i], member.key.length) == 0);
        cr_assert(member.value.length == strlen(values[i]) &&
                  memcmp(member.value.at, values[i], member.value.length) == 0);
    }
    cr_assert_eq(ordo_json_member(&inside, &member), 0);
    const char *broken[] = {"{a:1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{1:2}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        inside = ordo_json_inside(text_of(broken[i]));
        int more;
        while ((more = ordo_json_member(&inside, &member)) == 1)
            ;
        cr_assert_eq(more, -1, "%s", broken[i]);
    }
    cr_assert_null(ordo_json_inside(text_of("[1]")).at);
    cr_assert_null(ordo_json_inside(text_of("{")).at);
}

static void expect_plain(const char *value, size_t size, const char *plain)
{
    char room[64];
    struct ordo_text text = ordo_json_plain(text_of(value), room, size);
    cr_assert(text.length == strlen(plain) && memcmp(text.at, plain, text.length) == 0, "%s: '%.*s'", value,
              (int)text.length, text.at);
}

Test(trace_input, escapes_become_the_letters_they_stand_for)
{
    expect_plain("\"plain\"", 64, "plain");
    expect_plain("12", 64, "12");
    expect_plain("\"a\\\"\\\\\\/\"", 64, "a\"\\/");
    expect_plain("\"a\\n\\tb\"", 64, "a  b");
    expect_plain("\"\\u0041\\u00e9\\u20AC\"", 64, "A\xc3\xa9\xe2\x82\xac");
    expect_plain("\"\\ud83d\\u0001\"", 64, "??");
    expect_plain("\"\\u12\"", 64, "12");
    expect_plain("\"abcdefgh\\n\"", 8, "abcde");
}

Test(trace_input, a_string_is_read_as_it_was_written)
{
    char *written = NULL;
    size_t size;
    FILE *stream = open_memstream(&written, &size);
    ordo_json_put_string(stream, text_of("a\"b\\c\xc3\xa9\xff"
                                         "d"));
    cr_assert_eq(fclose(stream), 0);
    cr_assert_str_eq(written, "\"a\\\"b\\\\c\xc3\xa9?d\"");
    expect_plain(written, 64, "a\"b\\c\xc3\xa9?d");
    free(written);
}

/* Threads of one rank keep their own numbers if these are free. */
Test(trace_input, threads_of_a_rank_have_distinct_numbers)
{
    enum { PROCESSES = 30, THREADS = 40 };
    static uint32_t numbers[PROCESSES][THREADS];
    static struct ordo_tracks tracks;
    char process[24], thread[24];
    for (int again = 0; again < 2; again++)
        for (int p = 0; p < PROCESSES; p++)
            for (int t = 0; t < THREADS; t++) {
                (void)snprintf(process, sizeof process, p % 2 ? "%d" : "\"process %d\"", p);
                (void)snprintf(thread, sizeof thread, t % 4 ? "%d" : "\"a thread %d\"", t);
                const struct ordo_thread_track *track = ordo_tracks_find(&tracks, 3, text_of(process), text_of(thread));
                cr_assert(track);
                cr_assert(!again || track->number == numbers[p][t]);
                cr_assert_eq(track->is_renamed, p > 0, "%s, %s", process, thread);
                cr_assert(p > 0 || t % 4 == 0 || track->number == (uint32_t)t);
                numbers[p][t] = track->number;
            }
    for (int i = 0; i < PROCESSES * THREADS; i++)
        for (int k = 0; k < i; k++)
            cr_assert_neq(numbers[i / THREADS][i % THREADS], numbers[k / THREADS][k % THREADS]);
    const struct ordo_thread_track *other = ordo_tracks_find(&tracks, 4, text_of("1"), text_of("5"));
    cr_assert(other->number == 5 && !other->is_renamed);
    ordo_tracks_free(&tracks);
}

Test(trace_input, a_thread_with_a_reserved_number_is_renamed)
{
    static struct ordo_tracks tracks;
    const struct ordo_thread_track *track = ordo_tracks_find(&tracks, 0, text_of("1"), text_of("1073741824"));
    cr_assert(track->is_renamed && track->number >= ORDO_TRACKS_NEW);
    track = ordo_tracks_find(&tracks, 0, text_of("1"), text_of("1073741823"));
    cr_assert(!track->is_renamed && track->number == 1073741823);
    ordo_tracks_free(&tracks);
}

Test(trace_input, kinds_and_collectives_are_known_by_their_names)
{
    for (int kind = 0; kind <= ORDO_EVENT_RECV; kind++)
        cr_assert_eq(ordo_event_kind_of(text_of(ordo_event_kind_name(kind))), kind);
    cr_assert_eq(ordo_event_kind_of(text_of("span")), -1);
    cr_assert_eq(ordo_event_kind_of(text_of("ENTER")), ORDO_EVENT_BEGIN);
    cr_assert_eq(ordo_event_kind_of(text_of("Leave")), ORDO_EVENT_END);
    cr_assert_eq(ordo_event_kind_of(text_of("MPI_ISEND")), ORDO_EVENT_SEND);
    cr_assert_eq(ordo_event_kind_of(text_of("MPI_RECV")), ORDO_EVENT_RECV);
    cr_assert_eq(ordo_event_kind_of(text_of("MPI_COLLECTIVE_BEGIN")), -1);
    cr_assert_str_eq(ordo_event_kind_name(ORDO_EVENT_SPAN), "event");
    cr_assert_eq(ordo_event_collective_of(text_of("MPI_Allreduce")), ORDO_COLLECTIVE_ALL_TO_ALL);
    cr_assert_eq(ordo_event_collective_of(text_of("MPI_SCATTERV")), ORDO_COLLECTIVE_ONE_TO_ALL);
    cr_assert_eq(ordo_event_collective_of(text_of("MPI_gather")), ORDO_COLLECTIVE_ALL_TO_ONE);
    cr_assert_eq(ordo_event_collective_of(text_of("MPI_Exscan")), ORDO_COLLECTIVE_PREFIX);
    cr_assert_eq(ordo_event_collective_of(text_of("MPI_Ibarrier")), ORDO_COLLECTIVE_NONE);
    cr_assert_eq(ordo_event_collective_of(text_of("Barrier")), ORDO_COLLECTIVE_NONE);
    cr_assert_eq(ordo_event_collective_of(text_of("MPI_")), ORDO_COLLECTIVE_NONE);
}

Test(trace_input, no_rank_is_proved_to_wait_in_a_collective_whose_ranks_may_contribute_nothing)
{
    static const char *const uneven[] = {"MPI_Alltoallv", "MPI_ALLTOALLW", "MPI_Allgatherv",
                                         "MPI_Gatherv",   "MPI_Scatterv",  "MPI_Reduce_scatter"};
    for (size_t i = 0; i < sizeof uneven / sizeof *uneven; i++) {
        cr_assert_neq(ordo_event_collective_of(text_of(uneven[i])), ORDO_COLLECTIVE_NONE);
        cr_assert_eq(ordo_event_waits_of(text_of(uneven[i])), ORDO_COLLECTIVE_NONE, "%s", uneven[i]);
    }
    cr_assert_eq(ordo_event_waits_of(text_of("MPI_Alltoall")), ORDO_COLLECTIVE_ALL_TO_ALL);
    cr_assert_eq(ordo_event_waits_of(text_of("MPI_Reduce_scatter_block")), ORDO_COLLECTIVE_ALL_TO_ALL);
    cr_assert_eq(ordo_event_waits_of(text_of("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(x)")),
                 ORDO_COLLECTIVE_ALL_TO_ALL);
}

Test(trace_input, kernels_of_nccl_are_known_by_their_names)
{
    cr_assert_eq(ordo_event_collective_of(text_of("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)")),
                 ORDO_COLLECTIVE_ALL_TO_ALL);
    cr_assert_eq(ordo_event_collective_of(text_of("ncclKernel_ReduceScatter_TREE")), ORDO_COLLECTIVE_ALL_TO_ALL);
    cr_assert_eq(ordo_event_collective_of(text_of("ncclDevKernel_AllGather")), ORDO_COLLECTIVE_ALL_TO_ALL);
    cr_assert_eq(ordo_event_collective_of(text_of("ncclDevKernel_Broadcast_RING_LL")), ORDO_COLLECTIVE_ONE_TO_ALL);
    cr_assert_eq(ordo_event_collective_of(text_of("ncclKernel_Reduce_RING_LL")), ORDO_COLLECTIVE_ALL_TO_ONE);
    cr_assert_eq(ordo_event_collective_of(text_of("ncclDevKernel_SendRecv(x)")), ORDO_COLLECTIVE_NONE);
    cr_assert_eq(ordo_event_collective_of(text_of("ncclDevKernel_")), ORDO_COLLECTIVE_NONE);
    cr_assert_eq(ordo_event_collective_of(text_of("record_param_comms")), ORDO_COLLECTIVE_NONE);
}

static struct ordo_event kernel(const char *name, const char *args)
{
    struct ordo_event event = {
        .name = text_of(name), .kind = ORDO_EVENT_SPAN, .root = -1, .number = ORDO_EVENT_UNCOUNTED};
    ordo_nccl_args(&event, text_of(args));
    return event;
}

Test(trace_input, a_kernel_belongs_to_the_group_and_number_of_its_arguments)
{
    const char *name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
    const char *args =
        "{\"Process Group Name\": \"1\", \"Process Group Ranks\": \"[0, 2]\", \"Seq\": 17, \"stream\": 7}";
    struct ordo_event one = kernel(name, args);
    struct ordo_event same = kernel(
        name,
        "{\"Seq\":17,\"Process Group Ranks\":[0,2],\"Process Group Name\":\"1\",\"Collective name\":\"allreduce\"}");
    struct ordo_event group =
        kernel(name, "{\"Process Group Name\": \"1\", \"Process Group Ranks\": \"[1, 3]\", \"Seq\": 17}");
    struct ordo_event host = kernel("record_param_comms", args);
    cr_assert(one.number == 17 && one.communicator != 0 && one.communicator < UINT64_C(1) << 63);
    cr_assert(same.number == 17 && same.communicator == one.communicator);
    cr_assert_neq(group.communicator, one.communicator);
    cr_assert(host.number == ORDO_EVENT_UNCOUNTED && host.communicator == 0);
    cr_assert_eq(kernel(name, "{\"Seq\": -1}").number, ORDO_EVENT_UNCOUNTED);
    cr_assert_eq(kernel(name, "{\"Seq\": 4294967295}").number, ORDO_EVENT_UNCOUNTED);
    cr_assert_eq(kernel(name, "[").communicator, 0);
}

Test(trace_input, an_exchange_with_sizes_for_each_peer_is_no_collective)
{
    const char *name = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";
    cr_assert_eq(kernel(name, "{\"Collective name\":\"all_to_allv\",\"In split size\":\"[]\"}").collective,
                 ORDO_COLLECTIVE_ALL_TO_ALL);
    cr_assert_eq(kernel(name, "{\"Collective name\":\"all_to_allv\",\"In split size\":\"[4, 0]\"}").collective,
                 ORDO_COLLECTIVE_NONE);
    cr_assert_eq(kernel(name, "{\"Collective name\":\"send\"}").collective, ORDO_COLLECTIVE_NONE);
    cr_assert_eq(kernel("ncclDevKernel_Generic_1", "{\"Collective name\":\"_allgather_base\"}").collective,
                 ORDO_COLLECTIVE_ALL_TO_ALL);
}

static const char *const objects[] = {
    "{}", "{ \"a\" : 1 , \"b\\\"\":[2, 3],\"c\":{\"d\":4} }",
    ("{\"args\":{\"x\":[{\"y\":\"]}\"}],\"z\":\"\\\\\"},\"long key of more than sixteen letters\":\"and a "
     "value of more than sixteen \\\"letters\\\"\"}"),
    "{\"args\":5,\"n\":-1.5e3,\"t\":true,\"u\":null}"};

Test(trace_input, all_members_of_an_object_are_found_in_one_pass)
{
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        struct ordo_text text = text_of(objects[i]), inside = ordo_json_inside(text);
        struct ordo_json_members members, args;
        struct ordo_member member;
        cr_assert_eq(ordo_json_members(text, &members, &args), (ptrdiff_t)text.length, "%s", objects[i]);
        for (int k = 0; k < members.count; k++) {
            cr_assert_eq(ordo_json_member(&inside, &member), 1);
            cr_assert(member.key.at == members.all[k].key.at && member.key.length == members.all[k].key.length &&
                          member.value.at == members.all[k].value.at &&
                          member.value.length == members.all[k].value.length,
                      "%s: member %d", objects[i], k);
        }
        cr_assert_eq(ordo_json_member(&inside, &member), 0, "%s", objects[i]);
        cr_assert_eq(args.count, i == 2 ? 2 : -1, "%s: %d args", objects[i], args.count);
        cr_assert(!members.is_bare);
        for (size_t cut = 0; cut < text.length; cut++) /* every part of an object is not yet one */
            cr_assert_eq(ordo_json_members((struct ordo_text){text.at, cut}, &members, &args), 0, "%s: %zu", objects[i],
                         cut);
    }
    const char *broken[] = {"[1]",   "{a:1}",       "{\"a\"}",       "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}",
                            "{1:2}", "{\"a\":[1}}", "{\"args\":{x}}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct ordo_json_members members, args;
        cr_assert_eq(ordo_json_members(text_of(broken[i]), &members, &args), -1, "%s", broken[i]);
    }
}

Test(trace_input, words_that_json_does_not_have_are_seen_outside_of_texts)
{
    const struct {
        const char *object;
        bool is_bare;
    } words[] = {{"{\"a\":NaN}", true},
                 {"{\"a\":-Infinity}", true},
                 {"{\"a\":[1,inf]}", true},
                 {"{\"a\":{\"b\":nan}}", true},
                 {"{\"args\":{\"b\":NaN}}", true},
                 {"{\"args\":{\"b\":[-Infinity]}}", true},
                 {"{\"NaN\":\"NaN inf\"}", false},
                 {"{\"a\":[null,true]}", false},
                 {"{\"args\":{\"b\":null}}", false}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct ordo_json_members members, args;
        cr_assert_gt(ordo_json_members(text_of(words[i].object), &members, &args), 0);
        cr_assert_eq(members.is_bare, words[i].is_bare, "%s", words[i].object);
    }
    const char *plain[] = {"true", "false", "null", "-1.5e3", "0"},
               *not_plain[] = {"NaN", "inf", "tru", "", "+1", "1x", "-"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        cr_assert(ordo_json_is_plain(text_of(plain[i])), "%s", plain[i]);
    for (size_t i = 0; i < sizeof not_plain / sizeof *not_plain; i++)
        cr_assert(!ordo_json_is_plain(text_of(not_plain[i])), "%s", not_plain[i]);
}

/* The value comes in two parts, cut anywhere; the text behind it is not taken. */
Test(trace_input, a_value_is_skipped_in_parts)
{
    const char *values[] = {objects[1], objects[2], "\"a\\\\\"", "\"\\\"\"", "12.5", "[[],\"]\\\\\",{}]", "null"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[300];
        size_t size = (size_t)snprintf(text, sizeof text, "%s,\"more\"", values[i]), length = strlen(values[i]);
        for (size_t cut = 0; cut <= size; cut++) {
            struct ordo_json_skip skip = {0};
            size_t first = ordo_json_skip(&skip, (struct ordo_text){text, cut});
            cr_assert(first <= cut && (skip.is_ended || first == cut), "%s: %zu of %zu", text, first, cut);
            size_t rest = skip.is_ended ? 0 : ordo_json_skip(&skip, (struct ordo_text){text + cut, size - cut});
            cr_assert(skip.is_ended && first + rest == length, "%s, cut at %zu: %zu and %zu", text, cut, first, rest);
        }
    }
}
