-- RLU, written from C1 to C10 of include/ordo/cc/rlu/argument.h, independently of tests/proof/spin/rlu.pml. True
-- time ticks by itself. Each clock read is off by a skew of its own, in [0, SKEW]. Threads below WRITERS make
-- COMMITS commits each, which add 1 to both objects. The other threads make SECTIONS sections each, which read
-- both objects twice. At the start every reader still has to read the clock (mark B + 1), as if it had just
-- joined.

#ifndef SKEW
#define SKEW B
#endif
#ifndef BOUND
#define BOUND 1
#endif
#ifndef TIMES
#define TIMES 7
#endif
#ifndef THREADS
#define THREADS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef COMMITS
#define COMMITS 1
#endif
#ifndef SECTIONS
#define SECTIONS 1
#endif

const
  B: BOUND;
  LAST: TIMES;
  ANNOUNCED: 30; -- announced, without a time yet
  NEVER: 31;

type
  thread: 0 .. THREADS - 1;
  object: 0 .. 1;
  generation: 0 .. 1;
  word: 0 .. 31;
  number: 0 .. 7;
  place: enum { Idle, Announced, Looked, Taken, Inside, Seen0, Seen1, Helping0, Helping1, Second,
                Locked, Closed, Committing, Stamped, Ask, Sample, Wait, Back0, Free0, Back1, Free1, Done };

var
  clock: 1 .. LAST;
  at: array [thread] of place;
  run: array [thread] of boolean;     -- in a section, as other threads see it
  parity: array [thread] of number;   -- number of the section
  mark: array [thread] of word;
  L: array [thread] of word;
  left: array [thread] of number;
  gen: array [thread] of generation;
  stamp: array [thread] of array [generation] of word;
  copy: array [thread] of array [generation] of array [object] of number;
  reused: array [thread] of array [generation] of boolean;
  master: array [object] of number;
  holder: array [object] of 0 .. THREADS; -- THREADS: no holder
  held: array [object] of generation;
  -- a section's
  first: array [thread] of object;
  from: array [thread] of array [object] of 0 .. THREADS; -- the thread whose copy was read; THREADS: the master
  which: array [thread] of array [object] of generation;
  saw: array [thread] of number;
  due: array [thread] of number;      -- commits that had returned when it began
  returned: number;
  -- a commit's
  W: array [thread] of word;
  other: array [thread] of 0 .. THREADS;
  sampled: array [thread] of number;

function after(a: word; b: word): boolean;
begin
  return a > b & a - b > B;
end;

function show(t: thread; o: object): number;
begin
  if from[t][o] = THREADS then
    return master[o];
  end;
  assert "memory is used again while it is readable" !reused[from[t][o]][which[t][o]];
  return copy[from[t][o]][which[t][o]][o];
end;

-- Decides between the copy of h and the master.
procedure decide(t: thread; o: object);
begin
#ifdef C6_STEAL
  if L[t] > stamp[from[t][o]][which[t][o]] then
#else
  if after(L[t], stamp[from[t][o]][which[t][o]]) then
#endif
    -- the copy
  else
    from[t][o] := THREADS;
  end;
end;

-- Reads a header. If its commit is announced, first takes a time for the commit (C4).
procedure look(t: thread; o: object; help: place; seen: place);
begin
  if holder[o] = THREADS then
    from[t][o] := THREADS;
    at[t] := seen;
  else
    from[t][o] := holder[o];
    which[t][o] := held[o];
    if stamp[from[t][o]][which[t][o]] = ANNOUNCED then
#ifdef C4_NO_HELP
      from[t][o] := THREADS;
      at[t] := seen;
#else
      at[t] := help;
#endif
    else
      decide(t, o);
      at[t] := seen;
    end;
  end;
end;

startstate
begin
  clear clock;
  clock := 1;
  returned := 0;
  for o: object do
    master[o] := 0;
    holder[o] := THREADS;
    held[o] := 0;
  end;
  for t: thread do
    at[t] := Idle;
    run[t] := false;
    parity[t] := 0;
#ifdef C5_NO_JOIN
    mark[t] := 0;
#else
    mark[t] := t < WRITERS ? 0 : B + 1;
#endif
    L[t] := 0;
    left[t] := t < WRITERS ? COMMITS : SECTIONS;
    gen[t] := 0;
    first[t] := 0;
    saw[t] := 0;
    due[t] := 0;
    W[t] := 0;
    other[t] := 0;
    sampled[t] := 0;
    for g: generation do
      stamp[t][g] := NEVER;
      reused[t][g] := false;
      for o: object do
        copy[t][g][o] := 0;
      end;
    end;
    for o: object do
      from[t][o] := THREADS;
      which[t][o] := 0;
    end;
  end;
end;

rule "true time passes" clock < LAST ==> begin clock := clock + 1; end;

-- Sections of readers.

ruleset t: thread; f: object do
  rule "announces a section" at[t] = Idle & t >= WRITERS & left[t] > 0 ==>
  begin
    first[t] := f;
#ifdef C2_LOOK_FIRST
    at[t] := mark[t] = 0 ? Announced : Taken;
#else
    run[t] := true;
    parity[t] := parity[t] + 1;
    due[t] := returned;
    at[t] := Announced;
#endif
  end;
end;

ruleset t: thread do
  rule "looks at its mark" at[t] = Announced ==>
  begin
#ifdef C2_LOOK_FIRST
    run[t] := true;
    parity[t] := parity[t] + 1;
    due[t] := returned;
    at[t] := Inside;
#else
    at[t] := mark[t] = 0 ? Inside : Taken;
#endif
  end;

  rule "takes its mark in" at[t] = Taken ==>
  begin
#ifdef C2_LOOK_FIRST
    run[t] := true;
    parity[t] := parity[t] + 1;
    due[t] := returned;
#endif
    W[t] := mark[t];
    mark[t] := 0;
    at[t] := Looked;
  end;
end;

ruleset t: thread; skew: 0 .. SKEW do
#ifdef C5_NO_AFTER
  rule "reads the clock" at[t] = Looked ==>
#else
  rule "reads the clock until it is after its mark" at[t] = Looked & after(clock + skew, W[t]) ==>
#endif
  begin
    if clock + skew > L[t] then
      L[t] := clock + skew;
    end;
    W[t] := 0;
    at[t] := Inside;
  end;

  rule "helps with a time for the first" at[t] = Helping0 ==>
  begin
    if stamp[from[t][first[t]]][which[t][first[t]]] = ANNOUNCED then
      stamp[from[t][first[t]]][which[t][first[t]]] := clock + skew;
    end;
    decide(t, first[t]);
    at[t] := Seen0;
  end;

  rule "helps with a time for the second" at[t] = Helping1 ==>
  begin
    if stamp[from[t][1 - first[t]]][which[t][1 - first[t]]] = ANNOUNCED then
      stamp[from[t][1 - first[t]]][which[t][1 - first[t]]] := clock + skew;
    end;
    decide(t, 1 - first[t]);
    at[t] := Seen1;
  end;
end;

ruleset t: thread do
  rule "looks at the first header" at[t] = Inside ==>
  begin
    look(t, first[t], Helping0, Seen0);
  end;

  rule "reads the first" at[t] = Seen0 ==>
  begin
    saw[t] := show(t, first[t]);
    assert "a commit that has returned is not seen" saw[t] >= due[t];
    at[t] := Second;
  end;

  rule "looks at the second header" at[t] = Second ==>
  begin
    look(t, 1 - first[t], Helping1, Seen1);
  end;

  rule "reads the second, and ends" at[t] = Seen1 ==>
  begin
    assert "a section is torn" show(t, 1 - first[t]) = saw[t];
    assert "a value that was read has changed" show(t, first[t]) = saw[t];
    run[t] := false;
    left[t] := left[t] - 1;
    saw[t] := 0;
    first[t] := 0;
    due[t] := 0;
    for o: object do
      from[t][o] := THREADS;
      which[t][o] := 0;
    end;
    at[t] := Idle;
  end;
end;

-- Commits. Other threads see only the locks of the earlier steps of a writer.

ruleset t: thread do
  rule "locks both" at[t] = Idle & t < WRITERS & left[t] > 0 & holder[0] = THREADS & holder[1] = THREADS ==>
  begin
    for o: object do
      holder[o] := t;
      held[o] := gen[t];
      copy[t][gen[t]][o] := master[o] + 1;
    end;
    reused[t][gen[t]] := false;
#ifdef C4_STAMP_FIRST
    at[t] := Committing;
#else
    at[t] := Locked;
#endif
  end;

  rule "announces its commit" at[t] = Locked ==>
  begin
    stamp[t][gen[t]] := ANNOUNCED;
    at[t] := Committing;
  end;
end;

ruleset t: thread; skew: 0 .. SKEW do
  rule "reads the clock for its commit" at[t] = Committing ==>
  begin
    W[t] := clock + skew;
    at[t] := Stamped;
  end;
end;

ruleset t: thread do
  rule "stamps, unless a helper was faster" at[t] = Stamped ==>
  begin
#ifdef C4_STAMP_FIRST
    stamp[t][gen[t]] := W[t];
#else
    if stamp[t][gen[t]] = ANNOUNCED then
      stamp[t][gen[t]] := W[t];
    else
      W[t] := stamp[t][gen[t]];
    end;
#endif
    other[t] := 0;
    at[t] := Ask;
  end;

  rule "marks the next thread" at[t] = Ask & other[t] < THREADS & other[t] != t ==>
  begin
#ifndef C2_NO_MARK
    if mark[other[t]] < W[t] then
      mark[other[t]] := W[t];
    end;
#endif
    at[t] := Sample;
  end;

  rule "passes itself by" at[t] = Ask & other[t] = t ==>
  begin
    other[t] := other[t] + 1;
  end;

  rule "samples" at[t] = Sample ==>
  begin
    if run[other[t]] then
      sampled[t] := parity[other[t]];
      at[t] := Wait;
#ifdef C5_NO_WAIT
      other[t] := other[t] + 1;
      at[t] := Ask;
#endif
    else
      other[t] := other[t] + 1;
      at[t] := Ask;
    end;
  end;

  rule "need not wait any longer" at[t] = Wait &
    (!run[other[t]] | parity[other[t]] != sampled[t] |
#ifdef C6_WAIT
     L[other[t]] > W[t]
#else
     after(L[other[t]], W[t])
#endif
    ) ==>
  begin
    sampled[t] := 0;
    other[t] := other[t] + 1;
    at[t] := Ask;
  end;

  rule "has waited for all" at[t] = Ask & other[t] = THREADS ==>
  begin
    if mark[t] < W[t] then
      mark[t] := W[t];
    end;
    other[t] := 0;
    at[t] := Back0;
  end;

  rule "writes object 0 back" at[t] = Back0 ==> begin master[0] := copy[t][gen[t]][0]; at[t] := Free0; end;
  rule "unlocks object 0" at[t] = Free0 ==> begin holder[0] := THREADS; held[0] := 0; at[t] := Back1; end;
  rule "writes object 1 back" at[t] = Back1 ==> begin master[1] := copy[t][gen[t]][1]; at[t] := Free1; end;

  rule "unlocks object 1, and has committed" at[t] = Free1 ==>
  begin
    holder[1] := THREADS;
    held[1] := 0;
#ifndef C10_ONE_GENERATION
    gen[t] := 1 - gen[t];
#endif
    reused[t][gen[t]] := true;
    stamp[t][gen[t]] := NEVER;
    W[t] := 0;
    left[t] := left[t] - 1;
    returned := returned + 1;
    at[t] := Idle;
  end;
end;

#ifdef REACH
invariant "it can happen at all: must be found"
  exists t: thread do left[t] > 0 endexists;
#endif
