/* Lanes: the bars of a row at one depth of nesting. The bars of a lane do not overlap, and are in the order of time, so
 * a view finds its bars by binary search. Where bars are narrower than a pixel, sums and a pyramid of longest bars say
 * which colour the pixel has, in a time that does not depend on the number of bars. */

const FANOUT = 16;

class Lane {
    /* `members`: indices into the bars, in the order of their begins */
    constructor(bars, members) {
        const count = members.length;
        this.count = count;
        this.member = members;
        this.begin = new Float64Array(count);
        this.end = new Float64Array(count);
        this.sum = new Float64Array(count + 1); /* sum[i]: the time in the bars before bar i */
        for (let i = 0; i < count; i++) {
            this.begin[i] = bars.begin[members[i]];
            this.end[i] = bars.end[members[i]];
            this.sum[i + 1] = this.sum[i] + this.end[i] - this.begin[i];
        }
        this.levels = this.makeLevels();
    }

    lengthOf(i) {
        return this.end[i] - this.begin[i];
    }

    /* Makes the pyramid: level k has the longest of each FANOUT^(k + 1) bars. */
    makeLevels() {
        const levels = [];
        let below = null, count = this.count;
        while (count > FANOUT) {
            const level = new Uint32Array(Math.ceil(count / FANOUT));
            for (let i = 0; i < count; i++) {
                const bar = below ? below[i] : i, at = i / FANOUT | 0;
                if (i % FANOUT === 0 || this.lengthOf(bar) > this.lengthOf(level[at]))
                    level[at] = bar;
            }
            levels.push(level);
            below = level;
            count = level.length;
        }
        return levels;
    }

    /* Returns the longest of the bars [from, to). */
    longest(from, to) {
        let best = from, level = null, depth = 0;
        const take = i => {
            const bar = level ? level[i] : i;
            if (this.lengthOf(bar) > this.lengthOf(best))
                best = bar;
        };
        for (;;) {
            const above = this.levels[depth];
            if (!above || to - from <= 2 * FANOUT)
                break;
            for (; from % FANOUT !== 0; from++)
                take(from);
            for (; to % FANOUT !== 0; to--)
                take(to - 1);
            from /= FANOUT;
            to /= FANOUT;
            level = above;
            depth++;
        }
        for (; from < to; from++)
            take(from);
        return best;
    }

    /* Returns the first bar that ends after a time. */
    firstAfter(time, low = 0) {
        let high = low, step = 1;
        while (high < this.count && this.end[high] <= time) {
            low = high + 1;
            high += step;
            step *= 2;
        }
        high = Math.min(high, this.count);
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.end[middle] <= time)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    /* Returns the first bar that begins at a time or later. */
    firstFrom(time, low = 0) {
        let high = low, step = 1;
        while (high < this.count && this.begin[high] < time) {
            low = high + 1;
            high += step;
            step *= 2;
        }
        high = Math.min(high, this.count);
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.begin[middle] < time)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
}

/* True if the members are in the order of time, and none begins before the one before it ends. */
function isLane(bars, members) {
    for (let i = 1; i < members.length; i++)
        if (bars.begin[members[i]] < bars.end[members[i - 1]])
            return false;
    return true;
}

/* Distributes bars of unknown or overlapping depths over lanes: a bar is in the first lane below all bars that contain
 * its begin. */
function nest(bars, members) {
    members.sort((a, b) => bars.begin[a] - bars.begin[b] || bars.end[b] - bars.end[a] || a - b);
    const open = [], lanes = [];
    for (const bar of members) {
        while (open.length > 0 && open[open.length - 1] <= bars.begin[bar])
            open.pop();
        (lanes[open.length] ??= []).push(bar);
        open.push(bars.end[bar]);
    }
    return lanes.map(lane => Uint32Array.from(lane));
}

/* Puts the indices of the bars of each row together: a counting sort. Returns where each row begins. */
function groupByRow(bars, rowCount) {
    const starts = new Uint32Array(rowCount + 1), order = new Uint32Array(bars.count);
    for (let i = 0; i < bars.count; i++)
        starts[bars.row[i] + 1]++;
    for (let row = 0; row < rowCount; row++)
        starts[row + 1] += starts[row];
    const next = starts.slice();
    for (let i = 0; i < bars.count; i++)
        order[next[bars.row[i]]++] = i;
    return { starts, order };
}

const NO_BARS = new Uint32Array(0);

/* Splits the bars of a row by depth. */
function splitByDepth(bars, members) {
    const counts = new Uint32Array(256);
    for (const bar of members)
        counts[bars.depth[bar]]++;
    const lists = Array.from(counts, count => count ? new Uint32Array(count) : NO_BARS);
    counts.fill(0);
    for (const bar of members)
        lists[bars.depth[bar]][counts[bars.depth[bar]]++] = bar;
    return lists;
}

function makeRow(bars, members, row) {
    const lists = splitByDepth(bars, members), points = lists[DEPTH_POINT];
    let lanes = lists.slice(0, DEPTH_POINT);
    while (lanes.length > 0 && lanes[lanes.length - 1].length === 0)
        lanes.pop();
    if (lists[DEPTH_UNKNOWN].length > 0 || !lanes.every(lane => isLane(bars, lane)))
        lanes = nest(bars, members.filter(bar => bars.depth[bar] !== DEPTH_POINT));
    points.sort((a, b) => bars.begin[a] - bars.begin[b]);
    return { row, folded: false, lanes: lanes.map(lane => new Lane(bars, lane)), points: new Lane(bars, points) };
}

/* Makes the rows of the timeline, in the order of ranks and threads, each rank's devices behind its threads. Rows without bars and points are left out, unless
 * they have messages. */
function makeRows(bars, messages, keys) {
    const { starts, order } = groupByRow(bars, keys.length), used = new Uint8Array(keys.length);
    for (let i = 0; i < messages.count; i++)
        used[messages.from[i]] = used[messages.to[i]] = 1;
    const rows = [];
    keys.forEach(([rank, thread, title, device = 0], row) => {
        if (starts[row + 1] === starts[row] && !used[row])
            return;
        rows.push({ ...makeRow(bars, order.subarray(starts[row], starts[row + 1]), row), rank, thread, title, device });
    });
    return rows.sort((a, b) => a.rank - b.rank || a.device - b.device || a.thread - b.thread);
}

/* Messages in the order of their earlier end. reach[i] is the latest end of the messages up to i, so that those which
 * overlap a range of time are found by binary search. */
function indexMessages(messages, order) {
    const begin = Float64Array.from(order, i => Math.min(messages.sent[i], messages.received[i]));
    const reach = new Float64Array(order.length);
    let latest = -Infinity;
    for (let i = 0; i < order.length; i++) {
        latest = Math.max(latest, messages.sent[order[i]], messages.received[order[i]]);
        reach[i] = latest;
    }
    return { order, begin, reach };
}

/* Makes two indexes: of the messages that were received after they were sent, and of the others, the early ones. */
function orderMessages(messages) {
    const earlier = i => Math.min(messages.sent[i], messages.received[i]);
    const order = Uint32Array.from({ length: messages.count }, (_, i) => i);
    let sorted = true;
    for (let i = 1; sorted && i < messages.count; i++)
        sorted = earlier(i - 1) <= earlier(i);
    if (!sorted)
        order.sort((a, b) => earlier(a) - earlier(b));
    const isEarly = i => messages.received[i] < messages.sent[i];
    return { normal: indexMessages(messages, order.filter(i => !isEarly(i))), early: indexMessages(messages, order.filter(isEarly)) };
}

/* Returns the first index whose value is above `limit`, in an ascending array. */
function firstAbove(values, limit) {
    let low = 0, high = values.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (values[middle] <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
