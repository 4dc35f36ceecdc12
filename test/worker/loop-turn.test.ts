import { describe, expect, it } from "vitest";
import type { ReplyEvent } from "#shared/reply-events.ts";
import { coalesce } from "#worker/chat-room/replies/coalesce.ts";
import { readEventData } from "#worker/clients/event-stream.ts";
import { until } from "#test/support/until.ts";
import { timersLateBy, turnOfOthers } from "#worker/clients/loop-turn.ts";

/** More pieces than any machine reads in the time after which others get their turn. */
const PIECES = 400_000;

describe("a thread that has more to read than it can", () => {
  it("comes to its timers while a stream's bytes are always there", async () => {
    const piece = `data: ${JSON.stringify({ text: "word ".repeat(20) })}\n\n`;
    const encoder = new TextEncoder();
    let left = PIECES;
    let isHeard = false;
    const body = new ReadableStream({
      type: "bytes",
      pull(controller: ReadableByteStreamController) {
        left -= 1;
        if (isHeard || left === 0) controller.close();
        else controller.enqueue(encoder.encode(piece));
      },
    });
    setTimeout(() => (isHeard = true), 10);
    let events = 0;
    await readEventData(body, {
      onLife() {},
      onData(data) {
        events += data.length;
        return "going on";
      },
    });
    expect(isHeard).toBe(true);
    expect(left).toBeGreaterThan(0);
    expect(events).toBe(PIECES - left - 1);
  });

  it("sends rarer frames until timers are on time again", async () => {
    await until("timers that were late", async () => {
      keepThreadBusy(110);
      void turnOfOthers(Date.now());
      keepThreadBusy(150);
      await turnOfOthers(Date.now());
      return timersLateBy(Date.now()) > 140;
    });
    let now = Date.now();
    const frames: ReplyEvent[] = [];
    const { push } = coalesce(
      (event) => frames.push(event),
      () => now,
    );
    const say = (text: string, afterMs: number) => {
      now += afterMs;
      push({ type: "text", text });
    };
    say("One ", 0);
    say("two ", 100);
    say("three ", 100);
    expect(frames).toEqual([{ type: "text", text: "One " }]);
    say("four ", 100);
    expect(frames.slice(1)).toEqual([{ type: "text", text: "two three four " }]);
    say("five ", 1_000);
    say("six ", 100);
    expect(frames.slice(2)).toEqual([
      { type: "text", text: "five " },
      { type: "text", text: "six " },
    ]);
  });
});

function keepThreadBusy(ms: number): void {
  const end = Date.now() + ms;
  while (Date.now() < end);
}
