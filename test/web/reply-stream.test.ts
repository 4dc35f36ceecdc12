import { describe, expect, test, vi } from "vitest";
import { encodeReplyEvent, type ReplyEvent } from "#shared/reply-events.ts";
import type { ReplyState } from "#web/features/chat/reply-state.ts";
import { type SourceEvents, createReplyStream } from "#web/features/chat/reply-stream.ts";
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
  const connections: { events: SourceEvents; close: () => void }[] = [];
  const frames: (() => void)[] = [];
  const delays: { run: () => void; ms: number }[] = [];
  const onSettled = vi.fn<(state: ReplyState) => void>();
  const onLost = vi.fn<() => void>();
  const stream = createReplyStream({
    open(events) {
      const close = vi.fn<() => void>();
      connections.push({ events, close });
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

describe("following a reply", () => {
  test("shows all pieces of a frame at once", () => {
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

  test("closes the connection on the last event, or the browser would open it for ever", () => {
    const { connections, send, frame, onSettled } = openStream();
    send(text("ab"), "0.1");
    send(ENDED, "0.5");
    frame();
    expect(connections[0]?.close).toHaveBeenCalledTimes(1);
    expect(onSettled).toHaveBeenCalledWith(expect.objectContaining({ text: "ab" }));
  });

  test("leaves a lost connection to the browser, which resumes it", () => {
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

  test("opens a refused stream anew from the start, each time later, and has the messages read again", () => {
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

  test("passes over what a newer server says", () => {
    const { connections, send, frame, stream } = openStream();
    connections[0]?.events.message(JSON.stringify({ type: "hologram", data: 1 }), "0.1");
    send(text("a"), "0.2");
    frame();
    expect(stream.read().text).toBe("a");
  });

  test("takes nothing after it was closed", () => {
    const { stream, send, frame, onSettled } = openStream();
    send(ENDED, "0.5");
    stream.close();
    frame();
    expect(onSettled).not.toHaveBeenCalled();
  });
});
