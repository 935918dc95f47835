#include "lab/cores/calibrate/code.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS = 256, WORDS = 64, FEW = 64, MANY = 192 };

struct record {
    uint64_t key, value, time;
    struct record *next;
};

static struct record records[SLOTS];
static uint64_t table[SLOTS], words[WORDS];
static unsigned char text[WORDS];

/* Fills and searches a small hash table with open addressing. */
static uint64_t run_table(uint64_t rounds)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        uint64_t key = i % 97 + 1, at = key * UINT64_C(0x9e3779b97f4a7c15) >> 56;
        while (table[at % SLOTS] && table[at % SLOTS] != key)
            at++;
        table[at % SLOTS] = key;
        found += at;
    }
    return found;
}

/* Writes a number in decimal digits. */
static uint64_t run_digits(uint64_t rounds)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        uint32_t number = 10000000 + (uint32_t)(i & 1023);
        int length = 0;
        for (; number; number /= 10)
            text[length++] = (unsigned char)('0' + number % 10);
        sum += (uint64_t)length;
    }
    return sum;
}

/* Copies the fields of a record into another one, and links it. */
static uint64_t run_records(uint64_t rounds)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        struct record *from = &records[i % SLOTS], *to = &records[(i * 7 + 1) % SLOTS];
        if (from->next == to)
            sum++;
        to->key = from->key + 1;
        to->value = from->value ^ i;
        to->time = i;
        to->next = from;
        __asm__ volatile("" : : : "memory");
    }
    return sum;
}

/* Inserts into a sorted array of eight numbers. */
static uint64_t run_insert(uint64_t rounds)
{
    for (uint64_t i = 0; i < rounds; i++) {
        uint64_t key = i & 7;
        int at = 7;
        for (; at > 0 && words[at - 1] > key; at--)
            words[at] = words[at - 1];
        words[at] = key;
        __asm__ volatile("" : : : "memory");
    }
    return words[0];
}

/* Compares two texts and mixes their bytes. */
static uint64_t run_text(uint64_t rounds)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        uint64_t hash = i;
        for (int at = 0; at < 16; at++) {
            if (text[at] > '9')
                hash++;
            hash = hash * 31 + text[at];
        }
        __asm__ volatile("" : "+r"(hash) : : "memory");
        sum += hash;
    }
    return sum;
}

/* Draws numbers, and keeps the last of each class. */
static uint64_t run_random(uint64_t rounds)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        uint64_t state = 88172645463325252 + i;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        words[(state >> 51) % WORDS] = state;
        __asm__ volatile("" : : : "memory");
        sum += state;
    }
    return sum;
}

const struct cores_calibrate_code cores_calibrate_codes[] = {{"table", run_table},
                                                             {"digits", run_digits},
                                                             {"records", run_records},
                                                             {"insert", run_insert},
                                                             {"text", run_text},
                                                             {"random", run_random},
                                                             {NULL, NULL}};

static void child_run(const struct cores_calibrate_code *code, uint64_t rounds)
{
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || raise(SIGSTOP))
        _exit(1);
    _exit((int)(code->run(rounds) & 0));
}

/* Counts the instructions of a child from its stop until its end. 0: failed. */
static uint64_t count_steps(const struct cores_calibrate_code *code, uint64_t rounds)
{
    uint64_t steps = 0;
    int status = 0;
    pid_t child = fork();
    if (child < 0)
        return 0;
    if (child == 0)
        child_run(code, rounds);
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL))
            return 0;
        steps++;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? steps : 0;
}

double cores_calibrate_instructions(const struct cores_calibrate_code *code)
{
    uint64_t few = count_steps(code, FEW), many = count_steps(code, MANY);
    return few && many > few ? (double)(many - few) / (MANY - FEW) : 0;
}
