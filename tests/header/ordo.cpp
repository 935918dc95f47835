/* Tests the C++20 header. The program prints "right"; with the path of a record as its argument it opens this record too. With WRONG
 * defined as the number of a mistake, from 1 on, this file must not compile. */
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iterator>
#include <set>
#include <thread>
#include <type_traits>
#include <vector>

#include <ordo/ordo.hpp>

static int failures;

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    failures++;
    std::printf("not so: %s\n", what);
}

static void order_by_the_boundary()
{
    const ordo::clock clock = ordo::clock::constant(100, 1000000000);
    const ordo::time a = clock.of({1000}), near = clock.of({1100}), far = clock.of({1101});
    const ordo::time least = clock.of({0}), most = clock.of({UINT64_MAX});
    expect((a <=> near) == std::partial_ordering::unordered, "at the boundary, it cannot be known");
    expect((a <=> a) == std::partial_ordering::unordered, "equal readings are no proof");
    expect((a <=> far) == std::partial_ordering::less && (far <=> a) == std::partial_ordering::greater,
           "beyond the boundary, there is an order");
    expect((least <=> most) == std::partial_ordering::less && (most <=> least) == std::partial_ordering::greater,
           "the comparison does not wrap");
    expect(ordo::time::before(a, far) && !ordo::time::before(a, near) && !ordo::time::before(near, a), "before");
    expect((a <=> near) == std::partial_ordering::unordered &&
               (near <=> clock.of({1200})) == std::partial_ordering::unordered &&
               (a <=> clock.of({1200})) == std::partial_ordering::less,
           "unordered is not transitive");
    expect(std::is_lt(clock.compare({1000}, {1101})) &&
               clock.compare({1000}, {1100}) == std::partial_ordering::unordered,
           "as C keeps them");
    expect(a.plus_ticks(5).c_time().ticks == 1005 && most.plus_ticks(5).c_time().ticks == UINT64_MAX, "it saturates");
}

static void what_is_not_known_orders_nothing()
{
    ordo::clock clock = ordo::clock::constant(100, 1000000000);
    const ordo::time a = clock.of({1}), b = clock.of({1000000});
    const ordo::time unknown;
    const ordo::clock wider = ordo::clock::constant(2000000, 1000000000);
    expect((unknown <=> b) == std::partial_ordering::unordered && (b <=> unknown) == std::partial_ordering::unordered,
           "a time of no clock");
    expect((a <=> wider.of({1000000})) == std::partial_ordering::unordered, "of two boundaries the larger counts");
    const ordo::clock taken = std::move(clock);
    expect(taken.boundary_ticks() == 100 && clock.boundary_ticks() == UINT64_MAX, "a clock that was moved from");
    expect(clock.status() == ORDO_STATUS_CLOSED && taken.status() == ORDO_STATUS_CONSTANT, "their states");
    expect((clock.of({1}) <=> clock.of({1000000})) == std::partial_ordering::unordered, "it orders nothing");
    try {
        (void)clock.try_new_time(a);
        expect(false, "an unopened clock would wait for ever");
    } catch (const ordo::error &refused) {
        expect(refused.code() == ORDO_E_INVALID, "and says so");
    }
    static_assert(!std::is_copy_constructible_v<ordo::clock> && !std::is_copy_assignable_v<ordo::clock>);
    static_assert(std::is_nothrow_move_constructible_v<ordo::clock> && std::is_nothrow_move_assignable_v<ordo::clock>);
    static_assert(std::is_trivially_copyable_v<ordo::time> && sizeof(ordo::time) == 16);
    static_assert(!std::totally_ordered<ordo::time> && !std::equality_comparable<ordo::time>);
    static_assert(!std::three_way_comparable<ordo::time>); /* the concept also requires == and < */
}

static void wait_for_another_thread(const ordo::clock &clock)
{
    ordo::time theirs;
    std::thread([&] { theirs = clock.get_time_full(); }).join();
    const ordo::time mine = clock.new_time(theirs);
    std::optional<ordo::time> later;
    while (!(later = clock.try_new_time(mine)))
        ;
    expect(std::is_gt(mine <=> theirs) && std::is_gt(*later <=> mine), "new_time is certainly later");
    expect(!ordo::time::before(clock.get_time(), theirs), "now is not certainly earlier");
    const ordo::time before = clock.get_time_before();
    const ordo::time after = clock.get_time_after(), full = clock.get_time_after_full();
    expect(!ordo::time::before(before, theirs) && !ordo::time::before(after, before) &&
               !ordo::time::before(full, after),
           "neither is a read of one side");
}

static void open(const char *path)
{
    try {
        const ordo::clock none("/nonexistent/boundary");
        expect(false, "there is no such record");
    } catch (const ordo::error &refused) {
        expect(refused.code() == ORDO_E_MISSING && std::strstr(refused.what(), "/nonexistent/boundary"),
               "it names the record");
    }
    if (!path)
        return;
    ordo::clock clock(path);
    expect(clock.status() == ORDO_STATUS_VALID && clock.boundary_ticks() > 0, "a record that holds");
    clock = ordo::clock(path); /* closes the old handle */
    wait_for_another_thread(clock);
    expect(ordo_boundary(clock.handle()) == clock.boundary_ticks(), "the handle is that of C");
}

/* A requires-expression tests most expressions that must not compile. The others are selected by WRONG, one in each compilation. */
template <class T>
concept has_an_order = requires(T a, T b)
{
    a < b;
}
|| requires(T a, T b)
{
    a <= b;
}
|| requires(T a, T b)
{
    a > b;
}
|| requires(T a, T b)
{
    a >= b;
}
|| requires(T a, T b)
{
    a == b;
}
|| requires(T a, T b)
{
    a != b;
}
|| requires(T a, T b)
{
    a - b;
};
static_assert(has_an_order<double> && !has_an_order<ordo::time>);
static_assert(!std::is_constructible_v<ordo::time, ordo_time, uint64_t>, "a time comes from a clock");
static_assert(!std::sortable<std::vector<ordo::time>::iterator> && std::sortable<std::vector<double>::iterator>);

#ifdef WRONG
[[maybe_unused]] static void mistakes(std::vector<ordo::time> times)
{
    const ordo::time a = times[0], b = times[1];
#if WRONG == 1
    (void)(a < b);
#elif WRONG == 2
    (void)std::less<ordo::time>{}(a, b);
#elif WRONG == 3
    std::sort(times.begin(), times.end());
#elif WRONG == 4
    std::set<ordo::time>{}.insert(a);
#elif WRONG == 0
    (void)std::is_lt(a <=> b); /* no mistake: this compiles */
#else
#error "there are no more mistakes"
#endif
    (void)a, (void)b;
}
#endif

int main(int argc, char **argv)
{
    order_by_the_boundary();
    what_is_not_known_orders_nothing();
    wait_for_another_thread(ordo::clock::constant(1000, 1000000000));
    open(argc > 1 ? argv[1] : nullptr);
    std::puts(failures ? "wrong" : "right");
    return failures != 0;
}
