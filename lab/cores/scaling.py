#!/usr/bin/env python3
"""Writes the tables of doc/scaling.md from data.

    lab/cores/scaling.py collect POINTS.csv FOLDER   adds the points of the predictions in FOLDER that POINTS.csv lacks
    lab/cores/scaling.py table POINTS.csv            prints the parts of the page that are computed
    lab/cores/scaling.py write POINTS.csv PAGE.md    replaces these parts of the page
    lab/cores/scaling.py check POINTS.csv PAGE.md    exits with 1 if `write` would change the page
    lab/cores/scaling.py lines FOLDER NOTE.md        puts a table of the lists of cache lines, MACHINE-WORKLOAD-CPUS.json, into the note
    lab/cores/scaling.py validation TEXT NOTE.md PAGE.md   puts the output of validate.py into the note, and its last line into the page

A part of a page stands between two comments, <!-- begin NAME --> and <!-- end NAME -->."""
import csv
import glob
import json
import os
import re
import sys

FIELDS = "machine,workload,of,over,threads,low,likely,high,boundary_ns,seconds,cpu_seconds,commit".split(",")
MACHINES = ["xeon-120", "arm-96", "phi-64", "epyc-512", "xeon-512", "arm-512"]
COLUMNS = [(1,), (8, 16), (32,), (64,), (96, 120, 128), (240, 256), (512,)]
HEADS = ["1", "8, 16", "32", "64", "96 to 128", "240, 256", "512"]
STM, RLU, OPLOG = "[STM](stm.md)", "[RLU](rlu.md)", "[Oplog](oplog.md)"
# workload, of, over, label; the rows of the table in this order. A label with True has a row in the short table.
ROWS = [
    ("stm-hash-20", "stm/ordo", "stm/logical", f"{STM}, hash, 20% updates, over one counter", True),
    ("stm-hash-20", "stm/ordo", "stm/gv4", "STM, over a counter that failed increments share (`gv4`)", True),
    ("stamp-1", "clock", "add", "an engine that takes one stamp for each transaction", True),
    ("stamp-2", "clock", "add", "an engine that takes two stamps for each transaction", True),
    ("stamp-1-16", "clock", "add", "one stamp for each transaction of 16 requests", False),
    ("stamp-2-16", "clock", "add", "two stamps for each transaction of 16 requests", False),
    ("oplog-map-1", "oplog/ordo", "oplog/logical", f"{OPLOG}, map, 0.1% reads", True),
    ("rlu-hash-2", "rlu/ordo", "rlu/logical", f"{RLU}, hash, 2% updates", True),
    ("rlu-hash-20", "rlu/ordo", "rlu/logical", "RLU, hash, 20% updates", False),
    ("rlu-list-2", "rlu/ordo", "rlu/logical", "RLU, list, 2% updates", False),
    ("rlu-tree-2", "rlu/ordo", "rlu/logical", "RLU, tree, 2% updates", False),
    ("mvrlu-hash-2", "mvrlu/ordo", "mvrlu/logical", "[MV-RLU](mvrlu.md), hash, 2% updates", False),
    ("txn-ycsb-2", "occ/ordo", "occ/logical", "our OCC, reads only", False),
    ("txn-ycsb-2", "hekaton/ordo", "hekaton/logical", "our Hekaton, reads only", False),
    ("txn-updates-2", "occ/ordo", "occ/logical", "our OCC, half updates", False),
    ("txn-updates-2", "hekaton/ordo", "hekaton/logical", "our Hekaton, half updates", False),
    ("txn-tpcc", "occ/ordo", "occ/logical", "our OCC, TPC-C, 4 warehouses", False),
    ("txn-tpcc", "hekaton/ordo", "hekaton/logical", "our Hekaton, TPC-C, 4 warehouses", False),
    ("txn-tictoc", "occ/ordo", "tictoc", "our OCC over TicToc, which has no clock, half updates", False),
    ("merge", "merge/ordo", "heap", "[merging](merging.md) over a heap", False),
]
# The prediction MACHINE-NAME.json has points of this workload.
WORKLOADS = {
    "rlu": "rlu-hash-2", "rlu-20": "rlu-hash-20", "tl2": "stm-hash-20", "tl2-gv4": "stm-hash-20", "oplog": "oplog-map-1",
    "occ": "stamp-1", "occ-16": "stamp-1-16", "hekaton": "stamp-2", "hekaton-16": "stamp-2-16", "occ-ours": "txn-ycsb-2",
    "hekaton-ours": "txn-ycsb-2", "occ-ours-updates": "txn-updates-2", "hekaton-ours-updates": "txn-updates-2",
}
PAYS = 1.05  # hardware time pays if the low end of the interval is above this


def read_points(path):
    """Returns the newest line of each point, by machine, workload, of and over, then by threads."""
    points = {}
    with open(path, newline="") as file:
        for line in csv.DictReader(file):
            curve = points.setdefault((line["machine"], line["workload"], line["of"], line["over"]), {})
            curve[int(line["threads"])] = line
    return points


def collect(path, folder):
    new = not os.path.exists(path) or os.path.getsize(path) == 0
    had = set() if new else {tuple(line.values()) for line in csv.DictReader(open(path, newline=""))}
    with open(path, "a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(FIELDS)
        for name in sorted(glob.glob(os.path.join(folder, "*.json"))):
            for line in lines_of(name):
                if line not in had:
                    writer.writerow(line)


def lines_of(name):
    """Yields the points of a prediction, without the widening of its intervals."""
    with open(name) as file:
        prediction = json.load(file)
    machine = prediction["machine"]
    workload = WORKLOADS.get(os.path.basename(name)[len(machine) + 1:-len(".json")])
    inputs = prediction["inputs"]
    if not workload or "command" not in inputs:
        return
    wider = 1 + prediction["constants"]["spread_percent"] / 100
    for point in prediction["points"]:
        yield (machine, workload, inputs["of"], inputs["over"], str(point["cores"]), f"{point['low'] * wider:.5g}",
               f"{point['likely']:.5g}", f"{point['high'] / wider:.5g}", str(inputs["boundary_ns"]), inputs["seconds"], "",
               (prediction["commit"] or "unknown")[:12])


def values(line):
    return float(line["low"]), float(line["likely"]), float(line["high"])


def cell(line):
    low, likely, high = values(line)
    digits = 1 if high >= 9.995 else 2
    return f"{likely:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def long_table(points):
    out = ["| structure | machine | " + " | ".join(HEADS) + " |", "|---" * (2 + len(HEADS)) + "|"]
    for workload, of, over, label, _ in ROWS:
        for machine in MACHINES:
            curve = points.get((machine, workload, of, over), {})
            chosen = [next((curve[t] for t in column if t in curve), None) for column in COLUMNS]
            if any(chosen):
                out.append(f"| {label} | {machine} | " + " | ".join(cell(line) if line else "" for line in chosen) + " |")
    return "\n".join(out)


def begins_at(curve):
    """Returns the least number of threads from which on hardware time pays at every point; None if it never does."""
    begins = None
    for threads in sorted(curve, reverse=True):
        if values(curve[threads])[0] < PAYS:
            break
        begins = threads
    return begins


def begin_text(curves):
    places = sorted((begins_at(curve), machine) for machine, curve in curves.items() if begins_at(curve))
    never = [machine for machine, curve in curves.items() if not begins_at(curve)]
    text = ", ".join(f"{threads} threads of {machine}" if i == 0 else f"{threads} of {machine}"
                     for i, (threads, machine) in enumerate(places))
    if never:
        text += ("; not on " if text else "not on ") + ", ".join(never)
    return text


def gain_text(curves):
    last = [(values(curve[max(curve)])[1], max(curve), machine) for machine, curve in curves.items()]
    return "; ".join(f"{cell(curves[machine][threads])} times at {threads} of {machine}"
                     for _, threads, machine in sorted(last, reverse=True)[:2])


def short_table(points):
    out = ["| structure | hardware time begins to pay at | largest gains at the largest number of threads |", "|---|---|---|"]
    for workload, of, over, label, short in ROWS:
        curves = {m: points[m, workload, of, over] for m in MACHINES if (m, workload, of, over) in points}
        if short and curves:
            out.append(f"| {label} | {begin_text(curves)} | {gain_text(curves)} |")
    few = [(values(line)[1], label, threads, machine) for workload, of, over, label, short in ROWS if short for machine in MACHINES
           for threads, line in points.get((machine, workload, of, over), {}).items() if threads <= 8]
    if few:
        out.append(f"| any of them on up to 8 threads | {min(few)[0]:.2f} to {max(few)[0]:.2f} times the speed | "
                   f"most: {max(few)[1]}, {max(few)[2]} threads of {max(few)[3]} |")
    return "\n".join(out)


def versions_text(points):
    lines = [line for curve in points.values() for line in curve.values()]
    versions = sorted({line["commit"] for line in lines})
    seconds = {(line["machine"], line["workload"], line["threads"]): float(line["cpu_seconds"]) for line in lines if line["cpu_seconds"]}
    text = f"The {len(lines)} ratios were computed by the sources of {', '.join(f'`{version}`' for version in versions)}."
    if seconds:
        longest = max(seconds, key=seconds.get)
        text += (f" The longest of the runs whose time is known took {seconds[longest]:.0f} s of one CPU: {longest[1]}, {longest[2]} threads of "
                 f"{longest[0]}.")
    return text


def parts_of(path):
    points = read_points(path)
    return {"short": short_table(points), "table": long_table(points), "versions": versions_text(points)}


def replaced(text, name, part):
    begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"scaling.py: the page has no place for '{name}': add the lines {begin.strip()} and {end}")
    return re.sub(f"{begin}.*?{end}", lambda _: f"{begin}{part}\n{end}", text, flags=re.DOTALL)


def page_with(page, parts):
    with open(page) as file:
        before = after = file.read()
    for name, part in parts.items():
        after = replaced(after, name, part)
    return before, after


def write(page, parts):
    before, after = page_with(page, parts)
    if after != before:
        with open(page + ".new", "w") as file:
            file.write(after)
        os.rename(page + ".new", page)


def validation(text_file, note, page):
    with open(text_file) as file:
        text = file.read().strip()
    table, _, summary = text.rpartition("\n\n")
    if not table.startswith("| workload |") or not summary.startswith("Without contention: "):
        sys.exit(f"scaling.py: {text_file}: not the output of lab/cores/validate.py")
    write(note, {"validation": table + "\n\n" + summary})
    write(page, {"validation": "  " + summary + "."})


def lines_row(path):
    with open(path) as file:
        listed = json.load(file)
    words = re.match(r"(.*-\d+)-([a-z-]+)-(\d+)\.json$", os.path.basename(path))
    if not words or not listed["lines"]:
        sys.exit(f"scaling.py: {path}: no list of lines of MACHINE-WORKLOAD-CPUS")
    machine, workload, cpus = words.groups()
    every = listed["all"]
    rate = int(cpus) * 1e3 / listed["ns_per_op"]
    shares = ", ".join(f"{100 * line['share']:.1f}%" for line in listed["lines"][:3])
    functions = list(dict.fromkeys(place["function"] for place in listed["lines"][0]["places"] if place["function"]))
    return (f"| {workload} | {machine}, {cpus} | {rate:.3g} | {100 * every['wait_ns_per_op'] / listed['ns_per_op']:.0f}% | "
            f"{100 * every['queued_ns'] / max(every['wait_ns'], 1e-9):.0f}% | {shares} | {', '.join(f'`{name}`' for name in functions[:2])} |")


def lines(folder, note):
    rows = [lines_row(path) for path in sorted(glob.glob(os.path.join(folder, "*.json")))]
    if not rows:
        sys.exit(f"scaling.py: {folder}: no list of lines: run 'scaling.sh compute'")
    head = ["| workload | machine, CPUs | Mop/s | wait, of the time | queued, of the wait | first lines, share | functions that wait for the first line |",
            "|---" * 7 + "|"]
    write(note, {"lines": "\n".join(head + rows)})


def main():
    command, *words = sys.argv[1:] or [""]
    counts = {"collect": 2, "table": 1, "write": 2, "check": 2, "lines": 2, "validation": 3}
    if counts.get(command) != len(words):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    if command == "collect":
        collect(*words)
    elif command == "table":
        for name, part in parts_of(words[0]).items():
            print(f"<!-- begin {name} -->\n{part}\n<!-- end {name} -->")
    elif command == "write":
        write(words[1], parts_of(words[0]))
    elif command == "check":
        before, after = page_with(words[1], parts_of(words[0]))
        if before != after:
            sys.exit(f"scaling.py: {words[1]} differs from {words[0]}: run 'lab/cores/scaling.py write'")
    elif command == "lines":
        lines(*words)
    else:
        validation(*words)


main()
