/* Ordo for C++20: a clock that opens and closes itself, and times that are partially ordered.
 *
 *     ordo::clock clock;                          // throws ordo::error, which says why and what to do
 *     ordo::time a = clock.get_time();
 *     ordo::time b = clock.new_time(a);           // every core's clock has passed a
 *     assert(std::is_gt(b <=> a));                // certainly later
 *
 * `a <=> b` is less (a is certainly earlier), greater (certainly later) or UNORDERED (cannot be known), and
 * never equivalent, because equal readings of two cores prove nothing.
 *
 * Unordered is NOT transitive: if a and b are unordered, and b and c are unordered, a and c may well be ordered.
 * Therefore times have neither a total order nor a strict weak order, and std::sort, std::set, std::map or
 * std::priority_queue on them would have undefined behaviour. For this reason ordo::time has no <, <=, >, >= and ==,
 * and therefore no std::less: such code does not compile. Write std::is_lt(a <=> b), or ordo::time::before(a, b), and
 * decide how to treat times whose order cannot be known.
 *
 * A time has 16 bytes, because it contains the boundary of its clock; two times can be compared without the clock. To
 * store many times, keep the 8 bytes of each ordo_time and compare them with clock.compare. If two times have different
 * boundaries, because a new record superseded the old one, the larger boundary counts.
 *
 * `ordo` is the struct of <ordo/ordo.h>, and the classes below are its members. All statements of that header about
 * threads, the order of reads, and the covered CPUs hold here. */
#ifndef ORDO_ORDO_HPP
#define ORDO_ORDO_HPP

#if __cplusplus < 202002L
#error "<ordo/ordo.hpp> needs C++20; <ordo/ordo.h> does not"
#endif

#include <algorithm>
#include <compare>
#include <optional>
#include <stdexcept>
#include <utility>

#include <ordo/ordo.h>

/** The reason why a record was refused, or why new_time would never return: the text and the code of struct
 * ordo_error. */
class ordo::error : public std::runtime_error
{
  public:
    error(int code, const char *text) : std::runtime_error(text), code_(code)
    {
    }

    /** Returns the enum ordo_code, which is negative. */
    [[nodiscard]] int code() const noexcept
    {
        return code_;
    }

  private:
    int code_;
};

/** A reading of a clock, with the boundary of that clock. A default-constructed time is unordered with all times. */
class ordo::time
{
  public:
    constexpr time() noexcept = default;

    /** Compares two times. less: a is certainly earlier; greater: certainly later; unordered: cannot be known. */
    friend std::partial_ordering operator<=>(const time &a, const time &b) noexcept
    {
        const ::ordo wider = with_boundary(std::min(a.not_boundary_, b.not_boundary_));
        const int order = ordo_cmp_time(&wider, a.value_, b.value_);
        return order < 0   ? std::partial_ordering::less
               : order > 0 ? std::partial_ordering::greater
                           : std::partial_ordering::unordered;
    }

    friend bool operator<(const time &, const time &) = delete;
    friend bool operator<=(const time &, const time &) = delete;
    friend bool operator>(const time &, const time &) = delete;
    friend bool operator>=(const time &, const time &) = delete;
    friend bool operator==(const time &, const time &) = delete;

    /** True if a is certainly earlier than b. False does not mean that a is later. */
    [[nodiscard]] static bool before(const time &a, const time &b) noexcept
    {
        return std::is_lt(a <=> b);
    }

    /** Returns this time + `ticks`; the largest time if the sum does not fit. */
    [[nodiscard]] time plus_ticks(uint64_t ticks) const noexcept
    {
        return time(ordo_time_add(value_, ticks), not_boundary_);
    }

    /** Returns the time as C's ordo_time, without the boundary. */
    [[nodiscard]] ordo_time c_time() const noexcept
    {
        return value_;
    }

  private:
    friend class ordo::clock;

    constexpr time(ordo_time value, uint64_t not_boundary) noexcept : value_(value), not_boundary_(not_boundary)
    {
    }

    static ::ordo with_boundary(uint64_t not_boundary) noexcept
    {
        ::ordo handle = {};
        handle.not_boundary = not_boundary;
        return handle;
    }

    ordo_time value_ = {};
    uint64_t not_boundary_ = 0; /* 0 means an infinite boundary */
};

/** An open handle. Any number of threads may call its const functions, but not while it is moved. A moved-from handle
 * orders nothing. ordo::clock does not meet the requirements of a std::chrono clock, because the times of such a clock
 * are totally ordered. */
class ordo::clock
{
  public:
    /** Opens the record, as ordo_open_error does; throws ordo::error. */
    explicit clock(const char *path = nullptr)
    {
        struct ordo_error refused;
        if (const int code = ordo_open_error(&handle_, path, &refused))
            throw error(code, refused.text);
    }

    /** Returns a clock with a boundary that is compiled in, as by ORDO_INIT; the clock watches no record. */
    [[nodiscard]] static clock constant(uint64_t boundary_ticks, uint64_t tick_hz) noexcept
    {
        return clock(::ordo ORDO_INIT(boundary_ticks, tick_hz));
    }

    clock(clock &&other) noexcept : handle_(std::exchange(other.handle_, ::ordo{}))
    {
    }

    clock &operator=(clock &&other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }

    ~clock()
    {
        ordo_close(&handle_);
    }

    /** Returns the time now; performed after earlier loads and before all later accesses. */
    [[nodiscard]] time get_time() const noexcept
    {
        return of(ordo_get_time(&handle_));
    }

    /** Returns the time now; performed after earlier loads and stores, and before all later accesses. */
    [[nodiscard]] time get_time_full() const noexcept
    {
        return of(ordo_get_time_full(&handle_));
    }

    /** Returns the time now; performed after earlier loads. Later accesses may be performed before it. */
    [[nodiscard]] time get_time_after() const noexcept
    {
        return of(ordo_get_time_after(&handle_));
    }

    /** Returns the time now; performed after earlier loads and stores. Later accesses may be performed before it. */
    [[nodiscard]] time get_time_after_full() const noexcept
    {
        return of(ordo_get_time_after_full(&handle_));
    }

    /** Returns the time now; performed before all later accesses. Earlier accesses may still be in flight. */
    [[nodiscard]] time get_time_before() const noexcept
    {
        return of(ordo_get_time_before(&handle_));
    }

    /** Returns the time now, ordered with no access. */
    [[nodiscard]] time get_time_relaxed() const noexcept
    {
        return of(ordo_get_time_relaxed(&handle_));
    }

    /** Waits until every core's clock has passed t. `t` must have been returned by a clock. Never returns if the handle
     * orders nothing. */
    [[nodiscard]] time new_time(const time &t) const noexcept
    {
        return of(ordo_new_time(&handle_, t.value_));
    }

    /** Makes one step of new_time, without waiting. Returns a time certainly later than t, or std::nullopt; in the
     * second case call again. Throws ordo::error if new_time would never return. */
    [[nodiscard]] std::optional<time> try_new_time(const time &t) const
    {
        ordo_time now;
        const int code = ordo_try_new_time(&handle_, t.value_, &now);
        if (code < 0)
            throw error(code, ordo_strerror(code));
        return code == ORDO_OK ? std::optional<time>(of(now)) : std::nullopt;
    }

    /** Compares two times in C's format. */
    [[nodiscard]] std::partial_ordering compare(ordo_time a, ordo_time b) const noexcept
    {
        return of(a) <=> of(b);
    }

    /** Returns C's time `t` as a time of this clock. */
    [[nodiscard]] time of(ordo_time t) const noexcept
    {
        return time(t, handle_.not_boundary);
    }

    /** Returns the status of the clock's record: enum ordo_status. */
    [[nodiscard]] enum ordo_status status() const noexcept
    {
        return static_cast<enum ordo_status>(::ordo_status(&handle_));
    }

    /** Returns ORDO_BOUNDARY in ticks; UINT64_MAX for a clock that orders nothing. */
    [[nodiscard]] uint64_t boundary_ticks() const noexcept
    {
        return ordo_boundary(&handle_);
    }

    /** Returns the handle for the functions of <ordo/ordo.h>. It is valid as long as this clock. Do not close it. */
    [[nodiscard]] const ::ordo *handle() const noexcept
    {
        return &handle_;
    }

  private:
    explicit clock(const ::ordo &handle) noexcept : handle_(handle)
    {
    }

    ::ordo handle_ = {};
};

#endif
