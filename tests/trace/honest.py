"""honest.py: random traces without sessions, of honest clocks and messages that say little of them: latencies up to 100 ms, clocks
up to 0.4 per mille apart, from a tenth of a second to five minutes, two to six ranks.

  honest.py --write COUNT          writes honest.1.csv and so on; the number is the seed. Each has a twin, honest.1.threads.csv, whose
                                   ranks have their events in the order of three threads
  honest.py --judge OUT...         fails if a bound excludes the truth or the estimate, or a rank's global time runs backwards
  honest.py --repaired OUT...      fails if a message is received before it was sent, or a rank's global time runs backwards
"""
import csv
import random
import sys

UNIT = 10**9  # of a nanosecond


class Clock:
    """Its rate changes every half minute, by 100 ppb from the least to the most."""

    def __init__(self, dice, most_ppb, seconds):
        self.offset = dice.randrange(-10**14, 10**14) * UNIT
        base = dice.randrange(-most_ppb, most_ppb + 1)
        self.rates = [base + dice.randrange(101) for _ in range(seconds // 30 + 2)]

    def at(self, true_ns):
        piece, since = divmod(true_ns, 30 * 10**9)
        gained = sum(self.rates[:piece]) * 30 * 10**9 + self.rates[piece] * since
        return self.offset + true_ns * UNIT + gained


def write(seed, path):
    dice = random.Random(seed)
    ranks = dice.randrange(2, 7)
    seconds = dice.choice([0.1, 1, 10, 60, 300])
    most_ppb = dice.choice([0, 20000, 400000])
    slow = dice.choice([1000, 50000, 3000000, 100000000])
    clocks = [Clock(dice, most_ppb, int(seconds) + 1) for _ in range(ranks)]
    events = []
    for number in range(dice.choice([60, 400, 1500])):
        a = dice.randrange(ranks) if number >= 2 * ranks else number // 2
        b = (a + dice.choice([1, ranks - 1])) % ranks if dice.random() < 0.8 else dice.randrange(ranks)
        b = (a + 1) % ranks if a == b or number < 2 * ranks else b
        a, b = (b, a) if number % 2 and number < 2 * ranks else (a, b)  # between neighbours, at least one message in each direction
        sent = dice.randrange(int(seconds * 10**9))
        received = sent + dice.choice([400, slow // 10 + 400, dice.randrange(400, slow + 401)])
        events += [(sent, a, "send", b, number), (received, b, "recv", a, number)]
    events.sort()
    write_events(path, events, clocks)
    points = [(dice.randrange(int(seconds * 10**9)), dice.randrange(ranks), "event", "", number) for number in range(200)]
    threads = sorted(sorted(events + points), key=lambda event: event[4] % 3)
    write_events(path.replace(".csv", ".threads.csv"), threads, clocks)


def write_events(path, events, clocks):
    with open(path, "w") as file:
        file.write("rank,time_ns,kind,peer,tag,true\n")
        for true_ns, rank, kind, peer, tag in events:
            file.write(f"{rank},{clocks[rank].at(true_ns) // UNIT},{kind},{peer},{tag},{clocks[0].at(true_ns)}\n")


def rows(path):
    """The rows. Global time runs forwards on every rank: in the order of its own clock, whatever the order of the file."""
    ranks = {}
    for row in csv.DictReader(open(path, newline="")):
        ranks.setdefault(row["rank"], []).append((int(row["time_ns"]), int(row["global_ns"])))
        yield row
    for rank, times in ranks.items():
        times.sort(key=lambda time: time[0])
        for before, after in zip(times, times[1:]):
            assert before[1] <= after[1], f"{path}: global time of rank {rank} runs backwards: from {before} to {after}"


def judge(path):
    for row in rows(path):
        early, found, late = (int(row[key]) for key in ("earliest_ns", "global_ns", "latest_ns"))
        assert early * UNIT <= int(row["true"]) <= late * UNIT, f"{path}: the truth is outside of the bounds: {row}"
        assert early <= found <= late, f"{path}: the estimate is outside of its bounds: {row}"


def repaired(path):
    sent = {}
    for row in sorted(rows(path), key=lambda row: row["kind"] == "recv"):
        if row["kind"] == "send":
            sent[row["tag"]] = int(row["global_ns"])
        elif row["kind"] == "recv":
            assert int(row["global_ns"]) >= sent[row["tag"]], f"{path}: received before it was sent: {row}"


if sys.argv[1] == "--write":
    for seed in range(1, int(sys.argv[2]) + 1):
        write(seed, f"honest.{seed}.csv")
else:
    for each in sys.argv[2:]:
        (judge if sys.argv[1] == "--judge" else repaired)(each)
