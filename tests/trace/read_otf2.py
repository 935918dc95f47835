#!/usr/bin/env python3
"""read_otf2.py: compares archives with tables, by OTF2's own bindings for Python.

read_otf2.py records ARCHIVE CSV HZ: every record of the archive is a row of the table, which ordo-trace made of it.
read_otf2.py truth ARCHIVE SOURCE TRUTH: the archive has the records of SOURCE, each with a time and bounds that hold the truth.
read_otf2.py sizes ARCHIVE: prints for each location the number of its events of each kind, with the number of their attributes.
"""
import csv
import sys

import otf2
from otf2 import events as kinds


def fail(text):
    print(text)
    sys.exit(1)


def read(path):
    """The events of each location, and the definitions."""
    found = {}
    with otf2.reader.open(path) as trace:
        ranks = {}
        for group in trace.definitions.groups:
            if group.group_type == otf2.GroupType.COMM_LOCATIONS:
                ranks = {member.group: i for i, member in enumerate(group.members)}
        threads = {}
        for location in trace.definitions.locations:
            rank = ranks[location.group]
            threads.setdefault(rank, [])
            threads[rank].append(location)
            found[(rank, len(threads[rank]) - 1)] = []
        places = {id(one): (rank, i) for rank, all in threads.items() for i, one in enumerate(all)}
        for location, event in trace.events:
            found[places[id(location)]].append(event)
    return found, ranks


def rank_in(communicator, member, ranks):
    """The rank of a member of a communicator; with the flag GLOBAL_MEMBERS, events have ranks."""
    if otf2.GroupFlag.GLOBAL_MEMBERS == communicator.group.group_flags:
        return member
    return ranks[communicator.group.members[member].group]


def row_of(event, ranks, hz, collectives):
    """The row that an event must have: time, kind, name, peer, bytes, communicator; None: it has no row."""
    time = event.time * 1000000000 // hz
    if isinstance(event, kinds.Enter):
        return (time, "begin", event.region.name)
    if isinstance(event, kinds.Leave):
        return (time, "end", event.region.name)
    if isinstance(event, (kinds.MpiSend, kinds.MpiIsend)):
        return (time, "send", "", rank_in(event.communicator, event.receiver, ranks), event.msg_tag, event.msg_length)
    if isinstance(event, (kinds.MpiRecv, kinds.MpiIrecv)):
        return (time, "recv", "", rank_in(event.communicator, event.sender, ranks), event.msg_tag, event.msg_length)
    if isinstance(event, kinds.ParameterString):
        return (time, "event", event.string)
    return None


def compare_records(archive, table, hz):
    found, ranks = read(archive)
    rows = {}
    with open(table, newline="") as file:
        for row in csv.DictReader(file):
            rows.setdefault((int(row["rank"]), int(row["thread"])), []).append(row)
    total = 0
    for place, events in sorted(found.items()):
        there = rows.pop(place, [])
        ends = [e for e in events if isinstance(e, kinds.MpiCollectiveEnd)]
        wanted = [w for w in (row_of(e, ranks, hz, ends) for e in events) if w]
        if len(wanted) != len(there):
            fail(f"{place}: {len(wanted)} records, and {len(there)} rows")
        gathers = [r for r in there if r["kind"] == "end" and r["name"] in ("MPI_Allreduce", "MPI_Bcast")]
        if len(gathers) != len(ends):
            fail(f"{place}: {len(ends)} collectives, and {len(gathers)} rows")
        for end, row in zip(ends, gathers):
            world = end.communicator.name == "MPI_COMM_WORLD"
            if (row["communicator"] == "0") != world or row["root"] != ("" if world else "0"):
                fail(f"{place}: {row} is not {end}")
        for want, row in zip(wanted, there):
            got = (int(row["time_ns"]), row["kind"], row["name"])
            if row["peer"]:
                got += (int(row["peer"]), int(row["tag"]), int(row["bytes"]))
            if got != want:
                fail(f"{place}: {got} is not {want}")
            total += 1
    if rows:
        fail(f"rows of locations that are not there: {sorted(rows)}")
    print(f"{total} records agree")


def plain(event):
    """An event without its time, as text."""
    return type(event).__name__ + " " + " ".join(
        f"{name}={getattr(value, 'name', value)}" for name, value in sorted(event.__dict__.items())
        if name not in ("time", "attributes") and not name.startswith("_"))


def compare_truth(archive, source, truth):
    found, _ = read(archive)
    before, _ = read(source)
    true_ns = {}
    with open(truth) as file:
        for line in file:
            location, index, _, global_ns, _ = line.split(",")
            true_ns.setdefault(int(location), []).append(float(global_ns))
    total = outside = 0
    count = len(found) // 2
    for (rank, thread), events in sorted(found.items()):
        if [plain(e) for e in events] != [plain(e) for e in before[(rank, thread)]]:
            fail(f"rank {rank}, thread {thread}: the records differ from those of {source}")
        for event, true in zip(events, true_ns[rank + count * thread], strict=True):
            bounds = {a.name: value for a, value in event.attributes.items()}
            low, high = event.time + bounds["ordo: earliest"], event.time + bounds["ordo: latest"]
            outside += not low - 1 <= true <= high + 1
            total += 1
    if outside or total == 0:
        fail(f"{outside} of {total} truths are outside their bounds")
    print(f"{total} truths within their bounds")


def print_sizes(archive):
    found, _ = read(archive)
    for (rank, thread), events in sorted(found.items()):
        counts = {}
        for event in events:
            key = (type(event).__name__, len(event.attributes or {}))
            counts[key] = counts.get(key, 0) + 1
        for (kind, attributes), number in sorted(counts.items()):
            print(rank, thread, kind, attributes, number)


if sys.argv[1] == "records":
    compare_records(sys.argv[2], sys.argv[3], int(sys.argv[4]))
elif sys.argv[1] == "truth":
    compare_truth(*sys.argv[2:])
else:
    print_sizes(sys.argv[2])
