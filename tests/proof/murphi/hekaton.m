-- Hekaton, written from arguments 1 to 7 of lib/cc/txn/hekaton/types.h, independently of tests/proof/spin/hekaton.pml.
-- Three transactions over two records. Each transaction visits both records in either order, and reads or writes each.
-- SNAPSHOTS of the transactions read as of their begin; the others are serialisable. True time ticks by itself; each
-- clock read is off by a skew of its own, in [0, SKEW]. A transaction that would have to extend its begin, or that
-- cannot get a claim, aborts instead. Checked when all transactions have ended: the dependencies of the committed ones
-- have no cycle. STRICT is the number of B for which an end is settled; with it, there is no cycle together with the
-- order of real time either.

#ifndef SKEW
#define SKEW B
#endif
#ifndef TIMES
#define TIMES 7
#endif
#ifndef SNAPSHOTS
#define SNAPSHOTS 1
#endif
#ifndef WAIT
#define WAIT 1
#endif

const
  B: 1;
  LAST: TIMES;
  NOBODY: 3;

type
  txn: 0 .. 2;
  record_: 0 .. 1;
  slot: 0 .. 3;     -- of a record: 0 is its first version, 1 + t that of transaction t
  maybe: 0 .. 4;    -- 4: no version
  word: 0 .. 31;
  status: enum { Active, Preparing, Committed, Aborted };
  place: enum { Unborn, Choose, Walk, Look, Announced, Ended, Passed, Validate, Settle, Publish, Over };

var
  clock: 2 .. LAST;
  at: array [txn] of place;
  state: array [txn] of status;
  begin_: array [txn] of word;
  end_: array [txn] of word;
  head: array [record_] of slot;
  below: array [record_] of array [slot] of maybe;
  stamped: array [record_] of array [slot] of boolean;
  time: array [record_] of array [slot] of word;
  claim: array [record_] of 0 .. 3;
  did: array [txn] of array [record_] of 0 .. 3; -- 0 nothing yet, 1 read, 2 wrote, 3 passed by
  saw: array [txn] of array [record_] of maybe;  -- the version that it read or overwrote
  on: array [txn] of record_;
  cursor: array [txn] of maybe;
  before: array [txn] of array [txn] of boolean; -- the first transaction had returned when the second began

function after(a: word; b: word): boolean;
begin
  return a > b & a - b > B;
end;

function snapshot(t: txn): boolean;
begin
  return t < SNAPSHOTS;
end;

function writes(t: txn): boolean;
begin
  return did[t][0] = 2 | did[t][1] = 2;
end;

-- With SCRIPT, transaction 1 reads record 0 and writes record 1, and transaction 2 writes record 0,
-- or with BOTH both.
function may(t: txn; r: record_; what: word): boolean;
begin
#ifdef SCRIPT
  return snapshot(t) | (t = 1 & what = 1 + r) | (t = 2 & what = 2);
#else
  return true;
#endif
end;

-- The latest time after which an end must certainly be.
function latest(t: txn): word;
var most: word;
begin
  most := begin_[t];
  for r: record_ do
    if did[t][r] = 2 & time[r][saw[t][r]] > most then
      most := time[r][saw[t][r]];
    end;
  end;
  return most;
end;

procedure abort(t: txn);
begin
  state[t] := Aborted;
  for r: record_ do
    if did[t][r] = 2 then
      head[r] := saw[t][r];
      claim[r] := NOBODY;
    end;
    did[t][r] := 0;
    saw[t][r] := 4;
  end;
  at[t] := Over;
end;

function edge(a: txn; b_: txn): boolean;
begin
  if a = b_ | state[a] != Committed | state[b_] != Committed then
    return false;
  end;
#ifdef STRICT
  if before[a][b_] then
    return true;
  end;
#endif
  for r: record_ do
    -- b saw a version that a wrote; or b overwrote a version that a saw
    if did[a][r] = 2 & saw[b_][r] = a + 1 then
      return true;
    end;
    if did[b_][r] = 2 & saw[a][r] = saw[b_][r] & saw[a][r] != 4 then
      return true;
    end;
  end;
  return false;
end;

startstate
begin
  clock := 2;
  for t: txn do
    at[t] := Unborn;
    state[t] := Active;
    begin_[t] := 0;
    end_[t] := 0;
    on[t] := 0;
    cursor[t] := 4;
    for u: txn do
      before[u][t] := false;
    end;
    for r: record_ do
      did[t][r] := 0;
      saw[t][r] := 4;
    end;
  end;
#if defined SCRIPT && !defined BOTH
  did[2][1] := 3;
#endif
  for r: record_ do
    head[r] := 0;
    claim[r] := NOBODY;
    for s: slot do
      below[r][s] := 4;
      stamped[r][s] := s = 0;
      time[r][s] := 0;
    end;
  end;
end;

rule "true time passes" clock < LAST ==> begin clock := clock + 1; end;

ruleset t: txn; skew: 0 .. SKEW do
  rule "begins" at[t] = Unborn ==>
  begin
    begin_[t] := clock + skew;
#ifdef STRICT
    for u: txn do
      before[u][t] := u != t & at[u] = Over & state[u] = Committed;
    end;
#endif
    at[t] := Choose;
  end;

  -- C4: the end is taken after the announcement.
  rule "takes its end" at[t] = Announced &
#ifndef END_AFTER
    true
#else
    after(clock + skew, latest(t))
#endif
    ==>
  begin
    end_[t] := clock + skew;
    at[t] := Ended;
  end;

#ifdef C4_TIME_FIRST
  rule "announces its commit too late" at[t] = Ended & state[t] = Active & skew = 0 ==>
  begin
    state[t] := Preparing;
  end;
#endif

#ifdef C5_NO_PASS
  rule "does not wait" at[t] = Ended & skew = 0 ==>
#else
  rule "waits for every clock to pass its end" at[t] = Ended & state[t] = Preparing & after(clock + skew, end_[t]) ==>
#endif
  begin
    at[t] := Validate;
    on[t] := 0;
    cursor[t] := head[0];
  end;

#ifdef STRICT
  rule "settles its end" at[t] = Settle & clock + skew > end_[t] + STRICT * B ==>
#else
  rule "does not settle" at[t] = Settle & skew = 0 ==>
#endif
  begin
    state[t] := Committed;
    on[t] := 0;
    at[t] := Publish;
  end;
end;

-- Reads and writes.

ruleset t: txn; r: record_ do
  rule "begins to read a record" at[t] = Choose & did[t][r] = 0 & may(t, r, 1) ==>
  begin
    on[t] := r;
    cursor[t] := head[r];
    at[t] := Walk;
  end;

  rule "writes a record" at[t] = Choose & did[t][r] = 0 & !snapshot(t) & may(t, r, 2) ==>
  begin
    if claim[r] != NOBODY then
      abort(t);
    elsif !after(begin_[t], time[r][head[r]]) then
      abort(t);
    else
      claim[r] := t;
      saw[t][r] := head[r];
      did[t][r] := 2;
      below[r][t + 1] := head[r];
      head[r] := t + 1;
    end;
  end;
end;

ruleset t: txn do
  -- A version is judged in one step if it has its time, is the transaction's own, or is of a transaction that is not
  -- committing. If the version is of a committing transaction, the reader waits, and then begins the walk again.
  rule "looks at a version" at[t] = Walk & cursor[t] != 4 ==>
  var s: slot;
  begin
    s := cursor[t];
    if stamped[on[t]][s] then
#ifdef C6_RAW
      if begin_[t] > time[on[t]][s] then
#else
      if after(begin_[t], time[on[t]][s]) then
#endif
        saw[t][on[t]] := s;
        did[t][on[t]] := 1;
        cursor[t] := 4;
        at[t] := Choose;
      elsif snapshot(t) then
        cursor[t] := below[on[t]][s];
      else
        abort(t);
      end;
#ifndef A1_NO_BUSY
    elsif state[s - 1] = Preparing | state[s - 1] = Committed then
      at[t] := Look;
#endif
    else
      cursor[t] := below[on[t]][s];
    end;
  end;

  rule "need not wait any longer" at[t] = Look &
    (stamped[on[t]][cursor[t]] | state[cursor[t] - 1] = Aborted) ==>
  begin
    cursor[t] := head[on[t]];
    at[t] := Walk;
  end;

  rule "has all that it wants" at[t] = Choose & did[t][0] != 0 & did[t][1] != 0 ==>
  begin
    if writes(t) then
#ifndef C4_TIME_FIRST
      state[t] := Preparing;
#endif
      at[t] := Announced;
    else
      state[t] := Committed;
      at[t] := Over;
    end;
  end;

  rule "validates" at[t] = Validate ==>
  var s: maybe;
  begin
    if did[t][on[t]] = 1 & cursor[t] != 4 then
      s := cursor[t];
      if !stamped[on[t]][s] then
        if s = t + 1 | state[s - 1] = Active | state[s - 1] = Aborted then
          cursor[t] := below[on[t]][s];
        else
#ifdef A2_NO_VALIDATION
          cursor[t] := 4;
#else
          abort(t);
#endif
        end;
      elsif s = saw[t][on[t]] then
        cursor[t] := 4;
      else
#ifdef A2_NO_VALIDATION
        cursor[t] := 4;
#else
        abort(t);
#endif
      end;
    elsif on[t] = 0 then
      on[t] := 1;
      cursor[t] := head[1];
    else
      cursor[t] := 4;
      at[t] := Settle;
    end;
  end;

  rule "publishes" at[t] = Publish ==>
  begin
    if did[t][on[t]] = 2 then
      stamped[on[t]][t + 1] := true;
      time[on[t]][t + 1] := end_[t];
      claim[on[t]] := NOBODY;
    end;
    if on[t] = 0 then
      on[t] := 1;
    else
      on[t] := 0;
      at[t] := Over;
    end;
  end;
end;

invariant "two transactions are each before the other"
  (exists t: txn do at[t] != Over endexists) |
  forall a: txn do forall b_: txn do !(edge(a, b_) & edge(b_, a)) endforall endforall;

invariant "three transactions go round in a circle"
  (exists t: txn do at[t] != Over endexists) |
  !((edge(0, 1) & edge(1, 2) & edge(2, 0)) | (edge(0, 2) & edge(2, 1) & edge(1, 0)));

#ifdef REACH
invariant "it can happen at all: must be found"
  exists t: txn do at[t] != Over | state[t] != Committed | (t > 0 & !writes(t)) endexists;
#endif
