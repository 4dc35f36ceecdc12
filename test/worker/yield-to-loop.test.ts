import { expect, it } from "vitest";
import type { ReplyEvent } from "#shared/reply-events.ts";
import { coalesce } from "#worker/conversation/chat-room/replies/coalesce.ts";
import { readEventData } from "#worker/platform/clients/event-stream.ts";
import { until } from "#test/support/until.ts";
import { timerLagMs, yieldIfDue } from "#worker/platform/clients/yield-to-loop.ts";

/** More chunks than any machine reads in the time after which others get their turn. */
const CHUNKS = 400_000;

it("a thread that has more to read than it can comes to its timers while a stream's bytes are always there", async () => {
  const chunk = `data: ${JSON.stringify({ text: "word ".repeat(20) })}\n\n`;
  const encoder = new TextEncoder();
  let left = CHUNKS;
  let hasTimerFired = false;
  const body = new ReadableStream({
    type: "bytes",
    pull(controller: ReadableByteStreamController) {
      left -= 1;
      if (hasTimerFired || left === 0) controller.close();
      else controller.enqueue(encoder.encode(chunk));
    },
  });
  setTimeout(() => (hasTimerFired = true), 10);
  let events = 0;
  await readEventData(body, {
    onLife() {},
    onData(data) {
      events += data.length;
      return "going on";
    },
  });
  expect(hasTimerFired).toBe(true);
  expect(left).toBeGreaterThan(0);
  expect(events).toBe(CHUNKS - left - 1);
});

it("a thread that has more to read than it can sends rarer frames until timers are on time again", async () => {
  await until("timers that were late", async () => {
    keepThreadBusy(110);
    void yieldIfDue(Date.now());
    keepThreadBusy(150);
    await yieldIfDue(Date.now());
    return timerLagMs(Date.now()) > 140;
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

function keepThreadBusy(ms: number): void {
  const end = Date.now() + ms;
  while (Date.now() < end);
}
