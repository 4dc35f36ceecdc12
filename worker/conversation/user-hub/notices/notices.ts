/** Mails about what happened in the user's chats while they were away, each after a while, and at most one an hour a chat; and all other notices. */
import { canSendMail, hasMailKeys, sendNotice } from "#worker/platform/clients/mailer.ts";
import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { composeNotice, wantsNotices } from "#worker/mail/notifications/compose-notice.ts";
import { ChatNoticeKind } from "#worker/mail/notifications/notice.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { AttentionKeeper } from "../live/attention.ts";
import { findChat } from "../list/chat-list.ts";
import type { NotifiableEvent } from "./notifiable-event.ts";
import { createDoneJobs, type DoneJobs } from "./done-jobs.ts";
import { APART_MS, AWAY_MS, KEY_LIFETIME_MS } from "./notice-times.ts";
import { type OpenPushes, openPushes } from "./open-pushes.ts";
import { readOrigin } from "./origin.ts";

/** `id` to `claimed_at` are about the mail to come, null without one; `last_event` and `sent_at` about the last that may have gone out. */
type Row = {
  id: string | null;
  kind: string | null;
  what: string | null;
  at: number | null;
  claimed_at: number | null;
  last_event: string | null;
  sent_at: number | null;
};

type Deps = {
  ctx: Pick<DurableObjectState, "id" | "storage">;
  env: Env;
  due: () => Pick<DueWork<"notice" | "done-jobs" | "push">, "schedule">;
  attention: Pick<AttentionKeeper, "isAttended" | "isHere">;
};

export type Notices = {
  /** Takes what happened in a chat: a user who does not see it soon is mailed, where they want that. */
  noteChat(chat: Chat, happening: NotifiableEvent): Promise<void>;
  /** The time of a chat's mail has come: answers when to come again, null where it is over. */
  attempt(chatId: string): Promise<number | null>;
  /** The user changed what they want. */
  forgetPreferences(): void;
  /** What went on without the user, outside any chat. */
  jobs: DoneJobs;
  pushes: OpenPushes;
};

/** The notices of one user. */
export function createNotices({ ctx, env, due, attention }: Deps): Notices {
  const { sql } = ctx.storage;
  const userId = ctx.id.name ?? "";
  let preferences: ReturnType<typeof wantsNotices> | null = null;

  const find = (chatId: string) =>
    sql.exec<Row>("SELECT id, kind, what, at, claimed_at, last_event, sent_at FROM notices WHERE chat_id = ?", chatId).toArray()[0];

  /** Where that cannot be read now it is read again before a mail is sent. A guest may have an account the next time. */
  async function wants(kind: ChatNoticeKind): Promise<boolean> {
    preferences ??= wantsNotices(env, userId);
    try {
      const wanted = await preferences;
      if (!wanted) preferences = null;
      return wanted?.[kind] ?? false;
    } catch (cause) {
      preferences = null;
      log.warn("what somebody wants to be mailed about could not be read", { cause });
      return true;
    }
  }

  function drop(chatId: string, id: string): null {
    sql.exec(
      "UPDATE notices SET id = NULL, kind = NULL, what = NULL, at = NULL, claimed_at = NULL WHERE chat_id = ? AND id = ?",
      chatId,
      id,
    );
    return null;
  }

  function settle(chatId: string, { id, what }: { id: string; what: string }): null {
    sql.exec("UPDATE notices SET last_event = ? WHERE chat_id = ?", what, chatId);
    return drop(chatId, id);
  }

  /** The chat, while its person has yet to see what happened in it. */
  function unseen(chatId: string, { kind, what }: NotifiableEvent): Chat | null {
    const chat = findChat(sql, userId, chatId);
    if (!chat || chat.isRead || attention.isAttended(chatId)) return null;
    const isDecided = kind === "approval" && sql.exec("SELECT 1 FROM waiting_calls WHERE call_id = ?", what).toArray().length === 0;
    return isDecided ? null : chat;
  }

  const pushes = openPushes({ env, sql, userId, due, isHere: () => attention.isHere(), unseen });

  return {
    async noteChat(chat, { kind, what }) {
      await pushes.use((opened) => opened.noteChat(chat, { kind, what }));
      if (chat.isRead || !canSendMail(env) || readOrigin(env, sql) === null || !(await wants(kind))) return;
      const before = find(chat.id);
      if (before?.last_event === what || before?.what === what) return;
      const now = Date.now();
      sql.exec(
        `INSERT INTO notices (chat_id, id, kind, what, at) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (chat_id) DO UPDATE SET id = ?2, kind = ?3, what = ?4, at = ?5, claimed_at = NULL`,
        chat.id,
        crypto.randomUUID(),
        kind,
        what,
        now,
      );
      await due().schedule("notice", chat.id, now + AWAY_MS);
    },
    async attempt(chatId) {
      const row = find(chatId);
      const kind = ChatNoticeKind.safeParse(row?.kind);
      if (!row || row.id === null || row.what === null || row.at === null || !kind.success) return null;
      const { id, what } = row;
      const happening = { kind: kind.data, what };
      if (row.claimed_at === null && row.sent_at !== null && row.sent_at > Date.now() - APART_MS) return row.sent_at + APART_MS;
      // An earlier life handed it over and did not hear what became of it.
      const isSpent = row.claimed_at !== null && (!hasMailKeys(env) || row.claimed_at < Date.now() - KEY_LIFETIME_MS);
      if (isSpent) return settle(chatId, { id, what });
      const chat = row.claimed_at === null ? unseen(chatId, happening) : findChat(sql, userId, chatId);
      const origin = readOrigin(env, sql);
      if (!chat || origin === null) return drop(chatId, id);
      const title = chat.user_id === userId ? chat.title : null;
      const mail = await composeNotice(env, { userId, chatId, kind: kind.data, title, at: row.at, origin });
      if (!mail) return drop(chatId, id);
      // Meanwhile something newer may have taken its place, which comes at its own time.
      if (find(chatId)?.id !== id) return null;
      if (row.claimed_at === null && !unseen(chatId, happening)) return drop(chatId, id);
      sql.exec(
        "UPDATE notices SET claimed_at = COALESCE(claimed_at, ?1), sent_at = ?1 WHERE chat_id = ?2 AND id = ?3",
        Date.now(),
        chatId,
        id,
      );
      const sent = await sendNotice(env, { ...mail, key: `notice-${id}` }, origin);
      if (sent.ok) return settle(chatId, { id, what });
      if (sent.kind === "refused" || (sent.kind === "unsure" && !hasMailKeys(env))) {
        log.warn("a mail about a chat was not accepted", { code: sent.code, cause: sent.cause });
        return settle(chatId, { id, what });
      }
      // What was surely not taken may be sent by a life without keys too.
      if (sent.kind === "later")
        sql.exec("UPDATE notices SET claimed_at = ?, sent_at = ? WHERE chat_id = ? AND id = ?", row.claimed_at, row.sent_at, chatId, id);
      throw new Error("A mail about a chat was not taken", { cause: sent.cause });
    },
    forgetPreferences() {
      preferences = null;
      pushes.forget();
    },
    jobs: createDoneJobs({ env, sql, userId, due, pushes, isHere: () => attention.isHere() }),
    pushes,
  };
}
