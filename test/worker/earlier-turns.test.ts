import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { readReply, settledOf, startChatAndRead } from "#test/support/replies.ts";
import { signIn } from "#test/support/worker.ts";
import { ChatRoom } from "#worker/conversation/chat-room/chat-room.ts";

afterEach(() => void vi.restoreAllMocks());

/** What turns had not from the beginning. */
const SINCE = ["tools", "settings", "defaultPersonaId", "approvalDays", "memory", "once", "autopilot"];

it("A room takes a turn from a Worker of an earlier version, and none that lacks what every turn has", async () => {
  const user = await signIn();
  const begun = vi.spyOn(ChatRoom.prototype, "beginTurn");
  const { chatId, replyId: parentId } = await startChatAndRead(user, "say First.");
  const [first] = begun.mock.calls[0] ?? [];
  if (first?.kind !== "send") throw new Error("No message was sent.");
  const room = env.CHAT_ROOM.getByName(chatId);
  const replyId = crypto.randomUUID();
  const early = { ...first, id: crypto.randomUUID(), parentId, replyId, create: null, content: "say Second." };
  for (const field of SINCE) Reflect.deleteProperty(early, field);
  expect(await room.beginTurn(early)).toEqual({ ok: true, value: { messageId: early.id, replyId } });
  expect(settledOf(await readReply(user, { chatId, replyId }))).toMatchObject({ status: "done" });

  const broken = { ...early, id: crypto.randomUUID(), parentId: replyId, replyId: crypto.randomUUID() };
  Reflect.deleteProperty(broken, "model");
  const refused = await room.beginTurn(broken).catch((error: unknown) => String(error));
  expect(refused).toContain("ZodError");
  expect((await user.take(listMessages, { params: { id: chatId } })).messages).toHaveLength(4);
});
