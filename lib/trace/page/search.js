/* Finding bars by a part of their name. */

class Search {
    constructor(view, data) {
        Object.assign(this, { view, data, text: "", matched: null });
    }

    /* Finds the bars whose name contains a text; an exact name is meant if the text begins with '='. Others become pale. */
    find(text) {
        const { data, view } = this, wanted = text.toLowerCase();
        this.text = text;
        this.matched = text === "" ? null : Uint8Array.from(data.names, name =>
            text[0] === "=" ? name === text.slice(1) : name.toLowerCase().includes(wanted));
        view.hits = this.matched ? this.times() : null;
        this.recolour();
    }

    recolour() {
        const { data, view, matched } = this, back = pixelOf(view.theme.lane);
        view.colours = matched ? data.colours.map((colour, name) => matched[name] ? colour : mix(back, colour, 0.18)) : data.colours;
        view.request();
    }

    times() {
        const { bars } = this.data, found = new Float64Array(bars.count);
        let count = 0;
        for (let i = 0; i < bars.count; i++)
            if (this.matched[bars.name[i]])
                found[count++] = bars.begin[i];
        return found.slice(0, count).sort();
    }

    /* Returns the next found bar behind (or before) the chosen one, or the middle of the view; -1: none. Bars that begin
     * at the same time follow each other in the order of their numbers. */
    next(direction) {
        const { view, data } = this, { hits, chosen } = view;
        if (!hits || hits.length === 0)
            return -1;
        const here = chosen >= 0 ? data.bars.begin[chosen] : view.from + view.span / 2;
        const same = chosen >= 0 ? this.barAt(here, direction, chosen + direction) : -1;
        if (same >= 0)
            return same;
        let at = direction > 0 ? firstAbove(hits, here) : firstAbove(hits, here) - 1;
        while (direction < 0 && at >= 0 && hits[at] >= here)
            at--;
        return this.barAt(hits[(at + hits.length) % hits.length], direction, direction > 0 ? 0 : data.bars.count - 1);
    }

    /* Returns the first found bar from number `from` on, in a direction, that begins at a time; -1: none. */
    barAt(time, direction, from) {
        const { bars } = this.data;
        for (let i = from; i >= 0 && i < bars.count; i += direction)
            if (bars.begin[i] === time && this.matched[bars.name[i]])
                return i;
        return -1;
    }
}
