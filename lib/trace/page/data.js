"use strict";
/* The data of the page: the facts, and the blocks of base64 as typed arrays. The columns are those of timeline.c. */

const BARS = { begin: Float64Array, end: Float64Array, name: Uint32Array, row: Uint32Array, beforeBegin: Uint16Array,
    afterBegin: Uint16Array, beforeEnd: Uint16Array, afterEnd: Uint16Array, depth: Uint8Array };
const MESSAGES = { sent: Float64Array, received: Float64Array, bytes: Float64Array, from: Uint32Array, to: Uint32Array,
    tag: Int32Array, flags: Uint8Array };
const DEPTH_POINT = 254, DEPTH_UNKNOWN = 255, HAS_BYTES = 1, CERTAINLY_EARLY = 2, IS_LAUNCH = 4;

const sixOf = new Uint8Array(128);
for (let i = 0; i < 64; i++)
    sixOf["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charCodeAt(i)] = i;

/* Decodes text[from, to) into bytes from `at` on. */
function decode(text, from, to, bytes, at) {
    while (to > from && text.charCodeAt(to - 1) === 61)
        to--;
    let i = from;
    for (; i + 4 <= to; i += 4) {
        const word = sixOf[text.charCodeAt(i)] << 18 | sixOf[text.charCodeAt(i + 1)] << 12 |
            sixOf[text.charCodeAt(i + 2)] << 6 | sixOf[text.charCodeAt(i + 3)];
        bytes[at] = word >> 16;
        bytes[at + 1] = word >> 8;
        bytes[at + 2] = word;
        at += 3;
    }
    if (to - i >= 2)
        bytes[at++] = sixOf[text.charCodeAt(i)] << 2 | sixOf[text.charCodeAt(i + 1)] >> 4;
    if (to - i === 3)
        bytes[at] = sixOf[text.charCodeAt(i + 1)] << 4 | sixOf[text.charCodeAt(i + 2)] >> 2;
}

/* Reads all blocks of a class into an object with an array for each column. Removes the blocks, to free their text. */
function readBlocks(kind, columns) {
    const blocks = [...document.getElementsByClassName(kind)];
    const table = { count: blocks.reduce((sum, block) => sum + Number(block.dataset.count), 0) };
    for (const name in columns)
        table[name] = new columns[name](table.count);
    let first = 0;
    for (const block of blocks) {
        const text = block.textContent;
        let from = 0;
        for (const name in columns) {
            let to = text.indexOf(" ", from);
            to = to < 0 ? text.length : to;
            decode(text, from, to, new Uint8Array(table[name].buffer), first * table[name].BYTES_PER_ELEMENT);
            from = to + 1;
        }
        first += Number(block.dataset.count);
        block.remove();
    }
    return table;
}

const halfWord = new Uint32Array(1), halfFloat = new Float32Array(halfWord.buffer);
/* Returns the distance of which a word has the upper half. */
function rangeOf(half) {
    halfWord[0] = half << 16;
    return halfFloat[0];
}

/* Formats a duration: "1.5 ms". */
function showTime(ns, digits = 6) {
    const units = ["ns", "us", "ms", "s"];
    let unit = 0;
    while (unit < 3 && Math.abs(ns) >= 999.9995) {
        ns /= 1000;
        unit++;
    }
    return `${Number(ns.toPrecision(digits))} ${units[unit]}`;
}
