import { expect, test } from "vitest";
import { shortenConversation } from "#shared/shorten-conversation.ts";

const say = (...texts: string[]) => texts.map((content) => ({ content }));

test("a short conversation stays as it is, and so does none", () => {
  expect(shortenConversation(say("a", "b"), 100)).toEqual({ messages: say("a", "b"), left: 0 });
  expect(shortenConversation([], 100)).toEqual({ messages: [], left: 0 });
});

test("of a long conversation the first message and the newest stay, within the limit", () => {
  const messages = Array.from({ length: 50 }, (_, n) => ({ content: `${n}`.padStart(10, "-") }));
  const { messages: kept, left } = shortenConversation(messages, 100);
  expect(kept).toEqual([messages[0], ...messages.slice(41)]);
  expect(left).toBe(40);
});

test("a message that is too long alone loses its middle", () => {
  const { messages, left } = shortenConversation(say("a".repeat(500) + "z".repeat(500), "end"), 400);
  expect(left).toBe(0);
  expect(messages[0]?.content).toMatch(/^a+\n\[…\]\nz+$/);
  expect(messages.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(400);
  expect(messages[1]?.content).toBe("end");
});
