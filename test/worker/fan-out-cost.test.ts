import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { type Costs, countCosts } from "#test/support/count-costs.ts";
import { CHEAP_MODEL, readReply, settledOf, startChatAndRead } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { signIn } from "#test/support/worker.ts";

const READERS = env.TEST_READERS.split(" ").map(Number);

/** Accounts in one go, as members of a new team. */
async function makeCrew(ownerId: string, count: number): Promise<{ teamId: string; userIds: string[] }> {
  const teamId = crypto.randomUUID();
  const at = new Date().toISOString();
  const userIds = Array.from({ length: count }, () => crypto.randomUUID());
  const crew = JSON.stringify([ownerId, ...userIds]);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO teams (id, name, created_by, created_at) VALUES (?, 'Crew', ?, ?)").bind(teamId, ownerId, at),
    env.DB.prepare(
      "INSERT INTO users (id, email, display_name, created_at, last_seen_at) SELECT value, value || '@example.com', 'Reader', ?1, ?1 FROM json_each(?2)",
    ).bind(at, JSON.stringify(userIds)),
    env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) SELECT ?, value, 'member', ? FROM json_each(?)").bind(
      teamId,
      at,
      crew,
    ),
  ]);
  return { teamId, userIds };
}

/** What a short message with its answer costs in a chat that so many people have access to. */
async function countMessage(readers: number): Promise<Costs> {
  const owner = await signIn();
  const { chatId, replyId: parentId } = await startChatAndRead(owner, "say The first answer.");
  await until("the first turn's charges", async () => (await owner.take(getUsage, { query: { by: "chat" } })).usage[0]?.calls === 2);
  const { teamId, userIds } = await makeCrew(owner.user.id, readers - 1);
  if (readers > 1) {
    await owner.take(shareChat, { params: { id: chatId }, body: { type: "team", teamId, permissionLevel: "viewer" } });
    const has = async (userId: string) => (await env.USER_HUB.getByName(userId).find(chatId)) !== null;
    await until("the chat with everybody", async () => (await Promise.all(userIds.map(has))).every(Boolean), 60_000);
  }
  const atRest = (sql: SqlStorage) => sql.exec("SELECT 1 FROM outbox UNION ALL SELECT 1 FROM charges").toArray().length === 0;
  await until("the room at rest", () => runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => atRest(storage.sql)));
  const body = { id: crypto.randomUUID(), parent_id: parentId, content: "say For everybody.", model_id: CHEAP_MODEL };
  const costs = await countCosts({ chatId, userId: owner.user.id }, async () => {
    const { replyId } = await owner.take(sendMessage, { params: { id: chatId }, body });
    expect(settledOf(await readReply(owner, { chatId, replyId })).status).toBe("done");
  });
  for (const userId of userIds)
    expect(await env.USER_HUB.getByName(userId).find(chatId)).toMatchObject({ lastMessagePreview: "For everybody.", isRead: false });
  expect((await owner.take(listChats, {})).chats[0]).toMatchObject({ lastMessagePreview: "For everybody." });
  return costs;
}

it("A message costs each further reader at most 6 rows written and 2 requests, and its room no more for many readers than for few", async () => {
  const costs: { readers: number; rowsWritten: number; rowsRead: number; objectRequests: number; roomRows: number }[] = [];
  for (const readers of READERS) {
    const { rowsWritten, rowsRead, objectRequests, statements } = await countMessage(readers);
    const ofHubs = statements.filter((line) => line.includes("INSERT INTO chats")).map((line) => Number.parseInt(line, 10));
    const roomRows = rowsWritten - ofHubs.reduce((sum, rows) => sum + rows, 0);
    costs.push({ readers, rowsWritten, rowsRead, objectRequests, roomRows });
  }
  // The benchmark reads this line.
  // oxlint-disable-next-line no-console
  console.log(`fan-out-cost ${JSON.stringify(costs)}`);
  const [alone, ...shared] = costs;
  if (!alone) throw new Error("Nothing was counted.");
  for (const { readers, rowsWritten, rowsRead, objectRequests, roomRows } of shared) {
    expect(roomRows).toBeLessThanOrEqual(alone.roomRows + 6);
    expect(rowsWritten - roomRows).toBeLessThanOrEqual(6 * readers);
    expect(rowsRead).toBeLessThanOrEqual(alone.rowsRead + 40 * readers);
    expect(objectRequests).toBeLessThanOrEqual(alone.objectRequests + 2 * readers);
  }
});
