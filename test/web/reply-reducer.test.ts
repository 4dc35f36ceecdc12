import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReplyEvent, SettledEvent } from "#shared/reply-events.ts";
import type { ReplyPosition } from "#shared/reply-position.ts";
import { toolCall } from "#test/support/sample-tool-call.ts";
import { reduceReply } from "#web/features/conversation/replies/reply-reducer.ts";
import { EMPTY_REPLY, type ReplyState, isComplete, withReply } from "#web/features/conversation/replies/reply-state.ts";
import { answer, id } from "./message-factory.ts";

type Sent = { event: ReplyEvent; position: ReplyPosition };

const at = (seq: number, generation = 0): ReplyPosition => ({ generation, seq });
const text = (chunk: string): ReplyEvent => ({ type: "text", text: chunk });
const settled = (change: Partial<SettledEvent> = {}): SettledEvent => ({
  type: "settled",
  message_id: id(2),
  status: "done",
  text: 0,
  model_id: "maker/model",
  reasoning_ms: null,
  citations: [],
  cost: 0.01,
  usage: null,
  finish_reason: "stop",
  error: null,
  ...change,
});

function take(events: Sent[], from: ReplyState = EMPTY_REPLY): ReplyState {
  return events.reduce((state, { event, position }) => reduceReply(state, event, position), from);
}

const call = toolCall({ id: id(7), tool: "testEcho" });

test("a reply's tool calls are live in the message, which waits while nothing goes on but for a word", () => {
  const other = { ...call, id: id(8), status: "waiting" as const };
  const state = take([
    { event: { type: "tool", call }, position: at(1) },
    { event: { type: "tool", call: other }, position: at(2) },
    {
      event: {
        type: "tool_part",
        call_id: call.id,
        part: { id: "leg", title: "Leg", model_id: null, status: "running", cost: null },
        text: "so far",
      },
      position: at(3),
    },
  ]);
  expect(withReply(answer(), state)).toMatchObject({ status: "streaming", tool_calls: [{ parts: [{ text: "so far" }] }, other] });
  const done = { ...call, status: "done" as const, output: "all of it" };
  const waiting = take(
    [
      { event: { type: "tool", call: done }, position: at(4) },
      { event: { type: "citations", citations: [{ url: "https://example.com", title: null }] }, position: at(5) },
    ],
    state,
  );
  const message = withReply(answer(), waiting);
  expect(message).toMatchObject({ status: "waiting", citations: [{ url: "https://example.com" }] });
  expect(message.tool_calls).toEqual([done, other]);
});

test("a reply grows by its deltas, reasoning and text apart", () => {
  const state = take([
    { event: { type: "replace", text: 0, reasoning: 0 }, position: at(0) },
    { event: { type: "reasoning", text: "Let me", ms: 200 }, position: at(1) },
    { event: { type: "reasoning", text: " see.", ms: 900 }, position: at(2) },
    { event: text("It "), position: at(3) },
    { event: text("holds."), position: at(4) },
  ]);
  expect(state).toMatchObject({ text: "It holds.", reasoning: "Let me see.", reasoningMs: 900, position: at(4), hasContent: true });
});

test("a reply drops what it has seen in this generation and everything of an earlier one", () => {
  const firstState = take([{ event: text("abc"), position: at(5, 1) }]);
  expect(take([{ event: text("abc"), position: at(5, 1) }], firstState)).toBe(firstState);
  expect(take([{ event: text("x"), position: at(3, 1) }], firstState)).toBe(firstState);
  expect(take([{ event: text("x"), position: at(9, 0) }], firstState)).toBe(firstState);
});

test("a reply is cut back by a new generation to what the server kept", () => {
  const firstState = take([
    { event: { type: "reasoning", text: "hm", ms: 1 }, position: at(1) },
    { event: text("kept and lost"), position: at(2) },
  ]);
  const state = take(
    [
      { event: { type: "replace", text: 4, reasoning: 1 }, position: at(0, 1) },
      { event: text(" anew"), position: at(1, 1) },
    ],
    firstState,
  );
  expect(state).toMatchObject({ text: "kept anew", reasoning: "h", position: at(1, 1) });
});

test("a reply shows another try until the next delta", () => {
  const waiting = take([{ event: { type: "retry", attempt: 2, reason: "overloaded" }, position: at(1) }]);
  expect(waiting.retry).toEqual({ attempt: 2, reason: "overloaded" });
  expect(take([{ event: text("a"), position: at(2) }], waiting).retry).toBeNull();
  expect(take([{ event: settled({ status: "failed" }), position: at(2) }], waiting).retry).toBeNull();
});

test("a reply ends with its last event", () => {
  const ended = take([
    { event: text("abc"), position: at(1) },
    { event: settled({ text: 3 }), position: at(7) },
  ]);
  expect(isComplete(ended)).toBe(true);
  expect(take([{ event: text("more"), position: at(8) }], ended)).toBe(ended);
});

test("a reply knows that something is missing by the length of the complete text", () => {
  expect(isComplete(take([{ event: settled({ text: 3 }), position: at(7) }]))).toBe(false);
});

describe("a message with its reply", () => {
  const stored = answer({ status: "streaming", content: "as stored", model_id: null, reasoning: "stored thought" });

  test("a message with its reply shows what was stored until the stream has sent something", () => {
    const state = take([{ event: { type: "replace", text: 0, reasoning: 0 }, position: at(0) }]);
    expect(withReply(stored, state)).toMatchObject({ content: "as stored", status: "streaming" });
  });

  test("a message with its reply names the model as soon as it is known", () => {
    const state = take([{ event: { type: "model", model_id: "maker/chosen" }, position: at(0) }]);
    expect(withReply(stored, state).model_id).toBe("maker/chosen");
  });

  test("a message with its reply takes over how the turn ended", () => {
    const state = take([
      { event: text("a whole answer"), position: at(1) },
      { event: settled({ status: "stopped", text: 14, cost: 0.5 }), position: at(5) },
    ]);
    expect(withReply(stored, state)).toMatchObject({ content: "a whole answer", status: "stopped", cost: 0.5, finish_reason: "stop" });
  });

  test("a message with its reply keeps the longer text when deltas are missing at the end", () => {
    const state = take([{ event: settled({ text: 20 }), position: at(5) }]);
    expect(withReply(stored, state)).toMatchObject({ content: "as stored", status: "done" });
  });
});

/** A server's log: generations that each keep part of what was before and go on. */
const serverLog = fc
  .array(
    fc.record({
      keep: fc.double({ min: 0, max: 1, noNaN: true }),
      chunks: fc.array(fc.string({ minLength: 1, maxLength: 9 }), { maxLength: 12 }),
    }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((generations) => {
    let logged = "";
    const log: Sent[] = [];
    for (const [generation, { keep, chunks }] of generations.entries()) {
      let seq = 0;
      const cut = generation === 0 ? 0 : Math.floor(logged.length * keep);
      logged = logged.slice(0, cut);
      log.push({ event: { type: "replace", text: cut, reasoning: 0 }, position: { generation, seq: (seq += 1) } });
      for (const chunk of chunks) {
        logged += chunk;
        log.push({ event: text(chunk), position: { generation, seq: (seq += 1) } });
      }
    }
    const last = log.at(-1)?.position ?? at(0);
    log.push({ event: settled({ text: logged.length }), position: { ...last, seq: last.seq + 4 } });
    return { log, logged };
  });

/** What a reader that stands at `from` is sent: all that follows, some of it joined. */
function resume(log: Sent[], from: ReplyPosition | null, shouldJoin: () => boolean): Sent[] {
  const sent: Sent[] = [];
  for (const next of log) {
    if (from && !isAfter(next.position, from)) continue;
    const last = sent.at(-1);
    const canJoin = last?.event.type === "text" && next.event.type === "text" && last.position.generation === next.position.generation;
    if (canJoin && last.event.type === "text" && next.event.type === "text" && shouldJoin()) {
      sent[sent.length - 1] = { event: text(last.event.text + next.event.text), position: next.position };
    } else sent.push(next);
  }
  return sent;
}

function isAfter(a: ReplyPosition, b: ReplyPosition): boolean {
  return a.generation === b.generation ? a.seq > b.seq : a.generation > b.generation;
}

test("nothing is lost and nothing doubled, wherever the connection is cut, joined or repeats itself", () => {
  fc.assert(
    fc.property(serverLog, fc.infiniteStream(fc.nat(6)), fc.infiniteStream(fc.boolean()), ({ log, logged }, cuts, choices) => {
      const choose = (): boolean => choices.next().value ?? false;
      let state = EMPTY_REPLY;
      for (let connections = 0; state.settled === null && connections < 200; connections += 1) {
        // A server that answers an older position than the reader's repeats what it sent.
        const position = choose() ? state.position : null;
        const isRestart = position === null && state.position !== null && choose();
        if (isRestart) state = EMPTY_REPLY;
        const sent = resume(log, isRestart ? null : (position ?? state.position), choose);
        const before =
          state.position === null || isRestart ? [] : log.filter((past) => !isAfter(past.position, state.position ?? at(0))).slice(-3);
        const length = 1 + (cuts.next().value ?? 0);
        state = take([...before, ...sent].slice(0, before.length + length), state);
      }
      expect(state.text).toBe(logged);
      expect(isComplete(state)).toBe(true);
    }),
  );
});
