import { statusFaultNames, type StatusFault } from "./status-faults.ts";

/** Faults of the connection or of the stream; the answer starts well, or not at all. */
export const streamFaults = {
  hang: "no byte is ever sent",
  "hang-mid-stream": "some text, then silence on an open connection",
  cut: "some text, then the connection is destroyed",
  "cut-before": "the connection is destroyed before any byte",
  "error-mid-stream": "some text, then the documented error chunk (429)",
  "error-mid-stream-string-code": "the same with the string `server_error` as its code",
  "split-utf8": "every character of several bytes is split between two writes",
  "split-anywhere": "the stream is written in pieces of 5 bytes",
  crlf: "lines end with CR LF, written apart",
  "no-done": "the stream ends without `[DONE]`",
  "no-finish": "no chunk has a finish reason",
  "no-end": "neither a finish reason nor `[DONE]`, nor the empty line behind the last event",
  linger: "the connection stays open after `[DONE]`, which comes by itself",
  "no-usage": "no usage chunk",
  "usage-on-choice": "usage rides on the chunk with the finish reason",
  "usage-if-asked": "usage comes only where `stream_options.include_usage` asks for it",
  "usage-x-groq": "usage stands in `x_groq`, and without a cost",
  "reasoning-content": "reasoning is named `reasoning_content` and has no details",
  "reasoning-details-only": "reasoning comes in its details alone",
  "content-parts": "the content is a list of parts, reasoning among them",
  "citations-beside": "sources stand beside the choices of every chunk, and the cost is an object",
  "odd-chunks": "in the middle come chunks of other shapes",
  endless: "the text goes on in long pieces until its reader leaves",
  empty: "no content at all, finish reason `stop`",
  length: "the text breaks off, finish reason `length`",
  "content-filter": "the text breaks off, finish reason `content_filter`",
  "malformed-json": "one event in the middle is not JSON",
  "tool-call-whole": "each tool call comes whole, in one chunk",
  "tool-call-no-index": "each tool call comes whole and without an index",
  "late-generation": "the first `GET /generation` for this answer is a 404",
} as const;

export type StreamFault = keyof typeof streamFaults;
export type FaultName = StatusFault | StreamFault;

export const streamFaultNames: readonly string[] = Object.keys(streamFaults);

/** True for a name in either table. */
export function isFaultName(name: string): name is FaultName {
  return streamFaultNames.includes(name) || statusFaultNames.includes(name);
}

/** True for a fault that is an HTTP answer with an error body. */
export function isStatusFault(name: FaultName): name is StatusFault {
  return statusFaultNames.includes(name);
}

/** Counts down `times N`: returns whether the fault still holds for this key. Keeps the latest 1,000 keys. */
export function createFaultCounter(): (key: string, times: number) => boolean {
  const seen = new Map<string, number>();
  return (key, times) => {
    if (times === Infinity) return true;
    const count = (seen.get(key) ?? 0) + 1;
    seen.delete(key);
    seen.set(key, count);
    const oldest = seen.keys().next();
    if (seen.size > 1000 && !oldest.done) seen.delete(oldest.value);
    return count <= times;
  };
}
