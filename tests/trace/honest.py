"""honest.py: random traces without sessions, of honest clocks and messages that say little of them: latencies up to 100 ms, clocks
up to 0.4 per mille apart, from a tenth of a second to five minutes, two to six ranks.

  honest.py --write COUNT          writes honest.1.csv and so on; the number is the seed
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
        a, b = (b, a) if number % 2 and number < 2 * ranks else (a, b)  # at least one both ways between neighbours
        sent = dice.randrange(int(seconds * 10**9))
        received = sent + dice.choice([400, slow // 10 + 400, dice.randrange(400, slow + 401)])
        events += [(sent, a, "send", b, number), (received, b, "recv", a, number)]
    with open(path, "w") as file:
        file.write("rank,time_ns,kind,peer,tag,true\n")
        for true_ns, rank, kind, peer, tag in sorted(events):
            file.write(f"{rank},{clocks[rank].at(true_ns) // UNIT},{kind},{peer},{tag},{clocks[0].at(true_ns)}\n")


def rows(path):
    """The rows, which run forwards on every rank."""
    last = {}
    for row in csv.DictReader(open(path, newline="")):
        time, found = int(row["time_ns"]), int(row["global_ns"])
        before = last.get(row["rank"], (time, found))
        assert before[0] <= time and before[1] <= found, f"{path}: global time runs backwards: {row}"
        last[row["rank"]] = time, found
        yield row


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
        else:
            assert int(row["global_ns"]) >= sent[row["tag"]], f"{path}: received before it was sent: {row}"


if sys.argv[1] == "--write":
    for seed in range(1, int(sys.argv[2]) + 1):
        write(seed, f"honest.{seed}.csv")
else:
    for each in sys.argv[2:]:
        (judge if sys.argv[1] == "--judge" else repaired)(each)
