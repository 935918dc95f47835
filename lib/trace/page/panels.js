/* The tables and the plot of the clocks. The tables are in the page already; here they learn to sort and to lead into
 * the timeline. */

function valueOf(cell) {
    return cell && cell.dataset.v !== undefined ? Number(cell.dataset.v) : cell ? cell.textContent : "";
}

/* Sorts the rows of a table by a column; a second call reverses the order. */
function sortTable(table, column) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0], rows = [...body.rows].filter(row => !row.classList.contains("rest"));
    const rest = [...body.rows].filter(row => row.classList.contains("rest"));
    const ascending = table.dataset.sorted === String(column);
    table.dataset.sorted = ascending ? "" : String(column);
    rows.sort((a, b) => {
        const x = valueOf(a.cells[column]), y = valueOf(b.cells[column]);
        const order = typeof x === "number" && typeof y === "number" ? y - x : String(x).localeCompare(String(y));
        return ascending ? -order : order;
    });
    body.append(...rows, ...rest);
    heads.forEach((head, at) => head.setAttribute("aria-sort", at !== column ? "none" : ascending ? "ascending" : "descending"));
}

function makeSortable() {
    document.documentElement.classList.add("live");
    for (const table of document.querySelectorAll("table.sorts"))
        [...table.tHead.rows[0].cells].forEach((head, column) => {
            head.tabIndex = 0;
            head.addEventListener("click", () => sortTable(table, column));
            head.addEventListener("keydown", event => { if (event.key === "Enter") sortTable(table, column); });
        });
}

/* Lets a click, and Enter on a row that has the focus, do what a row of a table stands for. */
function makeRowsActive(selector, act) {
    const table = document.querySelector(selector);
    for (const row of table.querySelectorAll("tbody tr:not(.rest)"))
        row.tabIndex = 0;
    const take = event => {
        const row = event.target.closest("tbody tr:not(.rest)");
        if (row)
            act(row);
    };
    table.addEventListener("click", take);
    table.addEventListener("keydown", event => { if (event.key === "Enter") take(event); });
}

function addSwatches(data) {
    for (const row of document.querySelectorAll("#calls tr[data-name]")) {
        const swatch = document.createElement("span");
        swatch.className = "swatch";
        swatch.style.backgroundColor = cssOf(data.colours[Number(row.dataset.name)]);
        row.cells[0].prepend(swatch);
    }
}

/* Lets rows of tables lead into the timeline. */
function linkTables(data, view, find) {
    const chart = document.getElementById("timeline");
    makeRowsActive("#calls", row => {
        find("=" + data.names[Number(row.dataset.name)]);
        chart.scrollIntoView();
    });
    makeRowsActive("#late", row => {
        const { from, to, rank } = row.dataset;
        if (from !== undefined) {
            const length = Math.max(Number(to) - Number(from), 100);
            view.show(Number(from) - length / 2, 2 * length);
        } else {
            view.showRow(data.rows.findIndex(each => each.rank === Number(rank)));
        }
        chart.scrollIntoView();
    });
}

/* The plot of a clock: the offset minus the straight line from the first sample to the last one, with its bounds. */
class Band {
    constructor(canvas, clocks, view) {
        Object.assign(this, { canvas, clocks, view, chosen: clocks.length > 1 ? 1 : 0 });
    }

    /* Returns the samples as [time, offset, low, high] without the straight line. Bounds without limit become null. */
    levelled(samples) {
        const [first, last] = [samples[0], samples[samples.length - 1]];
        const slope = last[0] > first[0] ? (last[1] - first[1]) / (last[0] - first[0]) : 0, limit = 9e14;
        return samples.map(([time, offset, low, high]) => {
            const line = first[1] + slope * (time - first[0]);
            return [time, offset - line, Math.abs(low) > limit ? null : low - line, Math.abs(high) > limit ? null : high - line];
        });
    }

    draw() {
        const { canvas, view } = this, ratio = view.ratio, box = canvas.getBoundingClientRect();
        const clock = this.clocks[this.chosen];
        if (!clock || clock.samples.length === 0 || box.width === 0)
            return;
        canvas.width = Math.round(box.width * ratio);
        canvas.height = Math.round(box.height * ratio);
        const context = canvas.getContext("2d"), samples = this.levelled(clock.samples);
        const values = samples.flatMap(sample => sample.slice(1)).filter(value => value !== null);
        this.isOpen = samples.some(sample => sample[2] === null || sample[3] === null);
        document.getElementById("open").hidden = !this.isOpen;
        const low = Math.min(...values), high = Math.max(...values), room = (high - low) * 0.08 || 1;
        this.frame = { left: 80 * ratio, right: canvas.width - 10 * ratio, top: 10 * ratio, bottom: canvas.height - 24 * ratio,
            from: samples[0][0], to: Math.max(samples[samples.length - 1][0], samples[0][0] + 1), low: low - room, high: high + room };
        this.drawGrid(context, ratio);
        this.drawSamples(context, samples, ratio);
    }

    point(time, value) {
        const { left, right, top, bottom, from, to, low, high } = this.frame;
        const bounded = value === null ? high : value;
        return [left + (time - from) / (to - from) * (right - left), bottom - (bounded - low) / (high - low) * (bottom - top)];
    }

    drawGrid(context, ratio) {
        const { left, right, top, bottom, from, to, low, high } = this.frame, { theme } = this.view;
        context.font = `${11 * ratio}px system-ui, sans-serif`;
        context.textBaseline = "middle";
        for (let i = 0; i <= 4; i++) {
            const y = bottom - (bottom - top) * i / 4, x = left + (right - left) * i / 4;
            context.fillStyle = theme.line;
            context.fillRect(left, y, right - left, 1);
            context.fillStyle = theme.dim;
            context.textAlign = "right";
            const isEdge = this.isOpen && (i === 0 || i === 4);
            context.fillText(isEdge ? "unbounded" : showTime(low + (high - low) * i / 4, 3), left - 6 * ratio, y);
            context.textAlign = i === 0 ? "left" : i === 4 ? "right" : "center";
            context.fillText(showTime(from + (to - from) * i / 4, 4), x, bottom + 14 * ratio);
        }
    }

    drawSamples(context, samples, ratio) {
        const { theme } = this.view;
        context.beginPath();
        samples.forEach(([time, , , high]) => context.lineTo(...this.point(time, high)));
        [...samples].reverse().forEach(([time, , low]) => context.lineTo(...this.point(time, low === null ? this.frame.low : low)));
        context.globalAlpha = 0.3;
        context.fillStyle = theme.mark;
        context.fill();
        context.globalAlpha = 1;
        context.beginPath();
        samples.forEach(([time, offset]) => context.lineTo(...this.point(time, offset)));
        context.strokeStyle = theme.mark;
        context.lineWidth = 1.5 * ratio;
        context.stroke();
    }
}

function makeBand(data, view) {
    const { clocks } = data.facts, select = document.getElementById("clock");
    const band = new Band(document.getElementById("band"), clocks, view);
    if (clocks.length === 0)
        return band;
    select.append(...clocks.map((clock, i) => new Option(String(clock.rank), String(i), i === band.chosen, i === band.chosen)));
    select.addEventListener("change", () => {
        band.chosen = Number(select.value);
        band.draw();
    });
    makeRowsActive("#clocks", row => {
        const at = clocks.findIndex(clock => clock.rank === Number(row.dataset.rank));
        if (at >= 0) {
            band.chosen = at;
            select.value = String(at);
            band.draw();
        }
    });
    document.querySelector("#clocks figure").hidden = false;
    band.draw();
    return band;
}
