"""look.py make NAME: writes a trace. look.py CHECK BROWSER: checks the page of a trace in a browser. Exit 2: too slow."""
import json
import random
import sys

from browser import Browser

HEAD = "rank,time_ns,kind,name,peer,tag,bytes,global_ns,earliest_ns,latest_ns"
NAMES = ["solve", "exchange", "pack", "unpack", "assemble", "io", "checkpoint"]
HOSTILE = ["</script><script>window.hacked=1</script>", "<img src=https://example.org/x onerror=window.hacked=1>",
           "${window.hacked=1}", "javascript:window.hacked=1", "<style>*{display:none}</style>", "<!--<script>", "</script <img src=https://example.org/y "]


def steps(ranks, names, events):
    """Yields the events of steps in which each rank works, sends to its neighbour, and enters a barrier."""
    chance, now, count = random.Random(1), 10**9, 0
    while count < events:
        rows, last = [], 0
        for rank in range(ranks):
            at = now + chance.randrange(2000)
            rows.append((at, rank, "begin", "step", "", "", ""))
            for _ in range(4):
                name, length = chance.choice(names), chance.randrange(500, 20000)
                rows += [(at + 100, rank, "begin", name, "", "", ""), (at + length, rank, "end", name, "", "", "")]
                if length > 8000:
                    rows += [(at + 200, rank, "begin", "kernel", "", "", ""), (at + length - 100, rank, "end", "kernel", "", "", "")]
                at += length + 200
            peer = (rank + 1) % ranks
            rows += [(at, rank, "send", "", peer, 1, 64), (at + 3000, peer, "recv", "", rank, 1, 64), (at + 10, rank, "begin", "MPI_Barrier", "", "", "")]
            last = max(last, at + 3500)
        for rank in range(ranks):
            rows += [(last + 3 * rank, rank, "end", "MPI_Barrier", "", "", ""), (last + 300 + 3 * rank, rank, "end", "step", "", "", "")]
        rows.sort(key=lambda row: row[0])
        count += len(rows)
        yield from rows
        now = last + 2000


def make_steps(ranks, names, events):
    print(HEAD)
    for at, rank, kind, name, peer, tag, size in steps(ranks, names, events):
        quoted = '"' + name.replace('"', '""') + '"' if name else ""
        print(f"{rank},{at + 1000003 * rank},{kind},{quoted},{peer},{tag},{size},{at},{at - 300 - 20 * rank},{at + 300 + 20 * rank}")


def make_spans():
    """Nested spans of two threads, in random order, as profilers write them; and spans that overlap without nesting."""
    chance, events = random.Random(2), []

    def fill(thread, begin, end, depth):
        events.append({"ph": "X", "pid": 0, "tid": thread, "name": f"depth {depth}", "ts": begin, "dur": end - begin})
        while depth < 6 and end - begin > 20:
            length = chance.randrange(5, max(6, (end - begin) // 2))
            fill(thread, begin, min(begin + length, end), depth + 1)
            begin += length + chance.randrange(0, 5)

    for thread in (1, 2):
        fill(thread, 1000, 200000, 0)
    for i in range(200):
        events.append({"ph": "X", "pid": 0, "tid": 3, "name": "crossing", "ts": 1000 + 10 * i, "dur": 25})
    chance.shuffle(events)
    events.append({"ph": "M", "pid": 0, "tid": 2, "name": "thread_name", "args": {"name": "stream <b>7</b>"}})
    json.dump({"distributedInfo": {"rank": 0}, "traceEvents": events}, sys.stdout)


def make_open():
    """Points of two ranks, in no order; the clock of rank 1 is not bounded."""
    chance, most = random.Random(3), 2 * 10**18
    print(HEAD)
    for _ in range(300):
        at = chance.randrange(10**9)
        print(f"0,{at},event,here,,,,{at},{at},{at}\n1,{at},event,there,,,,{at},{-most},{most}")


def make(name):
    {"known": lambda: make_steps(4, NAMES, 5000), "hostile": lambda: make_steps(2, HOSTILE, 2000), "spans": make_spans,
     "open": make_open, "big": lambda: make_steps(16, NAMES, 1000000)}[name]()


def settle(page):
    page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def check_quiet(page):
    assert page.requests == [page.url], page.requests
    assert page.errors == [], page.errors


# Compares the searches and the pyramid of lanes with scans of all bars, on random ranges of all lanes. Returns the faults.
LANES_ARE_RIGHT = """(() => {
    const faults = [], { rows, bars } = ordo.data;
    let seed = 1;
    const random = most => (seed = (seed * 48271) % 2147483647) % most;
    for (const row of rows)
        for (const lane of row.lanes) {
            for (let i = 1; i < lane.count; i++)
                if (lane.begin[i] < lane.end[i - 1])
                    faults.push(`row ${row.row}: bars ${i - 1} and ${i} of a lane overlap`);
            for (let k = 0; k < 40; k++) {
                const from = random(lane.count), to = from + 1 + random(lane.count - from);
                const time = (k % 2 ? lane.begin : lane.end)[from] + random(3) - 1;
                let best = from, after = 0, begun = 0;
                for (let i = from; i < to; i++)
                    if (lane.end[i] - lane.begin[i] > lane.end[best] - lane.begin[best])
                        best = i;
                while (after < lane.count && lane.end[after] <= time) after++;
                while (begun < lane.count && lane.begin[begun] < time) begun++;
                const found = lane.longest(from, to);
                if (lane.lengthOf(found) !== lane.lengthOf(best) || found < from || found >= to)
                    faults.push(`longest(${from}, ${to}): ${found}, not ${best}`);
                if (lane.firstAfter(time) !== after || lane.firstFrom(time) !== begun)
                    faults.push(`at ${time}: ${lane.firstAfter(time)}, ${lane.firstFrom(time)}, not ${after}, ${begun}`);
            }
        }
    return faults.slice(0, 5);
})()"""

# Zooms to 60 bars, and compares the colour in the middle of each with the colour of its name. Returns the faults.
COLOURS_ARE_RIGHT = """(async () => {
    const { view, data } = ordo, faults = [], frame = () => new Promise(done => requestAnimationFrame(done));
    view.arrows = view.edges = false;
    for (let k = 0; k < 60; k++) {
        const bar = Math.floor(k * data.bars.count / 60);
        view.chosen = -1;
        view.showBar(bar);
        await frame();
        await frame();
        const row = data.rows[view.placeOf.get(data.bars.row[bar])], depth = view.depthOf(bar, row);
        const x = Math.round(view.width * 0.62), y = Math.round(view.tops[view.placeOf.get(row.row)] - view.scroll) + depth * view.lane + 1;
        const pixel = view.painter.pixels[y * view.painter.width + x], wanted = data.colours[data.bars.name[bar]];
        if (pixel !== wanted)
            faults.push(`bar ${bar}: ${pixel.toString(16)}, not ${wanted.toString(16)}`);
        if (view.barAt(view.left + x, view.top + y) !== bar)
            faults.push(`bar ${bar}: a click finds ${view.barAt(view.left + x, view.top + y)}`);
    }
    view.arrows = view.edges = true;
    return faults.slice(0, 5);
})()"""

# Counts the pixels in which the hatched edges change the picture, inside and outside of the ranges of one bar's edges.
EDGES = """(async () => {
    const { view, data } = ordo, frame = () => new Promise(done => requestAnimationFrame(done));
    const row = data.rows[1], lane = row.lanes[0], bar = lane.member[3], top = Math.round(view.tops[1] - view.scroll);
    view.show(lane.begin[3] - 2000, 8000);
    const draw = async edges => { view.edges = edges; view.request(); await frame(); await frame(); return view.painter.pixels.slice(); };
    const [plain, hatched] = [await draw(false), await draw(true)];
    let inside = 0, outside = 0;
    for (let x = 0; x < view.width; x++)
        for (let y = top; y < top + view.lane - 1; y++) {
            const time = view.timeAt(view.left + x + 0.5), slack = 1 / view.scale;
            const near = lane.begin.some((begin, i) => Math.abs(time - begin) <= 323 + slack || Math.abs(time - lane.end[i]) <= 323 + slack);
            if (plain[y * view.painter.width + x] !== hatched[y * view.painter.width + x])
                near ? inside++ : outside++;
        }
    return { inside, outside, per_lane: view.lane - 1, width: 640 * view.scale };
})()"""


def check_known(browser):
    page = browser.open("known.html")
    with open("known.json", encoding="utf-8") as file:
        stats = json.load(file)
    counts = page.run("({bars: ordo.data.bars.count, messages: ordo.data.messages.count, rows: ordo.data.rows.length, "
                      "facts: ordo.data.facts.events, lanes: ordo.data.rows.map(row => row.lanes.length)})")
    assert counts == {"bars": sum(call["count"] for call in stats["calls"]), "messages": stats["causality"]["messages"], "rows": 4,
                      "facts": stats["events"], "lanes": [3, 3, 3, 3]}, counts
    drawn = page.run("ordo.view.drawn")
    assert drawn["arrows"] + drawn["arrowsLeftOut"] == counts["messages"] and drawn["lanes"] == 12, drawn
    # The messages in any range are those that overlap it; they are all drawn, because they are few.
    found = page.run("""[...Array(200).keys()].map(k => {
        const { view, data: { messages, order } } = ordo;
        view.show(view.first + (k + 1) / 202 * (view.last - view.first), 5000);
        let count = 0;
        for (let i = 0; i < messages.count; i++)
            if (Math.max(messages.sent[i], messages.received[i]) > view.from && Math.min(messages.sent[i], messages.received[i]) <= view.from + view.span)
                count++;
        return [count, view.sampleMessages(order.normal).length + view.sampleMessages(order.early).length];
    })""")
    # An index may add a message that ends before the range while a longer one is under way.
    assert sum(count for count, _ in found) > 50 and all(count <= drawn <= count + 4 for count, drawn in found), found
    for call in stats["calls"]:
        sums = page.run("(name => { let count = 0, sum = 0; const { bars, names } = ordo.data; for (let i = 0; i < bars.count; i++) "
                        "if (names[bars.name[i]] === name) { count++; sum += bars.end[i] - bars.begin[i]; } return [count, sum]; })"
                        f"({json.dumps(call['name'])})")
        assert sums == [call["count"], call["total_ns"]], (call, sums)
    assert page.run(LANES_ARE_RIGHT) == []
    assert page.run(COLOURS_ARE_RIGHT) == []
    edges = page.run(EDGES)
    assert edges["outside"] == 0 and edges["inside"] > edges["width"] * edges["per_lane"] * 0.5, edges
    check_quiet(page)


def check_early(browser):
    """By uncorrected clocks messages are received before they are sent; they are red."""
    page = browser.open("raw.html")
    with open("raw.json", encoding="utf-8") as file:
        early = json.load(file)["causality"]["messages_violated_after"]
    assert page.run("ordo.data.order.early.order.length") == early > 10, early
    page.run("ordo.view.draw()")
    red = page.run("(() => { const { canvas, context } = ordo.view, { data } = context.getImageData(0, 0, canvas.width, canvas.height); let count = 0; "
                   "for (let i = 0; i < data.length; i += 4) if (data[i] > 180 && data[i + 1] < 40 && data[i + 2] < 40) count++; return count; })()")
    assert red > 100, red
    check_quiet(page)


def check_hostile(browser):
    page = browser.open("hostile.html")
    page.run("ordo.controls.find('<')")
    for name in HOSTILE:
        page.run(f"ordo.controls.find({json.dumps('=' + name)})")
        assert page.run("ordo.view.hits.length") > 0, name
        page.run("ordo.controls.goTo(ordo.search.next(1))")
        assert name in page.run("document.getElementById('details').textContent"), name
    settle(page)
    assert page.run("[window.hacked === undefined, document.images.length, document.querySelectorAll('style').length]") == [True, 0, 1]
    check_quiet(page)
    # The policy stops a script and a request that a fault would let in.
    page.run("{ const s = document.createElement('script'); s.textContent = 'window.hacked = 1'; document.body.append(s); "
             "const i = new Image(); i.src = 'http://127.0.0.1:9/x'; document.body.append(i); fetch('http://127.0.0.1:9/y').catch(() => 0); 0 }")
    settle(page)
    assert page.run("window.hacked === undefined")
    refused = [text for text in page.errors if "Content Security Policy" in text]
    assert len(refused) >= 3, page.errors


def check_spans(browser):
    page = browser.open("spans.html")
    assert page.run(LANES_ARE_RIGHT) == []
    # A bar of thread 1 or 2 is in the lane of its own depth, which its name states.
    wrong = page.run("ordo.data.rows.filter(row => row.thread !== 3).flatMap(row => row.lanes.flatMap((lane, depth) => "
                     "[...lane.member].filter(bar => ordo.data.names[ordo.data.bars.name[bar]] !== `depth ${depth}`))).length")
    total = page.run("ordo.data.rows.reduce((sum, row) => sum + row.lanes.reduce((all, lane) => all + lane.count, 0), 0)")
    with open("spans.json", encoding="utf-8") as file:
        assert total == len(json.load(file)["traceEvents"]) - 1
    assert page.run("ordo.data.rows.map(row => row.title)") == ["0/1", "stream <b>7</b>", "0/3"]
    assert page.run("ordo.data.rows.length") == 3
    assert wrong == 0, wrong
    # Each found bar is reached, although two begin at the same time.
    page.run("ordo.controls.find('=depth 0')")
    for direction in (1, -1):
        steps = [page.run(f"(bar => (ordo.controls.choose(bar), bar))(ordo.search.next({direction}))") for _ in range(4)]
        assert len(set(steps)) == 2 and steps[:2] == steps[2:], steps
    check_quiet(page)


def check_keys(browser):
    page = browser.open("known.html")
    view = lambda: page.run("[ordo.view.from, ordo.view.span]")
    box = page.run("(b => [b.left, b.top, b.width, b.height])(document.getElementById('chart').getBoundingClientRect())")
    x, y = box[0] + box[2] / 2, box[1] + 60
    whole = view()
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-400)
    settle(page)
    assert abs(view()[1] / whole[1] - 0.3679) < 0.01, (whole, view())
    before = view()
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    page.mouse("mouseMoved", x - 200, y, button="left")
    page.mouse("mouseReleased", x - 200, y, button="left", clickCount=1)
    assert view()[0] > before[0] and abs(view()[1] - before[1]) < 1e-6, (before, view())
    for key, test in (("w", lambda a, b: b[1] < a[1]), ("s", lambda a, b: b[1] > a[1]), ("d", lambda a, b: b[0] > a[0]),
                      ("a", lambda a, b: b[0] < a[0]), ("+", lambda a, b: b[1] < a[1]), ("-", lambda a, b: b[1] > a[1]), ("f", lambda a, b: b == whole)):
        before = view()
        page.key(key)
        assert test(before, view()), (key, before, view())
    page.run("ordo.view.showBar(ordo.data.rows[2].lanes[0].member[5])")
    settle(page)
    top = page.run("(ordo.view.top + ordo.view.tops[2] + ordo.view.lane / 2) / ordo.view.ratio")
    page.click(box[0] + 140 + (box[2] - 140) / 2 + 60, box[1] + top)
    assert page.run("document.getElementById('details').textContent").startswith("step: "), page.run("document.getElementById('details').textContent")
    page.key("/")
    assert page.run("document.activeElement.id") == "find"
    for letter in "barrier":
        page.key(letter)
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r")
    assert page.run("ordo.view.hits.length") == page.run("Number(document.getElementById('found').textContent.split(' ')[0])") > 100
    assert page.run("ordo.data.names[ordo.data.bars.name[ordo.view.chosen]]") == "MPI_Barrier"
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.run(colour)
    page.run("document.getElementById('theme').click()")
    assert page.run(colour) != light and page.run("ordo.view.theme.back") == "#16181b"
    order = "[...document.querySelectorAll('#calls tbody tr td:nth-child(2)')].map(cell => Number(cell.dataset.v))"
    page.run("document.querySelectorAll('#calls th')[1].click()")
    counts = page.run(order)
    assert counts == sorted(counts, reverse=True) and len(counts) > 5, counts
    page.run("document.querySelector('#late tr[data-from]').click()")
    assert page.run("ordo.view.span") < whole[1] / 5
    # The same by keys: rows and headings take the focus, and Enter acts.
    page.run("ordo.view.showAll(), document.querySelector('#late tr[data-from]').focus()")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r")
    assert page.run("ordo.view.span") < whole[1] / 5
    page.run("document.querySelector('#clocks tbody tr:last-child').focus()")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r")
    assert page.run("document.getElementById('clock').value") == "3"
    assert page.run("document.getElementById('open').hidden")
    page.run("document.querySelectorAll('#calls th')[1].focus()")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r")
    assert page.run(order) == counts[::-1]
    assert page.run("document.querySelectorAll('#calls th')[1].getAttribute('aria-sort')") == "ascending"
    check_quiet(page)
    dark = browser.open("known.html", dark=True)
    assert dark.run(colour) == "rgb(22, 24, 27)"
    # The name in a bar has a contrast of 4.5, on the palette and on the pale bars of a search, in the light and in the dark.
    contrasts = ("ordo.view.colours.length && [...ordo.view.colours].map(pixel => { const ink = luminanceOf(pixelOf(inkOn(pixel))), own = luminanceOf(pixel); "
                 "return (Math.max(ink, own) + 0.05) / (Math.min(ink, own) + 0.05); })")
    for each in (page, dark):
        for text in ("", "barrier"):
            each.run(f"ordo.controls.find('{text}')")
            assert min(each.run(contrasts)) >= 4.5, each.run(contrasts)


def check_open(browser):
    """The events of a rank are in no order, and nothing bounds the second clock: the plot says so, and is drawn from left to right."""
    page = browser.open("open.html")
    assert page.run("ordo.data.facts.clocks.every(clock => clock.samples.every((sample, i, all) => i === 0 || sample[0] >= all[i - 1][0]))")
    assert not page.run("document.getElementById('open').hidden")
    assert page.run("document.querySelector('#calls .rest').textContent") == "no call has a begin and an end"
    # If not all rows fit, the corner says which are shown.
    assert page.run("ordo.view.shown") == ""
    page.run("ordo.view.laneHeight = 400, ordo.view.layOut(), ordo.view.draw()")
    assert page.run("ordo.view.shown") == "rows 1 to 1 of 2"
    # The name of the first row is whole: its upper half is above the top of the row.
    page.run("ordo.view.laneHeight = 2, ordo.view.layOut(), ordo.view.draw()")
    ink = page.run("(() => { const { canvas, context, top, left } = ordo.view, { data } = context.getImageData(0, top - 5, left - 2, 5); "
                   "return data.filter((value, i) => i % 4 === 0 && value < 128).length; })()")
    assert ink > 10, ink
    check_quiet(page)


def check_plain(browser):
    """Without JavaScript the tables are there, and a note instead of the timeline."""
    page = browser.open("known.html", javascript=False)
    page.call("DOM.enable")
    root = page.call("DOM.getDocument", depth=-1)["root"]["nodeId"]
    rows = page.call("DOM.querySelectorAll", nodeId=root, selector="#calls tbody tr")["nodeIds"]
    notes = page.call("DOM.querySelectorAll", nodeId=root, selector="noscript p")["nodeIds"]
    assert len(rows) == 10 and len(notes) == 1, (len(rows), len(notes))
    assert "needs JavaScript" in page.call("DOM.getOuterHTML", nodeId=notes[0])["outerHTML"]


def check_big(browser):
    page = browser.open("big.html")
    with open("big.json", encoding="utf-8") as file:
        info = json.load(file)["files"][0]
    bars, messages = page.run("[ordo.data.bars.count, ordo.data.messages.count]")
    assert info["events"] >= 1000000 and [bars, messages] == [info["of_kind"]["ends"], info["of_kind"]["sends"]], (bars, messages)
    assert page.run(LANES_ARE_RIGHT) == []
    speed = page.run("ordo.measureZoom(120)")
    page.run("ordo.view.showAll()")
    settle(page)
    drawn, width = page.run("ordo.view.drawn"), page.run("ordo.view.width")
    # The work for a frame follows from the pixels: at most two bars for a pixel of a lane.
    assert drawn["lanes"] == 48 and drawn["steps"] <= 2 * width * drawn["lanes"], (drawn, width)
    check_quiet(page)
    print(f"{info['events']} events: opened in {page.open_s:.2f} s, {speed['frames_per_s']:.0f} frames/s over {speed['frames']} frames, the longest "
          f"{speed['longest_ms']:.0f} ms, {drawn['steps']} bars looked at in a frame of {width} x {drawn['lanes']} lanes")
    sys.exit(0 if page.open_s <= 3 and speed["frames_per_s"] >= 30 else 2)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        with Browser(sys.argv[2]) as opened:
            {"known": check_known, "early": check_early, "hostile": check_hostile, "spans": check_spans, "keys": check_keys, "open": check_open, "plain": check_plain, "big": check_big}[
                sys.argv[1]](opened)
