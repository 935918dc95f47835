// The code of spdlog.patch: every message leaves once, those of a thread in their order, and those of a token that goes
// from thread to thread with a pause of more than the boundary in the order of the token; also when the record is
// withdrawn, when there are more threads than rings, and when threads end and others take their rings.
#include "common.h"

#include <sys/wait.h>

#include <spdlog/details/ordered_queue.h>

using queue = spdlog::details::ordered_queue<uint64_t>;
enum { THREADS = 6, MESSAGES = 3000 };

static void run(unsigned threads, const char *withdrawn)
{
    queue q(64);
    std::vector<std::thread> producers;
    std::atomic<unsigned> turn{0};
    for (unsigned k = 0; k < threads; k++)
        producers.emplace_back([&, k] {
            for (unsigned i = 0; i < MESSAGES; i++) {
                q.enqueue(static_cast<uint64_t>(k) << 32 | i);
                if (withdrawn || i % 100 || turn.load() % threads != k)
                    continue;
                q.enqueue(UINT64_C(1) << 63 | turn.load());
                std::this_thread::sleep_for(std::chrono::microseconds(20));
                turn++;
            }
        });
    std::atomic<bool> enough{false};
    std::thread watcher([&] {
        while (!enough)
            MUST(q.size() <= size_t{2} * threads * MESSAGES); // it does not wrap
    });
    std::vector<unsigned> next(threads);
    uint64_t token = 0, message, left = static_cast<uint64_t>(threads) * MESSAGES;
    for (uint64_t n = 0; left > 0; n++) {
        if (withdrawn && n == MESSAGES)
            withdraw_record(withdrawn);
        MUST(q.dequeue_for(message, std::chrono::seconds(60)));
        if (message >> 63) {
            MUST((message << 1) >> 1 == token++);
        } else {
            MUST((message & UINT32_MAX) == next[message >> 32]++);
            left--;
        }
    }
    for (auto &p : producers)
        p.join();
    enough = true;
    watcher.join();
    while (q.dequeue_for(message, std::chrono::milliseconds(1)))
        MUST((message << 1) >> 1 == token++);
    MUST(token == turn && q.size() == 0 && q.overrun_counter() == 0);
}

static void overrun()
{
    queue q(16);
    uint64_t message;
    for (uint64_t i = 0; i < 40; i++)
        q.enqueue_nowait(uint64_t(i));
    MUST(q.size() + q.overrun_counter() == 40 && q.size() >= 16);
    for (uint64_t i = 0; i < 16; i++)
        MUST(q.dequeue_for(message, std::chrono::seconds(60)) && message == i);
}

// As spdlog's registry: a static whose destructor posts, after the thread_local objects of the main thread have ended.
struct registry {
    queue q{64};
    ~registry()
    {
        uint64_t message;
        q.enqueue(2);
        for (uint64_t i = 1; i <= 2; i++)
            MUST(q.dequeue_for(message, std::chrono::seconds(60)) && message == i);
    }
};

static void posted_by_a_static()
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        static registry last;
        last.q.enqueue(1);
        exit(0);
    }
    MUST(waitpid(child, &status, 0) == child && status == 0);
}

int main(int argc, char **argv)
{
    struct ordo o;
    MUST(argc == 3 &&
         (ordo_open(&o, nullptr) == 0 && !(ordo_flags(&o) & ORDO_FLAG_FORCED)) == (strcmp(argv[2], "warranted") == 0));
    posted_by_a_static();
    run(THREADS, nullptr);
    run(THREADS, nullptr); // the rings of new threads
    run(70, nullptr);      // more threads than rings
    overrun();
    run(THREADS, argv[1]);
    run(THREADS, nullptr); // without a valid record
}
