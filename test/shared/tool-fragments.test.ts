import { expect, test, vi } from "vitest";
import type { ReplyEvent } from "#shared/reply-events.ts";
import { coalesce } from "#worker/conversation/chat-room/replies/coalesce.ts";
import { assembleToolCalls } from "#worker/platform/clients/tool-call-fragments.ts";
import { toWireName } from "#worker/conversation/tools/wire-names.ts";

type Fragments = Parameters<ReturnType<typeof assembleToolCalls>["add"]>[0];

function assemble(...chunks: Fragments[]) {
  const assembler = assembleToolCalls();
  for (const chunk of chunks) assembler.add(chunk);
  return assembler.calls().map(({ id, name, arguments: text }) => [id, name, text]);
}

const start = (id: string, name: string, text: unknown = "", index?: number) => ({ index, id, function: { name, arguments: text } });
const more = (text: string, index?: number) => ({ index, function: { arguments: text } });

test("calls are put together by index, in turns", () => {
  const calls = assemble([start("a", "one", "", 0)], [start("b", "two", "", 1)], [more('{"x":', 0), more("{}", 1)], [more("1}", 0)]);
  expect(calls).toEqual([
    ["a", "one", '{"x":1}'],
    ["b", "two", "{}"],
  ]);
});

test("calls without an index are distinguished by their ids, and a fragment without either belongs to the last", () => {
  expect(assemble([start("a", "one", "{}")], [start("b", "two", '{"y"')], [more(":2}")])).toEqual([
    ["a", "one", "{}"],
    ["b", "two", '{"y":2}'],
  ]);
});

test("another id under the same index is another call", () => {
  expect(assemble([start("a", "one", "{}", 0)], [start("b", "two", '{"y"', 0)], [more(":2}", 0)])).toEqual([
    ["a", "one", "{}"],
    ["b", "two", '{"y":2}'],
  ]);
});

test("calls may lack an id, and have their arguments as an object or not at all", () => {
  expect(assemble([start("", "one", { x: 1 }, 0), start("", "two", null, 1)])).toEqual([
    ["", "one", '{"x":1}'],
    ["", "two", ""],
  ]);
});

test("models know a tool by its id where the aggregator takes it, else by a name that is its own", () => {
  expect(toWireName("parallelWebSearch")).toBe("parallelWebSearch");
  const long = `server.${"x".repeat(120)}`;
  expect(toWireName(long)).toMatch(/^[A-Za-z0-9_-]{64}$/);
  expect(toWireName(long)).not.toBe(toWireName(`${long}y`));
  expect(toWireName("a.b")).not.toBe(toWireName("a_b"));
});

test("parts of a tool call that grow in parallel are coalesced into one frame each", () => {
  const emitted: ReplyEvent[] = [];
  const coalescer = coalesce(
    (event) => emitted.push(event),
    () => 1_000,
  );
  const partEvent = (id: string, text: string): ReplyEvent => ({
    type: "tool_part",
    call_id: "call",
    part: { id, title: id, model_id: null, status: "running", cost: null },
    text,
  });
  coalescer.push({ type: "text", text: "first" });
  expect(emitted).toHaveLength(1);
  for (const id of ["a", "b", "a", "b"]) coalescer.push(partEvent(id, id));
  coalescer.push({ type: "text", text: "after" });
  coalescer.flush();
  expect(emitted.slice(1)).toEqual([partEvent("a", "aa"), partEvent("b", "bb"), { type: "text", text: "after" }]);
});

test("text goes out with the first chunk after the window, and by itself a little later", () => {
  vi.useFakeTimers({ now: 1_000 });
  try {
    const emitted: ReplyEvent[] = [];
    const { push } = coalesce((event) => emitted.push(event));
    const arrive = (ms: number, text: string) => {
      vi.advanceTimersByTime(ms);
      push({ type: "text", text });
    };
    arrive(0, "a");
    arrive(40, "b");
    expect(emitted).toEqual([{ type: "text", text: "a" }]);
    arrive(40, "c");
    expect(emitted.slice(1)).toEqual([{ type: "text", text: "bc" }]);
    arrive(40, "d");
    vi.advanceTimersByTime(49);
    expect(emitted).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(emitted.slice(2)).toEqual([{ type: "text", text: "d" }]);
  } finally {
    vi.useRealTimers();
  }
});
