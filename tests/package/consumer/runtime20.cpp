// The C++20 header, as a program outside takes it: with the record if there is one, else with a boundary of its own.
#include <cstdio>

#include <ordo/ordo.hpp>

static bool orders(const ordo::clock &clock)
{
    const ordo::time a = clock.get_time(), b = clock.new_time(a);
    return std::is_gt(b <=> a) && ordo::time::before(a, b);
}

int main()
{
    try {
        return !orders(ordo::clock());
    } catch (const ordo::error &refused) {
        std::printf("%s\n", refused.what());
        return refused.code() >= 0 || !orders(ordo::clock::constant(1000, 1000000000));
    }
}
