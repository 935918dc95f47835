/* The view of the timeline: a range of time and of rows, and what is drawn of it. */

const LABEL_WIDTH = 140, AXIS_HEIGHT = 30, ROW_GAP = 5, ARROWS_MOST = 1500, LABELS_MOST = 600, SPAN_LEAST = 20;

class View {
    constructor(canvas, data) {
        Object.assign(this, { canvas, data, context: canvas.getContext("2d", { alpha: false }), painter: new Painter() });
        Object.assign(this, { scroll: 0, laneHeight: 14, arrows: true, edges: true, folded: false, chosen: -1, hits: null });
        Object.assign(this, { colours: data.colours, frames: 0, waiting: false, drawnArrows: [], drawn: {} });
        this.first = data.facts.from_ns;
        this.last = Math.max(data.facts.to_ns, this.first + SPAN_LEAST);
        this.readTheme();
        this.resize();
        this.fitRows();
        this.showAll();
    }

    readTheme() {
        const style = getComputedStyle(document.documentElement);
        this.theme = {};
        for (const name of ["back", "text", "dim", "line", "lane", "head", "mark", "arrow", "early", "ink", "choice"])
            this.theme[name] = style.getPropertyValue("--" + name).trim();
    }

    resize() {
        const ratio = Math.min(window.devicePixelRatio || 1, 2), box = this.canvas.getBoundingClientRect();
        this.ratio = ratio;
        this.canvas.width = Math.max(1, Math.round(box.width * ratio));
        this.canvas.height = Math.max(1, Math.round(box.height * ratio));
        this.left = Math.round(LABEL_WIDTH * ratio);
        this.top = Math.round(AXIS_HEIGHT * ratio);
        this.width = Math.max(1, this.canvas.width - this.left);
        this.height = Math.max(1, this.canvas.height - this.top);
        this.painter.resize(this.context, this.width, this.height);
        this.layOut();
        this.request();
    }

    /* Chooses the height of lanes so that all rows fit, if they are not lower than 6 pixels then; and a lower chart if
     * there are few rows. */
    fitRows() {
        const lanes = this.data.rows.reduce((sum, row) => sum + this.lanesOf(row), 0);
        const gaps = this.data.rows.length * ROW_GAP, free = this.height / this.ratio - gaps;
        this.laneHeight = Math.max(6, Math.min(18, Math.floor(free / Math.max(1, lanes))));
        const needed = AXIS_HEIGHT + gaps + lanes * this.laneHeight + 24;
        if (needed < this.canvas.height / this.ratio)
            this.canvas.style.height = `${Math.max(240, needed)}px`;
        this.resize();
    }

    lanesOf(row) {
        return this.folded || row.folded ? 1 : Math.max(1, row.lanes.length);
    }

    /* Places the rows: tops[i] is the top of row i, in pixels of the canvas, without scrolling. */
    layOut() {
        const { rows } = this.data, gap = ROW_GAP * this.ratio;
        this.lane = Math.max(2, Math.round(this.laneHeight * this.ratio));
        this.tops = new Float64Array(rows.length + 1);
        this.placeOf = new Map(rows.map((row, place) => [row.row, place]));
        rows.forEach((row, i) => { this.tops[i + 1] = this.tops[i] + this.lanesOf(row) * this.lane + gap; });
        this.scrollTo(this.scroll);
    }

    get scale() {
        return this.width / this.span;
    }

    timeAt(x) {
        return this.from + (x - this.left) / this.scale;
    }

    xOf(time) {
        return this.left + (time - this.from) * this.scale;
    }

    scrollTo(pixels) {
        this.scroll = Math.max(0, Math.min(pixels, this.tops[this.tops.length - 1] - this.height));
        this.request();
    }

    /* Shows a range of time, within the trace and a margin of half the range on either side. */
    show(from, span) {
        const all = this.last - this.first;
        this.span = Math.max(SPAN_LEAST, Math.min(span, all * 1.02));
        const margin = this.span / 2;
        this.from = Math.max(this.first - margin, Math.min(from, this.last + margin - this.span));
        this.request();
    }

    showAll() {
        const all = this.last - this.first;
        this.show(this.first - all * 0.01, all * 1.02);
    }

    zoom(factor, time = this.from + this.span / 2) {
        const span = Math.max(SPAN_LEAST, Math.min(this.span * factor, (this.last - this.first) * 1.02));
        this.show(time - (time - this.from) * span / this.span, span);
    }

    move(share) {
        this.show(this.from + share * this.span, this.span);
    }

    showBar(bar) {
        const { bars } = this.data, length = bars.end[bar] - bars.begin[bar];
        this.show(bars.begin[bar] - length, Math.max(3 * length, 100));
        this.showRow(this.placeOf.get(bars.row[bar]));
    }

    showRow(place) {
        if (place !== undefined && (this.tops[place] < this.scroll || this.tops[place + 1] > this.scroll + this.height))
            this.scrollTo(this.tops[place] - this.height / 3);
    }

    request() {
        if (this.waiting || this.span === undefined)
            return;
        this.waiting = true;
        requestAnimationFrame(() => {
            this.waiting = false;
            this.draw();
        });
    }

    draw() {
        const { context, theme } = this;
        this.frames++;
        this.drawn = { rows: 0, lanes: 0, labels: 0, arrows: 0, arrowsLeftOut: 0 };
        context.fillStyle = theme.back;
        context.fillRect(0, 0, this.canvas.width, this.canvas.height);
        this.painter.steps = 0;
        const labels = this.paintRows();
        this.drawn.steps = this.painter.steps;
        context.putImageData(this.painter.image, this.left, this.top);
        context.save();
        context.beginPath();
        context.rect(this.left, this.top, this.width, this.height);
        context.clip();
        this.drawLabels(labels);
        this.drawnArrows = [];
        if (this.arrows)
            this.drawArrows();
        this.drawChosen();
        context.restore();
        this.drawAxis();
        this.drawRowNames();
        this.drawScroll();
        this.drawHits();
    }

    visibleRows() {
        const begin = Math.max(0, firstAbove(this.tops, this.scroll) - 1), rows = [];
        for (let i = begin; i < this.data.rows.length && this.tops[i] < this.scroll + this.height; i++)
            rows.push(i);
        return rows;
    }

    scene() {
        const { from, span, scale, colours, edges } = this;
        return { from, to: from + span, scale, colours, edges, bars: this.data.bars };
    }

    /* Paints the lanes of the visible rows. Returns the names to draw. */
    paintRows() {
        const { painter, theme } = this, back = pixelOf(theme.lane), ink = pixelOf(theme.ink), labels = [];
        const scene = this.scene(), mark = pixelOf(theme.mark);
        painter.clear(pixelOf(theme.back));
        for (const place of this.visibleRows()) {
            const row = this.data.rows[place];
            this.drawn.rows++;
            for (let depth = 0; depth < this.lanesOf(row); depth++) {
                const top = Math.round(this.tops[place] - this.scroll) + depth * this.lane;
                if (top > this.height || top + this.lane < 0)
                    continue;
                painter.begin(scene, back);
                if (row.lanes[depth])
                    painter.addLane(row.lanes[depth], (bar, x, width) => labels.push([bar, x, top, width]));
                if (depth === 0)
                    painter.addPoints(row.points, mark);
                painter.end(top, top + this.lane - 1, ink);
                this.drawn.lanes++;
            }
        }
        return labels;
    }

    drawLabels(labels) {
        const { context, ratio, lane, data } = this;
        if (lane < 9 * ratio)
            return;
        const size = Math.min(12 * ratio, lane - 3 * ratio), letter = size * 0.56;
        context.font = `${size}px system-ui, sans-serif`;
        context.textBaseline = "middle";
        context.textAlign = "left";
        for (const [bar, x, top, width] of labels.slice(0, LABELS_MOST)) {
            const name = data.names[data.bars.name[bar]], letters = Math.floor((width - 6 * ratio) / letter);
            if (letters < 2)
                continue;
            const text = name.length > letters ? name.slice(0, letters - 1) + "\u2026" : name;
            context.fillStyle = inkOn(this.colours[data.bars.name[bar]]);
            context.fillText(text, this.left + x + 3 * ratio, this.top + top + lane / 2);
            this.drawn.labels++;
        }
    }

    yOf(row) {
        const place = this.placeOf.get(row);
        return this.top + this.tops[place] - this.scroll + this.lane / 2;
    }

    /* Draws the messages of the range, and then those that were received before they were sent. */
    drawArrows() {
        const { normal, early } = this.data.order, { theme } = this;
        this.drawArrowSet(this.sampleMessages(normal), theme.arrow);
        this.drawArrowSet(this.sampleMessages(early), theme.early);
    }

    /* Returns the messages of an index that overlap the range. If there are too many, returns one of 2, 4, 8 ..., always
     * the same ones. */
    sampleMessages({ order, begin, reach }) {
        const low = firstAbove(reach, this.from), high = Math.max(low, firstAbove(begin, this.from + this.span)), found = [];
        let every = 1;
        while ((high - low) / every > ARROWS_MOST)
            every *= 2;
        for (let i = Math.ceil(low / every) * every; i < high; i += every)
            found.push(order[i]);
        this.drawn.arrowsLeftOut += high - low - found.length;
        this.context.globalAlpha = every === 1 ? 0.9 : 0.35;
        return found;
    }

    drawArrowSet(set, colour) {
        const { context, ratio } = this, { messages } = this.data;
        context.strokeStyle = colour;
        context.lineWidth = ratio;
        context.beginPath();
        for (const i of set) {
            const y0 = this.yOf(messages.from[i]), y1 = this.yOf(messages.to[i]);
            if ((y0 < this.top && y1 < this.top) || (y0 > this.canvas.height && y1 > this.canvas.height))
                continue;
            const x0 = this.clampX(this.xOf(messages.sent[i])), x1 = this.clampX(this.xOf(messages.received[i]));
            context.moveTo(x0, y0);
            context.lineTo(x1, y1);
            this.addHead(x0, y0, x1, y1);
            this.drawnArrows.push([i, x0, y0, x1, y1]);
            this.drawn.arrows++;
        }
        context.stroke();
        context.globalAlpha = 1;
    }

    /* Limits an x to a million pixels, because drawing is not exact beyond. */
    clampX(x) {
        return Math.max(-1e6, Math.min(1e6, x));
    }

    addHead(x0, y0, x1, y1) {
        const { context, ratio } = this, length = Math.hypot(x1 - x0, y1 - y0);
        if (length < 6 * ratio)
            return;
        const ux = (x1 - x0) / length * 5 * ratio, uy = (y1 - y0) / length * 5 * ratio;
        context.moveTo(x1 - ux - uy / 2, y1 - uy + ux / 2);
        context.lineTo(x1, y1);
        context.lineTo(x1 - ux + uy / 2, y1 - uy - ux / 2);
    }

    drawChosen() {
        const { context, ratio, data } = this;
        if (this.chosen < 0)
            return;
        const { bars } = data, place = this.placeOf.get(bars.row[this.chosen]);
        const depth = this.depthOf(this.chosen, data.rows[place]);
        if (depth >= this.lanesOf(data.rows[place]))
            return;
        const x = this.clampX(this.xOf(bars.begin[this.chosen])), end = this.clampX(this.xOf(bars.end[this.chosen]));
        context.strokeStyle = this.theme.choice;
        context.lineWidth = 2 * ratio;
        context.strokeRect(x - ratio, this.top + this.tops[place] - this.scroll + depth * this.lane, Math.max(3 * ratio, end - x),
            this.lane);
    }

    depthOf(bar, row) {
        const begin = this.data.bars.begin[bar];
        return Math.max(0, row.lanes.findIndex(lane => {
            for (let i = lane.firstFrom(begin); i < lane.count && lane.begin[i] === begin; i++)
                if (lane.member[i] === bar)
                    return true;
            return false;
        }));
    }

    drawAxis() {
        const { context, ratio, theme } = this, units = [["ns", 1], ["us", 1e3], ["ms", 1e6], ["s", 1e9]];
        const most = Math.max(Math.abs(this.from), Math.abs(this.from + this.span));
        const [unit, size] = units.filter(([, ns], i) => i === 0 || most >= ns).pop();
        const { step, places } = this.axisStep(size);
        context.fillStyle = theme.back;
        context.fillRect(0, 0, this.canvas.width, this.top);
        context.font = `${11 * ratio}px system-ui, sans-serif`;
        context.textAlign = "center";
        context.textBaseline = "top";
        for (let at = Math.ceil(this.from / step) * step; at <= this.from + this.span; at += step) {
            const x = Math.round(this.xOf(at));
            context.fillStyle = theme.line;
            context.fillRect(x, this.top - 8 * ratio, 1, 8 * ratio);
            context.fillStyle = theme.dim;
            context.fillText(`${(at / size).toFixed(places)} ${unit}`, x, 4 * ratio);
        }
    }

    /* Returns a step of 1, 2 or 5 times a power of ten for which labels do not overlap, and its decimal places. */
    axisStep(size) {
        for (let ticks = this.width / (70 * this.ratio); ; ticks /= 1.3) {
            const least = this.span / Math.max(1, ticks), power = 10 ** Math.floor(Math.log10(least));
            const step = Math.max(1, [1, 2, 5, 10].find(factor => factor * power >= least * 0.999) * power);
            const places = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
            const label = (Math.max(1, Math.log10(Math.abs(this.from) / size + 1) + 1) + places + 5) * 6.5 * this.ratio;
            if (ticks <= 1 || step * this.scale >= label)
                return { step, places };
        }
    }

    drawRowNames() {
        const { context, ratio, theme, data } = this;
        context.fillStyle = theme.back;
        context.fillRect(0, 0, this.left, this.canvas.height);
        context.font = `${11 * ratio}px system-ui, sans-serif`;
        context.textAlign = "left";
        context.textBaseline = "middle";
        let below = -Infinity;
        for (const place of this.visibleRows()) {
            const row = data.rows[place], y = this.top + this.tops[place] - this.scroll + this.lane / 2;
            if (y - below < 11 * ratio || y < this.top)
                continue;
            below = y;
            context.fillStyle = theme.text;
            context.fillText(this.nameOf(row), 4 * ratio, y, this.left - 8 * ratio);
        }
        context.fillStyle = theme.line;
        context.fillRect(this.left - 1, 0, 1, this.canvas.height);
    }

    /* Says which rows are visible, and marks their place at the right edge, if not all of them fit. */
    drawScroll() {
        const { context, ratio, theme, data } = this, all = this.tops[this.tops.length - 1], rows = this.visibleRows();
        this.shown = all > this.height + ratio ? `rows ${rows[0] + 1} to ${rows[rows.length - 1] + 1} of ${data.rows.length}` : "";
        if (!this.shown)
            return;
        context.fillStyle = theme.dim;
        context.textAlign = "left";
        context.textBaseline = "top";
        context.fillText(this.shown, 4 * ratio, 4 * ratio, this.left - 8 * ratio);
        const length = Math.max(20 * ratio, this.height * this.height / all), room = this.height - length;
        context.fillRect(this.canvas.width - 4 * ratio, this.top + room * this.scroll / (all - this.height), 4 * ratio, length);
    }

    nameOf(row) {
        const fold = row.lanes.length > 1 ? (this.folded || row.folded ? "\u25b8 " : "\u25be ") : "";
        const several = this.data.threads.get(row.rank) > 1, isNumber = /^\d*\/?\d+$/.test(row.title);
        const thread = row.title && (several || !isNumber) ? row.title : several ? `thread ${row.thread}` : "";
        return `${fold}rank ${row.rank} ${[this.data.ranks.get(row.rank), thread].filter(Boolean).join(" ")}`;
    }

    /* Marks the found bars below the axis. */
    drawHits() {
        if (!this.hits)
            return;
        const { context, ratio, hits } = this;
        context.fillStyle = this.theme.choice;
        for (let i = firstAbove(hits, this.from); i < hits.length && hits[i] < this.from + this.span;) {
            const x = Math.floor(this.xOf(hits[i]));
            context.fillRect(x, this.top - 5 * ratio, Math.max(1, ratio), 5 * ratio);
            i = Math.max(i + 1, firstAbove(hits, this.timeAt(x + 1)));
        }
    }

    /* Returns the bar at a point of the canvas; -1: none. A point in a pixel with several bars has the longest one. */
    barAt(x, y) {
        const place = firstAbove(this.tops, y - this.top + this.scroll) - 1, row = this.data.rows[place];
        if (!row || x < this.left || y < this.top)
            return -1;
        const lane = row.lanes[Math.floor((y - this.top + this.scroll - this.tops[place]) / this.lane)];
        const slack = this.ratio / this.scale, time = this.timeAt(x);
        for (const each of [lane, row.points]) {
            if (!each)
                continue;
            const from = each.firstAfter(time - slack), to = each.firstFrom(time + slack, from);
            if (from < to)
                return each.member[each.longest(from, to)];
        }
        return -1;
    }

    /* Returns the drawn message that is nearest to a point, within 4 pixels; -1: none. */
    messageAt(x, y) {
        let best = 4 * this.ratio, found = -1;
        for (const [message, x0, y0, x1, y1] of this.drawnArrows) {
            const length = Math.hypot(x1 - x0, y1 - y0) || 1, along = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length;
            const distance = Math.abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / length;
            if (distance < best && along >= 0 && along <= length) {
                best = distance;
                found = message;
            }
        }
        return found;
    }
}
