/* ordo_new_time in a caller that has more live values than the machine has registers. Exit 0 or 1.
 *
 * If a clock read writes a register without declaring it to the compiler, the caller may lose a value, or the wait may
 * end too early. Therefore the caller's values must equal those of the same calculation without a wait, and every wait
 * must end after t + B. */
#include <ordo/ordo.h>

#include <stdio.h>

enum { BOUNDARY = 1500, ROUNDS = 2000 };

/* Hides a value from the compiler. On x86-64 the value also passes through RCX, so that it stays there before and after
 * the wait, unless the wait's constraints clobber that register. */
#if defined __x86_64__
#define OPAQUE(value) __asm__ volatile("" : "+c"(value))
#else
#define OPAQUE(value) __asm__ volatile("" : "+r"(value))
#endif

static long too_early;

/* Waits once, inlined into the caller, and checks the result by comparing plain numbers. */
static inline void wait_once(const struct ordo *o)
{
    ordo_time t = ordo_get_time(o);
    ordo_time now = ordo_new_time(o, t);
    if (now.ticks <= t.ticks || now.ticks - t.ticks <= BOUNDARY)
        too_early++;
}

/* Calculates with 16 values that are all live across the wait and all different in every round. */
#define CALCULATION(WAIT)                                                                                              \
    uint64_t a = seed, b = a * 3 + 1, c = b * 5 + 2, d = c * 7 + 3, e = d * 11 + 4, f = e * 13 + 5, g = f * 17 + 6,    \
             h = g * 19 + 7, i = h * 23 + 8, j = i * 29 + 9, k = j * 31 + 10, l = k * 37 + 11, m = l * 41 + 12,        \
             n = m * 43 + 13, p = n * 47 + 14, q = p * 53 + 15;                                                        \
    for (int round = 0; round < ROUNDS; round++) {                                                                     \
        OPAQUE(q);                                                                                                     \
        WAIT;                                                                                                          \
        OPAQUE(q);                                                                                                     \
        a += b ^ q;                                                                                                    \
        b += c ^ a;                                                                                                    \
        c += d ^ b;                                                                                                    \
        d += e ^ c;                                                                                                    \
        e += f ^ d;                                                                                                    \
        f += g ^ e;                                                                                                    \
        g += h ^ f;                                                                                                    \
        h += i ^ g;                                                                                                    \
        i += j ^ h;                                                                                                    \
        j += k ^ i;                                                                                                    \
        k += l ^ j;                                                                                                    \
        l += m ^ k;                                                                                                    \
        m += n ^ l;                                                                                                    \
        n += p ^ m;                                                                                                    \
        p += q ^ n;                                                                                                    \
        q += a ^ p;                                                                                                    \
    }                                                                                                                  \
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n ^ p ^ q;

__attribute__((noinline)) static uint64_t calculate(uint64_t seed)
{
    CALCULATION((void)0)
}

__attribute__((noinline)) static uint64_t calculate_and_wait(const struct ordo *o, uint64_t seed)
{
    CALCULATION(wait_once(o))
}

/* Waits for a boundary that is a constant of the compiler, as after `ordo calibrate --emit-header`. */
__attribute__((noinline)) static uint64_t calculate_and_wait_constant(uint64_t seed)
{
    static const struct ordo constant = ORDO_INIT(BOUNDARY, 0);
    CALCULATION(wait_once(&constant))
}

int main(void)
{
    struct ordo o = ORDO_INIT(BOUNDARY, 0);
    long lost = 0;
    uint64_t seed;
    __asm__ volatile("" : : "r"(&o) : "memory");
    for (seed = 1; seed <= 3; seed++) {
        lost += calculate_and_wait(&o, seed) != calculate(seed);
        lost += calculate_and_wait_constant(seed) != calculate(seed);
    }
    if (lost || too_early)
        printf("pressure: %ld values lost, %ld waits too short\n", lost, too_early);
    return lost || too_early;
}
