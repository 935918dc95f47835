/* Painting: bars go into an image of pixels, a lane at a time, so that the time of a frame depends on the size of the
 * canvas and not on the trace. Names, axes and arrows are then drawn on top. */

/* The colours of Okabe and Ito, Color Universal Design (2008), without black, for the calls that take the most time. */
const PALETTE = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#a6cee3", "#b2df8a", "#cab2d6"];

/* Returns "#abc" or "#aabbcc" as a pixel, which is red, green, blue, opaque in the order of bytes. */
function pixelOf(css) {
    const hex = css.trim().slice(1), wide = hex.length === 3 ? [...hex].map(digit => digit + digit).join("") : hex;
    const value = parseInt(wide, 16);
    return (0xff000000 | (value & 0xff) << 16 | value & 0xff00 | value >> 16) >>> 0;
}

function cssOf(pixel) {
    return `rgb(${pixel & 255},${pixel >> 8 & 255},${pixel >> 16 & 255})`;
}

/* Returns the relative luminance of a pixel (WCAG 2.1): 0 is black, 1 is white. */
function luminanceOf(pixel) {
    const part = shift => {
        const value = (pixel >> shift & 255) / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(0) + 0.7152 * part(8) + 0.0722 * part(16);
}

/* Returns the ink with the larger contrast to a pixel, which is at least 4.5. */
function inkOn(pixel) {
    return luminanceOf(pixel) > 0.179 ? "#000" : "#fff";
}

/* Mixes two pixels: share 0 is `a`, share 1 is `b`. */
function mix(a, b, share) {
    const part = shift => ((a >> shift & 255) + ((b >> shift & 255) - (a >> shift & 255)) * share) << shift;
    return (0xff000000 | part(0) & 0xff | part(8) & 0xff00 | part(16) & 0xff0000) >>> 0;
}

/* Returns the colour of each name: of the palette for the ten with the most time, else one that follows from the name. */
function colourNames(names, totals) {
    const order = Array.from(names.keys()).sort((a, b) => totals[b] - totals[a] || a - b).slice(0, PALETTE.length);
    const colours = Uint32Array.from(names, name => {
        let hash = 2166136261;
        for (let i = 0; i < name.length; i++)
            hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
        hash ^= hash >>> 15;
        return (0xff000000 | 0x707070 + ((hash & 0x7f) << 16 | (hash >> 4 & 0x7f00) | (hash >> 12 & 0x7f))) >>> 0;
    });
    order.forEach((name, place) => { colours[name] = pixelOf(PALETTE[place]); });
    return colours;
}

class Painter {
    resize(context, width, height) {
        this.width = Math.max(1, width);
        this.height = Math.max(1, height);
        this.image = context.createImageData(this.width, this.height);
        this.pixels = new Uint32Array(this.image.data.buffer);
        this.line = new Uint32Array(this.width);
        this.hatch = new Int32Array(this.width + 1);
    }

    clear(pixel) {
        this.pixels.fill(pixel);
    }

    /* Begins a lane. `scene` has the range of time, the scale, the colours of names, and the bars. */
    begin(scene, back) {
        this.scene = scene;
        this.back = back;
        this.line.fill(back);
        this.hatch.fill(0);
        this.hatched = false;
    }

    /* Adds the bars of a lane to the line. Calls label(bar, x, width) for each bar that is wide enough for a name. */
    addLane(lane, label) {
        const { from, to, scale, colours, bars } = this.scene;
        let i = lane.firstAfter(from);
        while (i < lane.count && lane.begin[i] < to) {
            const x = (lane.begin[i] - from) * scale, end = (lane.end[i] - from) * scale, pixel = Math.max(0, Math.floor(x));
            const next = end - x >= 1 ? i + 1 : this.skipPixel(lane, i, from + (pixel + 1) / scale, scale);
            if (next > i + 1) {
                const bar = lane.longest(i, next), share = Math.min(1, (lane.sum[next] - lane.sum[i]) * scale);
                this.line[pixel] = mix(this.back, colours[bars.name[lane.member[bar]]], Math.max(0.35, share));
            } else {
                this.addBar(lane.member[i], x, end, label);
            }
            i = next;
            this.steps++;
        }
    }

    /* Returns the first bar behind bar i that begins beyond a pixel, or that is at least a pixel wide. */
    skipPixel(lane, i, time, scale) {
        const next = Math.max(lane.firstFrom(time, i), i + 1);
        return next > i + 1 && lane.lengthOf(next - 1) * scale >= 1 ? next - 1 : next;
    }

    addBar(bar, x, end, label) {
        const { colours, bars, edges } = this.scene;
        const left = Math.max(0, Math.floor(x)), right = Math.min(this.width, Math.max(left + 1, Math.floor(end)));
        const colour = colours[bars.name[bar]];
        this.line.fill(colour, left, right);
        if (right - left >= 4 && end <= this.width)
            this.line[right - 1] = mix(colour, this.back, 0.6);
        if (right - left >= 24)
            label(bar, left, right - left);
        if (edges) {
            this.addEdge(x, bars.beforeBegin[bar], bars.afterBegin[bar]);
            this.addEdge(end, bars.beforeEnd[bar], bars.afterEnd[bar]);
        }
    }

    /* Hatches the range that certainly has an edge, if it is at least a pixel wide. */
    addEdge(x, before, after) {
        const { scale } = this.scene;
        if (before === 0 && after === 0)
            return;
        const left = Math.max(0, Math.round(x - rangeOf(before) * scale));
        const right = Math.min(this.width, Math.round(x + rangeOf(after) * scale));
        if (right - left < 1)
            return;
        this.hatch[left]++;
        this.hatch[right]--;
        this.hatched = true;
    }

    addPoints(lane, pixel) {
        const { from, to, scale } = this.scene;
        for (let i = lane.firstFrom(from); i < lane.count && lane.begin[i] <= to;) {
            const x = Math.min(this.width - 1, Math.floor((lane.begin[i] - from) * scale));
            this.line[x] = pixel;
            i = Math.max(i + 1, lane.firstFrom(from + (x + 1) / scale, i));
        }
    }

    /* Copies the line into the rows [top, bottom) of the image. */
    end(top, bottom, ink) {
        top = Math.max(0, top);
        bottom = Math.min(this.height, bottom);
        for (let y = top; y < bottom; y++)
            this.pixels.set(this.line, y * this.width);
        if (this.hatched)
            this.hatchRows(top, bottom, ink);
    }

    hatchRows(top, bottom, ink) {
        let depth = 0;
        for (let x = 0; x < this.width; x++) {
            depth += this.hatch[x];
            if (depth === 0)
                continue;
            const pale = mix(this.line[x], this.back, 0.45), dark = mix(this.line[x], ink, 0.55);
            for (let y = top; y < bottom; y++)
                this.pixels[y * this.width + x] = (x + y) % 5 === 0 ? dark : pale;
        }
    }
}
