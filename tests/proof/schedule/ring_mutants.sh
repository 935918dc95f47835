#!/bin/bash
# ring_mutants.sh SOURCE COMPILER [PREEMPTIONS]: removes the conditions of the recorder's ring (trace/record/buffer.h) one at a
# time. The schedules of ring.c must find each mutant: the program names the violated property. A crash shows nothing.
set -u
source=$1 compiler=$2 preemptions=${3:-3} folder=$1/tests/proof/schedule
command -v "$compiler" >/dev/null || { echo "$compiler is not installed" && exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0 found=0
mkdir -p "$scratch/lib/trace/record"

build() { # LIB...: the first one with the mutant before the others
    "$compiler" -std=gnu11 -D_GNU_SOURCE -O2 -w "${@/#/-I}" -I"$source/include" -I"$source/lib" -I"$folder" \
        "$folder/ring.c" "$source/lib/base/error.c" "$source/lib/base/coroutine.c" -o "$scratch/ring"
}

# mutant WHAT FILE SED: an edited file of lib/trace/record, which the edit must change, is found wrong within a minute.
mutant() {
    local code count
    rm -f "$scratch"/lib/trace/record/*
    sed -E -z "$3" "$source/lib/trace/record/$2" >"$scratch/lib/trace/record/$2"
    if cmp -s "$source/lib/trace/record/$2" "$scratch/lib/trace/record/$2"; then
        echo "$1: what it takes out is not where it was looked for"
    elif ! build "$scratch/lib"; then
        echo "$1: does not compile"
    else
        for ((count = 1; count <= preemptions; count++)); do # most are found with the fewest, which is soonest
            timeout 600 prlimit --cpu=60 "$scratch/ring" "$count" >"$scratch/out" 2>&1
            code=$?
            [ $code -eq 0 ] || break
        done
        [ $code -eq 1 ] && grep -qE '^schedule [0-9]+: ' "$scratch/out" && found=$((found + 1)) && return
        echo "$1: is not found"
    fi
    failures=$((failures + 1))
}

if ! build || ! timeout 3000 prlimit --cpu=300 "$scratch/ring" "$preemptions" >"$scratch/out"; then
    echo "the ring itself is found wrong:"
    cat "$scratch/out"
    exit 1
fi

mutant "B1: stores its head without release" buffer.h \
    's/(&thread->head, next, memory_order_)release/\1relaxed/'
mutant "B1: loads the head without acquire" buffer.c \
    's/(&thread->head, memory_order_)acquire/\1relaxed/'
mutant "B1: publishes before the event is there" buffer.h \
    's/(    \*place = \(struct ordo_trace_event\).*\};\n|    \*place = [^;]*;\n)(    ordo_trace_publish\(thread\);\n)/\2\1/'
mutant "B2: stores the tail without release" buffer.c \
    's/(&thread->tail, tail, memory_order_)release/\1relaxed/'
mutant "B2: loads the tail without acquire" buffer.c \
    's/(&thread->tail, memory_order_)acquire/\1relaxed/'
mutant "B2: frees the places before it has read them" buffer.c \
    's/(        tail = write_some[^\n]*\n)/        atomic_store_explicit(\&thread->tail, head, memory_order_release);\n\1/'
mutant "B3: empties its ring without the lock" buffer.c \
    's/    pthread_mutex_lock\(lock\);[^\n]*\n(    ordo_trace_drain[^\n]*\n)    pthread_mutex_unlock\(lock\);\n/\1/'
mutant "B3: ends the lock before it empties its ring" buffer.c \
    's/(    ordo_trace_drain\(thread, file\);\n)(    pthread_mutex_unlock\(lock\);\n)/\2\1/'
mutant "B4: takes the losses by a load and a store" buffer.c \
    's/= atomic_exchange_explicit\(&thread->lost, 0, memory_order_relaxed\);/= atomic_load_explicit(\&thread->lost, memory_order_relaxed);\n    atomic_store_explicit(\&thread->lost, 0, memory_order_relaxed);/'
mutant "B4: counts a loss by a load and a store" buffer.c \
    's/\(void\)atomic_fetch_add_explicit\(&thread->lost, 1, memory_order_relaxed\);/atomic_store_explicit(\&thread->lost, atomic_load_explicit(\&thread->lost, memory_order_relaxed) + 1, memory_order_relaxed);/'
mutant "B4: does not give back what no chunk tells" buffer.c \
    's/    if \(head == tail\)[^\n]*\n[^\n]*\n//'
mutant "B4: gives back what a chunk tells" buffer.c \
    's/    if \(head == tail\)([^\n]*\n)/    if (1)\1/'
mutant "B4: tells a loss with each chunk" buffer.c \
    's/        lost = 0;\n//'
mutant "B4: does not count a loss" buffer.c \
    's/        \(void\)atomic_fetch_add_explicit\(&thread->lost, 1[^\n]*\n//'
mutant "B5: does not stop" buffer.h \
    's/if \(__builtin_expect\(at == thread->free_until, 0\) && /if (0 \&\& /'
mutant "B5: sees one place more than is free" buffer.c \
    's/(memory_order_acquire\) \+ thread->capacity);/\1 + 1;/'
mutant "B5: counts on one place more when it has emptied" buffer.c \
    's/(= thread->next \+ thread->capacity);/\1 + 1;/'
mutant "B5: takes a full ring for one with room" buffer.c \
    's/if \(thread->next < thread->free_until\)/if (thread->next <= thread->free_until)/'
mutant "a chunk goes on beyond the end of the ring" buffer.c \
    's/    count = count < thread->capacity - from [^\n]*\n//'
mutant "a chunk begins at the wrong place" buffer.c \
    's/from = tail & \(thread->capacity - 1\)/from = (tail + 1) \& (thread->capacity - 1)/'
echo "$found mutants are found"
exit $((failures > 0))
