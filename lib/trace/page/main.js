/* Puts the page together: reads the data, and connects the view with mouse, keyboard and tables. */

function readData() {
    const facts = JSON.parse(document.getElementById("facts").textContent);
    const bars = readBlocks("bars", BARS), messages = readBlocks("messages", MESSAGES);
    const threads = new Map();
    for (const [rank] of facts.rows)
        threads.set(rank, (threads.get(rank) || 0) + 1);
    return { facts, bars, messages, threads, ranks: new Map(facts.ranks), names: facts.names, colours: colourNames(facts.names, facts.totals_ns),
        rows: makeRows(bars, messages, facts.rows), order: orderMessages(messages) };
}

/* Returns the number of a rank, and its name if it has one. */
function rankText(data, rank) {
    return `rank ${rank}${data.ranks.has(rank) ? ` (${data.ranks.get(rank)})` : ""}`;
}

/* Says how certain a time is, unless its interval is empty. */
function certainty(before, after) {
    return before || after ? ` (certainly ${showTime(rangeOf(before), 3)} earlier to ${showTime(rangeOf(after), 3)} later)` : "";
}

function describeBar(data, bar) {
    const { bars, facts } = data, [rank, thread, title] = facts.rows[bars.row[bar]], begin = bars.begin[bar], end = bars.end[bar];
    const place = `${rankText(data, rank)}, thread ${thread}${title ? ` (${title})` : ""}`, name = data.names[bars.name[bar]] || "(no name)";
    if (bars.depth[bar] === DEPTH_POINT)
        return `${name}: a point, ${place}\nat ${showTime(begin, 12)}${certainty(bars.beforeBegin[bar], bars.afterBegin[bar])}`;
    return `${name}: ${showTime(end - begin)}, ${place}\nfrom ${showTime(begin, 12)}` +
        `${certainty(bars.beforeBegin[bar], bars.afterBegin[bar])} to ${showTime(end, 12)}` +
        certainty(bars.beforeEnd[bar], bars.afterEnd[bar]);
}

function describeMessage(data, message) {
    const { messages, facts } = data, rankOf = row => rankText(data, facts.rows[row][0]), flags = messages.flags[message];
    const size = flags & HAS_BYTES ? `, ${messages.bytes[message]} bytes` : "";
    const time = messages.received[message] - messages.sent[message];
    const early = time < 0 ? `\nreceived before it was sent${flags & CERTAINLY_EARLY ? ", which contradicts the bounds" : ""}` : "";
    if (flags & IS_LAUNCH)
        return `launch on ${rankOf(messages.from[message])}, thread ${facts.rows[messages.from[message]][1]}, for ${facts.rows[messages.to[message]][2]}\n` +
            `at ${showTime(messages.sent[message], 12)}, the kernel begins ${showTime(time)} later${time < 0 ? "\nit begins before its launch" : ""}`;
    return `message from ${rankOf(messages.from[message])} to ${rankOf(messages.to[message])}, tag ${messages.tag[message]}${size}\n` +
        `sent at ${showTime(messages.sent[message], 12)}, received ${showTime(time)} later${early}`;
}

class Controls {
    constructor(view, data, search) {
        Object.assign(this, { view, data, search, details: document.getElementById("details"), found: document.getElementById("found") });
        this.input = document.getElementById("find");
        this.makeButtons();
        this.makeSearch();
        this.makeMouse();
        view.canvas.addEventListener("keydown", event => this.press(event));
    }

    byId(id) {
        return document.getElementById(id);
    }

    makeButtons() {
        const { view } = this, actions = { all: "f", in: "w", out: "s", previous: "p", next: "n", theme: "t", help: "?" };
        document.querySelector(".tools").hidden = false;
        for (const id in actions)
            this.byId(id).addEventListener("click", () => this.act(actions[id]));
        for (const id of ["arrows", "edges", "folded"])
            this.byId(id).addEventListener("change", event => {
                view[id] = event.target.checked;
                view.layOut();
            });
    }

    makeSearch() {
        let timer = 0;
        this.input.addEventListener("input", () => {
            clearTimeout(timer);
            timer = setTimeout(() => this.find(this.input.value), 150);
        });
        this.input.addEventListener("keydown", event => {
            if (event.key === "Enter") {
                this.find(this.input.value);
                this.goTo(this.search.next(event.shiftKey ? -1 : 1));
            } else if (event.key === "Escape") {
                this.find("");
                this.view.canvas.focus();
            }
        });
    }

    find(text) {
        if (this.input.value !== text)
            this.input.value = text;
        if (this.search.text !== text)
            this.search.find(text);
        this.found.textContent = this.view.hits ? `${this.view.hits.length} found` : "";
    }

    goTo(bar) {
        if (bar < 0)
            return;
        const { view } = this, begin = this.data.bars.begin[bar];
        this.choose(bar);
        if (begin < view.from || begin > view.from + view.span)
            view.show(begin - view.span / 2, view.span);
        view.showRow(view.placeOf.get(this.data.bars.row[bar]));
    }

    choose(bar) {
        this.view.chosen = bar;
        this.details.textContent = bar < 0 ? "" : describeBar(this.data, bar);
        this.view.request();
    }

    /* Does what a key asks for. Returns false if the key has no meaning. */
    act(key) {
        const { view } = this, toggles = { m: "arrows", u: "edges", o: "folded" }, page = view.height * 0.8;
        const actions = { w: () => view.zoom(1 / 1.5), s: () => view.zoom(1.5), a: () => view.move(-0.2), d: () => view.move(0.2),
            f: () => view.showAll(), n: () => this.goTo(this.search.next(1)), p: () => this.goTo(this.search.next(-1)),
            ArrowUp: () => view.scrollTo(view.scroll - 3 * view.lane), ArrowDown: () => view.scrollTo(view.scroll + 3 * view.lane),
            PageUp: () => view.scrollTo(view.scroll - page), PageDown: () => view.scrollTo(view.scroll + page),
            "[": () => this.resizeLanes(1 / 1.25), "]": () => this.resizeLanes(1.25), t: () => this.toggleTheme(),
            "?": () => this.toggleHelp(), "/": () => this.input.focus(), Escape: () => { this.find(""); this.choose(-1); } };
        const same = { "+": "w", "=": "w", "-": "s", ArrowLeft: "a", ArrowRight: "d", Home: "f", N: "p" };
        const name = same[key] ?? key;
        if (Object.hasOwn(toggles, name))
            this.byId(toggles[name]).click();
        else if (Object.hasOwn(actions, name))
            actions[name]();
        else
            return false;
        return true;
    }

    press(event) {
        if (!event.ctrlKey && !event.metaKey && !event.altKey && this.act(event.key))
            event.preventDefault();
    }

    resizeLanes(factor) {
        this.view.laneHeight = Math.max(2, Math.min(60, this.view.laneHeight * factor));
        this.view.layOut();
    }

    toggleTheme() {
        const root = document.documentElement, dark = getComputedStyle(root).colorScheme === "dark";
        root.classList.remove("light", "dark");
        root.classList.add(dark ? "light" : "dark");
        this.view.readTheme();
        this.search.recolour();
        this.onTheme?.();
    }

    toggleHelp() {
        const keys = this.byId("keys");
        keys.hidden = !keys.hidden;
        this.byId("help").setAttribute("aria-expanded", String(!keys.hidden));
    }

    /* Returns the place of an event in pixels of the canvas. */
    placeOf(event) {
        const box = this.view.canvas.getBoundingClientRect();
        return [(event.clientX - box.left) * this.view.ratio, (event.clientY - box.top) * this.view.ratio];
    }

    makeMouse() {
        const { canvas } = this.view;
        canvas.addEventListener("wheel", event => this.turn(event), { passive: false });
        canvas.addEventListener("pointerdown", event => this.grab(event));
        canvas.addEventListener("pointermove", event => this.drag(event));
        canvas.addEventListener("pointerup", event => this.release(event));
        canvas.addEventListener("pointercancel", () => { this.held = null; });
        canvas.addEventListener("dblclick", event => {
            const bar = this.view.barAt(...this.placeOf(event));
            if (bar >= 0)
                this.view.showBar(bar);
        });
    }

    turn(event) {
        event.preventDefault();
        const { view } = this, lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
        const delta = (event.deltaY || event.deltaX) * lines;
        if (event.altKey)
            view.scrollTo(view.scroll + delta * view.ratio);
        else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
            view.move((event.deltaX || event.deltaY) * lines / 1000);
        else
            view.zoom(Math.exp(Math.max(-1, Math.min(1, delta / 400))), view.timeAt(this.placeOf(event)[0]));
    }

    grab(event) {
        const [x, y] = this.placeOf(event);
        this.view.canvas.setPointerCapture(event.pointerId);
        this.view.canvas.focus({ preventScroll: true });
        this.held = { x, y, from: this.view.from, scroll: this.view.scroll, range: event.shiftKey, moved: false };
    }

    drag(event) {
        if (!this.held)
            return;
        const { view, held } = this, [x, y] = this.placeOf(event);
        held.moved ||= Math.hypot(x - held.x, y - held.y) > 3 * view.ratio;
        if (!held.moved || held.range)
            return;
        view.show(held.from - (x - held.x) / view.scale, view.span);
        view.scrollTo(held.scroll - (y - held.y));
    }

    release(event) {
        const { view, held } = this, [x, y] = this.placeOf(event);
        this.held = null;
        if (!held)
            return;
        if (held.moved && held.range) {
            const [from, to] = [view.timeAt(Math.min(x, held.x)), view.timeAt(Math.max(x, held.x))];
            view.show(from, to - from);
        } else if (!held.moved) {
            this.click(x, y);
        }
    }

    click(x, y) {
        const { view, data } = this;
        if (x < view.left) {
            const row = data.rows[firstAbove(view.tops, y - view.top + view.scroll) - 1];
            if (row && y > view.top) {
                row.folded = !row.folded;
                view.layOut();
            }
            return;
        }
        const message = view.arrows ? view.messageAt(x, y) : -1;
        this.choose(view.barAt(x, y));
        if (message >= 0 && view.chosen < 0)
            this.details.textContent = describeMessage(data, message);
        else if (message >= 0)
            this.details.textContent += "\n" + describeMessage(data, message);
    }
}

/* Zooms in and out in `count` frames. Returns the frames per second, by the page's own count. */
async function measureZoom(view, count) {
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve)), times = [];
    view.showAll();
    await frame();
    const begin = performance.now(), drawn = view.frames;
    for (let i = 0; i < count; i++) {
        view.zoom(i < count / 2 ? 1 / 1.12 : 1.12, view.from + view.span * (0.3 + 0.4 * (i % 7) / 7));
        const before = performance.now();
        await frame();
        times.push(performance.now() - before);
    }
    const seconds = (performance.now() - begin) / 1000;
    performance.measure("ordo-zoom", { start: begin, duration: seconds * 1000 });
    return { frames_per_s: (view.frames - drawn) / seconds, longest_ms: Math.max(...times), frames: view.frames - drawn };
}

function start() {
    const data = readData(), view = new View(document.getElementById("chart"), data), search = new Search(view, data);
    const controls = new Controls(view, data, search);
    makeSortable();
    addSwatches(data);
    linkTables(data, view, text => controls.find(text));
    const band = makeBand(data, view);
    controls.onTheme = () => band.draw();
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        view.readTheme();
        search.recolour();
        band.draw();
    });
    new ResizeObserver(() => { view.resize(); band.draw(); }).observe(view.canvas);
    /* For tests, and for the console of the browser. */
    window.ordo = { data, view, controls, search, measureZoom: count => measureZoom(view, count) };
    requestAnimationFrame(() => requestAnimationFrame(() => {
        performance.mark("ordo-ready");
        window.ordo.ready_ms = performance.now();
    }));
}

start();
