#!/usr/bin/env python3
"""judge_forms.py BIN FOLDER: writes one course of a clock in the forms of many daemons, versions and collectors of logs,
and checks that `ordo-net judge` finds the same readings and the same faults in each of them."""

import datetime
import gzip
import json
import os
import subprocess
import sys

BIN, FOLDER = sys.argv[1], sys.argv[2]
COUNT, LOST, BACK = 60, 30, 34  # readings; the servo is unlocked from LOST to below BACK
BEGIN = datetime.datetime(2026, 3, 29, 6, 11, 14, tzinfo=datetime.timezone.utc)
OFFSETS = [(i * 7919) % 41 - 20 for i in range(COUNT)]
OFFSETS[LOST] = -54320  # the worst reading
WORST, UP = 54320, 5000.0
failures = 0


def at(i):
    return BEGIN + datetime.timedelta(seconds=i, microseconds=123456)


def up(i):
    return "%.3f" % (UP + i)


def course(reading, loss, relock):
    """Yields (i, text) for each line of the daemon."""
    for i in range(COUNT):
        if i == LOST and loss:
            yield i, "clockcheck: clock jumped backward or running slower than expected!"
            yield i, loss
        state = 0 if LOST <= i < BACK else 2
        yield i, reading(i, state)
        if i == BACK and relock:
            yield i, relock


def ptp4l(i, state):
    return "master offset %10d s%d freq %+7.0f path delay %9d" % (OFFSETS[i], state, -25000 + i, 620 + i % 5)


FAULT = "port 1: SLAVE to UNCALIBRATED on SYNCHRONIZATION_FAULT"
SLAVE = "port 1: UNCALIBRATED to SLAVE on MASTER_CLOCK_SELECTED"
PTP4L = list(course(ptp4l, FAULT, SLAVE))


def named(program, i, text):
    return "%s[%s]: %s" % (program, up(i), text)


def logged(program, i, text):  # by syslog
    return "%s[123]: [%s] %s" % (program, up(i), text)


def day(i):
    return at(i).strftime("%b %d %H:%M:%S")


def iso(i, zone="+00:00", hours=0):
    return (at(i) + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%S.%f") + zone


def epoch(i):
    return "%.6f" % at(i).timestamp()


PREFIXES = {
    "plain": lambda i, t: named("ptp4l", i, t),
    "path": lambda i, t: "/usr/sbin/" + named("ptp4l", i, t),
    "syslog": lambda i, t: "%s host %s" % (day(i), logged("ptp4l", i, t)),
    "syslog-iso": lambda i, t: "%s host %s" % (iso(i), logged("ptp4l", i, t)),
    "syslog-east": lambda i, t: "%s host %s" % (iso(i, "+01:00", 1), logged("ptp4l", i, t)),
    "syslog-west": lambda i, t: "%s host %s" % (iso(i, "-0530", -5.5), logged("ptp4l", i, t)),
    "syslog-3164": lambda i, t: "<30>%s host ptp4l: [%s] %s" % (day(i), up(i), t),
    "syslog-5424": lambda i, t: "<30>1 %s host ptp4l 123 - - [%s] %s" % (iso(i, "Z"), up(i), t),
    "syslog-5424-data": lambda i, t: '<30>1 %s host ptp4l 123 id [a@1 b="c"] [%s] %s' % (iso(i, "Z"), up(i), t),
    "journal-precise": lambda i, t: "%s host %s" % (at(i).strftime("%b %d %H:%M:%S.%f"), logged("ptp4l", i, t)),
    "journal-full": lambda i, t: "%s host %s" % (at(i).strftime("%a %Y-%m-%d %H:%M:%S UTC"), logged("ptp4l", i, t)),
    "journal-unix": lambda i, t: "%s host %s" % (epoch(i), logged("ptp4l", i, t)),
    "journal-monotonic": lambda i, t: "[%12.6f] host %s" % (UP + i + 0.0001, logged("ptp4l", i, t)),
    "journal-cat": lambda i, t: "[%s] %s" % (up(i), t),
    "journal-json": lambda i, t: json.dumps({"__REALTIME_TIMESTAMP": str(int(at(i).timestamp() * 1e6)), "PRIORITY": "6",
                                             "MESSAGE": "[%s] %s" % (up(i), t), "_HOSTNAME": "host",
                                             "SYSLOG_IDENTIFIER": "ptp4l", "_PID": "123"}),
    "docker-json": lambda i, t: json.dumps({"log": named("ptp4l", i, t) + "\n", "stream": "stdout",
                                            "time": iso(i, "789Z")}),
    "docker-compose": lambda i, t: "ptp4l-1  | " + named("ptp4l", i, t),
    "containers": lambda i, t: "%s stdout F %s" % (iso(i, "789Z"), named("ptp4l", i, t)),
    "klog": lambda i, t: "I%s       1 daemon.go:99] %s" % (at(i).strftime("%m%d %H:%M:%S.%f"),
                                                            named("ptp4l", i, "[ptp4l.0.config:6] " + t)),
    "tag-alone": lambda i, t: named("ptp4l", i, "tag.1 " + t),
    "tag": lambda i, t: named("ptp4l", i, "[ptp4l.0.config] " + t),
    "ts": lambda i, t: "%s %s" % (day(i), named("ptp4l", i, t)),
    "ts-brackets": lambda i, t: "[%s] %s" % (at(i).strftime("%Y-%m-%d %H:%M:%S"), named("ptp4l", i, t)),
    "date": lambda i, t: "%s %s" % (at(i).strftime("%a %b %d %H:%M:%S %Y"), named("ptp4l", i, t)),
    "slashes": lambda i, t: "%s %s" % (at(i).strftime("%Y/%m/%d %H:%M:%S"), named("ptp4l", i, t)),
    "month-in-french": lambda i, t: "%s host %s" % (day(i).replace("Mar", "mars"), logged("ptp4l", i, t)),
    "instance": lambda i, t: "%s host %s" % (day(i), logged("ptp4l@eth0", i, t)),
    "no-program": lambda i, t: "%s %s" % (iso(i), t),
}


def write(name, lines, end="\n", last="\n", packed=False, seconds=None):
    path = os.path.join(FOLDER, name)
    data = (end.join(lines) + last).encode("latin-1")
    with (gzip.open if packed else open)(path, "wb") as file:
        file.write(data)
    moment = (seconds or at(COUNT)).timestamp()
    os.utime(path, (moment, moment))
    return path


def judge(name, paths, code=0, options=()):
    done = subprocess.run([os.path.join(BIN, "ordo-net"), "judge", "--json", *options, *paths], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    said = json.loads(done.stdout) if done.stdout else {}
    expect(name, "exit code", done.returncode, code)
    return said


def expect(name, what, found, expected):
    global failures
    if found != expected:
        print("FAILED: %s: %s: %r, expected %r" % (name, what, found, expected))
        failures += 1


def series_of(said, kind="servo"):
    return [s for s in said.get("series", []) if s["kind"] == kind and s["readings"] + s["summaries"] > 0]


def check_offsets(name, said, kind="servo", scale=1, sign=1, count=COUNT):
    series = series_of(said, kind)
    expect(name, "number of series", len(series), 1)
    if not series:
        return {}
    one = series[0]
    mean = sign * scale * sum(OFFSETS[:count]) / count
    expect(name, "readings", one["readings"], count)
    expect(name, "worst", round(one["magnitude_ns"]["max"]), WORST * scale)
    expect(name, "mean", round(one["mean_ns"] / scale, 3), round(mean / scale, 3))
    return one


def kinds(said):
    return sorted(f["kind"] for f in said.get("findings", []) if f["kind"] != "offset-jump")


def check_ptp4l(name, paths, has_time=True):
    said = judge(name, paths)
    one = check_offsets(name, said)
    expect(name, "findings", kinds(said), ["clock-jump", "lock-lost"])
    expect(name, "locks lost", one.get("locks_lost"), 1)
    expect(name, "odd lines", said.get("odd"), [])
    if has_time:
        expect(name, "time unlocked", one.get("unlocked_s"), BACK - LOST)
        expect(name, "time observed", one.get("observed_s"), COUNT - 1)
        expect(name, "interval", one.get("interval_s"), 1)


def wall_of(said, kind):
    return [f["begin"].get("wall_ns") for f in said["findings"] if f["kind"] == kind]


# --- prefixes, which do not change what is found
for form, prefix in PREFIXES.items():
    check_ptp4l(form, [write(form, [prefix(i, text) for i, text in PTP4L])])
for form in ["syslog", "syslog-iso", "syslog-east", "syslog-west", "journal-unix", "journal-json", "klog", "date"]:
    found = wall_of(judge(form, [os.path.join(FOLDER, form)]), "lock-lost")
    expect(form, "second of the loss", [t // 10**9 for t in found], [int(at(LOST).timestamp())])

# --- versions and programs
PLAIN = PREFIXES["plain"]


def version(name, reading, loss=FAULT, relock=SLAVE, program="ptp4l"):
    return write(name, [named(program, i, t) for i, t in course(reading, loss, relock)])


check_ptp4l("1.0", [version("1.0", lambda i, s: ptp4l(i, s).replace("freq", "adj"))])
check_ptp4l("4.0", [version("4.0", ptp4l, FAULT.replace("1:", "1 (eth0):"), SLAVE.replace("1:", "1 (eth0):"))])
check_ptp4l("stable", [version("stable", lambda i, s: ptp4l(i, 3 if s == 2 else 0))])
check_ptp4l("sptp", [version("sptp", lambda i, s: ptp4l(i, s)[len("master "):])])
for form, reading in {
    "phc2sys": lambda i, s: "CLOCK_REALTIME phc offset %9d s%d freq %+7.0f delay %6d" % (OFFSETS[i], s, i, 500),
    "phc2sys-sys": lambda i, s: "eth0 sys offset %9d s%d freq %+7.0f" % (OFFSETS[i], s, i),
    "phc2sys-1.0": lambda i, s: "phc offset %9d s%d freq %+7.0f delay %6d" % (OFFSETS[i], s, i, 500),
    "ts2phc-3": lambda i, s: "/dev/ptp0 master offset %10d s%d freq %+7.0f" % (OFFSETS[i], s, i),
    "ts2phc-4": lambda i, s: "eth0 offset %10d s%d freq %+7.0f holdover" % (OFFSETS[i], s, i),
}.items():
    said = judge(form, [version(form, reading, None, None, form.split("-")[0])])
    one = check_offsets(form, said)
    expect(form, "program", one.get("program"), form.split("-")[0])
    expect(form, "findings", kinds(said), ["lock-lost"])

# --- summaries have a maximum each, and the port tells the lock
for form, delay in {"rms": " delay   625 +/-   1", "rms-alone": ""}.items():
    said = judge(form, [version(form, lambda i, s: "rms %4.0f max %4.0f freq %+6.0f +/- %3.0f%s" %
                                (abs(OFFSETS[i]) / 2, abs(OFFSETS[i]), i, 3, delay))])
    one = series_of(said)[0]
    expect(form, "summaries", (one["readings"], one["summaries"], one["magnitude_ns"]["max"]), (0, COUNT, WORST))
    expect(form, "findings", kinds(said), ["clock-jump", "lock-lost"])
    expect(form, "delays", "delay_mean_ns" in one, form == "rms")

# --- several clocks, processes and hosts in one file
two = [PLAIN(i, "%s phc offset %9d s2 freq +0 delay 500" % (clock, OFFSETS[i] + 1000 * k)).replace("ptp4l", "phc2sys")
       for i in range(COUNT) for k, clock in enumerate(["CLOCK_REALTIME", "eth1"])]
expect("two clocks", "readings", [s["readings"] for s in series_of(judge("two clocks", [write("clocks", two)]))],
       [COUNT, COUNT])
two = [PREFIXES["syslog"](i, ptp4l(i, 2)).replace("[123]", "[%d]" % pid) for i in range(COUNT) for pid in (7, 8)]
expect("two processes", "readings", [s["readings"] for s in series_of(judge("processes", [write("processes", two)]))],
       [COUNT, COUNT])
two = [PREFIXES["syslog"](i, ptp4l(i, 2)).replace(" host ", " %s " % host) for i in range(COUNT) for host in "ab"]
expect("two hosts", "hosts", [s["host"] for s in series_of(judge("hosts", [write("hosts", two)]))], ["a", "b"])
new = [PREFIXES["syslog"](i if i < 30 else i + 9, ptp4l(i, 2)).replace("[123]", "[%d]" % (7 + i // 30)) for i in range(COUNT)]
said = judge("restart", [write("restart", new)])
expect("restart", "findings", ([s["readings"] for s in series_of(said)], kinds(said)), ([COUNT], ["lock-lost", "restart"]))

# --- rotation: any order of the arguments; a copy counts once; an overlap counts once
text = [PREFIXES["syslog-iso"](i, t) for i, t in PTP4L]
plain = [PLAIN(i, t) for i, t in PTP4L]
for form, lines in {"wall": text, "uptime": plain}.items():
    parts = [write("%s.log" % form, lines[50:]), write("%s.log.1" % form, lines[20:50]),
             write("%s.log.2.gz" % form, lines[:20], packed=True)]
    check_ptp4l("rotated " + form, parts)
    check_ptp4l("rotated by date " + form, [write("%s.txt-20260401" % form, lines[25:]), write("%s.txt-20260330.gz" % form,
                                                                                     lines[:25], packed=True)])
    check_ptp4l("rotated by iso date " + form, [write("%s.%s.log" % (form, "x"), lines[40:]), write(
        "%s.x.log.2026-03-29" % form, lines[20:40]), write("%s.x.log.2026-03-28.gz" % form, lines[:20], packed=True)])
    check_ptp4l("copied " + form, [write("%s.a" % form, lines), write("%s.b.gz" % form, lines, packed=True)])
    check_ptp4l("copied in part " + form, [write("%s.c" % form, lines), write("%s.d" % form, lines[:40])])
check_ptp4l("overlap", [write("overlap.1", text[:40]), write("overlap", text[30:])])
year = [PREFIXES["syslog"](i, t) for i, t in PTP4L]
year = [l.replace("Mar 29", "Dec 31" if i < 30 else "Jan  1") for i, l in enumerate(year)]
year = [l.replace("06:11:", "23:59:" if i < 30 else "00:00:").replace("06:12:", "00:01:") for i, l in enumerate(year)]
check_ptp4l("new year", [write("year", year, seconds=datetime.datetime(2027, 1, 2))])

# --- damage: the odd item is counted and named, the rest is read
check_ptp4l("crlf", [write("crlf", plain, end="\r\n", last="\r\n")])
check_ptp4l("mark", [write("mark", ["\xef\xbb\xbf" + plain[0]] + plain[1:])])
check_ptp4l("zeros", [write("zeros", plain[:9] + ["\0" * 5000 + plain[9]] + plain[10:])])
check_ptp4l("foreign", [write("foreign", [l for p in text for l in (p, "Mar 29 06:11:14 host cron[5]: master offset x")])])
for form, odd, bad in [("long", "too-long", "x" * 1000000), ("middle", "too-long", "y" * 20000),
                       ("binary", "binary", "\x7fELF\0\1\2" + "\xff" * 300), ("number", "malformed",
                       "ptp4l[5009.500]: master offset 12x s2 freq +1 path delay 5"),
                       ("overflow", "malformed", "ptp4l[5009.500]: master offset " + "9" * 40 + " s2 freq +1 path delay 5"),
                       ("absurd", "malformed", "ptp4l[5009.500]: master offset 1e300 s2 freq +1 path delay 5"),
                       ("infinite", "malformed", "ptp4l[5009.500]: master offset nan s2 freq inf path delay 5")]:
    said = judge(form, [write("odd-" + form, plain[:9] + [bad] + plain[9:])])
    check_offsets(form, said)
    expect(form, "odd", [(o["kind"], o["count"], o["line"]) for o in said["odd"]], [(odd, 1, 10)])
said = judge("cut", [write("cut", plain + [PLAIN(COUNT, ptp4l(1, 2))[:-2]], last="")])
expect("cut", "odd", [(o["kind"], o["line"]) for o in said["odd"]], [("cut-off", len(plain) + 1)])
expect("cut", "delay", (series_of(said)[0]["readings"], series_of(said)[0]["delay_range_ns"][0]), (COUNT + 1, 620))
packed = gzip.compress("\n".join(plain * 50).encode())
with open(os.path.join(FOLDER, "damaged.gz"), "wb") as file:
    file.write(packed[:len(packed) // 2])
said = judge("damaged", [file.name], 2, ["--max-offset", "1s"])
expect("damaged", "odd", [o["kind"] for o in said["odd"] if o["kind"] != "cut-off"], ["damaged"])
judge("damaged, and exceeded", [file.name], 1, ["--max-offset", "1us"])
back = [PREFIXES["ts-brackets"](i if i < 30 else i - 20, ptp4l(i, 2)).replace("[%s]: " % up(i if i < 30 else i - 20), ": ")
        for i in range(COUNT)]
said = judge("time goes back", [write("back", back)])
expect("time goes back", "findings", ([s["readings"] for s in series_of(said)], kinds(said)), ([COUNT], ["time-back"]))

# --- chronyd: its tables, which end in fewer fields in older versions, and its messages


def row(i):
    return at(i).strftime("%Y-%m-%d %H:%M:%S ")


def us(i):
    return OFFSETS[i] * 1e-6


RULER = "=" * 60
TABLES = {
    "tracking": ("tracking", 1, lambda i: "%-15s %2d %10.3f %10.3f %10.3e N  2  2.940e-03 -2.084e-04  1.534e-02  3.472e-04  8.304e-03"
                 % ("10.0.0.1", 2, -3.5, 0.07, us(i))),
    "tracking-2": ("tracking", 1, lambda i: "%-15s %2d %10.3f %10.3f %10.3e N  2  2.940e-03 -2.084e-04" %
                   ("10.0.0.1", 2, -3.5, 0.07, us(i))),
    "tracking-1": ("tracking", 1, lambda i: "%-15s %2d %10.3f %10.3f %10.3e" % ("10.0.0.1", 2, -3.5, 0.07, us(i))),
    "statistics": ("statistics", 1, lambda i: "%-15s  6.261e-03 %10.3e  2.220e-03  1.874e-06  1.080e-06 7.8e-02  16   0   8  0.00"
                   % ("10.0.0.1", us(i))),
    "statistics-2": ("statistics", 1, lambda i: "%-15s  6.261e-03 %10.3e  2.220e-03  1.874e-06  1.080e-06 7.8e-02  16   0   8"
                     % ("2001:db8::1", us(i))),
    "measurements": ("measurements", -1, lambda i: "%-15s N  2 111 111 1111   6  6 1.00 %10.3e  2.296e-01  1.577e-05  1.615e-01  "
                     "7.446e-03 CB00717B 4B D K" % ("10.0.0.1", us(i))),
    "measurements-2": ("measurements", -1, lambda i: "%-15s N  2 111 111 1111   6  6 1.00 %10.3e  2.296e-01  1.577e-05  1.615e-01  "
                       "7.446e-03" % ("10.0.0.1", us(i))),
}
for form, (kind, sign, columns) in TABLES.items():
    lines = [l for i in range(COUNT) for l in ([RULER, "   Date (UTC) Time     IP Address ...", RULER] if i == 20 else []) +
             [row(i) + columns(i)]]
    one = check_offsets(form, judge(form, [write(form, lines)]), kind, 1000, sign)
    expect(form, "bound", "bound_max_ns" in one, form in ("tracking", "measurements", "measurements-2"))
    expect(form, "interval", one.get("interval_s"), 1)
lines = [l for i in range(COUNT) for l in (
    at(i).strftime("%Y-%m-%d %H:%M:%S.%f ") + "PPS2    7 N 1  4.900000e-07 %13.6e  1.000e-06" % us(i),
    at(i).strftime("%Y-%m-%d %H:%M:%S.%f ") + "PPS2    - N -       -       %13.6e  1.000e-06" % us(i))]
check_offsets("refclocks", judge("refclocks", [write("refclocks", lines)]), "refclock", 1000, -1)
lines = [row(i) + TABLES["measurements"][2](j).replace(" 111 111 ", " %s " % tests) for i in range(COUNT)
         for j, tests in ((i, "111 111"), (LOST, "111 101"))]
said = judge("failed tests", [write("failed", lines[:2 * LOST])])
expect("failed tests", "readings", [s["readings"] for s in series_of(said, "measurements")], [LOST])
lines = [row(i) + TABLES["tracking"][2](i).replace("10.0.0.1 ", "127.127.1.1" if i >= 40 else "10.0.0.1 ") for i in range(COUNT)]
said = judge("own clock", [write("own", lines)])
expect("own clock", "lost", ([s["readings"] for s in series_of(said, "tracking")], kinds(said)), ([40], ["lock-lost", "silence"]))
lines = [row(i) + ("10.0.0.1 2 -3.5 0.07 %.3e %s 2 2e-03 -2e-04 1e-02 3e-04 8e-03" % (us(i), "?" if 30 <= i < 34 else "N"))
         for i in range(COUNT)]
said = judge("leap", [write("leap", lines)])
expect("leap", "lost", (series_of(said, "tracking")[0]["readings"], kinds(said)), (COUNT - 4, ["lock-lost"]))
lines = ["%s host chronyd[9]: %s" % (day(i), text) for i, text in [
    (0, "chronyd version 4.3 starting (+CMDMON)"), (1, "Selected source 10.0.0.1 (a.example)"),
    (9, "System clock wrong by -1.234567 seconds"), (9, "System clock was stepped by -1.234567 seconds"),
    (20, "Can't synchronise: no selectable sources"), (25, "Selected source 10.0.0.2"),
    (40, "Detected falseticker 10.0.0.3"), (45, "Forward time jump detected!")]]
said = judge("chronyd", [write("chronyd", lines + [row(i) + TABLES["tracking"][2](i) for i in range(COUNT)])])
expect("chronyd", "findings", sorted(set(kinds(said))), ["clock-jump", "clock-set", "falseticker", "lock-lost", "new-master"])
expect("chronyd", "step", [f["worst_ns"] for f in said["findings"] if f["kind"] == "clock-set"], [1234567000])

lines = ["%s %s" % (iso(i, "Z"), text) for i, text in [(0, "chronyd version 4.3 starting"), (1, "Selected source 10.0.0.1"),
                                                       (9, "System clock wrong by 1.500000 seconds")]]
said = judge("chronyd -d", [write("chronyd-d", lines)])
expect("chronyd -d", "findings", [(f["kind"], f["worst_ns"]) for f in said["findings"]], [("offset-jump", -1.5e9)])
judge("chronyd -d, exceeded", [os.path.join(FOLDER, "chronyd-d")], 1, ["--max-offset", "1s"])
judge("chronyd -d, not told", [os.path.join(FOLDER, "chronyd-d")], 2, ["--max-offset", "2s"])

# --- chronyc, as a job of cron collects it
TRACKING = """Reference ID    : 0A000001 (10.0.0.1)
Stratum         : 3
Ref time (UTC)  : %s
System time     : %.9f seconds %s of NTP time
Last offset     : -0.000006747 seconds
RMS offset      : 0.000035822 seconds
Frequency       : 3.225 ppm slow
Residual freq   : -0.000 ppm
Skew            : 0.129 ppm
Root delay      : 0.013639022 seconds
Root dispersion : 0.001100737 seconds
Update interval : 64.2 seconds
Leap status     : Normal"""


def tracking(i):
    return TRACKING % (at(i).strftime("%a %b %d %H:%M:%S %Y"), abs(us(i)), "fast" if OFFSETS[i] > 0 else "slow")


check_offsets("chronyc", judge("chronyc", [write("chronyc", [tracking(i) for i in range(COUNT)])]), "tracking", 1000)
for form, stamp in {"date": "%a %b %d %H:%M:%S UTC %Y", "iso": "=== %Y-%m-%dT%H:%M:%S+00:00 ==="}.items():
    lines = [l for i in range(COUNT) for l in (at(i).strftime(stamp), tracking(0 if OFFSETS[i] == OFFSETS[0] else i))]
    one = check_offsets("chronyc " + form, judge(form, [write("chronyc-" + form, lines)]), "tracking", 1000)
    expect("chronyc " + form, "interval", one.get("interval_s"), 1)
lines = ["0A000001,10.0.0.1,3,%s,%.9f,-0.000006747,0.000035822,3.225,-0.000,0.129,0.013639022,0.001100737,64.2,Normal" %
         (epoch(i), -us(i)) for i in range(COUNT)]
check_offsets("chronyc -c", judge("chronyc -c", [write("chronyc-c", lines)]), "tracking", 1000)
lines = [l for i in range(COUNT) for l in (
    at(i).strftime("%a %b %d %H:%M:%S UTC %Y"), "MS Name/IP address         Stratum Poll Reach LastRx Last sample", "=" * 79,
    "^* 10.0.0.1                      2   6   377    23  %+4dus[ -924us] +/-   43ms" % OFFSETS[i],
    "^? 10.0.0.2                      0   8     0     -     +0ns[   +0ns] +/-    0ns",
    "^x 10.0.0.3                      2   6   377    23     +1s[   +1s] +/-   43ms")]
said = judge("sources", [write("sources", lines)])
check_offsets("sources", said, "measurements", 1000)
expect("sources", "findings", sorted(set(kinds(said))), ["falseticker"])
lines = ["^,*,10.0.0.1,2,6,377,23,%.9f,-0.000924,0.043" % us(i) for i in range(COUNT)]
check_offsets("sources -c", judge("sources -c", [write("sources-c", lines)]), "measurements", 1000)
lines = [l for i in range(COUNT) for l in (
    "Name/IP Address            NP  NR  Span  Frequency  Freq Skew  Offset  Std Dev", "=" * 79,
    "10.0.0.1                   11   5   46m     -0.001      0.045  %+5dus    25us" % OFFSETS[i])]
check_offsets("sourcestats", judge("sourcestats", [write("sourcestats", lines)]), "statistics", 1000)

print("%d failures" % failures)
sys.exit(failures > 0)
