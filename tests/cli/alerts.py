#!/usr/bin/python3
"""alerts.py SOURCE watch|net: every alert of doc/monitoring fires when it must, and at no other time, on what `ordo watch` or `ordo-net measure`
writes.

The samples begin as those of tests/cli/watch.prom, which was recorded from `ordo watch --once --metrics`, or tests/net/measure.prom, recorded from
`ordo-net measure --metrics`; tests/cli/watch.sh and tests/net/alarm.sh compare the names and types with what is written now. promtool evaluates the rules if it is installed (on Debian the package prometheus). Otherwise, and beside it, so that
the two are compared, this program does, which knows no more of PromQL than the rules need and stops at everything else."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, OF_NET = sys.argv[1], sys.argv[2] == "net"
RULES = os.path.join(SOURCE, "doc/monitoring", "ordo-net-alerts.yml" if OF_NET else "ordo-alerts.yml")
RECORDED = os.path.join(SOURCE, "tests", "net/measure.prom" if OF_NET else "cli/watch.prom")
MINUTES = 120
STALE_S = 300  # how far an instant selector looks back, in seconds

# --- samples


def recorded():
    """The samples by series, and the types by name."""
    samples, types = {}, {}
    for line in open(RECORDED):
        words = line.split()
        if words[1] == "TYPE":
            types[words[2]] = words[3]
        elif words[0] != "#":
            samples[words[0]] = float(words[1])
    return samples, types


SAMPLES, TYPES = recorded()


def labelled(series, instance):
    name, _, labels = series.partition("{")
    return "%s{%s" % (name, labels[:-1] + "," if labels else "") + 'instance="%s"}' % instance


def healthy():
    """By series a value for each minute; None: no sample."""
    made = {series: [value] * MINUTES for series, value in SAMPLES.items()}
    for series in made:
        if series.endswith("_total"):
            made[series] = [0.0] * MINUTES
    if OF_NET:
        made["ordo_net_seen_timestamp_seconds"] = [60.0 * i for i in range(MINUTES)]
        return made
    made["ordo_watch_seen_timestamp_seconds"] = [60.0 * i for i in range(MINUTES)]
    made["ordo_watch_cpu_ratio"] = [0.001] * MINUTES
    made["ordo_watch_asked_ratio"] = [0.001] * MINUTES
    made["ordo_boundary_seconds"] = [1e-7] * MINUTES
    return made


def steps(*values):
    """steps((0, a), (30, b)): a from minute 0 on, and b from minute 30 on."""
    return [[value for begin, value in values if begin <= i][-1] for i in range(MINUTES)]


def gone(from_minute, to_minute=MINUTES):
    return {series: [None if from_minute <= i < to_minute else value for i, value in enumerate(values)]
            for series, values in healthy().items()}


VALID, MISSING = 'ordo_verdict{verdict="valid"}', 'ordo_verdict{verdict="missing"}'
BOUNDARY, SEEN = "ordo_boundary_seconds", "ordo_watch_seen_timestamp_seconds"
NOBODY = {series: [None] * MINUTES for series in healthy()}

# For each case: the series that differ from those of a healthy host, and the alerts that must fire at some minutes.
CASES = {
    "nothing is wrong": ({}, {20: [], 110: []}),
    "the record is withdrawn": ({VALID: steps((0, 1), (30, 0))}, {29: [], 35: ["OrdoRecordDisrupted"]}),
    "a disruption": ({"ordo_disruptions_total": steps((0, 0), (30, 1))},
                     {29: [], 35: ["OrdoDisruptions"], 85: ["OrdoDisruptions"], 110: []}),
    "a disruption before the first sample": (dict(gone(0, 30), ordo_disruptions_total=steps((0, None), (30, 1))),
                                             {35: ["OrdoDisruptions"], 110: []}),
    "a watcher that starts anew, and a disruption": ({"ordo_disruptions_total": steps((0, 0), (2, 5), (70, 0), (72, 1))},
                                                     {69: [], 75: ["OrdoDisruptions"]}),
    "a drift": ({"ordo_boundary_left_seconds": steps((0, float("inf")), (30, 3600))}, {29: [], 31: ["OrdoClockDrifts"]}),
    "the boundary grows": ({BOUNDARY: steps((0, 1e-7), (30, 1e-5))}, {29: [], 45: ["OrdoBoundaryGrew"]}),
    "a large boundary, missing for a while": ({BOUNDARY: steps((0, 2e-6), (20, 0), (25, 2e-6)),
                                               VALID: steps((0, 1), (20, 0), (25, 1)),
                                               MISSING: steps((0, 0), (20, 1), (25, 0))},
                                              {24: ["OrdoRecordDisrupted"], 60: []}),
    "a calibration that fails now and then": ({"ordo_calibration_refusals_total": steps((0, 0), (20, 1), (50, 2))}, {60: []}),
    "calibrations that fail again and again": ({"ordo_calibration_refusals_total": [i // 10 for i in range(MINUTES)]},
                                               {10: [], 70: ["OrdoCalibrationRefused"]}),
    "a watcher that hangs": ({SEEN: steps(*[(i, 60.0 * min(i, 30)) for i in range(MINUTES)])},
                             {31: [], 45: ["OrdoWatcherSilent"], 110: ["OrdoWatcherSilent"]}),
    "figures that are gone": (gone(30), {29: [], 45: ["OrdoWatcherSilent"], 110: ["OrdoWatcherSilent"]}),
    "a file that cannot be written": ({"ordo_file_troubles_total": [max(0, i - 30) for i in range(MINUTES)]},
                                      {29: [], 35: ["OrdoWatcherCannotWrite"], 110: ["OrdoWatcherCannotWrite"]}),
    "a file that cannot be written from the beginning": (dict(gone(0, 30), ordo_file_troubles_total=steps((0, None), (30, 1))),
                                                         {35: ["OrdoWatcherCannotWrite"], 60: []}),
    "a gap in the figures, and old counts": (dict(gone(20, 40), **{
        counter: [None if 20 <= i < 40 else 5 for i in range(MINUTES)]
        for counter in ("ordo_disruptions_total", "ordo_calibration_refusals_total", "ordo_file_troubles_total")}),
                                            {60: [], 90: [], 110: []}),
    "a costly watcher": ({"ordo_watch_cpu_ratio": steps((0, 0.5)), "ordo_watch_uptime_seconds": steps((0, 1000))},
                         {20: [], 40: ["OrdoWatcherCostly"]}),
    "no figures of any host": (NOBODY, {5: [], 20: ["OrdoNotWatched"]}),
}


APART, VAGUE = 'ordo_net_alarms{limit="offset"}', 'ordo_net_alarms{limit="bound"}'
UNDECIDED, FAILED = 'ordo_net_pairs{limit="offset",finding="undecided"}', "ordo_net_windows_failed_total"
NET_CASES = {
    "nothing is wrong": ({}, {20: [], 110: []}),
    "two hosts are apart": ({APART: steps((0, 0), (30, 3), (50, 0))}, {29: [], 30: ["OrdoHostsApart"], 49: ["OrdoHostsApart"], 50: []}),
    "wide intervals": ({VAGUE: steps((0, 0), (30, 3), (35, 0), (50, 1))}, {34: [], 45: [], 55: [], 65: ["OrdoHostsVague"]}),
    "a pair that cannot be told": ({UNDECIDED: steps((0, 0), (30, 1), (60, 0))}, {35: [], 45: ["OrdoHostsUndecided"], 65: []}),
    "a host that does not answer": ({"ordo_net_hosts_answering": steps((0, SAMPLES.get("ordo_net_hosts")), (30, 1))},
                                    {33: [], 40: ["OrdoHostsSilent"]}),
    "a contradiction": ({"ordo_net_edges_contradicting": steps((0, 0), (30, 3))}, {29: [], 32: ["OrdoHostsContradict"]}),
    "a window now and then without a result": ({FAILED: [i // 20 for i in range(MINUTES)]}, {50: [], 110: []}),
    "windows without results": ({FAILED: [max(0, i - 30) for i in range(MINUTES)]}, {29: [], 40: ["OrdoHostsUnmeasured"]}),
    "a command that hangs": ({"ordo_net_seen_timestamp_seconds": steps(*[(i, 60.0 * min(i, 30)) for i in range(MINUTES)])},
                             {31: [], 45: ["OrdoHostsUnmeasured"], 110: ["OrdoHostsUnmeasured"]}),
    "figures that are gone": (gone(30), {29: [], 45: ["OrdoHostsUnmeasured"]}),
}
CASES = NET_CASES if OF_NET else CASES


def series_of(case):
    """Host a has the case, and host b is well, unless nobody is watched."""
    differs = CASES[case][0]
    made = {labelled(series, "a"): values for series, values in dict(healthy(), **differs).items()}
    if differs is not NOBODY:
        made.update({labelled(series, "b"): values for series, values in healthy().items()})
    return made


# --- the part of PromQL that the rules need

TOKENS = re.compile(r'\s*(?:(\d[\d.e+-]*(?![smhd\w]))|(\d+[smhd])|(\w+)|("[^"]*")|(>=|<=|==|!=|[-+*/<>(){}\[\],:=]))')
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Rule:
    """Evaluates an expression: a float, or values by label sets."""

    def __init__(self, text, series):
        self.tokens, at = [], 0
        while at < len(text.rstrip()):
            match = TOKENS.match(text, at)
            assert match, "not known here: " + text[at:]
            self.tokens.append(match.group().strip())
            at = match.end()
        self.series, self.at = series, 0
        self.tree = self.either()
        assert self.at == len(self.tokens), "not known here: " + " ".join(self.tokens[self.at:])

    def peek(self, *wanted):
        return self.at < len(self.tokens) and self.tokens[self.at] in wanted

    def next(self, *wanted):
        token = self.tokens[self.at]
        assert not wanted or token in wanted, "%s in place of %s" % (token, wanted)
        self.at += 1
        return token

    def chain(self, part, *operators):
        tree = part()
        while self.peek(*operators):
            tree = (self.next(), tree, part())
        return tree

    def either(self):
        return self.chain(self.both, "or")

    def both(self):
        return self.chain(self.comparison, "and", "unless")

    def comparison(self):
        return self.chain(self.sum, "<", ">", "==")

    def sum(self):
        return self.chain(self.product, "-")

    def product(self):
        return self.chain(self.ranged, "*")

    def duration(self):
        token = self.next()
        return int(token[:-1]) * SECONDS[token[-1]]

    def ranged(self):
        tree = self.primary()
        if self.peek("["):
            self.next()
            range_s = self.duration()
            step_s = self.duration() if self.peek(":") and self.next() else None
            self.next("]")
            tree = ("range", tree, range_s, step_s)
        if self.peek("offset"):
            self.next()
            tree = ("offset", tree, self.duration())
        return tree

    def primary(self):
        token = self.next()
        if token == "(":
            tree = self.either()
            self.next(")")
            return tree
        if token[0].isdigit():
            return float(token)
        if self.peek("("):
            self.next()
            arguments = [] if self.peek(")") else [self.either()]
            self.next(")")
            return ("call", token, *arguments)
        return ("select", token, self.matchers())

    def matchers(self):
        found = set()
        if self.peek("{"):
            self.next()
            while not self.peek("}"):
                name = self.next()
                self.next("=")
                found.add((name, self.next().strip('"')))
                if self.peek(","):
                    self.next()
            self.next()
        return found

    def select(self, name, matchers, from_s, to_s):
        """By label sets the samples that are later than from_s and not later than to_s."""
        found = {}
        for labels, values in self.series.get(name, {}).items():
            if matchers <= labels:
                some = [value for i, value in enumerate(values) if from_s < 60 * i <= to_s and value is not None]
                if some:
                    found[labels] = some
        return found

    def window(self, tree, range_s, step_s, at_s):
        if step_s is None:
            return self.select(tree[1], tree[2], at_s - range_s, at_s)
        found = {}
        first_s = max(0, at_s - range_s - (at_s - range_s) % step_s + step_s) # no sample is earlier than 0
        for then_s in range(first_s, at_s + 1, step_s):
            for labels, value in self.value(tree, then_s).items():
                found.setdefault(labels, []).append(value)
        return found

    def call(self, name, argument, at_s):
        if name == "time":
            return float(at_s)
        if name == "absent":
            return {} if self.value(argument, at_s) else {frozenset(): 1.0}
        if argument[0] == "offset":
            at_s, argument = at_s - argument[2], argument[1]
        found = self.window(argument[1], argument[2], argument[3], at_s)
        if name == "min_over_time":
            return {labels: min(values) for labels, values in found.items()}
        if name == "last_over_time":
            return {labels: values[-1] for labels, values in found.items()}
        assert name == "increase", name + ": not known here"
        return {labels: sum(b - a if b >= a else b for a, b in zip(values, values[1:]))
                for labels, values in found.items() if len(values) > 1} # Prometheus also extrapolates, but no rule depends on that

    def value(self, tree, at_s):
        if isinstance(tree, float):
            return tree
        if tree[0] == "select":
            return {labels: values[-1] for labels, values in self.select(tree[1], tree[2], at_s - STALE_S, at_s).items()}
        if tree[0] == "offset":
            return self.value(tree[1], at_s - tree[2])
        if tree[0] == "call":
            return self.call(tree[1], tree[2] if len(tree) > 2 else None, at_s)
        return self.combine(tree[0], self.value(tree[1], at_s), self.value(tree[2], at_s))

    def combine(self, operator, a, b):
        if operator == "or":
            return {**b, **a}
        if operator in ("and", "unless"):
            return {labels: value for labels, value in a.items() if (labels in b) == (operator == "and")}
        if not isinstance(a, dict):
            a = {labels: a for labels in b}
        if not isinstance(b, dict):
            b = {labels: b for labels in a}
        both = {labels: (a[labels], b[labels]) for labels in a if labels in b}
        if operator in ("-", "*"):
            return {labels: x - y if operator == "-" else x * y for labels, (x, y) in both.items()}
        holds = {"<": lambda x, y: x < y, ">": lambda x, y: x > y, "==": lambda x, y: x == y}[operator]
        return {labels: x for labels, (x, y) in both.items() if holds(x, y)}


def rules():
    """The alerts: name, expression, and for how many seconds it must hold."""
    found = []
    for line in open(RULES):
        key, _, value = line.strip().removeprefix("- ").partition(": ")
        if key == "alert":
            found.append([value, None, 0])
        elif key == "expr":
            found[-1][1] = value
        elif key == "for":
            found[-1][2] = int(value[:-1]) * SECONDS[value[-1]]
    return found


def parsed(series):
    """By name and label set."""
    found = {}
    for text, values in series.items():
        name, _, labels = text.partition("{")
        found.setdefault(name, {})[frozenset(re.findall(r'(\w+)="([^"]*)"', labels))] = values
    return found


def firing(case):
    """At each minute of the case the alerts that fire, each with the instance."""
    series, minutes = parsed(series_of(case)), CASES[case][1]
    fire = {minute: set() for minute in minutes}
    for name, text, for_s in rules():
        rule, since = Rule(text, series), {}
        for minute in range(max(minutes) + 1):
            since = {labels: since.get(labels, minute) for labels in rule.value(rule.tree, 60 * minute)}
            if minute in fire:
                fire[minute] |= {(name, dict(labels).get("instance", ""))
                                 for labels, began in since.items() if 60 * (minute - began) >= for_s}
    return fire


# --- the tests


def check_names():
    """Counters are asked for increases, and nothing else is; every name was recorded."""
    complaints = []
    for name, text, _ in rules():
        for metric in re.findall(r"\bordo_\w+", text):
            if metric not in TYPES:
                complaints.append("%s: %s is not written" % (name, metric))
        for metric in re.findall(r"increase\((\w+)", text):
            if TYPES.get(metric) != "counter":
                complaints.append("%s: %s is no counter" % (name, metric))
    for metric, kind in TYPES.items():
        if metric.endswith("_total") != (kind == "counter"):
            complaints.append("%s is a %s" % (metric, kind))
    fire = {alert for _, wanted in CASES.values() for alerts in wanted.values() for alert in alerts}
    complaints += ["no case in which %s fires" % name for name, _, _ in rules() if name not in fire]
    return complaints


def wanted(case, minute):
    names = CASES[case][1][minute]
    return {(name, "" if name == "OrdoNotWatched" else "a") for name in names}


def check_here():
    complaints = []
    for case in CASES:
        complaints += ["%s, minute %d: %s in place of %s" % (case, minute, sorted(fire), sorted(wanted(case, minute)))
                       for minute, fire in firing(case).items() if fire != wanted(case, minute)]
    return complaints


def promtool_test(case):
    series = [{"series": name, "values": " ".join("_" if value is None else "%.17g" % value for value in values).replace("inf", "Inf")}
              for name, values in series_of(case).items()]
    tests = [{"expr": 'count by (alertname, instance) (ALERTS{alertstate="firing"})', "eval_time": "%dm" % minute,
              "exp_samples": [{"labels": '{alertname="%s"%s}' % (name, ', instance="%s"' % instance if instance else ""), "value": 1}
                              for name, instance in sorted(wanted(case, minute))]} for minute in CASES[case][1]]
    return {"interval": "1m", "name": case, "input_series": series, "promql_expr_test": tests}


def check_promtool():
    """By promtool, whose test files are YAML, of which JSON is a part."""
    if not shutil.which("promtool"):
        print("alerts: no promtool here; judged by this program alone")
        return []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tests.yml")
        with open(path, "w") as file:
            json.dump({"rule_files": [os.path.abspath(RULES)], "evaluation_interval": "1m",
                       "tests": [promtool_test(case) for case in CASES]}, file)
        run = subprocess.run(["promtool", "test", "rules", path], capture_output=True, text=True)
        return [] if run.returncode == 0 else ["promtool: " + run.stdout + run.stderr]


COMPLAINTS = check_names() + check_here() + check_promtool()
for complaint in COMPLAINTS:
    print("FAILED:", complaint)
sys.exit(1 if COMPLAINTS else 0)
