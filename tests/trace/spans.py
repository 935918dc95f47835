#!/usr/bin/env python3
"""Writes traces of services whose true times are known, and judges what ordo-trace made of them.

same NOTATION BEFORE AFTER:   exits 1 if the files differ in more than their times, or a server is outside of its client
make SEED FOLDER NOTATION...: FOLDER/NOTATION.json, and FOLDER/truth.json
judge FOLDER NOTATION CSV:    exits 1 if a bound of CSV does not hold a true time, or a server is outside of its client
"""
import csv, json, random, sys

US = 1000


def clocks(rng, count):
    """Offsets of up to 3 s and drifts of up to 50 ppm of the hosts; host 0 is the reference."""
    return [(0, 0.0)] + [(rng.randrange(-3 * 10**9, 3 * 10**9), rng.uniform(-5e-5, 5e-5)) for _ in range(count - 1)]


class World:
    def __init__(self, seed, links):
        self.rng = random.Random(seed)
        self.start = 1700000000 * 10**9 + self.rng.randrange(10**9)
        self.hosts = self.rng.randrange(2, 7)
        self.clocks = clocks(self.rng, self.hosts)
        self.kinds = self.rng.random() < 0.7
        self.spans, self.links = [], links  # `links`: references of queues are links

    def local(self, host, true_ns):
        offset, drift = self.clocks[host]
        return true_ns + offset + int((true_ns - self.start) * drift)

    def id(self):
        return "%016x" % self.rng.randrange(1, 2**64)

    def latency(self):
        return self.rng.randrange(20 * US, 300 * US) + int(self.rng.expovariate(1 / (100 * US)))

    def add(self, trace, host, kind, begin, end, parent=None, **more):
        span = dict(trace=trace, id=self.id(), host=host, kind=kind, begin=begin, end=end, parent=parent, **more)
        span["name"] = span["id"]  # also if it will share the id of its client
        self.spans.append(span)
        return span

    def call(self, trace, parent, host, at, depth):
        """A client of `host` calls a server elsewhere at the true time `at`. Returns the true time of its end."""
        rng, to = self.rng, self.rng.randrange(self.hosts)
        client = self.add(trace, host, "client", at, at, parent)
        gives_up = rng.random() < 0.07  # the client ends early; its server may be late
        begin = at + self.latency() + (rng.randrange(20 * 10**6) if gives_up else 0)
        server = self.add(trace, to, "server", begin, begin, client)
        end = begin + rng.randrange(10 * US, 2000 * US)
        for _ in range(rng.randrange(3) if depth < 3 else 0):
            end = self.call(trace, server, to, end + rng.randrange(5 * US, 100 * US), depth + 1) + rng.randrange(5 * US)
        client["end"] = end + self.latency()
        if gives_up:
            client["end"] = begin + (end - begin) // 2
            client["failed"] = client["end"] - at >= end - begin or rng.random() < 0.5  # a shorter one need not say so
        server["end"] = end
        if rng.random() < 0.1:
            self.queue(trace, server, to, begin)
        return max(client["end"], at)

    def queue(self, trace, parent, host, at):
        """A producer may end long after its consumer; a link may be added to a span that began before its target."""
        rng, to = self.rng, self.rng.randrange(self.hosts)
        producer = self.add(trace, host, "producer", at, at + rng.randrange(1, 3000 * US), parent)
        begin = at + rng.randrange(100 * US, 10**8)
        if self.links and rng.random() < 0.5:
            begin = at - rng.randrange(10**7)
        self.add(trace, to, "consumer", begin, max(begin, at) + 500 * US, producer, follows=True)

    def run(self):
        at = self.start
        for host in range(self.hosts):  # every host calls the next one, so that all clocks are known
            for _ in range(4):
                at += self.rng.randrange(10**6, 10**8)
                trace = self.id() + self.id()
                client = self.add(trace, host, "client", at, at)
                begin = at + self.latency()
                server = self.add(trace, (host + 1) % self.hosts, "server", begin, begin + 1000 * US, client)
                client["end"] = server["end"] + self.latency()
        for _ in range(self.rng.randrange(5, 40)):
            at += self.rng.randrange(10**6, 10**9)
            trace = self.id() + self.id()
            root = self.add(trace, self.rng.randrange(self.hosts), "internal", at, at)
            root["end"] = self.call(trace, root, root["host"], at + 10 * US, 0) + 10 * US
        if not self.kinds:  # tracers without kinds: a queue must say FOLLOWS_FROM, and an internal parent is a client
            for span in self.spans:
                span["kind"] = None


def otlp(world, path):
    """Documents of OTLP, one a line, each with the spans of some resources."""
    number = {None: 0, "internal": 1, "server": 2, "client": 3, "producer": 4, "consumer": 5}
    order = world.spans[:]
    world.rng.shuffle(order)
    with open(path, "w") as out:
        while order:
            part, order = order[:50], order[50:]
            resources = []
            for host in sorted({span["host"] for span in part}):
                spans = []
                for span in (s for s in part if s["host"] == host):
                    told = {"traceId": span["trace"], "spanId": span["id"], "name": span["name"], "kind": number[span["kind"]],
                            "startTimeUnixNano": str(world.local(host, span["begin"])),
                            "endTimeUnixNano": str(world.local(host, span["end"])),
                            "attributes": [{"key": "x", "value": {"stringValue": "\"]}"}}],
                            "status": {"code": 2} if span.get("failed") else {}}
                    if span["parent"] and span.get("follows"):
                        told["links"] = [{"traceId": span["trace"], "spanId": span["parent"]["id"]}]
                    elif span["parent"]:
                        told["parentSpanId"] = span["parent"]["id"]
                    spans.append(told)
                told = [("resource", {"attributes": [{"key": "service.name", "value": {"stringValue": "s%d" % host}},
                                                     {"key": "host.name", "value": {"stringValue": "h"}}]}),
                        ("scopeSpans", [{"scope": {"name": "t"}, "spans": spans}])]
                world.rng.shuffle(told)
                resources.append(dict(told))
            out.write(json.dumps({"resourceSpans": resources}, separators=(",", ":")) + "\n")


def traces(world):
    for trace in sorted({span["trace"] for span in world.spans}):
        yield trace, [span for span in world.spans if span["trace"] == trace]


def floor_us(world, span):
    begin = world.local(span["host"], span["begin"])
    length = world.local(span["host"], span["end"]) - begin
    return begin // US, length // US


def jaeger(world, path):
    data = []
    for trace, spans in traces(world):
        told = []
        for span in spans:
            begin, length = floor_us(world, span)
            references = []
            if span["parent"]:
                references.append({"refType": "FOLLOWS_FROM" if span.get("follows") else "CHILD_OF", "traceID": trace,
                                   "spanID": span["parent"]["id"]})
            tags = [{"key": "span.kind", "type": "string", "value": span["kind"]}] if span["kind"] else []
            if span.get("failed"):
                tags.append({"key": "error", "type": "bool", "value": True})
            told.append({"traceID": trace, "spanID": span["id"], "operationName": span["name"], "references": references,
                         "startTime": begin, "duration": length, "tags": tags, "processID": "p%d" % span["host"],
                         "logs": [{"timestamp": begin, "fields": [{"key": "event", "type": "string", "value": "hit"}]}]})
        members = [("traceID", trace), ("spans", told),
                   ("processes", {"p%d" % host: {"serviceName": "s%d" % host,
                                                 "tags": [{"key": "hostname", "type": "string", "value": "h"}]}
                                  for host in {span["host"] for span in spans}})]
        data.append(dict(members))
    with open(path, "w") as out:
        json.dump({"data": data, "total": 0, "errors": None}, out, indent=1)


def zipkin(world, path):
    """Servers share the id of their clients."""
    for span in world.spans:
        if span["kind"] == "server":
            span["id"], span["shared"] = span["parent"]["id"], True
    told = []
    for span in world.spans:
        begin, length = floor_us(world, span)
        one = {"traceId": span["trace"], "id": span["id"], "name": span["name"], "timestamp": begin, "duration": max(length, 1),
               "localEndpoint": {"serviceName": "s%d" % span["host"], "ipv4": "10.0.0.%d" % span["host"]},
               "annotations": [{"timestamp": begin, "value": "hit"}], "tags": {"error": "x"} if span.get("failed") else {}}
        if span["kind"] and span["kind"] != "internal":
            one["kind"] = span["kind"].upper()
        parent = span["parent"]
        if span.get("shared"):
            one["shared"] = True
            parent = parent["parent"]
        if parent:
            one["parentId"] = parent["id"]
        told.append(one)
    world.rng.shuffle(told)
    with open(path, "w") as out:
        json.dump(told, out)


NOTATIONS = {"otlp": otlp, "jaeger": jaeger, "zipkin": zipkin}


def world_of(seed, notation):
    world = World(seed, notation == "otlp")
    if notation == "zipkin":
        world.kinds = True
    world.run()
    return world


def make(seed, folder, notations):
    for notation in notations:
        world = world_of(seed, notation)
        NOTATIONS[notation](world, "%s/%s.json" % (folder, notation))
        told = [[s["name"], s["host"], s["kind"], s["begin"], s["end"]] for s in world.spans]
        with open("%s/%s.truth" % (folder, notation), "w") as out:
            json.dump({"clocks": world.clocks, "start": world.start, "spans": told}, out)


def judge(folder, notation, path):
    with open("%s/%s.truth" % (folder, notation)) as text:
        truth = json.load(text)
    true_of = {name: (host, begin, end) for name, host, _, begin, end in truth["spans"]}
    rows = [row for row in csv.DictReader(open(path)) if row["kind"] in ("begin", "end") and row["name"] in true_of]
    hosts = {row["rank"]: true_of[row["name"]][0] for row in rows}
    offset, drift = truth["clocks"][hosts["0"]]  # rank 0 is the reference: its clock says what the time is
    outside = checked = 0
    for row in rows:
        _, begin, end = true_of[row["name"]]
        if notation != "otlp" and row["kind"] == "end" and end - begin < 2 * US:
            continue  # its duration was rounded up
        true_ns = begin if row["kind"] == "begin" else end
        reference = true_ns + offset + int((true_ns - truth["start"]) * drift)
        checked += 1
        outside += not int(row["earliest_ns"]) - 1 <= reference <= int(row["latest_ns"]) + 1
    print("%s: %d times, %d outside of their bounds" % (notation, checked, outside))
    return 1 if outside or checked == 0 else 0


TIMES = {"startTimeUnixNano", "endTimeUnixNano", "timeUnixNano", "startTime", "duration", "timestamp"}


def tokens(value, key=""):
    """The value without its times."""
    if isinstance(value, dict):
        return [(name, tokens(one, name)) for name, one in value.items()]
    if isinstance(value, list):
        return [tokens(one, key) for one in value]
    return type(value).__name__ if key in TIMES else value


def documents(path, notation):
    text = open(path).read()
    return [json.loads(line) for line in text.splitlines()] if notation == "otlp" else json.loads(text)


def spans_of(documents, notation):
    """(key, parent's key, kind, begin, end, failed) of each span."""
    if notation == "otlp":
        for document in documents:
            for resource in document["resourceSpans"]:
                for scope in resource["scopeSpans"]:
                    for s in scope["spans"]:
                        yield (s["spanId"], s.get("parentSpanId"), {2: "server", 3: "client"}.get(s["kind"]),
                               int(s["startTimeUnixNano"]), int(s["endTimeUnixNano"]), bool(s["status"]))
    elif notation == "jaeger":
        for trace in documents["data"]:
            for s in trace["spans"]:
                tags = {tag["key"]: tag["value"] for tag in s["tags"]}
                parent = [r["spanID"] for r in s["references"] if r["refType"] == "CHILD_OF"]
                yield (s["spanID"], parent[0] if parent else None, tags.get("span.kind"), s["startTime"],
                       s["startTime"] + s["duration"], "error" in tags)
    else:
        for s in documents:
            shared = s.get("shared", False)
            yield (s["id"] + "s" * shared, s["id"] if shared else s.get("parentId"), s.get("kind", "").lower(), s["timestamp"],
                   s["timestamp"] + s["duration"], "error" in s["tags"])


def same(notation, before, after):
    first, second = documents(before, notation), documents(after, notation)
    if tokens(first) != tokens(second):
        return "the files differ in more than their times"
    if first == second:
        return "no time was corrected"
    all_spans = {span[0]: span for span in spans_of(second, notation)}
    for key, parent, kind, begin, end, _ in all_spans.values():
        client = all_spans.get(parent)
        if kind == "server" and client and client[2] == "client":
            if begin < client[3]:
                return "%s begins before its client" % key
            if end > client[4] and not client[5] and end - begin < client[4] - client[3]:
                return "%s ends after its client" % key
    return None


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), sys.argv[3], sys.argv[4:])
    elif sys.argv[1] == "same":
        sys.exit(same(*sys.argv[2:5]))
    else:
        sys.exit(judge(*sys.argv[2:5]))
