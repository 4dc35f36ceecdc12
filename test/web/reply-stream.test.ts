import { describe, expect, test, vi } from "vitest";
import { encodeReplyEvent, type ReplyEvent } from "#shared/reply-events.ts";
import type { ReplyPosition } from "#shared/reply-position.ts";
import type { ReplyState } from "#web/features/conversation/replies/reply-state.ts";
import { type SourceEvents, createReplyStream, readAnswer } from "#web/features/conversation/replies/reply-stream.ts";
import { afterFirstText, beginAwaitingFirstText } from "#web/lib/first-text.ts";
import { id } from "./message-factory.ts";

const ENDED: ReplyEvent = {
  type: "settled",
  message_id: id(2),
  status: "done",
  text: 2,
  model_id: null,
  reasoning_ms: null,
  citations: [],
  cost: null,
  usage: null,
  finish_reason: "stop",
  error: null,
};

function openStream() {
  const connections: { events: SourceEvents; after: ReplyPosition | null; close: () => void }[] = [];
  const frames: (() => void)[] = [];
  const delays: { run: () => void; ms: number }[] = [];
  const onSettled = vi.fn<(state: ReplyState) => void>();
  const onLost = vi.fn<() => void>();
  const stream = createReplyStream({
    open(events, after) {
      const close = vi.fn<() => void>();
      connections.push({ events, after, close });
      return { close };
    },
    schedule: (flush) => frames.push(flush),
    later(run, ms) {
      delays.push({ run, ms });
      return () => undefined;
    },
    onSettled,
    onLost,
  });
  const send = (event: ReplyEvent, position: string) => connections.at(-1)?.events.message(encodeReplyEvent(event), position);
  const frame = () => frames.splice(0).forEach((flush) => flush());
  return { stream, connections, delays, onSettled, onLost, send, frame, frames };
}

const text = (piece: string): ReplyEvent => ({ type: "text", text: piece });

test("following a reply shows all events of a frame at once", () => {
  const { stream, send, frame, frames } = openStream();
  const listener = vi.fn<() => void>();
  stream.subscribe(listener);
  send(text("a"), "0.1");
  send(text("b"), "0.2");
  expect(frames).toHaveLength(1);
  expect(stream.read().text).toBe("");
  frame();
  expect(stream.read().text).toBe("ab");
  expect(listener).toHaveBeenCalledTimes(1);
});

test("following a reply closes the connection on the last event, or the browser would open it for ever", () => {
  const { connections, send, frame, onSettled } = openStream();
  send(text("ab"), "0.1");
  send(ENDED, "0.5");
  frame();
  expect(connections[0]?.close).toHaveBeenCalledTimes(1);
  expect(onSettled).toHaveBeenCalledWith(expect.objectContaining({ text: "ab" }));
});

test("following a reply leaves a lost connection to the browser, which resumes it", () => {
  const { connections, delays, send, frame, stream } = openStream();
  send(text("a"), "0.1");
  frame();
  connections[0]?.events.error(false);
  send(text("a"), "0.1");
  send(text("b"), "0.2");
  frame();
  expect(delays).toHaveLength(0);
  expect(stream.read().text).toBe("ab");
});

test("following a reply opens a refused stream anew from the start, each time later, and has the messages read again", () => {
  const { connections, delays, onLost, send, frame, stream } = openStream();
  send(text("a"), "0.1");
  frame();
  connections[0]?.events.error(true);
  expect(onLost).toHaveBeenCalledTimes(1);
  delays[0]?.run();
  connections[1]?.events.error(true);
  expect(delays.map(({ ms }) => ms)).toEqual([1_000, 2_000]);
  delays[1]?.run();
  send(text("ab"), "0.2");
  frame();
  expect(stream.read().text).toBe("ab");
});

test("following a reply goes on at its position where the answer to the message broke off, with all that was sent", () => {
  const { connections, send, frame, stream } = openStream();
  expect(connections[0]?.after).toBeNull();
  send(text("a"), "0.1");
  send(text("b"), "0.2");
  connections[0]?.events.end();
  expect(connections[1]?.after).toEqual({ generation: 0, seq: 2 });
  send(text("c"), "0.3");
  frame();
  expect(stream.read().text).toBe("abc");
});

test("following a reply opens nothing more where the answer ends with its last event", () => {
  const { connections, send, onSettled } = openStream();
  send(text("ab"), "0.1");
  send(ENDED, "0.5");
  connections[0]?.events.end();
  expect(connections).toHaveLength(1);
  expect(onSettled).toHaveBeenCalledTimes(1);
});

test("following a reply passes over what a newer server says", () => {
  const { connections, send, frame, stream } = openStream();
  connections[0]?.events.message(JSON.stringify({ type: "hologram", data: 1 }), "0.1");
  send(text("a"), "0.2");
  frame();
  expect(stream.read().text).toBe("a");
});

test("following a reply takes nothing after it was closed", () => {
  const { stream, send, frame, onSettled } = openStream();
  send(ENDED, "0.5");
  stream.close();
  frame();
  expect(onSettled).not.toHaveBeenCalled();
});

describe("the answer to a message", () => {
  const ACCEPTED = { type: "accepted", messageId: id(1), replyId: id(2) };

  /** A body whose bytes come chunk by chunk. */
  function openBody() {
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
    const writer = writable.getWriter();
    const encoder = new TextEncoder();
    return { readable, writer, say: (piece: string) => writer.write(encoder.encode(piece)) };
  }

  /** Connects to an answer and notes what it sends. */
  function listen({ connect }: Awaited<ReturnType<typeof readAnswer>>) {
    const received: string[] = [];
    const ended = Promise.withResolvers<void>();
    const source = connect({ message: (data, at) => received.push(`${at} ${data}`), error: () => undefined, end: ended.resolve });
    return { received, ended: ended.promise, source };
  }

  test("the answer to a message sends first what was accepted, and to whoever connects all that came meanwhile and comes", async () => {
    const { readable, writer, say } = openBody();
    const reading = readAnswer(readable);
    void say(`data:${JSON.stringify(ACCEPTED)}\n\nid:0.1\nda`);
    const answer = await reading;
    expect(answer.started).toMatchObject({ messageId: id(1), replyId: id(2) });
    await say('ta:"a"\n\n: \n\n');
    const { received, ended } = listen(answer);
    await say('id:0.2\ndata:"b"\n\nid:0.3\ndata:"lost');
    await writer.abort(new Error("the connection broke"));
    await ended;
    expect(received).toEqual(['0.1 "a"', '0.2 "b"']);
  });

  test("the answer to a message is as good as none where it ends before that: the same message is sent again", async () => {
    const { readable, writer } = openBody();
    const reading = readAnswer(readable);
    void writer.close();
    await expect(reading).rejects.toMatchObject({ code: "OFFLINE" });
  });

  test("the answer to a message sends nothing more once it is closed", async () => {
    const { readable, say } = openBody();
    const reading = readAnswer(readable);
    void say(`data:${JSON.stringify(ACCEPTED)}\n\n`);
    const { received, source } = listen(await reading);
    source.close();
    await say('id:0.1\ndata:"a"\n\n').catch(() => undefined);
    expect(received).toEqual([]);
  });
});

test("what can wait waits for the first words of every answer that somebody waits for, and no longer than five seconds", async () => {
  vi.useFakeTimers();
  const went = vi.fn<() => void>();
  await afterFirstText();
  const [first, second] = [beginAwaitingFirstText(), beginAwaitingFirstText()];
  void afterFirstText().then(went);
  first();
  first();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(went).not.toHaveBeenCalled();
  second();
  await vi.advanceTimersByTimeAsync(0);
  expect(went).toHaveBeenCalledTimes(1);
  beginAwaitingFirstText();
  void afterFirstText().then(went);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(went).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
