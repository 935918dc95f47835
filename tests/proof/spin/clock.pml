/* The part that all models share: true time, clocks that are ahead of true time by at most SKEW, and comparison with the boundary
 * B.
 *
 * True time is a small number that advances only at a clock read. This is enough, because a later read can show any later time.
 * Every read may be on another CPU, so its skew is chosen anew; this covers fixed offsets and migration. At most MAX passes: a
 * thread that waits for a later time stops. This is the bound of these models, and no error.
 */
#ifndef B
#define B 1
#endif
#ifndef SKEW
#define SKEW B /* mutant SKEW: C1 is broken */
#endif
#ifndef START
#define START 1
#endif
#ifndef MAX
#define MAX 8
#endif

byte true_time = START;
bit time_is_up; /* a thread waits for a time that does not come before MAX */

#ifdef QUIET
#define SAY(text) skip
#define SAY1(text, a) skip
#define SAY2(text, a, b) skip
#else
#define SAY(text) printf("%d\t%d\t", me, true_time); printf(#text); printf("\n")
#define SAY1(text, a) printf("%d\t%d\t", me, true_time); printf(#text, a); printf("\n")
#define SAY2(text, a, b) printf("%d\t%d\t", me, true_time); printf(#text, a, b); printf("\n")
#endif

#ifdef NO_C3
#define after(a, b) ((a) > (((b) + B) & 255)) /* adds first: wraps at a sentinel */
#else
#define after(a, b) ((a) > (b) && (a) - (b) > B)
#endif

/* True time advances, or stays the same. */
inline pass()
{
    do
    :: true_time < MAX -> true_time++
    :: break
    od
}

/* Reads some CPU's clock. */
inline read_clock(v)
{
    pass();
    select_skew(v)
}

inline select_skew(v)
{
    v = true_time;
    do
    :: v < true_time + SKEW -> v++
    :: break
    od
}

/* True if some reading can be at least `least`. A loop that waits for it makes only this last reading, because earlier readings
 * change nothing. */
#define could_show(least) (MAX + SKEW >= (least))
#ifdef DEADLOCK /* a thread that waits in vain says so, so that no other thread waits for it: for searches of invalid end states */
#define out_of_time(least) (!could_show(least))
#else           /* it stops: all steps of the others after that can also come before */
#define out_of_time(least) (0)
#endif
inline clock_from(v, least)
{
    do
    :: true_time + SKEW < least -> true_time++
    :: else -> break
    od;
    pass();
    v = (true_time > least -> true_time : least);
    do
    :: v < true_time + SKEW -> v++
    :: break
    od
}
