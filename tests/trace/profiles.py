#!/usr/bin/env python3
"""profiles.py make FOLDER: writes traces in the shapes of many profilers, and `expected` with what is in them.
profiles.py same BEFORE AFTER: compares a trace with its corrected form, as an independent reader of both.
profiles.py merged AFTER BEFORE...: the same, for a trace that was merged of the traces of several ranks.
profiles.py large FILE COUNT: writes a profile of COUNT events, to measure the time of a reader (140 bytes an event).
profiles.py wide FILE COUNT: the same with the spaces and args that PyTorch writes (300 bytes an event).

The shapes imitate what profilers write: who writes what is said at each. No file is theirs."""
import collections, gzip, json, os, random, re, subprocess, sys


class Made:
    """The events of a trace, with what a reader should count."""

    def __init__(self, seed):
        self.events, self.kinds, self.odd = [], collections.Counter(), collections.Counter()
        self.random = random.Random(seed)

    def add(self, kind, event, odd=None):
        self.events.append(event)
        self.kinds[kind] += 1
        if odd:
            self.odd[odd] += 1

    def span(self, name, pid, tid, ts, dur, odd=None, **members):
        self.add("begins" if odd == "no_duration" else "spans",
                 {"ph": "X", "name": name, "pid": pid, "tid": tid, "ts": ts, **({} if dur is None else {"dur": dur}), **members}, odd)

    def meta(self, what, pid, tid, value):
        self.add("remarks", {"name": what, "ph": "M", "pid": pid, "tid": tid, "args": {"name": value}})

    def text(self, event):
        return json.dumps(event, separators=(",", ":"))

    def array(self, between=",\n"):
        return "[\n" + between.join(map(self.text, self.events)) + "\n]"

    def document(self, before="", behind=""):
        return "{" + before + '"traceEvents":' + self.array() + behind + "}\n"


def kineto(seed, rank, whole_us=False, start=0.0):
    """PyTorch: pids of the process, its devices and "Spans"; arrows from launches to kernels; ts with three places, or whole
    microseconds since 1970 in older versions."""
    made, pid = Made(seed), 20111 + rank
    at = (lambda t: int(1700000000000000 + start + t)) if whole_us else (lambda t: round(start + t, 3))
    dur = int if whole_us else (lambda d: round(d, 3))
    for i in range(40):
        t = 100.0 * i
        made.span("ProfilerStep#%d" % i, pid, pid, at(t), dur(90), cat="user_annotation")
        made.span("aten::linear", pid, pid, at(t + 5.25), dur(60), cat="cpu_op",
                  args={"External id": i, "Input Dims": [[8, 4], []], "Call stack": "a.py(1): f;\"q\" \\ b.py"})
        made.span("aten::addmm", pid, pid, at(t + 10.5), dur(30.125), cat="cpu_op", args={"Ev Idx": i})
        made.span("cudaLaunchKernel", pid, pid, at(t + 12), dur(5), cat="cuda_runtime", args={"correlation": i})
        made.add("others", {"ph": "s", "id": i, "pid": pid, "tid": pid, "ts": at(t + 12), "cat": "ac2g", "name": "ac2g"})
        made.add("others", {"ph": "f", "id": i, "pid": 0, "tid": 7, "ts": at(t + 20), "cat": "ac2g", "name": "ac2g", "bp": "e"})
        made.span("void gemm<float, 4>(T*, {1})", 0, "stream 7" if i % 2 else 7, at(t + 20), dur(25), cat="kernel",
                  args={"stream": 7, "grid": [1, 1, 1], "occupancy": 0.5})
    made.meta("process_name", pid, 0, "python")
    made.meta("process_name", 0, 0, "GPU 0")
    made.meta("thread_name", 0, 7, "stream 7")
    made.add("remarks", {"name": "process_sort_index", "ph": "M", "ts": at(0), "pid": 0, "tid": 0, "args": {"sort_index": 5}})
    made.span("PyTorch Profiler (0)", "Spans", "PyTorch Profiler", at(0), dur(4000), cat="Trace")
    made.add("points", {"name": "Iteration Start: PyTorch Profiler", "ph": "i", "s": "g", "pid": "Traces", "tid": "Trace", "ts": at(0)})
    made.add("points", {"name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": at(4100)})
    return made


def browser(seed):
    """Chrome and V8: phases of all kinds, asynchronous events with ids of several scopes, counters, objects."""
    made = Made(seed)
    for i in range(30):
        t = 300000000 + 1000 * i
        made.add("begins", {"ph": "B", "name": "RunTask", "cat": "toplevel", "pid": 812, "tid": 1, "ts": t, "args": {}})
        made.add("points", {"ph": "I", "name": "Paint", "cat": "a,b", "pid": 812, "tid": 1, "ts": t + 5, "s": "t"})
        made.add("ends", {"ph": "E", "name": "RunTask", "cat": "toplevel", "pid": 812, "tid": 1, "ts": t + 900, "tts": 5, "args": {"x": None}})
        made.add("begins", {"ph": "b", "cat": "net", "id": hex(i), "name": "Request", "pid": 812, "tid": 1, "ts": t + 1})
        made.add("points", {"ph": "n", "cat": "net", "id": hex(i), "name": "Response", "pid": 812, "tid": 2, "ts": t + 2})
        made.add("ends", {"ph": "e", "cat": "net", "id": hex(i), "name": "Request", "pid": 812, "tid": 2, "ts": t + 1500})
        made.add("begins", {"ph": "b", "cat": "gpu", "id2": {"local": "0x1"}, "name": "Frame", "pid": 900, "tid": 3, "ts": t + 1})
        made.add("ends", {"ph": "e", "cat": "gpu", "id2": {"local": "0x1"}, "name": "Frame", "pid": 900, "tid": 3, "ts": t + 8})
        made.add("others", {"ph": "C", "name": "heap", "pid": 812, "tid": 1, "ts": t, "args": {"used": i, "free": 9 - i}})
        made.add("others", {"ph": "O", "name": "Layer", "id": "0x7f", "pid": 812, "tid": 1, "ts": t, "args": {"snapshot": {"id_ref": "0x2"}}})
        made.span("Commit", 900, 3, t + 10, 20, bind_id="0x%x" % i, flow_out=True, tdur=3)
        made.span("Draw", 900, 4, t + 40, 20, bind_id="0x%x" % i, flow_in=True)
    made.add("others", {"ph": "c", "name": "clock_sync", "pid": 812, "tid": 1, "ts": 300000000, "args": {"sync_id": "x"}})
    made.add("others", {"ph": "R", "name": "navigationStart", "pid": 812, "tid": 1, "ts": 300000000})
    made.meta("thread_name", 812, 1, "CrRendererMain")
    return made


def stacks(seed):
    """Importers of flame graphs, such as speedscope: names and durations that are missing, ts as texts, ends that come early."""
    made = Made(seed)
    made.add("begins", {"ph": "B", "name": "main", "pid": 0, "tid": 0, "ts": 0})
    made.add("begins", {"ph": "B", "name": "inner", "pid": 0, "tid": 0, "ts": "10"})
    made.add("ends", {"ph": "E", "pid": 0, "tid": 0, "ts": 20})
    made.add("ends", {"ph": "E", "name": "main", "pid": 0, "tid": 0, "ts": 1e3})
    made.span("open", 0, "worker", 5, None, "no_duration")
    made.span("null", 0, "worker", 6, None, "no_duration", args={"a": 1})
    made.span("zero", 0, 1, 5.5, 0)
    made.span("negative", 0, 1, 7, -2, "negative_duration")
    made.add("ends", {"ph": "E", "name": "before", "pid": 0, "tid": 2, "ts": 30}, "early_end")
    made.add("begins", {"ph": "B", "name": "before", "pid": 0, "tid": 2, "ts": 25}, "open_begin")
    made.add("remarks", {"ph": "i", "name": "timeless", "pid": 0, "tid": 2}, "no_time")
    made.add("others", {"name": "phaseless", "pid": 0, "tid": 2, "ts": 1}, "no_phase")
    return made


def calls(seed, pids, count=50):
    """Tracers of calls: deep spans on threads of some processes."""
    made = Made(seed)
    for pid in pids:
        for i in range(count):
            for depth in range(4):
                made.span("f%d" % depth, pid, 140000000000000 + depth % 1, round(1e6 + 100.001 * i + depth, 3), round(50.5 - 2 * depth, 3),
                          cat="FEE")
    return made


def make(folder):
    files, expected = {}, {}

    def put(name, made, data, **odd):
        data = data if isinstance(data, bytes) else data.encode()
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        expected[name] = {"of_kind": dict(made.kinds), "odd": dict(made.odd + collections.Counter(odd))}

    device = '"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],'
    info = '"distributedInfo":{"backend":"nccl","rank":%d,"world_size":2},'
    base = '"displayTimeUnit":"ms","baseTimeNanoseconds":%d,'
    name = ',\n"traceName":"/tmp/trace.json"'
    for rank in (0, 1):
        made = kineto(rank, rank, start=12000000.0 - 2e6 * rank)
        text = made.document(device + info % rank + base % (1766000000000000000 + rank * 2 * 10**9), name)
        put("rank%d.pt.trace.json" % rank, made, text)
        put("rank%d.pretty.json" % rank, made, json.dumps(json.loads(text), indent=2))
        put("rank%d.pt.trace.json.gz" % rank, made, gzip.compress(text.encode()))
    made = kineto(5, 0, whole_us=True)
    put("kineto-2.0.json", made, made.document(device))
    put("facts-behind.json", made, made.document("", ',"distributedInfo":{"rank":0},"deviceProperties":[{"a":[1]}],"baseTimeNanoseconds":"0"'))
    put("facts-behind.json.gz", made, gzip.compress(made.document("", ',"distributedInfo":{"rank":0},"baseTimeNanoseconds":0').encode()))
    bare = kineto(6, 0)
    text = bare.document(device).replace('"occupancy":0.5', '"occupancy":NaN,"bandwidth (GB/s)":inf,"x":-Infinity')
    put("nan.json", bare, text, no_number=40)
    made = browser(7)
    put("browser.json", made, made.document('"metadata":{"os-name":"Linux"},', ',"stackFrames":{"1":{"name":"f"}},"samples":[]'))
    put("browser-array.json", made, made.array())
    put("unclosed.json", made, made.array()[:-2], no_bracket=1)
    put("unclosed-comma.json", made, made.array()[:-2] + ",\n", no_bracket=1)
    put("trailing-comma.json", made, made.array()[:-2] + ",\n]", comma=1)
    put("leading-comma.json", made, "[," + made.array()[1:], comma=1)
    lines = [made.text(event) for event in made.events]
    put("lines.pfw", made, "[\n" + "\n".join(lines) + "\n]\n", no_comma=len(lines) - 1)
    put("lines-open.pfw", made, "[\n" + "\n".join(lines) + "\n", no_comma=len(lines) - 1, no_bracket=1)
    half = len(lines) // 2 # a member of gzip for each block of lines
    put("lines.pfw.gz", made, gzip.compress(("[\n" + "\n".join(lines[:half]) + "\n").encode()) +
        gzip.compress(("\n".join(lines[half:]) + "\n]\n").encode()), no_comma=len(lines) - 1)
    put("node.jsonl", made, "\n".join(lines) + "\n")
    put("node-commas.jsonl", made, ",\n".join(lines) + ",\n")
    put("mark.json", made, b"\xef\xbb\xbf" + made.document().encode())
    put("two.json", made, made.array().replace(lines[half - 1] + ",", lines[half - 1] + "][", 1), document=1)
    made = stacks(8)
    put("stacks.json", made, made.array())
    put("stacks-object.json", made, made.document())
    made = calls(9, [3933029])
    put("viztracer.json", made, made.document('"viztracer_metadata":{"version":"0.16"},', ',"file_info":{"files":{}}'))
    put("pids.json", calls(10, [31646, 31647, "worker", 4194000]), calls(10, [31646, 31647, "worker", 4194000]).array())
    nano = calls(11, [5])
    for event in nano.events:
        event["ts"], event["dur"] = 1672924880617123457 + int(event["ts"] * 1000), int(event["dur"] * 1000)
    put("nanoseconds.json", nano, nano.document('"displayTimeUnit":"ns",'), nanoseconds=1)
    quoted = calls(12, [5])
    for event in quoted.events:
        event["ts"], event["dur"], event["pid"] = str(event["ts"]), "%.4e" % event["dur"], str(event["pid"])
    put("texts.json", quoted, quoted.document())
    anonymous = Made(13)
    for i in range(9):
        anonymous.add("spans", {"ph": "X", "name": "Total %d" % i, "ts": 10 * i, "dur": 5})
    put("clang.json", anonymous, anonymous.document("", ',"beginningOfTime":1700000000000000'))
    collective = Made(14)
    for i in range(20):
        collective.add("begins", {"name": "AllReduce", "cat": "COLL", "ph": "b", "id": i, "pid": 3, "tid": 1, "ts": 10 * i, "args": {"Seq": i}})
        collective.add("ends", {"name": "AllReduce", "cat": "COLL", "ph": "e", "id": i, "pid": 3, "tid": 1, "ts": 10 * i + 25})
    put("nccl.json", collective, collective.array())
    counters = Made(15)
    for i in range(20):
        counters.add("others", {"name": "power", "ph": "C", "pid": 1, "ts": i, "args": {"W": i}})
    put("counters.json", counters, counters.array())
    remarks = Made(16)
    remarks.meta("process_name", 1, 0, "idle")
    put("remarks.json", remarks, remarks.document())
    many = Made(18) # the members that matter follow more members than a reader keeps at hand, or are repeated
    for i in range(20):
        many.add("spans", {**{"m%d" % k: k for k in range(60)}, "ph": "X", "name": "many", "pid": 4, "tid": 5, "ts": 10 * i, "dur": 5,
                           "args": {"a%d" % k: [k] for k in range(60)}})
        many.add("others", {**{"m%d" % k: k for k in range(60)}, "ph": "C", "name": "many", "pid": 4, "ts": i, "args": {"W": i}})
    put("many.json", many, many.document())
    put("repeated.json", many, many.document().replace('"pid":4', '"pid":3,"pid":4').replace('"args":', '"args":{"b":1},"args":'))
    deep = Made(19)
    for depth in range(1, 900, 7): # json itself stops at a thousand
        deep.span("deep", 1, 1, 10 * depth, 5, args={"stack": json.loads("[" * depth + "]" * depth)})
    put("deep.json", deep, deep.document('"metadata":%s,' % ("[" * 900 + "]" * 900)))
    large_member = Made(20)
    large_member.span("a", 1, 1, 10, 5)
    put("large-members.json", large_member, large_member.document('"metadata":{"source":"%s"},' % ("x" * 9000000), ',"systemTraceEvents":"%s"' % ("y" * 9000000)))
    kernel = Made(21) # the text of another tracer within a member, before the events and on their line
    kernel.span("a", 1, 1, 10, 5)
    text = '"systemTraceEvents":"# tracer: nop\\n  a-1     [000]     5.000000: x: y\\n",'
    put("kernel.json", kernel, kernel.document(text))
    put("kernel-array.json", kernel, "[" + kernel.text(kernel.events[0]).replace('"ph"', '"note":"  a-1     [000]     5.000000: x: y","ph"') + "]")
    empty = Made(17)
    put("empty.json", empty, "[]")
    with open(os.path.join(folder, "expected"), "w") as file:
        json.dump(expected, file)


def large(path, count):
    draw, t = random.Random(1), 12000000.0
    names = ["aten::linear", "aten::addmm", "aten::t", "ProfilerStep#12", "cudaLaunchKernel", "nn.Module: Linear_0",
             "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>"]
    forms = ['{"ph":"X","cat":"cpu_op","name":"%(name)s","pid":20111,"tid":20111,"ts":%(t).3f,"dur":%(d).3f,'
             '"args":{"External id":%(i)d,"Record function id":0,"Ev Idx":%(i)d}}',
             '{"ph":"s","id":%(i)d,"pid":20111,"tid":20111,"ts":%(t).3f,"cat":"ac2g","name":"ac2g"}',
             '{"ph":"f","id":%(i)d,"pid":0,"tid":7,"ts":%(t).3f,"cat":"ac2g","name":"ac2g","bp":"e"}',
             '{"ph":"X","cat":"kernel","name":"%(name)s","pid":0,"tid":7,"ts":%(t).3f,"dur":%(d).3f,'
             '"args":{"device":0,"stream":7,"correlation":%(i)d,"grid":[1,1,1],"block":[128,1,1]}}']
    with open(path, "w") as file:
        file.write('{"deviceProperties":[],"distributedInfo":{"rank":0},"baseTimeNanoseconds":1766000000000000000,"traceEvents":[\n')
        for i in range(count):
            t += draw.random() * 10
            event = forms[i % 4] % {"name": names[i % 7], "t": t, "d": draw.random() * 9, "i": i - (i % 4 == 2)}
            file.write(event + ("\n" if i + 1 == count else ",\n"))
        file.write('],"traceName":"x.json"}\n')


def wide(path, count):
    """A span of an operator, its call, the arrow, and the kernel, with the spaces, args and names that PyTorch writes."""
    draw, name = random.Random(1), "void at::native::%s_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3> >(int, char*)"
    host = '"pid": 20111, "tid": 20111,\n    "ts": %(t).3f'
    device = '"pid": 0, "tid": 7,\n    "ts": %(t).3f'
    forms = ['"ph": "X", "cat": "cpu_op", "name": "aten::linear", ' + host + ', "dur": %(d).3f,\n    "args": {\n      "External id": %(i)d,'
             '"Record function id": 0, "Concrete Inputs": ["", "", ""], "Input type": ["float", "float", ""], "Input Strides": '
             '[[512, 1], [1, 512], []], "Input Dims": [[%(n)d, 512], [512, 512], []], "Ev Idx": %(i)d\n    }',
             '"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", ' + host + ', "dur": %(d).3f,\n    "args": {\n      '
             '"External id": %(i)d, "cbid": 211, "correlation": %(i)d\n    }',
             '"ph": "s", "id": %(i)d, ' + host + ',\n    "cat": "ac2g", "name": "ac2g"',
             '"ph": "X", "cat": "kernel", "name": "' + name % "vectorized_elementwise" + '", ' + device + ', "dur": %(d).3f,\n    "args": {\n'
             '      "External id": %(i)d,"queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": %(i)d, "registers per thread": 32, '
             '"shared memory": 0, "blocks per SM": 0.592593, "warps per SM": 2.37037, "grid": [%(n)d, 1, 1], "block": [128, 1, 1]\n    }',
             '"ph": "f", "id": %(i)d, ' + device + ',\n    "cat": "ac2g", "name": "ac2g", "bp": "e"']
    with open(path, "w") as file:
        file.write('{\n  "schemaVersion": 1,\n  "distributedInfo": {"rank": 0},\n  "baseTimeNanoseconds": 0,\n  "traceEvents": [\n')
        for i in range(count):
            values = {"t": 1.7e15 + 8 * i + draw.random(), "d": 5 + draw.random(), "i": i // 5 + 1, "n": draw.randrange(1, 512)}
            file.write("  {\n    " + forms[i % 5] % values + "\n  }" + (",\n" if i + 1 < count else "\n"))
        file.write('  ],\n  "traceName": "x.json"\n}\n')


def events_of(path):
    """Reads a trace as a lenient viewer does."""
    data = open(path, "rb").read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    text = data.decode("utf-8-sig")
    try:
        document = json.loads(re.sub(r":-?inf\b", ":Infinity", text))
    except ValueError:
        decoder, document, at = json.JSONDecoder(), [], 0
        while at < len(text):
            if text[at] in "[], \n":
                at += 1
                continue
            value, at = decoder.raw_decode(text, at)
            document.append(value)
    return (document, {}) if isinstance(document, list) else (document["traceEvents"], {k: v for k, v in document.items() if k != "traceEvents"})


def number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def shape(events, rank=None):
    """What must be the same before and after: tracks with their names, bars, arrows, asynchronous events, counters."""
    tracks, bars, ends = collections.defaultdict(collections.Counter), collections.Counter(), collections.defaultdict(list)
    for event in events:
        ph = event.get("ph")
        if ph == "M" or ph is None or number(event.get("ts")) is None:
            continue
        track = (str(event.get("pid", rank)), str(event.get("tid")))
        tracks[track][(ph, event.get("name"), event.get("cat"))] += 1
        if ph == "X":
            bars[event["name"]] += 1
        if ph in "stfbneSTpF":
            ends[(event.get("cat"), event.get("name") if ph in "stf" else None, json.dumps(event.get("id", event.get("id2"))),
                  track[0] if "id2" in event else None)].append((ph, track[1]))
    return (collections.Counter(frozenset(names.items()) for names in tracks.values()), bars,
            collections.Counter(tuple(sorted(end)) for end in ends.values()))


def crossings(events):
    """Counts bars of a track that overlap without one being within the other."""
    tracks, count = collections.defaultdict(list), 0
    for event in events:
        if event.get("ph") == "X" and number(event.get("ts")) is not None and number(event.get("dur")) is not None:
            begin = number(event["ts"])
            tracks[(str(event.get("pid")), str(event.get("tid")))].append((round(begin * 1000), round((begin + max(number(event["dur"]), 0)) * 1000)))
    for bars in tracks.values():
        bars.sort(key=lambda bar: (bar[0], -bar[1]))
        around = []
        for begin, end in bars:
            while around and around[-1] <= begin:
                around.pop()
            count += bool(around) and end > around[-1]
            around.append(end)
    return count


def kept(before, after):
    """Every member and arg of an event is there after, but for its time, process and ids."""
    strip = lambda event: json.dumps({k: v for k, v in event.items() if k not in ("ts", "dur", "pid", "id", "id2", "bind_id", "args")}, sort_keys=True)
    args = lambda event: json.dumps({k: str(v) if isinstance(v, float) and (v != v or v in (float("inf"), float("-inf"))) else v
                                     for k, v in (event.get("args") or {}).items() if not k.endswith("_ns")}, sort_keys=True)
    plain = lambda text: text.replace('"inf"', '"Infinity"').replace('"nan"', '"NaN"').replace('"-inf"', '"-Infinity"').replace('"-Infinity"', '"-Infinity"')
    of = lambda events: collections.Counter((strip(e), plain(args(e))) for e in events if e.get("ph") != "M")
    return of(before), of(after)


def times(events):
    """The times and lengths of the events of each phase and name, sorted."""
    of = collections.defaultdict(list)
    for event in events:
        if event.get("ph") not in ("M", None) and number(event.get("ts")) is not None:
            of[event["ph"], event.get("name")].append((number(event["ts"]), max(number(event.get("dur")) or 0, 0)))
    return {key: sorted(values) for key, values in of.items()}


def check_times(was, now, per_us):
    """A trace of one clock keeps its times, to the nanosecond or the precision of a double."""
    was, now = times(was), times(now)
    assert was.keys() == now.keys(), (was.keys() ^ now.keys())
    for key in was:
        for a, b in zip(was[key], now[key]):
            far = max(abs(x / per_us - y) for x, y in zip(a, b))
            assert far <= max(0.0011, abs(b[0]) * 3e-16), (key, a, b)


def same(before, after):
    (was, others), (now, others_now) = events_of(before), events_of(after)
    was = [event for event in was if isinstance(event, dict)]
    a, b = kept(was, now)
    assert a == b, ("members", list((a - b).items())[:2], list((b - a).items())[:2])
    for what, x, y in zip(("tracks", "bars", "arrows"), shape(was), shape(now)):
        assert x == y, (what, x - y, y - x)
    assert crossings(now) <= crossings(was), ("crossings", crossings(was), crossings(now))
    check_times(was, now, 1000 if "nanoseconds" in before else 1)
    curves = lambda events: [event.get("args") for event in events if event.get("ph") == "C"]
    assert curves(was) == curves(now), "counters"
    assert sum("pid" in event for event in now) == sum("pid" in event for event in was), "pids"
    assert all(others_now.get(key) == value for key, value in others.items()), ("members", others.keys() - others_now.keys())


def merged(after, befores):
    now, others = events_of(after)
    ranks = {str(event["pid"]): event["args"]["rank"] for event in now if event.get("name") == "ordo_rank"}
    assert "distributedInfo" not in others, others.keys()
    called = {key: {str(event["pid"]): event["args"][key[8:]] for event in now if event.get("name") == key}
              for key in ("process_labels", "process_name")}
    names = called["process_labels"] | called["process_name"]
    assert all(names[pid].startswith("rank %d" % ranks[pid]) for pid in ranks), (names, ranks)
    total = [collections.Counter(), collections.Counter(), collections.Counter()]
    for rank, path in enumerate(befores):
        was = events_of(path)[0]
        own = [event for event in now if ranks.get(str(event.get("pid"))) == rank]
        a, b = kept(was, own)
        assert a == b, ("members of rank", rank, list((a - b).items())[:2], list((b - a).items())[:2])
        for i, part in enumerate(shape(was)):
            total[i] += part
        assert crossings(own) <= crossings(was), ("crossings of rank", rank)
    for what, x, y in zip(("tracks", "bars", "arrows"), total, shape(now)):
        assert x == y, (what, x - y, y - x)


if __name__ == "__main__":
    {"make": make, "same": same, "large": lambda path, count: large(path, int(count)),
     "wide": lambda path, count: wide(path, int(count)),
     "merged": lambda after, *before: merged(after, before)}[sys.argv[1]](*sys.argv[2:])
