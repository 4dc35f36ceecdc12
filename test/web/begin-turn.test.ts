import { afterEach, expect, test, vi } from "vitest";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { encodeReplyEvent } from "#shared/reply-events.ts";
import { beginTurn } from "#web/features/conversation/sending/begin-turn.ts";
import { type MessagePages, pagesOf, pathOf } from "#web/features/conversation/messages/message-pages.ts";
import { newReply } from "#web/features/conversation/messages/turn-messages.ts";
import { isFirstTextAwaited } from "#web/lib/first-text.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { id } from "./message-factory.ts";

const [chatId, messageId, replyId] = [id(9), id(1), id(2)];
const SETTLED = {
  type: "settled" as const,
  message_id: replyId,
  status: "done" as const,
  text: 2,
  model_id: null,
  reasoning_ms: null,
  citations: [],
  cost: null,
  usage: null,
  finish_reason: "stop",
  error: null,
};

afterEach(() => void vi.unstubAllGlobals());

function send(onStarted: () => void) {
  const body = { id: messageId, parent_id: null, content: "Hi" };
  return beginTurn(sendMessage, { chatId, input: { params: { id: chatId }, body }, onStarted });
}

test("an answer that comes whole in one piece is in its chat, and ended", async () => {
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run));
  const frames = [
    `data:${JSON.stringify({ type: "accepted", messageId, replyId })}`,
    `id:0.1\ndata:${encodeReplyEvent({ type: "text", text: "ab" })}`,
    `id:0.5\ndata:${encodeReplyEvent(SETTLED)}`,
  ];
  const ask = vi.fn<typeof fetch>(async () => new Response(frames.map((frame) => `${frame}\n\n`).join("")));
  vi.stubGlobal("fetch", ask);
  await send(() => {
    const reply = newReply({ id: replyId, chatId, parentId: messageId, modelId: null });
    queryClient.setQueryData<MessagePages>(keys.messages(chatId), pagesOf({ messages: [reply], nextCursor: null }));
  });
  expect(new Headers(ask.mock.calls[0]?.[1]?.headers).get("accept")).toBe("text/event-stream");
  const shown = () => pathOf(queryClient.getQueryData<MessagePages>(keys.messages(chatId)))[0];
  await vi.waitFor(() => expect(shown()).toMatchObject({ status: "done", content: "ab" }));
  await vi.waitFor(() => expect(isFirstTextAwaited()).toBe(false));
  expect(ask).toHaveBeenCalledTimes(1);
});

test("a refusal is the server's own, and nobody waits for words any more", async () => {
  vi.stubGlobal("fetch", async () =>
    Response.json({ error: "Slowly.", code: "RATE_LIMITED" }, { status: 429, headers: { "retry-after": "7" } }),
  );
  const onStarted = vi.fn<() => void>();
  await expect(send(onStarted)).rejects.toMatchObject({ code: "RATE_LIMITED", message: "Slowly.", status: 429, retryAfter: 7 });
  expect(onStarted).not.toHaveBeenCalled();
  expect(isFirstTextAwaited()).toBe(false);
});
