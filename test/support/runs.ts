import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { listRuns } from "#shared/contracts/chat/runs.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import type { Client } from "./worker.ts";

/** Lets a room's alarm come, with all that is due later due now. */
export async function wake(chatId: string): Promise<void> {
  const room = env.CHAT_ROOM.getByName(chatId);
  await runInDurableObject(room, (_, { storage }) => storage.sql.exec("UPDATE due_work SET due_at = 1"));
  await runDurableObjectAlarm(room);
}

/** What goes on outside for a chat. */
export async function runsOf(client: Client, id: string) {
  return (await client.take(listRuns, { params: { id } })).runs;
}

/** A chat's messages. */
export async function messagesOf(client: Client, id: string) {
  return (await client.take(listMessages, { params: { id } })).messages;
}
