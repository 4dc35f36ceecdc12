import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { readChat } from "../chat.ts";
import { isCreated } from "../migrations.ts";
import { findOutgoing, type OutRow, parkMessages, setOutgoing } from "./outgoing-rows.ts";
import type { MessagingStatus } from "#worker/conversation/room/messaging.ts";
import type { MessagingApp } from "#worker/conversation/features.ts";

/** The window has closed (Cloud API's errors). */
const CLOSED = 131047;
const RANK = ["queued", "sending", "waiting", "sent", "delivered", "read"];

type Deps = {
  env: Env;
  storage: DurableObjectStorage;
  app: Pick<MessagingApp, "noteWaiting">;
  /** Notifies the readers' tabs; what is notable makes the chat unread. */
  notify(isNotable: boolean): void;
};

/**
 * Notes what the app says became of a message of ours; true where that lets others go out. Such words come in any order, again, and
 * before the app's answer says that it took the message.
 */
export async function noteStatus({ env, storage, app, notify }: Deps, status: MessagingStatus): Promise<boolean> {
  const { sql } = storage;
  const row = findOutgoing(sql, status.reference);
  if (!row || !isAbout(row, status)) return false;
  const { state } = row;
  if (status.status === "failed") {
    if (state === "delivered" || state === "read") return false;
    if (status.error?.code === CLOSED && row.body.type !== "template") return park(row);
    setOutgoing(sql, row.id, { state: "failed", sentId: status.messageId, error: status.error?.details ?? "It could not be delivered." });
    notify(true);
    return false;
  }
  const isArrived = status.status === "delivered" || status.status === "read";
  const isFurther = state === "failed" ? isArrived : RANK.indexOf(status.status) > RANK.indexOf(state);
  if (!isFurther) return false;
  setOutgoing(sql, row.id, { state: status.status, sentId: status.messageId });
  notify(false);
  return state === "sending" || state === "queued";

  /** It was sent a moment too late. */
  async function park({ id, userId }: OutRow): Promise<boolean> {
    await app.noteWaiting(openDatabase(env.DB), { userId, chatId: readChat(sql).id });
    const now = isCreated(sql) ? findOutgoing(sql, id) : null;
    if (!now || !isAbout(now, status) || !["queued", "sending", "sent"].includes(now.state)) return false;
    storage.transactionSync(() => {
      setOutgoing(sql, id, { state: "queued", sentId: status.messageId });
      parkMessages(sql, now);
    });
    notify(false);
    return true;
  }
}

/** One that was sent again has another id: only while it is being sent may that be unknown. */
function isAbout({ sentId, state }: OutRow, { messageId, status }: MessagingStatus): boolean {
  return sentId === null || sentId === messageId || (state === "sending" && status !== "failed");
}
