/** Where the elements of a JSON array stand in a stream of bytes, so each can be read by itself and none but it is in memory. */

/** An element: its place in bytes, and how deeply it is nested. */
export type Span = { from: number; length: number; depth: number };

export type JsonSpans = {
  /** Takes the next bytes and answers the elements that end in them. */
  push(bytes: Uint8Array): Span[];
  /** True once the array has ended; false at the end of the bytes where they break off. */
  isComplete(): boolean;
  /** True where the bytes do not begin as an array or an object does. */
  isOther(): boolean;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Splits one JSON text: the elements of an array, or the one object that it is. Neither values nor their grammar are looked at. */
export function createJsonSpans(): JsonSpans {
  let at = 0;
  /** Arrays and objects that are open; the outermost array counts, an outermost object does not, as it is the element. */
  let depth = 0;
  let deepest = 0;
  let from = -1;
  let isInString = false;
  let isEscaped = false;
  let state: "before" | "array" | "object" | "after" | "other" = "before";

  function end(spans: Span[], after: number): void {
    if (from < 0) return;
    spans.push({ from, length: after - from, depth: deepest - 1 });
    from = -1;
    deepest = 0;
  }

  function open(place: number): void {
    if (from < 0) from = place;
    depth += 1;
    if (depth > deepest) deepest = depth;
  }

  function begin(byte: number, place: number): void {
    if (isSpace(byte) || (place < BYTE_ORDER_MARK.length && BYTE_ORDER_MARK[place] === byte)) return;
    state = byte === OPEN_ARRAY ? "array" : byte === OPEN_OBJECT ? "object" : "other";
    depth = 1;
    if (state === "object") open(place);
  }

  return {
    push(bytes) {
      const spans: Span[] = [];
      for (let index = 0; index < bytes.length; index += 1) {
        const byte = bytes[index] ?? 0;
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isInString = false;
          continue;
        }
        const place = at + index;
        if (state === "before") {
          begin(byte, place);
          continue;
        }
        if (state === "after" || state === "other") break;
        if (byte === QUOTE) {
          isInString = true;
          if (from < 0) from = place;
        } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
          open(place);
        } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
          depth -= 1;
          if (depth === 1) end(spans, place + 1);
          if (depth === 0) end(spans, place);
          if (depth === 0 || (depth === 1 && state === "object")) state = "after";
        } else if (depth === 1) {
          if (byte === COMMA) end(spans, place);
          else if (from < 0 && !isSpace(byte)) from = place;
        }
      }
      at += bytes.length;
      return spans;
    },
    isComplete: () => state === "after",
    isOther: () => state === "other" || state === "before",
  };
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
