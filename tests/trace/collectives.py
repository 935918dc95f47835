"""collectives.py FOLDER: writes traces of ranks that take part in collectives, and whose true times are known.
collectives.py --judge TRACE...: checks that the bounds of every event of a corrected trace contain its true time, which
is in its name (CSV) or its "args" (JSON). Prints how far the likely times are off, in ns: the median and the worst."""

import json
import pathlib
import random
import statistics
import sys

OFFSETS_NS = [0, 3_000_000_000, -65_000_000_000, 1_700_000_000_000_000_000, 77]
RATES = [0, 4e-6, -11e-6, 20e-6, 1e-7]


def read(rank, true_ns):
    return int(true_ns + OFFSETS_NS[rank] + RATES[rank] * true_ns)


def calls(members, count, apart_ns, late_ns, regular=False):
    """Returns for each call the times at which each member enters and leaves."""
    at, made = 1e9, []
    for _ in range(count):
        at += apart_ns if regular else apart_ns * random.uniform(0.5, 1.5)
        enter = {rank: at + random.uniform(0, late_ns) for rank in members}
        last = max(enter.values())
        made.append({rank: (enter[rank], last + random.uniform(2000, 3000)) for rank in members})
    return made


def rows(name, made, rank, number=None, communicator=0, root=None, drop=()):
    for i, call in enumerate(made):
        if rank in call and i not in drop:
            for kind, at in zip(("begin", "end"), call[rank]):
                columns = [rank, read(rank, at), kind, name, communicator, "" if root is None else root, "" if number is None else number + i, int(at)]
                yield ",".join(map(str, columns))


def threads(made, rank):
    """Returns the barriers of one rank, in no order."""
    lines = list(rows("MPI_Barrier", made, rank))
    pairs = [lines[i:i + 2] for i in range(0, len(lines), 2)]
    random.shuffle(pairs)
    for pair in pairs:
        yield from pair


def uneven(rank):
    """Returns barriers, and calls between them in which rank 0 receives nothing and leaves 5 ms before rank 1 enters."""
    for i in range(20):
        at = 1e9 + 1e7 * i
        call = {0: (at, at + 1000), 1: (at + 5e6, at + 5e6 + 1000)}
        barrier = {0: (at + 6e6, at + 6e6 + 3000), 1: (at + 6e6 + 500, at + 6e6 + 3100)}
        yield from rows(("MPI_Alltoallv", "MPI_Allgatherv", "MPI_Reduce_scatter")[i % 3], [call], rank)
        yield from rows("MPI_Barrier", [barrier], rank)


def csv(path, *parts):
    lines = ["rank,time_ns,kind,name,communicator,root,number,true_ns"]
    for part in parts:
        lines.extend(part)
    path.write_text("\n".join(lines) + "\n")


def profile(path, rank, groups):
    """Writes a profile as PyTorch does: kernels with their group and number, and the host's records of them."""
    events = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "GPU"}}]
    for name, (members, made, drop) in groups.items():
        for i, call in enumerate(made):
            if rank not in call or (rank, i) in drop:
                continue
            enter, leave = (read(rank, at) for at in call[rank])
            args = {"Process Group Name": name, "Process Group Ranks": str(members), "Seq": i, "Collective name": "allreduce", "true_ns": int(call[rank][0]), "end_true_ns": int(call[rank][1])}
            events.append({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 100, "tid": 1, "ts": (enter - 30000) / 1000, "dur": 12.5, "args": {key: args[key] for key in ("Process Group Name", "Process Group Ranks", "Seq")}})
            kernel = {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "pid": 0, "tid": "stream " + name}
            half = (enter + leave) // 2  # the collectives of group 1 are two kernels
            parts = [(enter, half - 10), (half, leave)] if name == "1" else [(enter, leave)]
            for at, end in parts:
                own = {**args, "true_ns": int(call[rank][0]) + at - enter, "end_true_ns": int(call[rank][1]) + end - leave}
                events.append({**kernel, "ts": at / 1000, "dur": (end - at) / 1000, "args": own})
    if rank == 2:  # the numbers tell what belongs together, not the order in the file
        random.shuffle(events)
    text = json.dumps({"schemaVersion": 1, "distributedInfo": {"rank": rank, "world_size": 4}, "traceEvents": events})
    path.write_text(text)


def write(folder):
    random.seed(61)
    made = calls([0, 1], 20, 1e7, 50000)
    csv(folder / "barriers.csv", *(rows("MPI_Barrier", made, rank) for rank in (0, 1)))
    made = calls([0, 1, 2], 40, 1e7, 50000)
    csv(folder / "hole.csv", *(rows("MPI_Barrier", made, rank, drop=(17, 18) if rank == 1 else ()) for rank in range(3)))
    made = calls([0, 1], 40, 1e7, 500, regular=True)
    csv(folder / "regular.csv", *(rows("MPI_Barrier", made, rank, drop=(0,) if rank == 1 else ()) for rank in (0, 1)))
    made = calls([0, 1], 40, 1e7, 50000)
    csv(folder / "both.csv", *(rows("MPI_Barrier", made, rank, drop=(7 if rank else 23,)) for rank in (0, 1)))
    made = calls([0, 1, 2], 60, 1e8, 50000)
    csv(folder / "numbered.csv", *(rows("MPI_Allreduce", made, rank, number=5, drop=range(rank, 60, 7)) for rank in range(3)))
    made = calls([0, 1], 20, 1e7, 50000)
    csv(folder / "bcast.csv", *(rows("MPI_Bcast", made, rank, root=0) for rank in (0, 1)))
    made = calls([0, 1, 2], 40, 1e7, 50000)
    lines = [list(rows("MPI_Barrier", made, rank)) for rank in range(3)]
    lines[1][20:20] = lines[1][20:22]
    lines[2].insert(30, lines[2][30])
    csv(folder / "twice.csv", *lines)
    csv(folder / "threads.csv", *(threads(made, rank) for rank in range(3)))
    csv(folder / "uneven.csv", *(uneven(rank) for rank in (0, 1)))
    csv(folder / "rootless.csv", *(rows("MPI_Bcast", made, rank) for rank in (0, 1)))
    world, pair, groups = [0, 1, 2, 3], [1, 3], {}
    drop = {(1, 3), (1, 4), (3, 9), (2, 30)}
    groups["0"] = (world, calls(world, 40, 1e8, 1e5), drop)
    groups["1"] = (pair, calls(pair, 40, 1e8, 1e5), set())
    for rank in world:
        profile(folder / f"nccl.{rank}.json", rank, groups)


def judge(path):
    off, outside = [], 0
    def check(true_ns, earliest, likely, latest):
        nonlocal outside
        outside += not earliest <= true_ns + 1 or not true_ns - 1 <= latest
        off.append(abs(likely - true_ns))
    if path.endswith(".json"):
        for event in json.load(open(path))["traceEvents"]:
            args = event.get("args", {})
            if "true_ns" in args:
                check(args["true_ns"], args["earliest_ns"], event["ts"] * 1000, args["latest_ns"])
                check(args["end_true_ns"], args["end_earliest_ns"], (event["ts"] + event["dur"]) * 1000, args["end_latest_ns"])
    else:
        lines = [line.split(",") for line in open(path).read().split()]
        place = {name: i for i, name in enumerate(lines[0])}
        for line in lines[1:]:
            check(*(int(line[place[name]]) for name in ("true_ns", "earliest_ns", "global_ns", "latest_ns")))
    print(round(statistics.median(off)), round(max(off)), len(off))
    if outside:
        sys.exit(f"{path}: {outside} of {len(off)} true times are outside of their bounds")


if sys.argv[1] == "--judge":
    for name in sys.argv[2:]:
        judge(name)
else:
    write(pathlib.Path(sys.argv[1]))
