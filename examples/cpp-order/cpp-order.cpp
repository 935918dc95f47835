// Times of two threads in C++20: a worker notes when each job was begun and ended, and the main thread notes when it saw
// the result. `<=>` is a partial order: less and greater are certain, and unordered means that the clocks cannot tell.
#include <array>
#include <atomic>
#include <cstdio>
#include <exception>
#include <thread>

#include <ordo/ordo.hpp>

struct job {
    std::atomic<bool> done = false;
    ordo::time begun, ended;
};

constexpr std::size_t jobs = 1000;

static void work(const ordo::clock &clock, std::array<job, jobs> &queue)
{
    for (auto &job : queue) {
        job.begun = clock.get_time();
        job.ended = clock.new_time(job.begun); // every core agrees that the job ended after it began
        job.done.store(true, std::memory_order_release);
    }
}

int main()
try {
    const ordo::clock clock; // throws ordo::error, which says why there is no record and what to do
    static std::array<job, jobs> queue;
    std::thread worker(work, std::cref(clock), std::ref(queue));
    std::size_t certain = 0, unordered = 0, wrong = 0;
    for (auto &job : queue) {
        while (!job.done.load(std::memory_order_acquire))
            std::this_thread::yield();
        const auto order = clock.get_time() <=> job.ended; // seen after the end, perhaps within the boundary
        certain += std::is_gt(order);
        unordered += order == std::partial_ordering::unordered;
        wrong += std::is_lt(order) || !ordo::time::before(job.begun, job.ended);
    }
    worker.join();
    std::printf("%zu certain, %zu unordered, %zu wrong\n", certain, unordered, wrong);
    return wrong != 0;
} catch (const std::exception &refused) {
    std::fprintf(stderr, "%s\n", refused.what());
    return 1;
}
