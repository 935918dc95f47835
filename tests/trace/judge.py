"""judge.py [--WHAT] FILE...: what a corrected trace is worth, judged by the true times in it.

  judge.py out.csv                 prints: events, worst error, mean error, events outside their bound
  judge.py --order out.csv         fails where a receive is before its send
  judge.py --lengths out.csv plain.csv PART   fails where an interval of a rank changed by more than PART of its length
  judge.py --linear out.csv sync.csv          fails where global times are not those of numpy's least squares, cut to the bounds
  judge.py --chrome out.json       fails where it is not what trace viewers load, or an arrow has not two ends in order
"""
import csv
import json
import sys


def rows(path):
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            yield row


def judge(path):
    count = worst = total = outside = 0
    for row in rows(path):
        truth, found = int(row["true_ns"]), int(row["global_ns"])
        count += 1
        worst = max(worst, abs(found - truth))
        total += abs(found - truth)
        outside += not int(row["earliest_ns"]) <= truth <= int(row["latest_ns"])
        assert int(row["earliest_ns"]) <= found <= int(row["latest_ns"]), row
    print(count, worst, round(total / count), outside)


def order(path):
    sends, bad, count = {}, 0, 0
    for row in rows(path):
        rank, peer, tag, at = row["rank"], row["peer"], row["tag"], int(row["global_ns"])
        if row["kind"] == "send":
            sends.setdefault((rank, peer, tag), []).append(at)
        if row["kind"] == "recv":
            count += 1
            bad += at < sends[peer, rank, tag].pop(0)
    assert count > 0 and bad == 0, f"{bad} of {count} messages are received before they were sent"


def lengths(path, plain, part):
    last = {}
    for new, old in zip(rows(path), rows(plain)):
        rank, after, before = new["rank"], int(new["global_ns"]), int(old["global_ns"])
        if rank in last:
            changed = abs((after - last[rank][0]) - (before - last[rank][1]))
            assert changed <= part * (before - last[rank][1]) + 1, (new, changed)
        last[rank] = after, before


def linear(path, sync):
    import numpy
    exchanges = {}
    for row in rows(sync):
        s, m, r = int(row["send_ns"]), int(row["master_ns"]), int(row["receive_ns"])
        exchanges.setdefault(row["rank"], {}).setdefault(row["session"], []).append((r - s, s, m, r))
    lines = {}
    for rank, sessions in exchanges.items():
        kept = [e for s in sessions.values() for e in sorted(s)[:len(s) - len(s) // 10]]
        origin = kept[0][1], kept[0][2]
        x = numpy.array([(s - origin[0] + r - origin[0]) / 2 for _, s, m, r in kept], dtype=numpy.longdouble)
        y = numpy.array([m - origin[1] for _, s, m, r in kept], dtype=numpy.longdouble) - x
        slope, at_zero = numpy.polyfit(x.astype(float), y.astype(float), 1)
        lines[rank] = origin, slope, at_zero
    worst = within = 0
    for row in rows(path):
        if row["rank"] != "0":
            (local, master), slope, at_zero = lines[row["rank"]]
            since = int(row["time_ns"]) - local
            early, late = (int(row[key]) - since - master for key in ("earliest_ns", "latest_ns"))
            line = slope * since + at_zero
            within += early <= line <= late
            worst = max(worst, abs(since + master - int(row["global_ns"]) + min(max(line, early), late)))
    assert worst <= 3, f"numpy's line, cut to the bounds, is up to {worst} ns away"
    assert within > 1000, f"only {within} events lie on numpy's line"


def chrome(path):
    with open(path) as file:
        document = json.load(file)
    phases, arrows = set(), {}
    for event in document["traceEvents"]:
        phases.add(event["ph"])
        assert isinstance(event["name"], str) and isinstance(event["pid"], int) and "tid" in event, event
        if event["ph"] == "M":
            continue
        assert isinstance(event["ts"], (int, float)), event
        if event["ph"] == "X":
            assert event["dur"] >= 0, event
        if event["ph"] in "sf":
            assert (event["ph"] == "f") == (event.get("bp") == "e"), event
            arrows.setdefault(event["id"], {}).setdefault(event["ph"], []).append((event["ts"], event["pid"]))
        elif event["ph"] == "C":
            assert not {"earliest_ns", "latest_ns"} & event["args"].keys(), event # each arg would be a curve
        else:
            assert event["args"]["earliest_ns"] <= event["ts"] * 1000 + 1, event
            assert event["args"]["latest_ns"] >= event["ts"] * 1000 - 1, event
    for name, ends in arrows.items():
        assert len(ends["s"]) == len(ends["f"]) == 1, (name, ends)
        assert ends["s"][0][0] <= ends["f"][0][0] and ends["s"][0][1] != ends["f"][0][1], (name, ends)
    print(" ".join(sorted(phases)), len(arrows))


def main(arguments):
    if arguments[0] == "--order":
        order(arguments[1])
    elif arguments[0] == "--lengths":
        lengths(arguments[1], arguments[2], float(arguments[3]))
    elif arguments[0] == "--linear":
        linear(arguments[1], arguments[2])
    elif arguments[0] == "--chrome":
        chrome(arguments[1])
    else:
        judge(arguments[0])


main(sys.argv[1:])
