-- MV-RLU, written from C2 to C9 of include/ordo/cc/mvrlu/argument.h, independently of tests/proof/spin/mvrlu.pml. The main
-- subject is how versions are written back and how their memory is reclaimed. Each of the first WRITERS threads makes up to SLOTS
-- sections that add 1 to both objects, and COLLECTS collections, in any order. Each other thread makes SECTIONS sections, which
-- read both objects twice.
-- LEAVE: object 1 is reached through object 0 as long as object 0 is 0. Sections add 1 to object 1 only; the last section of
-- thread 0 unlinks and frees object 1. Times come from the floor, and a clock shows any number up to TIMES. With OWN_CLOCK true
-- time ticks by itself, each clock read has an error of its own in [0, SKEW], and commits wait for 2B.

#ifndef SKEW
#define SKEW B
#endif
#ifndef BOUND
#define BOUND 1
#endif
#ifndef TIMES
#define TIMES 4
#endif
#ifndef THREADS
#define THREADS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef COLLECTS
#define COLLECTS 2
#endif
#ifndef SECTIONS
#define SECTIONS 1
#endif
#ifdef OWN_CLOCK
#define A_TIME skew: 0 .. SKEW
#define SHOWN (clock + skew)
#else
#define A_TIME shown: 1 .. TIMES
#define SHOWN shown
#endif

const
  B: BOUND;
  LAST: TIMES;
  NEVER: 63;     -- an open commit has no time
  ANNOUNCED: 62;
  NONE: 0;       -- no version: the object itself

type
  thread: 0 .. THREADS - 1;
  writer: 0 .. WRITERS - 1;
  object: 0 .. 1;
  slot: 1 .. WRITERS * SLOTS;
  shows: 0 .. WRITERS * SLOTS;
  word: 0 .. 63;
  number: 0 .. 7;
  position: 0 .. SLOTS * 3; -- in a log: for each slot the commit, and its versions of both objects
  state: enum { Nothing, Version, Last };
  place: enum { Idle, Announced, Inside, Word, Commit, Help, Stamp, Again, Locking, Locked, Giving, Committing, Offered, Telling,
                Ending, Settling, Unlinked, Begun, Looking, LookTime, Horizon, Settle, Head, Write, Written, Off, Tell, Leave, Waits, LockHelp, LockStamp };

var
  clock: 1 .. LAST;
  floor: word;
  at: array [thread] of place;
  section: array [thread] of boolean;
  L: array [thread] of word;
  sections: array [thread] of number;
  head: array [object] of shows;
  master: array [object] of number;
  torn: array [object] of boolean;    -- is being written
  freed: boolean;                     -- object 1
  -- logs
  commit: array [slot] of word;
  undone: array [slot] of boolean;
  forgotten: array [slot] of boolean; -- the memory of the commit was reclaimed
  kind: array [slot] of array [object] of state;
  lost: array [slot] of array [object] of boolean; -- the memory of the version was reclaimed
  told: array [slot] of array [object] of word;    -- 0: the version has the time of its commit
  above: array [slot] of array [object] of word;   -- 0: the version is not known to be replaced
  below: array [slot] of array [object] of shows;
  value: array [slot] of array [object] of number;
  -- of each writer
  used: array [writer] of 0 .. SLOTS;
  collects: array [writer] of number;
  settled: array [writer] of position;
  oldest: array [writer] of position;
  unlinked: array [writer] of word;
  H: array [writer] of word;
  other: array [writer] of 0 .. THREADS;
  beside: array [writer] of shows;    -- the commit whose versions are being settled
  -- of each section
  o: array [thread] of object;        -- the object that it reads or locks
  second: array [thread] of boolean;  -- it has read one object already
  found: array [thread] of array [object] of shows;
  saw: array [thread] of array [object] of number;
  W: array [thread] of word;
  due: array [thread] of number;      -- number of commits that had returned when it began
  gone: array [thread] of boolean;    -- LEAVE: object 1 had left when it began
  returned: number;
  left: boolean;

function after(a: word; b: word): boolean;
begin
  return a > b & a - b > B;
end;

function slot_of(t: thread; n: number): slot;
begin
  return t * SLOTS + n;
end;

procedure there(x: object);
begin
  assert "an object that was freed is accessed" !(freed & x = 1);
end;

-- Takes a time w, raised to the floor minus B if it is lower, and raises the floor above w + B.
procedure take(shown: word; var w: word);
begin
#ifdef OWN_CLOCK
  w := shown;
#else
  w := shown;
#ifndef C4_SHOWN
  if floor > B & floor - B > w then
    w := floor - B;
  end;
#endif
#ifdef C5_NOT_ABOVE
  floor := w + B;
#else
  if floor < w + B + 1 then
    floor := w + B + 1;
  end;
#endif
#endif
end;

function content(s: shows; x: object): number;
begin
  if s = NONE then
    there(x);
    assert "an object is read while it is written back" !torn[x];
    return master[x];
  end;
  assert "a version is read whose memory was reclaimed" !lost[s][x];
  return value[s][x];
end;

-- The section has seen object o[t], or visits another version of it next.
procedure decide(t: thread; w: word);
begin
#ifdef C2_RAW
  if L[t] > w then
#else
  if after(L[t], w) then
#endif
    saw[t][o[t]] := content(found[t][o[t]], o[t]);
    at[t] := Again;
  else
    assert "a link is followed that was reclaimed" !lost[found[t][o[t]]][o[t]];
    found[t][o[t]] := below[found[t][o[t]]][o[t]];
    if found[t][o[t]] = NONE then
      saw[t][o[t]] := content(NONE, o[t]);
      at[t] := Again;
    else
      at[t] := Word;
    end;
  end;
  W[t] := 0;
end;

startstate
begin
  clear clock;
  clock := 1;
  floor := B + 1;
  freed := false;
  returned := 0;
  left := false;
  for x: object do
    head[x] := NONE;
    master[x] := 0;
    torn[x] := false;
  end;
  for s: slot do
    commit[s] := NEVER;
    undone[s] := false;
    forgotten[s] := false;
    for x: object do
      kind[s][x] := Nothing;
      lost[s][x] := false;
      told[s][x] := 0;
      above[s][x] := 0;
      below[s][x] := NONE;
      value[s][x] := 0;
    end;
  end;
  for t: writer do
    used[t] := 0;
    collects[t] := COLLECTS;
    settled[t] := 0;
    oldest[t] := 0;
    unlinked[t] := NEVER;
    H[t] := 0;
    other[t] := 0;
    beside[t] := NONE;
  end;
  for t: thread do
    at[t] := Idle;
    section[t] := false;
    L[t] := 0;
    sections[t] := t < WRITERS ? 0 : SECTIONS;
    o[t] := 0;
    second[t] := false;
    W[t] := 0;
    due[t] := 0;
    gone[t] := false;
    for x: object do
      found[t][x] := NONE;
      saw[t][x] := 0;
    end;
  end;
end;

#ifdef OWN_CLOCK
rule "true time passes" clock < LAST ==> begin clock := clock + 1; end;
#endif

-- Sections: of readers, of writers, and of writers that collect.

procedure announce(t: thread);
begin
  section[t] := true;
  due[t] := returned;
  gone[t] := left;
end;

procedure begins(t: thread; time: word);
begin
  if time > L[t] then
    L[t] := time;
  end;
end;

#ifdef C3_TIME_FIRST
#define ANNOUNCES(t) begins(t, floor);
#define TAKES(t, time) announce(t);
#else
#define ANNOUNCES(t) announce(t);
#define TAKES(t, time) begins(t, time);
#endif

ruleset t: thread; x: object do
  rule "a reader announces its section" at[t] = Idle & t >= WRITERS & sections[t] > 0 ==>
  begin
    o[t] := x;
#ifdef LEAVE
    o[t] := 0;
#endif
    ANNOUNCES(t)
    at[t] := Announced;
  end;
end;

ruleset t: writer do
  rule "a writer announces its section" at[t] = Idle & used[t] < SLOTS ==>
  begin
    ANNOUNCES(t)
    used[t] := used[t] + 1;
    at[t] := Announced;
  end;

  rule "announces the section in which it collects" at[t] = Unlinked ==>
  begin
#ifdef C8_OUTSIDE
    at[t] := Horizon;
#else
    ANNOUNCES(t)
    at[t] := Begun;
#endif
  end;
end;

#ifdef OWN_CLOCK
ruleset t: thread; skew: 0 .. SKEW do
#define BEGIN_TIME (clock + skew)
#else
ruleset t: thread do
#define BEGIN_TIME floor
#endif
  rule "takes the time of its section" at[t] = Announced ==>
  begin
    TAKES(t, BEGIN_TIME)
    at[t] := t < WRITERS ? Locking : Inside;
  end;

  rule "takes the time of the section in which it collects" at[t] = Begun ==>
  begin
    TAKES(t, BEGIN_TIME)
    at[t] := Horizon;
  end;
end;

ruleset t: thread do
  rule "finds what an object shows" at[t] = Inside ==>
  begin
    there(o[t]);
    found[t][o[t]] := head[o[t]];
    if head[o[t]] = NONE then
      saw[t][o[t]] := content(NONE, o[t]);
      at[t] := Again;
    else
      at[t] := Word;
    end;
  end;

  rule "looks at the version" at[t] = Word ==>
  begin
    assert "a version is looked at whose memory was reclaimed" !lost[found[t][o[t]]][o[t]];
    if told[found[t][o[t]]][o[t]] != 0 then
      decide(t, told[found[t][o[t]]][o[t]]);
    else
      at[t] := Commit;
    end;
  end;

  rule "looks at its commit" at[t] = Commit ==>
  begin
    assert "a commit is looked at whose memory was reclaimed" !forgotten[found[t][o[t]]];
    if commit[found[t][o[t]]] = ANNOUNCED then
#ifdef C4_NO_HELP
      decide(t, NEVER);
#else
      at[t] := Help;
#endif
    else
      decide(t, commit[found[t][o[t]]]);
    end;
  end;

  rule "gives it that time, unless it has one" at[t] = Stamp ==>
  begin
    assert "a commit is stamped whose memory was reclaimed" !forgotten[found[t][o[t]]];
    if commit[found[t][o[t]]] = ANNOUNCED then
      commit[found[t][o[t]]] := W[t];
    end;
    decide(t, commit[found[t][o[t]]]);
  end;

  rule "looks for the other object" at[t] = Again & !second[t]
#ifdef LEAVE
    & saw[t][0] = 0
#endif
    ==>
  begin
    second[t] := true;
    o[t] := 1 - o[t];
    at[t] := Inside;
  end;

  rule "looks at both once more, and ends" at[t] = Again &
#ifdef LEAVE
    (second[t] | saw[t][0] != 0)
#else
    second[t]
#endif
    ==>
  begin
    assert "a value that was read has changed" content(found[t][0], 0) = saw[t][0];
#ifdef LEAVE
    assert "what had left is found" !(gone[t] & saw[t][0] = 0);
    assert "a commit that has returned is not seen" !(second[t] & saw[t][1] < due[t]);
    if second[t] then
      assert "a value that was read has changed" content(found[t][1], 1) = saw[t][1];
    end;
#else
    assert "a value that was read has changed" content(found[t][1], 1) = saw[t][1];
    assert "a section is torn" saw[t][0] = saw[t][1];
    assert "a commit that has returned is not seen" saw[t][0] >= due[t];
#endif
    section[t] := false;
    sections[t] := sections[t] - 1;
    second[t] := false;
    due[t] := 0;
    gone[t] := false;
    o[t] := 0;
    for x: object do
      found[t][x] := NONE;
      saw[t][x] := 0;
    end;
    at[t] := Idle;
  end;
end;

ruleset t: thread; A_TIME do
  rule "takes a time for it" at[t] = Help | at[t] = LockHelp ==>
  begin
    take(SHOWN, W[t]);
    at[t] := at[t] = Help ? Stamp : LockStamp;
  end;
end;

-- Commits.

function mine(t: thread): slot;
begin
  return slot_of(t, used[t]);
end;

-- The time of a version of another commit.
function time_of(s: slot; x: object): word;
begin
  assert "a version is looked at whose memory was reclaimed" !lost[s][x];
  if told[s][x] != 0 then
    return told[s][x];
  end;
  assert "a commit is looked at whose memory was reclaimed" !forgotten[s];
  return commit[s] = ANNOUNCED ? NEVER : commit[s];
end;

-- True if the version at an object is announced; its commit must then get a time first.
function is_announced(x: object): boolean;
begin
#ifdef C4_NO_HELP
  return false;
#else
  return head[x] != NONE & told[head[x] = NONE ? 1 : head[x]][x] = 0 & commit[head[x] = NONE ? 1 : head[x]] = ANNOUNCED;
#endif
end;

-- Locks an object and changes the copy, or does neither.
procedure lock(t: thread; x: object; leaves: boolean; var ok: boolean);
begin
  there(x);
  ok := head[x] = NONE;
  if !ok then
    ok := after(L[t], time_of(head[x], x));
  end;
  if ok then
    value[mine(t)][x] := content(head[x], x) + 1;
    below[mine(t)][x] := head[x];
    kind[mine(t)][x] := leaves ? Last : Version;
    head[x] := mine(t);
  end;
end;

ruleset t: writer do
  rule "finds a version that it would replace announced" at[t] = Locking & is_announced(o[t]) ==>
  begin
    there(o[t]);
    found[t][o[t]] := head[o[t]];
    at[t] := LockHelp;
  end;

  rule "gives that a time, unless it has one" at[t] = LockStamp ==>
  begin
    assert "a commit is stamped whose memory was reclaimed" !forgotten[found[t][o[t]]];
    if commit[found[t][o[t]]] = ANNOUNCED then
      commit[found[t][o[t]]] := W[t];
    end;
    found[t][o[t]] := NONE;
    W[t] := 0;
    at[t] := Locking;
  end;

  rule "locks an object, or gives up" at[t] = Locking & !is_announced(o[t]) ==>
  var
    ok: boolean;
  begin
#ifdef LEAVE
    if o[t] = 0 & !(t = 0 & used[t] = SLOTS) then
      -- The section checks if object 0 leads anywhere, as a reader would see it. Its log has at most one version of object 0.
      ok := head[0] = NONE ? content(NONE, 0) = 0 : !after(L[t], time_of(head[0], 0)) & content(below[head[0]][0], 0) = 0;
    else
      lock(t, o[t], o[t] = 1 & t = 0 & used[t] = SLOTS, ok);
    end;
#else
    lock(t, o[t], false, ok);
#endif
    if !ok then
      at[t] := Giving;
    elsif o[t] = 0 then
      o[t] := 1;
    else
      at[t] := Locked;
    end;
  end;

  rule "gives back what it locked" at[t] = Giving ==>
  begin
    if kind[mine(t)][0] != Nothing then
      head[0] := below[mine(t)][0];
      kind[mine(t)][0] := Nothing;
    end;
    undone[mine(t)] := true;
    o[t] := 0;
    section[t] := false;
    due[t] := 0;
    gone[t] := false;
    at[t] := Idle;
  end;

  rule "announces its commit" at[t] = Locked ==>
  begin
#ifndef C4_TIME_FIRST
    commit[mine(t)] := ANNOUNCED;
#endif
    o[t] := 0;
    at[t] := Committing;
  end;
end;

ruleset t: writer; A_TIME do
  rule "takes a time for its commit" at[t] = Committing ==>
  begin
    take(SHOWN, W[t]);
    if unlinked[t] = NEVER then
      unlinked[t] := W[t];
    end;
    at[t] := Offered;
  end;
end;

ruleset t: writer do
  rule "gives its commit the time, unless it has one" at[t] = Offered ==>
  begin
#ifdef C4_TIME_FIRST
    commit[mine(t)] := W[t];
#else
    if commit[mine(t)] = ANNOUNCED then
      commit[mine(t)] := W[t];
    else
      W[t] := commit[mine(t)];
    end;
#endif
#ifdef C8_TELLS_LATE
    section[t] := false;
#endif
    at[t] := Telling;
  end;

  rule "tells what it has replaced" at[t] = Telling ==>
  begin
#ifndef C8_TELLS_NOBODY
    if kind[mine(t)][o[t]] != Nothing & below[mine(t)][o[t]] != NONE then
      assert "a version is told whose memory was reclaimed" !lost[below[mine(t)][o[t]]][o[t]];
      above[below[mine(t)][o[t]]][o[t]] := W[t];
    end;
#endif
    if o[t] = 0 then
      o[t] := 1;
    else
      o[t] := 0;
      at[t] := Ending;
    end;
  end;

  rule "ends its section" at[t] = Ending ==>
  begin
    section[t] := false;
    at[t] := Settling;
  end;
end;

procedure returns(t: writer);
begin
  W[t] := 0;
  due[t] := 0;
  gone[t] := false;
  if value[mine(t)][1] > returned then
    returned := value[mine(t)][1];
  end;
  if kind[mine(t)][1] = Last then
    left := true;
  end;
  at[t] := Idle;
end;

#if defined OWN_CLOCK && !defined C5_NO_SETTLE
ruleset t: writer; skew: 0 .. SKEW do
#ifdef C5_SETTLE_RAW
  rule "returns when its clock is after its time" at[t] = Settling & clock + skew > W[t] + B ==>
#else
  rule "returns when every later read is after its time" at[t] = Settling & clock + skew > W[t] + 2 * B ==>
#endif
  begin
    returns(t);
  end;
end;
#else
ruleset t: writer do
  rule "returns" at[t] = Settling ==> begin returns(t); end;
end;
#endif

-- Collections.

ruleset t: writer; A_TIME do
  rule "takes a time when all was settled" at[t] = Idle & collects[t] > 0 & unlinked[t] = NEVER ==>
  begin
    collects[t] := collects[t] - 1;
    take(SHOWN, unlinked[t]);
#ifdef OWN_CLOCK
    at[t] := Waits;
#else
    at[t] := Unlinked;
#endif
  end;
end;

ruleset t: writer do
  rule "has a time when all was settled" at[t] = Idle & collects[t] > 0 & unlinked[t] != NEVER ==>
  begin
    collects[t] := collects[t] - 1;
#ifdef OWN_CLOCK
    at[t] := Waits;
#else
    at[t] := Unlinked;
#endif
  end;
end;

#ifdef OWN_CLOCK
ruleset t: writer; skew: 0 .. SKEW do
  rule "waits until its clock without B is after that" at[t] = Waits & clock + skew > unlinked[t] + 2 * B ==>
  begin
    at[t] := Unlinked;
  end;
end;
#endif

#ifdef OWN_CLOCK
ruleset t: writer; skew: 0 .. SKEW do
#ifdef C7_RAW
#define HORIZON_TIME (clock + skew)
#else
#define HORIZON_TIME (clock + skew > B ? clock + skew - B : 0)
#endif
#else
ruleset t: writer do
#define HORIZON_TIME floor
#endif
  rule "begins its horizon" at[t] = Horizon ==>
  begin
    H[t] := HORIZON_TIME;
    other[t] := 0;
    at[t] := Looking;
  end;
end;

-- A settled entry leaves the log. Object 1 is freed with its last version.
procedure reclaim(t: writer);
begin
  for s: slot do
    for n: 1 .. SLOTS do
      if s = slot_of(t, n) then
        if oldest[t] <= (n - 1) * 3 & settled[t] > (n - 1) * 3 then
          forgotten[s] := true;
          commit[s] := NEVER;
        end;
        for x: object do
          if oldest[t] <= (n - 1) * 3 + 1 + x & settled[t] > (n - 1) * 3 + 1 + x then
            if kind[s][x] = Last then
              there(x);
              freed := true;
            end;
            lost[s][x] := true;
            kind[s][x] := Nothing;
            value[s][x] := 0;
            told[s][x] := 0;
            above[s][x] := 0;
            below[s][x] := NONE;
          end;
        end;
      end;
    end;
  end;
  oldest[t] := settled[t];
end;

ruleset t: writer do
  rule "looks for a section" at[t] = Looking & other[t] < THREADS ==>
  begin
#ifdef C7_NO_LOOK
    other[t] := THREADS;
#else
    if section[other[t]] then
      at[t] := LookTime;
    else
      other[t] := other[t] + 1;
    end;
#endif
  end;

  rule "looks at its time" at[t] = LookTime ==>
  begin
    if L[other[t]] < H[t] then
      H[t] := L[other[t]];
    end;
    other[t] := other[t] + 1;
    at[t] := Looking;
  end;

  rule "reclaims what was settled before" at[t] = Looking & other[t] = THREADS ==>
  begin
    other[t] := 0;
#if defined C9_ONCE
    if false then
#elif defined C9_RAW
    if oldest[t] != settled[t] & !(H[t] > unlinked[t]) then
#else
    if oldest[t] != settled[t] & !after(H[t], unlinked[t]) then
#endif
      at[t] := Leave;
      H[t] := 0;
    else
      reclaim(t);
      beside[t] := NONE;
      at[t] := Settle;
    end;
  end;
end;

procedure stops(t: writer);
begin
#ifdef C9_FROM_HORIZON
  unlinked[t] := H[t];
#else
  unlinked[t] := NEVER;
#endif
  H[t] := 0;
  beside[t] := NONE;
  at[t] := Leave;
end;

-- These return the slot of the next entry, and its object.
function next_slot(t: writer): slot;
begin
  return slot_of(t, settled[t] / 3 + 1);
end;

function next_object(t: writer): object;
begin
  return settled[t] % 3 = 2 ? 1 : 0;
end;

function no_time_before(h: word; s: slot): boolean;
begin
#ifdef C8_RAW
  return h <= commit[s];
#else
  return !after(h, commit[s]);
#endif
end;

ruleset t: writer do
  rule "has settled all" at[t] = Settle & settled[t] = used[t] * 3 ==> begin stops(t); end;

  rule "settles a commit, or finds it too young" at[t] = Settle & settled[t] < used[t] * 3 & settled[t] % 3 = 0 ==>
  begin
    if undone[next_slot(t)] then
      settled[t] := settled[t] + 1;
    elsif no_time_before(H[t], next_slot(t)) then
      stops(t);
    else
      beside[t] := next_slot(t);
      settled[t] := settled[t] + 1;
    end;
  end;

  rule "looks whether a version was replaced" at[t] = Settle & settled[t] < used[t] * 3 & settled[t] % 3 != 0 ==>
  begin
    if kind[next_slot(t)][next_object(t)] != Version then
      settled[t] := settled[t] + 1;
    elsif above[next_slot(t)][next_object(t)] = 0 then
      at[t] := Head;
#ifdef C8_NO_ABOVE
    elsif true then
#else
    elsif after(H[t], above[next_slot(t)][next_object(t)]) then
#endif
      settled[t] := settled[t] + 1;
    else
      at[t] := Tell;
    end;
  end;

  rule "looks whether the object shows it" at[t] = Head ==>
  begin
    there(next_object(t));
    if head[next_object(t)] = next_slot(t) then
      at[t] := Write;
    else
      at[t] := Tell;
    end;
  end;

  rule "begins to write it back" at[t] = Write ==>
  begin
    there(next_object(t));
    torn[next_object(t)] := true;
    at[t] := Written;
  end;

  rule "has written it back" at[t] = Written ==>
  begin
    there(next_object(t));
    torn[next_object(t)] := false;
    master[next_object(t)] := value[next_slot(t)][next_object(t)];
    at[t] := Off;
  end;

  rule "takes it off the object, unless it is locked" at[t] = Off ==>
  begin
    there(next_object(t));
    if head[next_object(t)] = next_slot(t) then
      head[next_object(t)] := NONE;
      settled[t] := settled[t] + 1;
      at[t] := Settle;
    else
      at[t] := Tell;
    end;
  end;

  rule "tells what it leaves the time of its commit" at[t] = Tell ==>
  begin
#ifndef C9_TELLS_NOTHING
    if beside[t] != NONE then
      for x: object do
        if kind[next_slot(t)][x] != Nothing & x >= next_object(t) then
          told[next_slot(t)][x] := commit[beside[t]];
        end;
      end;
    end;
#endif
    stops(t);
  end;

  rule "ends the section in which it collected" at[t] = Leave ==>
  begin
#ifndef C8_OUTSIDE
    section[t] := false;
    due[t] := 0;
    gone[t] := false;
#endif
    at[t] := Idle;
  end;
end;

-- At rest, every object has its last change.
ruleset t: writer do
  rule "all rest" forall u: thread do at[u] = Idle & section[u] = false & (u < WRITERS | sections[u] = 0) endforall &
    forall u: writer do used[u] = SLOTS & collects[u] = 0 endforall & t = 0 ==>
  var
    last: array [object] of number;
  begin
    for x: object do
      last[x] := master[x];
    end;
    for u: writer do
      for n: 1 .. SLOTS do
        for x: object do
          if kind[slot_of(u, n)][x] = Version & above[slot_of(u, n)][x] = 0 & settled[u] <= (n - 1) * 3 + 1 + x then
            last[x] := value[slot_of(u, n)][x];
          end;
        end;
      end;
    end;
    assert "an object is not as it was changed last" left | last[1] = returned;
#ifndef LEAVE
    assert "an object is not as it was changed last" last[0] = returned;
#endif
  end;
end;

#ifdef REACH
invariant "it can happen at all: must be found"
  exists t: writer do used[t] < SLOTS | collects[t] > 0 | settled[t] = 0 | oldest[t] != settled[t] endexists;
#endif
