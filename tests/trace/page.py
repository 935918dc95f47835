"""page.py WHAT FILE...: checks pages of `ordo-trace report` without a browser."""
import base64
import csv
import hashlib
import html.parser
import json
import struct
import sys

FORMATS = {"bars": "ddIIHHHHB", "messages": "dddIIiB"}


class Page(html.parser.HTMLParser):
    """The elements of a page, the texts of its cells by section, and the texts of its scripts."""

    def __init__(self, path):
        super().__init__()
        self.tags, self.attributes, self.rows, self.scripts, self.style, self.text = [], [], {}, [], "", {}
        self.section, self.inside = "", None
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        self.attributes.append(attributes)
        self.inside = tag
        if tag == "section":
            self.section = attributes["id"]
        elif tag == "script":
            self.scripts.append([attributes, ""])
        elif tag == "tr":
            self.rows.setdefault(self.section, []).append((attributes, []))
        elif tag == "td":
            self.rows[self.section][-1][1].append([attributes.get("data-v"), ""])
        elif "id" in attributes:
            self.inside = attributes["id"]

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts[-1][1] += data
        elif self.inside == "style":
            self.style += data
        elif self.inside == "td":
            self.rows[self.section][-1][1][-1][1] += data
        elif self.inside:
            self.text[self.inside] = self.text.get(self.inside, "") + data

    def handle_entityref(self, name):
        raise ValueError(name)

    @property
    def facts(self):
        return next(json.loads(text) for attributes, text in self.scripts if attributes.get("id") == "facts")

    def blocks(self, kind):
        records = []
        for attributes, text in self.scripts:
            if attributes.get("class") != kind:
                continue
            count = int(attributes["data-count"])
            columns = [struct.unpack(f"<{count}{letter}", base64.b64decode(column, validate=True))
                       for letter, column in zip(FORMATS[kind], text.split(" "), strict=True)]
            records += zip(*columns)
        return records


def range_of(half):
    return struct.unpack("<f", struct.pack("<I", half << 16))[0]


def check_policy(page):
    """The policy allows the page's own style and script by their hashes, and nothing else."""
    policy = next(a["content"] for a in page.attributes if a.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    own = [text for attributes, text in page.scripts if "type" not in attributes]
    assert len(own) == 1
    for rule, text in (("script-src", own[0]), ("style-src", page.style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules.pop(rule) == f"'sha256-{digest}'", rule
    assert rules == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}, rules
    for attributes in page.attributes:
        assert not any(name.startswith("on") or name in ("src", "style", "srcset") for name in attributes), attributes
        assert attributes.get("href", "#").startswith("#"), attributes
    for word in ("http://", "https://", "@import", "url(", "fetch(", "XMLHttpRequest", "innerHTML", "eval("):
        assert word not in page.source, word


def check_bars(page, events):
    """The bars of the page are those of the trace, which the begins and ends in the CSV are."""
    first = min(int(event["global_ns"]) for event in events)
    names, rows, expected, opened = page.facts["names"], page.facts["rows"], [], {}
    for event in events:
        place = (int(event["rank"]), int(event["thread"]), event["name"])
        if event["kind"] == "begin":
            opened[place] = event
        elif event["kind"] == "end" and place in opened:
            begin = opened.pop(place)
            expected.append((int(begin["global_ns"]) - first, int(event["global_ns"]) - first, *place))
    bars = [(bar[0], bar[1], *rows[bar[3]][:2], names[bar[2]]) for bar in page.blocks("bars") if bar[8] != 254]
    assert sorted(bars) == sorted(expected), (len(bars), len(expected))
    for bar in page.blocks("bars"):
        if names[bar[2]] == "MPI_Barrier":
            ranges = [range_of(half) for half in bar[4:8]]
            assert all(true <= shown <= true * 1.01 for true, shown in zip((200, 300, 200, 300), ranges)), ranges


def check_known(path, trace, stats_csv, stats_json, info_json):
    page = Page(path)
    check_policy(page)
    with open(trace, encoding="utf-8") as file:
        events = list(csv.DictReader(file))
    check_bars(page, events)
    facts = page.facts
    assert (facts["bars"], facts["points"], facts["arrows"], facts["events"]) == (41, 1, 10, len(events)), facts
    messages = page.blocks("messages")
    assert len(messages) == 10
    for message in messages:
        assert message[1] - message[0] == 500 and message[2] == 8 and message[5] == 1 and message[6] & 1, message
        assert [facts["rows"][row] for row in message[3:5]] == [[1, 7, ""], [0, 0, ""]], message
    with open(stats_csv, encoding="utf-8") as file:
        stats = list(csv.reader(file))[1:]
    calls = [cells for _, cells in page.rows["calls"] if cells]
    assert len(calls) == len(stats) > 2
    for cells, row in zip(calls, stats):
        values = [float(cell[0]) for cell in cells[1:]]
        del values[5]  # the number of waits, which only the JSON has
        assert cells[0][1] == row[0], (cells, row)
        assert all(abs(a - float(b)) <= 0.5 for a, b in zip(values, row[1:], strict=True)), (cells, row)
    with open(stats_json, encoding="utf-8") as file:
        ranks = {rank["rank"]: rank for rank in json.load(file)["ranks"]}
    late = [cells for attributes, cells in page.rows["late"] if "data-rank" in attributes]
    assert [cells[0][0] for cells in late] == ["2", "0", "1"]
    for cells in late:
        rank = ranks[int(cells[0][0])]
        assert [int(cell[0]) for cell in cells[1:3]] == [rank["events"], rank["last_to_enter"]], cells
    assert late[0][3] == ["9000", "9 us"]
    collectives = [cells for attributes, cells in page.rows["late"] if "data-from" in attributes]
    assert len(collectives) == 10
    assert [cell[0] for cell in collectives[0][2:]] == ["3", "2", "900", "400"], collectives[0]
    check_rest(page, info_json)


def check_rest(page, info_json):
    with open(info_json, encoding="utf-8") as file:
        info = json.load(file)["files"][0]
    cells = [cells for _, cells in page.rows["files"] if cells][0]
    assert int(cells[2][0]) == info["events"]
    assert [int(cell[0]) for cell in cells[3:]] == list(info["of_kind"].values()), cells
    odd = {attributes["data-odd"]: cells for attributes, cells in page.rows["odd"] if cells}
    assert odd["ends"][1][0] == "1" and odd["ends"][2][1].endswith("known.csv: row 105"), odd["ends"]
    assert {key: cells[1][0] for key, cells in odd.items()} == {"ends": "1", "begins": "1", "unmatched": "1"}, odd
    clocks = {attributes["data-rank"]: [cell[0] for cell in cells] for attributes, cells in page.rows["clocks"] if cells}
    assert clocks["2"][1] == "10" and clocks["1"][3] == "250", clocks
    assert page.text["events"] == str(info["events"]) and page.text["ranks"] == "3" and page.text["collectives"] == "10"
    samples = next(clock for clock in page.facts["clocks"] if clock["rank"] == 2)
    assert samples["offset_ns"] == "10" and samples["samples"][0][1:] == [0, -300, 200], samples


def check_raw(path):
    page = Page(path)
    check_policy(page)
    assert page.facts["raw"] and page.facts["bars"] == 41
    assert all(half == 0 for bar in page.blocks("bars") for half in bar[4:8]), "recorded times have no bounds"


def check_spans(path):
    page = Page(path)
    assert [bar[:2] + bar[4:] for bar in page.blocks("bars")] == [(0, 5000, 0, 0, 0, 0, 255), (1000, 6000, 0, 0, 0, 0, 255)], page.blocks("bars")
    assert [row[2] for row in page.facts["rows"]] == ["0/1", "1/1"], page.facts["rows"]


def check_wide(path):
    page = Page(path)
    wide, inverted = page.blocks("bars")
    assert all(range_of(half) >= 9.2e18 for half in wide[4:8]), wide
    assert inverted[4:8] == (0, 0, 0, 0), inverted
    assert page.facts["clocks"][0]["samples"], page.facts["clocks"]
    assert [cells for _, cells in page.rows["clocks"] if cells][0][3][1] == "unbounded", page.rows["clocks"]


def check_part(path):
    page = Page(path)
    facts = page.facts
    assert (facts["from_ns"], facts["to_ns"], facts["arrows"]) == (25000, 44999, 2), facts
    assert all(bar[1] >= 25000 and bar[0] <= 44999 for bar in page.blocks("bars")) and facts["bars"] == 8, facts
    assert page.text["title"] == "a part"
    assert any(attributes["data-odd"] == "outside" for attributes, cells in page.rows["odd"] if cells)


def check_hostile(plain, hostile):
    plain, hostile = Page(plain), Page(hostile)
    check_policy(hostile)
    assert plain.tags == hostile.tags, "the elements differ"
    # '<' alone begins an end tag: "</script " needs no '>' to end the JSON.
    begin = hostile.source.index('id="facts">') + 11
    assert "<" not in hostile.source[begin:hostile.source.index("\n</script>", begin)], "the JSON has a '<'"
    assert [sorted(a) for a in plain.attributes] == [sorted(a) for a in hostile.attributes], "the attributes differ"
    names = [cells[0][1] for _, cells in hostile.rows["calls"] if cells]
    for name in ("</script><script>window.hacked=1</script>", '"><img src=x onerror=window.hacked=1>', "<!--", "'onmouseover='window.hacked=1",
                 "&lt;b&gt; &amp;", "\\u003c/script>\\", "\u00e9??", "???", "??[31m", "${hacked}`"):
        assert name in names and name in hostile.facts["names"], (name, names)
    assert hostile.text["title"] == "</title><script>window.hacked=1</script>", hostile.text["title"]
    assert [cells for _, cells in hostile.rows["files"] if cells][0][0][1] == "<img src=x>&.csv"


if __name__ == "__main__":
    {"known": check_known, "raw": check_raw, "spans": check_spans, "wide": check_wide, "part": check_part, "hostile": check_hostile}[sys.argv[1]](*sys.argv[2:])
