#!/usr/bin/env python3
"""Writes profiles of a host and its devices as PyTorch's profiler writes them, and judges corrected ones.

devices.py FOLDER: writes the profiles.
devices.py --judge FILE MOST_NS: checks that the kernels of FILE are within MOST_NS of their true times, which are in
their args, that the true times are within their bounds, and that the arrows and annotations went with the kernels.
"""
import json
import random
import sys


def us(ns):
    return round(ns / 1000, 3)


class Profile:
    """A profile of one rank. offset and drift (ppb) are those of the devices' clocks; the device shows t + offset(t)."""

    def __init__(self, seed, rank, offsets, drifts, streams=2, notes=True, base=0):
        self.random = random.Random(seed)
        self.rank, self.offsets, self.drifts = rank, offsets, drifts
        self.streams, self.notes, self.base = streams, notes, base
        self.at, self.correlation, self.events = 1_000_000, 100, []
        self.free = {}
        self.seq = 0

    def shown(self, device, true):
        return true + self.offsets[device] + int(self.drifts[device] * 1e-9 * (true - 1_000_000))

    def span(self, name, cat, pid, tid, begin, end, args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": us(begin + self.base),
                            "dur": us(end - begin), "args": args})

    def call(self, name, length, extra=None):
        self.correlation += 1
        begin = self.at
        self.at += length
        args = {"External id": self.correlation, "cbid": 211, "correlation": self.correlation}
        self.span(name, "cuda_runtime", 4000, 4000, begin, self.at, args)
        self.at += self.random.randrange(500, 20_000)
        return self.correlation, begin

    def launch(self, device, stream, name="void gemm<128>(float*)", length=None, more=None):
        correlation, begin = self.call("cudaLaunchKernel", self.random.randrange(2_000, 9_000))
        start = max(begin + self.random.randrange(3_000, 9_000), self.free.get((device, stream), 0) + 1_000)
        end = start + (length or self.random.randrange(2_000, 90_000))
        self.free[(device, stream)] = end
        args = {"device": device, "stream": stream, "correlation": correlation, "External id": correlation,
                "true_begin": start + self.base, "true_end": end + self.base}
        args.update(more or {})
        seen, until = self.shown(device, start), self.shown(device, end)
        self.span(name, "kernel", device, stream, seen, until, args)
        if correlation % 3 == 0:
            self.span("step", "gpu_user_annotation", device, stream, seen, until, {"External id": correlation})
        flow = {"id": correlation, "cat": "ac2g", "name": "ac2g"}
        self.events.append({"ph": "s", "pid": 4000, "tid": 4000, "ts": us(begin + self.base), **flow})
        self.events.append({"ph": "f", "bp": "e", "pid": device, "tid": stream, "ts": us(seen + self.base), **flow})

    def synchronise(self, device, stream=None):
        waited = [end for (d, s), end in self.free.items() if d == device and stream in (None, s)]
        done = max([self.at] + waited) + self.random.randrange(1_500, 6_000)
        name = "cudaDeviceSynchronize" if stream is None else "cudaStreamSynchronize"
        correlation, begin = self.call(name, done - self.at)
        if self.notes:
            kind = "Context Sync" if stream is None else "Stream Sync"
            self.span(kind, "cuda_sync", device, -1 if stream is None else stream, begin, done,
                      {"cuda_sync_kind": kind, "device": device, "stream": -1 if stream is None else stream,
                       "correlation": correlation})

    def run(self, kernels, sync_every):
        for i in range(kernels):
            device = self.random.randrange(len(self.offsets))
            stream = 7 + 13 * self.random.randrange(self.streams)
            self.launch(device, stream)
            if sync_every and self.random.randrange(sync_every) == 0:
                self.synchronise(device, stream if self.random.randrange(2) else None)
        if sync_every:
            for device in range(len(self.offsets)):
                self.synchronise(device)

    def write(self, path, drop=lambda event: False):
        names = [{"ph": "M", "name": "process_name", "pid": d, "tid": 0, "ts": 0, "args": {"name": "python"}}
                 for d in range(len(self.offsets))]
        names += [{"ph": "M", "name": "process_labels", "pid": d, "tid": 0, "ts": 0, "args": {"labels": f"GPU {d}"}}
                  for d in range(len(self.offsets))]
        document = {"schemaVersion": 1,
                    "deviceProperties": [{"id": d, "name": "NVIDIA"} for d in range(len(self.offsets))],
                    "distributedInfo": {"backend": "nccl", "rank": self.rank, "world_size": 2},
                    "traceEvents": names + [e for e in self.events if not drop(e)],
                    "traceName": path}
        with open(path, "w") as out:
            json.dump(document, out)


def write_all(folder):
    p = Profile(1, 0, [-5_000_000, 0], [0, 0])
    p.run(400, 8)
    p.write(folder + "/behind.json")
    p = Profile(2, 0, [3_000_000], [20_000], streams=1)
    p.run(3000, 5)
    p.write(folder + "/drift.json")
    p = Profile(3, 0, [-2_000_000], [0], streams=1, notes=False)
    p.run(200, 10)
    p.write(folder + "/unnoted.json")
    p = Profile(4, 0, [2_000_000, 2_000_000], [0, 0], notes=False)
    p.run(200, 10)
    p.write(folder + "/unknown.json")
    p = Profile(5, 0, [-2_000_000], [0])
    p.run(200, 0)
    p.write(folder + "/launches.json")
    p = Profile(9, 0, [-2_000_000], [0], streams=1, notes=False)
    p.run(100, 0)
    for _ in range(20):
        p.launch(0, 7, length=50_000)
        p.call("cudaStreamSynchronize", 100)
    p.write(folder + "/premature.json")
    p = Profile(6, 0, [-4_000_000], [0])
    p.run(200, 10)
    p.write(folder + "/holes.json", lambda e: e.get("cat") == "cuda_runtime" and e["args"]["correlation"] % 4 == 0 or
            e.get("cat") == "kernel" and e["args"]["correlation"] % 7 == 0)
    p = Profile(8, 0, [-4_000_000], [0], streams=1, notes=False)
    p.run(100, 10)
    for event in p.events:
        event.get("args", {}).pop("correlation", None)
    p.write(folder + "/external.json")
    p = Profile(7, 0, [-4_000_000], [0])
    p.run(100, 10)
    for event in p.events[len(p.events) // 2:]:
        if event.get("cat") in ("kernel", "gpu_user_annotation") or event["ph"] == "f":
            event["ts"] += 9_000
    p.write(folder + "/steps.json")


def write_nccl(rank, late, path):
    """Rank 1's host is 3 ms ahead of rank 0's; the device of rank 0 is 5 ms behind its host, that of rank 1 2 ms ahead.
    Kernels of rank 1 begin at least `late` ns after their launch, so the offset of its device is known less well."""
    late = [0, late][rank]
    shared = random.Random(99)
    p = Profile(10 + rank, rank, [[-5_000_000, 2_000_000][rank]], [0], base=[0, 3_000_000][rank])
    for seq in range(40):
        meeting = (seq + 1) * 3_000_000 + shared.randrange(100_000) + 1_000_000
        p.at = meeting - late - p.random.randrange(20_000, 90_000)
        p.free[(0, 20)] = p.at + late
        p.launch(0, 20)
        correlation, begin = p.call("cudaLaunchKernel", 3_000)
        start, end = max(begin + 5_000, p.free[(0, 20)] + 500), meeting + 130_000 + p.random.randrange(2_000)
        p.free[(0, 20)] = end
        p.span("ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", "kernel", 0, 20, p.shown(0, start), p.shown(0, end),
               {"device": 0, "stream": 20, "correlation": correlation, "Seq": seq, "Process Group Name": "0",
                "Process Group Ranks": "[0, 1]", "Collective name": "allreduce", "true_begin": start, "true_end": end})
        p.synchronise(0, 20)
    for event in p.events:
        for key in ("true_begin", "true_end"):
            if event.get("cat") == "kernel" and "Seq" not in event["args"]:
                event["args"][key] -= p.base
        if event.get("cat") == "cuda_runtime":
            event["args"]["true_begin"] = round(event["ts"] * 1000) - p.base
    p.write(path)


def judge(path, most):
    events = json.load(open(path))["traceEvents"]
    worst, kernels, starts, outside = 0, 0, set(), 0
    for e in events:
        if "true_begin" in e.get("args", {}):
            outside += not e["args"]["earliest_ns"] <= e["args"]["true_begin"] <= e["args"]["latest_ns"]
        if e.get("cat") != "kernel":
            continue
        kernels += 1
        starts.add((e["pid"], e["tid"], round(e["ts"] * 1000)))
        begin, end = round(e["ts"] * 1000), round(e["ts"] * 1000 + e["dur"] * 1000)
        true = e["args"]["true_begin"], e["args"]["true_end"]
        worst = max(worst, abs(begin - true[0]), abs(end - true[1]))
    alone = [e for e in events if (e["ph"] == "f" or e.get("cat") == "gpu_user_annotation")
             and (e["pid"], e["tid"], round(e["ts"] * 1000)) not in starts]
    print(kernels, "kernels, worst", worst, "ns,", outside, "outside,", len(alone), "left behind")
    return kernels > 0 and worst <= most and outside == 0 and not alone


if sys.argv[1] == "--judge":
    sys.exit(not judge(sys.argv[2], int(sys.argv[3])))
if sys.argv[1] == "--nccl":
    write_nccl(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
else:
    write_all(sys.argv[1])
