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

/** When a room looks again at what goes on outside, in epoch milliseconds. */
export async function nextPollAt(chatId: string): Promise<number | null> {
  const next = "SELECT MIN(due_at) AS at FROM due_work WHERE kind = 'run'";
  return runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => storage.sql.exec<{ at: number | null }>(next).one().at);
}

/** What goes on outside for a chat. */
export async function runsOf(client: Client, id: string) {
  return (await client.take(listRuns, { params: { id } })).runs;
}

/** A chat's messages. */
export async function messagesOf(client: Client, id: string) {
  return (await client.take(listMessages, { params: { id } })).messages;
}

type EndedRun = { callId: string; userId: string; turnId?: string };

/** Puts a phone call that has ended into a chat. */
export async function storeEndedRun(chatId: string, { callId, userId, turnId = crypto.randomUUID() }: EndedRun): Promise<void> {
  const at = "2026-11-20T10:00:00.000Z";
  const run = {
    reply_id: callId,
    kind: "phone",
    state: "done",
    status: "completed",
    links: [],
    summary: "All is well.",
    note: null,
    number: "+14155550123",
    max_minutes: 5,
    seconds: 45,
    cost: 0.105,
    started_at: at,
    ended_at: at,
  };
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => {
    storage.sql.exec(
      "INSERT INTO runs (call_id, user_id, state, ref, turn_id, is_concluded, run) VALUES (?, ?, 'done', 'ref', ?, 1, ?)",
      callId,
      userId,
      turnId,
      JSON.stringify(run),
    );
  });
}
