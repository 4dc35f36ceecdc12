import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { getChat } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { MESSAGES_PAGE } from "#shared/limits.ts";
import { countCosts } from "#test/support/count-costs.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { signIn } from "#test/support/worker.ts";

it("A chat of 5,000 messages opens, and shows an older page, with at most 300 rows read each", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChatAndRead(user, "say First.");
  const leafId = await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage: { sql } }) => {
    let parentId = replyId;
    for (let number = 0; number < 5_000; number += 1) {
      const id = crypto.randomUUID();
      const role = number % 2 === 0 ? "user" : "assistant";
      sql.exec(
        "INSERT INTO messages (id, parent_id, role, content, status, created_at) VALUES (?, ?, ?, 'A message.', 'done', '2026-11-20T00:00:00.000Z')",
        id,
        parentId,
        role,
      );
      parentId = id;
    }
    sql.exec("UPDATE chat SET head_id = ?", parentId);
    return parentId;
  });

  const params = { id: chatId };
  let before = "";
  const opening = await countCosts({ chatId, userId: user.user.id }, async () => {
    await user.take(getChat, { params });
    const { messages, nextCursor } = await user.take(listMessages, { params, query: {} });
    expect(messages).toHaveLength(MESSAGES_PAGE);
    expect(messages.at(-1)?.id).toBe(leafId);
    before = nextCursor ?? "";
  });
  expect(opening.rowsRead).toBeLessThanOrEqual(300);
  expect(opening.rowsRead).toBeGreaterThan(MESSAGES_PAGE);
  const paging = await countCosts({ chatId, userId: user.user.id }, async () => {
    expect((await user.take(listMessages, { params, query: { before } })).messages).toHaveLength(MESSAGES_PAGE);
  });
  expect(paging.rowsRead).toBeLessThanOrEqual(300);
});
