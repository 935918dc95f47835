#!/usr/bin/env python3
"""Compares the simulated machine `here` with the real one, at one and two threads.

    lab/cores/validate.py FOLDER [BUILD]

Runs ordo-bench and ordo-bench-cores of BUILD (default: build) on the workloads below, keeps their JSON in FOLDER, and prints
for each cell the simulated time of an operation, its interval, the real one, and their ratio. A file that is already in FOLDER
is not measured again: delete it if the machine was disturbed. A real time is the CPU time of an operation: the elapsed time
multiplied by the share of the CPUs that the threads had. With a share below 0.5 it is no figure: its cell is not counted."""
import json
import os
import statistics
import subprocess
import sys

BOUNDARY = ["--boundary", "300"]
BOTH = ["--stamp", "ordo,logical"]
MOST_SECONDS = 300  # of one run; a longer one has no figure
LEAST_SHARE = 0.5  # two threads that have less seldom run at the same time
# name, virtual seconds of the simulation, stamp and algorithms of the cells, the command
WORKLOADS = [
    ("clock", 0.0001, ["get_time"], ["clock"]),
    ("rlu-list", 0.0001, ["rlu"], ["rlu", "--structure", "list", "--update-percent", "20", "--baseline", "none"] + BOTH),
    ("rlu-hash", 0.0002, ["rlu"], ["rlu", "--structure", "hash", "--update-percent", "20", "--baseline", "none"] + BOTH),
    ("rlu-tree", 0.0001, ["rlu"], ["rlu", "--structure", "tree", "--update-percent", "20", "--baseline", "none"] + BOTH),
    ("mvrlu-hash", 0.0002, ["mvrlu"], ["rlu", "--algorithm", "mvrlu", "--structure", "hash", "--update-percent", "20",
                                       "--baseline", "none"] + BOTH),
    ("stm-hash", 0.0002, ["stm"], ["stm", "--structure", "hash", "--update-percent", "20", "--baseline", "none"] + BOTH),
    ("oplog-map", 0.0002, ["oplog"], ["oplog", "--structure", "map", "--read-permille", "10", "--baseline", "mutex"] + BOTH),
    ("hekaton-ycsb-a", 0.002, ["hekaton"], ["txn", "--engine", "hekaton", "--workload", "ycsb-a", "--theta", "0.9",
                                            "--rows", "16384"] + BOTH),
    ("occ-tpcc", 0.0003, ["occ"], ["txn", "--engine", "occ", "--workload", "tpcc"] + BOTH),
    ("silo-smallbank", 0.003, ["silo"], ["txn", "--engine", "silo", "--workload", "smallbank", "--rows", "16384"]),
    ("tictoc-ycsb-b", 0.002, ["tictoc"], ["txn", "--engine", "tictoc", "--workload", "ycsb-b", "--rows", "16384"]),
    ("merge", 0.0003, ["merge"], ["merge", "--streams", "64", "--producers", "0"]),
    ("contention", 0.0002, ["add", "cas", "mutex", "ticket", "tsc", "monotone", "strict", "clock"], ["contention"]),
]


def measured(path, command):
    if not os.path.exists(path):
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=MOST_SECONDS).stdout
        with open(path, "wb") as file:
            file.write(text)
    with open(path) as file:
        return json.load(file)["results"]


def key_of(cell):
    return cell["algorithm"], cell["stamp"], cell["workload"], cell["threads"]


def is_shown(cell, algorithms):
    return (cell["algorithm"] in algorithms and cell["stamp"] in (None, "ordo")
            and cell["workload"] not in ("timestamps", "allocation", "in-context"))


def times(cell):
    rate = cell["ops_per_s"]
    return 1e9 / rate["median"], 1e9 / rate["high"], 1e9 / rate["low"]


def main():
    folder, build = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "build"
    errors = []
    os.makedirs(folder, exist_ok=True)
    print("| workload | threads | simulated ns | interval | real ns | share | ratio |\n|---|---|---|---|---|---|---|")
    for name, seconds, algorithms, command in WORKLOADS:
        options = command[1:] + BOUNDARY + ["--threads", "1,2", "--json"]
        bench = [f"{build}/bin/ordo-bench", command[0], "--runs", "15", "--seconds", "0.05"]
        cores = [f"{build}/bin/ordo-bench-cores", "here", "--", command[0], "--runs", "3", "--seconds", str(seconds)]
        try:
            real = {key_of(cell): cell for cell in measured(f"{folder}/{name}.real.json", bench + options)}
            simulated = measured(f"{folder}/{name}.sim.json", cores + options)
        except (subprocess.SubprocessError, json.JSONDecodeError) as failure:
            print(f"| {name} | | not measured: {type(failure).__name__} | | | | |")
            continue
        for cell in simulated:
            if not is_shown(cell, algorithms):
                continue
            other = real[key_of(cell)]
            ns, low, high = times(cell)
            real_ns = times(other)[0] * other["cpu_share"]
            label = name if len(algorithms) == 1 else f"{name} {cell['algorithm']}"
            if name != "contention" and other["cpu_share"] >= LEAST_SHARE:
                errors.append(abs(ns / real_ns - 1))
            print(f"| {label} | {cell['threads']} | {ns:.1f} | {low:.1f} to {high:.1f} | {real_ns:.1f} | "
                  f"{other['cpu_share']:.2f} | {ns / real_ns:.2f} |")
    if errors:
        print(f"\nWithout contention: {len(errors)} cells, median error {100 * statistics.median(errors):.0f}%, "
              f"worst {100 * max(errors):.0f}%, above 30%: {sum(e > 0.3 for e in errors)}")


main()
