import type { Database } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { enqueue, enqueueAll } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { AppMessage, AppPost, AppStatus, UnreadableMessage } from "./app-message.ts";
import { insertMessages } from "./queries.ts";
import { answerStrangerJob } from "./answer-stranger.ts";
import { handleMessagesJob } from "./handle-messages.ts";
import { findLink, type MessagingLink, noteNewId, noteWritten } from "#worker/people/messaging-number/messaging-number.ts";
import { noteStatusJob } from "./note-status.ts";

/** Jobs of one call of the queue. */
const A_BATCH = 100;
const DETAILS_LENGTH = 300;
/** The app repeats for a week; what came is known for longer than this. */
const TOO_OLD_MS = 30 * 24 * 3_600_000;
/** Times in epoch milliseconds that a message may have been sent at: no clock of the app's is ahead of ours for long. */
const AHEAD_MS = 5 * 60_000;

/** Stores what a post reports, once, and queues it. Throws where the sender should post it again. */
export async function storeWebhookPost(env: Env, db: Database, json: unknown): Promise<void> {
  const post = AppPost.safeParse(json);
  // What is of no use here, or of an unknown shape, the app must not repeat.
  if (!post.success) return;
  const own = configOf(env).whatsapp?.phoneNumberId;
  const values = post.data.entry.flatMap(({ changes }) => changes.flatMap((change) => (change.field === "messages" ? [change.value] : [])));
  const ours = values.filter(({ metadata }) => metadata?.phone_number_id === own);
  await takeMessages(
    env,
    db,
    ours.flatMap(({ messages = [] }) => messages),
  );
  await takeStatuses(
    env,
    ours.flatMap(({ statuses = [] }) => statuses),
  );
}

async function takeMessages(env: Env, db: Database, given: readonly unknown[]): Promise<void> {
  const links = new Map<string, MessagingLink | null>();
  const linkOf = async (message: AppMessage) => {
    const { phone, waUserId } = senderOf(message);
    const key = `${waUserId}/${phone}`;
    const known = links.get(key);
    const link = known === undefined ? await findLink(db, { phone, waUserId }) : known;
    links.set(key, link);
    return link;
  };
  const userIds = new Set<string>();
  const begun = Date.now();
  for (const [index, one] of given.entries()) {
    const message = readMessage(one);
    if (!message) continue;
    const sender = senderOf(message);
    if (message.system?.type === "user_changed_user_id") {
      await noteNewId(db, sender);
      links.clear();
      continue;
    }
    const link = await linkOf(message);
    if (!link) {
      if (sender.phone !== null || sender.waUserId !== null) await enqueue(env, answerStrangerJob, { ...sender, messageId: message.id });
      continue;
    }
    const now = Date.now();
    const at = /^\d+$/.test(message.timestamp) ? Math.min(Number(message.timestamp) * 1_000, now + AHEAD_MS) : now;
    // Somebody replays what is no longer known to have come before.
    if (at < now - TOO_OLD_MS) continue;
    // Messages of one second keep their order in a post.
    const created = new Date(begun + index).toISOString();
    await insertMessages(db, [
      { id: message.id, user_id: link.userId, state: "waiting", sent_at: at, message: JSON.stringify(message), created_at: created },
    ]);
    await noteWritten(db, link, { at, waUserId: sender.waUserId });
    userIds.add(link.userId);
  }
  // Also for what was stored before: the job may not have been queued then.
  for (const userId of userIds) await enqueue(env, handleMessagesJob, { userId });
}

/** A message as far as it can be read; null where not even its id can. */
function readMessage(given: unknown): AppMessage | null {
  const parsed = AppMessage.safeParse(given);
  if (parsed.success) return parsed.data;
  log.warn("a message of the messaging app could not be read", { issue: parsed.error.issues[0]?.path.join(".") });
  return UnreadableMessage.safeParse(given).data ?? null;
}

async function takeStatuses(env: Env, given: readonly unknown[]): Promise<void> {
  const statuses = given.flatMap((one) => {
    const parsed = AppStatus.safeParse(one);
    const [, chatId, reference] = /^([0-9a-f-]{36})\/(.{1,200})$/.exec(parsed.data?.biz_opaque_callback_data ?? "") ?? [];
    if (!parsed.success || chatId === undefined || reference === undefined) return [];
    const { id, status, errors } = parsed.data;
    const [error] = errors ?? [];
    const details = (error?.error_data?.details ?? error?.message ?? error?.title ?? "").slice(0, DETAILS_LENGTH);
    return [{ chatId, reference, messageId: id, status, error: error ? { code: error.code, details } : null }];
  });
  for (let at = 0; at < statuses.length; at += A_BATCH) await enqueueAll(env, noteStatusJob, statuses.slice(at, at + A_BATCH));
}

/** A number as E.164 has it, and the app's own id of the person; either may be missing. */
function senderOf({ from, from_user_id: waUserId }: AppMessage): { phone: string | null; waUserId: string | null } {
  return { phone: from !== undefined && /^\d{7,15}$/.test(from) ? `+${from}` : null, waUserId: waUserId ?? null };
}
