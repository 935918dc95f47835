#!/usr/bin/env python3
"""Writes traces in Perfetto's form with known events; the wire format of Protocol Buffers is written here.

make SEED FOLDER:    FOLDER/trace.pftrace and FOLDER/expected.json
judge FOLDER CHROME: exits 1 if the events of CHROME, as ordo-trace wrote them, are not the expected ones
count FILE:          prints the events of a file by their types, as this reader of the wire format finds them
fixed NAME:          writes a small trace to the standard output
"""
import json, os, random, sys, zlib


def varint(value):
    value &= 2**64 - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def fixed64(field, value):
    return varint(field << 3 | 1) + value.to_bytes(8, "little")


def packet(*fields):
    return data(1, b"".join(fields))


def packed(packets):
    """Packets in one compressed packet; as they are if ordo-trace is built without zlib."""
    return packets if os.environ.get("ORDO_PACKED") == "no" else packet(data(50, zlib.compress(packets)))


BOOTTIME, MONOTONIC, REALTIME, OWN = 6, 3, 1, 64
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
CLEARED, NEEDS = 1, 2


def snapshot(clocks, main=None):
    """`clocks`: (clock, time[, is_incremental, unit])."""
    out = b""
    for clock, time, *more in clocks:
        one = number(1, clock) + number(2, time)
        if more:
            one += number(3, more[0]) + number(4, more[1])
        out += data(1, one)
    return data(6, out + (number(2, main) if main else b""))


def descriptor(uuid, name=None, pid=None, tid=None, parent=None, counter=False):
    out = number(1, uuid)
    if name and tid is None:
        out += data(2, name)
    if tid is not None:
        out += data(4, number(1, pid) + number(2, tid) + (data(5, name) if name else b""))
    elif pid is not None:
        out += data(3, number(1, pid) + data(6, "process"))
    if parent is not None:
        out += number(5, parent)
    if counter:
        out += data(8, b"")
    return data(60, out)


def event(kind, *fields):
    return data(11, number(9, kind) + b"".join(fields))


class Writer:
    """A sequence: one thread of a program that uses Perfetto's library."""

    def __init__(self, rng, sequence, tid, clock):
        self.rng, self.sequence, self.tid, self.clock = rng, sequence, tid, clock
        self.uuid, self.names, self.depth, self.last, self.ghosts = 1000 + sequence, {}, 0, 0, 0
        self.style = rng.choice(["incremental", "absolute", "direct"])

    def head(self, true_ns, dropped=False):
        """The packet that begins the incremental state anew."""
        self.names = {}
        now = self.clock(true_ns)
        out = [number(10, self.sequence), number(13, CLEARED)] + ([number(42, 1)] if dropped else [])
        track = data(11, number(11, self.uuid))
        if self.style == "incremental":
            out += [snapshot([(OWN, now // 1000, 1, 1000), (BOOTTIME, now // 1000 * 1000)]),
                    data(59, number(58, OWN) + track)]
            self.last = now // 1000
        elif self.style == "absolute":
            self.origin = self.rng.randrange(10**9)
            out += [snapshot([(65, now - self.origin, 0, 1), (BOOTTIME, now)]), data(59, number(58, 65) + track)]
        else:
            out += [data(59, track)]
        return [packet(*out), packet(number(10, self.sequence), descriptor(self.uuid, "thread %d" % self.tid, 7, self.tid))]

    def time(self, true_ns):
        """(field of the timestamp, the time that a reader should find)"""
        now = self.clock(true_ns)
        if self.style == "incremental":
            step, self.last = now // 1000 - self.last, now // 1000
            return number(8, step), self.last * 1000
        if self.style == "absolute":
            return number(8, now - self.origin), now
        return number(8, now), now

    def name(self, text):
        """(fields of the event, fields of the packet)"""
        if self.rng.random() < 0.2:
            return [data(23, text)], []
        if text in self.names:
            return [number(10, self.names[text])], []
        self.names[text] = len(self.names) + 1
        return [number(10, self.names[text])], [data(12, data(2, number(1, self.names[text]) + data(2, text)))]

    def step(self, true_ns, expected):
        rng = self.rng
        stamp, time = self.time(true_ns)
        kind = rng.choice([BEGIN, BEGIN, END, END, INSTANT, COUNTER]) if self.depth else rng.choice([BEGIN, INSTANT])
        more, fields = [], []
        if kind in (BEGIN, INSTANT):
            text = rng.choice(["load", "MPI_Barrier", "größe", "x\"y", "a" * 300])
            fields, more = self.name(text)
            expected.append([{BEGIN: "B", INSTANT: "i"}[kind], text, time, self.tid])
        elif kind == END:
            expected.append(["E", None, time, self.tid])
        else:
            fields = [number(30, -5), number(11, 5555)]
        self.depth += (kind == BEGIN) - (kind == END)
        fields += rng.sample([fixed64(47, rng.randrange(2**64)), fixed64(48, 3), data(4, data(10, "arg") + data(6, "text")),
                              data(4, number(1, 99) + data(8, data(2, "k") + data(3, number(5, -1)))), number(3, 4),
                              data(22, "category"), data(700, b"\xff\xff"), varint(701 << 3 | 5) + b"1234"], 3)
        rng.shuffle(fields)
        parts = [stamp, number(10, self.sequence), number(13, NEEDS), event(kind, *fields)] + more
        rng.shuffle(parts)
        return packet(*parts)


def make(seed, folder):
    rng = random.Random(seed)
    start, drift = rng.randrange(10**14), rng.uniform(-1e-5, 1e-5)
    unix = 1700000000 * 10**9
    boot = lambda true_ns: start + true_ns
    real = lambda true_ns: unix + true_ns + int(true_ns * drift)
    writers = [Writer(rng, 2 + i, 100 + i, boot) for i in range(rng.randrange(1, 6))]
    expected, out = [], []
    out.append(packet(data(33, b"\x0a\x02\x08\x01")))
    out.append(packet(number(10, 1), snapshot([(BOOTTIME, boot(0)), (REALTIME, real(0)), (MONOTONIC, boot(0) - 5)], BOOTTIME)))
    out.append(packet(number(10, 1), descriptor(1, "prog", 7)))
    late = packet(number(10, 1), descriptor(77, "queue", parent=1)), packet(number(10, 1), descriptor(5555, "c", parent=1, counter=True))
    for writer in writers:
        out += writer.head(0)
    true_ns, lost = 0, 0
    for i in range(rng.randrange(50, 400)):
        true_ns += rng.randrange(1, 10**7)
        choice = rng.random()
        if choice < 0.05:  # an event on the clock of the day, which drifts: it is between the snapshots around it
            expected.append(["i", "day", ("near", boot(true_ns)), 77])
            out.append(packet(number(8, real(true_ns)), number(58, REALTIME), number(10, 9), event(INSTANT, data(23, "day"), number(11, 77))))
        elif choice < 0.08:
            out.append(packet(number(10, 1), snapshot([(REALTIME, real(true_ns)), (BOOTTIME, boot(true_ns)), (MONOTONIC, boot(true_ns) - 5)])))
        elif choice < 0.10:  # packets of a writer are lost: its next ones are not understood until it begins anew
            writer = rng.choice(writers)
            lost += 1
            stamp, _ = writer.time(true_ns)
            out.append(packet(stamp, number(10, writer.sequence), number(13, NEEDS), number(42, 1), event(INSTANT, number(10, 1))))
            out += writer.head(true_ns)
        else:
            out.append(rng.choice(writers).step(true_ns, expected))
    out.append(packet(number(10, 1), snapshot([(REALTIME, real(true_ns)), (BOOTTIME, boot(true_ns))])))
    out += late
    with open(folder + "/trace.pftrace", "wb") as file:
        while out:
            count = rng.randrange(1, 40)
            part, out = b"".join(out[:count]), out[count:]
            file.write(packed(part) if rng.random() < 0.5 else part)
    with open(folder + "/expected.json", "w") as file:
        json.dump({"events": expected, "lost": lost, "drift": drift}, file)


def judge(folder, path):
    want = json.load(open(folder + "/expected.json"))
    all_events = json.load(open(path))["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in all_events if e["ph"] == "M" and e["name"] == "thread_name"}
    got = [e for e in all_events if e["ph"] in "BEi"]
    if len(got) != len(want["events"]):
        return "%d events and not %d" % (len(got), len(want["events"]))
    for one, (phase, name, time, tid) in zip(got, want["events"]):
        ns = one["args"]["earliest_ns"]
        near = time[1] if isinstance(time, list) else time
        slack = 20 if isinstance(time, list) else 0  # two roundings of the drift
        if one["ph"] != phase or (name and one["name"] != name) or abs(ns - near) > slack:
            return "%s is not %s %s at %s" % (one, phase, name, near)
        if names.get(one["tid"]) != ("queue" if tid == 77 else "thread %d" % tid):
            return "%s is on the track %s and not %s" % (one, names.get(one["tid"]), tid)
    return None


def fields(message):
    """(number, value) of each field of a message."""
    at = 0

    def take():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    while at < len(message):
        tag = take()
        if tag & 7 == 0:
            yield tag >> 3, take()
        else:
            length = {1: 8, 5: 4}.get(tag & 7) or take()
            yield tag >> 3, message[at:at + length]
            at += length


def count(message, types):
    for number_of, one in fields(message):
        if number_of == 1:
            for field, value in fields(one):
                if field == 50:
                    count(zlib.decompress(value), types)
                if field == 11:
                    kind = dict(fields(value)).get(9, 0)
                    types[kind] = types.get(kind, 0) + 1
    return types


FIXED = {
    # A begin and an end on the thread 5 of process 4, an event on its own track, a counter.
    "small": lambda: packet(number(10, 1), snapshot([(BOOTTIME, 100), (REALTIME, 1000)])) +
    packet(number(10, 2), number(13, CLEARED), data(59, number(58, REALTIME) + data(11, number(11, 8))), descriptor(8, "t", 4, 5)) +
    packed(packet(number(8, 1010), number(10, 2), number(13, NEEDS), data(12, data(2, number(1, 1) + data(2, "work"))),
                  event(BEGIN, number(10, 1), fixed64(47, 9))) +
           packet(number(8, 1020), number(10, 2), number(13, NEEDS), event(END))) +
    packet(number(8, 130), number(58, BOOTTIME), number(10, 2), event(INSTANT, data(23, "tick"), number(11, 9),
                                                                      data(4, data(10, "send_to") + number(4, 1)))) +
    packet(number(8, 1050), number(10, 2), number(13, NEEDS), event(COUNTER, number(30, 3))) +
    packet(number(10, 1), snapshot([(BOOTTIME, 200), (REALTIME, 1100)])),
}

if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1] == "count":
        print(*("%d %d" % one for one in sorted(count(open(sys.argv[2], "rb").read(), {}).items())), sep="\n")
    elif sys.argv[1] == "fixed":
        sys.stdout.buffer.write(FIXED[sys.argv[2]]())
    else:
        sys.exit(judge(sys.argv[2], sys.argv[3]))
