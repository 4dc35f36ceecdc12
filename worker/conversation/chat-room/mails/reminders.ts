/** Reminders of mails that nobody answered: at their time the chat drafts a follow-up and asks whether to send it. */
import { prepareTriggered } from "#worker/conversation/chats/prepare-triggered.ts";
import { ERRORS } from "#shared/errors.ts";
import { AppError, type Outcome } from "#worker/platform/errors/app-error.ts";
import type { Env } from "#worker/platform/env.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";
import type { MailReminder, RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { ALL_SOURCES } from "#worker/conversation/tools/private-source.ts";
import type { Features } from "#worker/conversation/features.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import { levelOf, NOT_FOUND, refuse } from "../access/access.ts";
import { readChat, readSettings, storedTurn } from "../chat.ts";
import { selectedLeaf } from "../messages/messages.ts";
import { isCreated } from "../migrations.ts";
import { findMail, updateMail } from "./mail-rows.ts";

/** A reply under way is waited for, and what could not be asked is asked again, after so many milliseconds. */
const AGAIN_MS = 60_000;
const YEAR_MS = 366 * 24 * 3_600_000;

/** What passes by itself. */
const PASSING = new Set(["TURN_IN_PROGRESS", "CHAT_MOVED_ON", "RATE_LIMITED", "USAGE_CHECK_FAILED", "AGGREGATOR_UNAVAILABLE", "INTERNAL"]);

/** A request to be reminded: `by` in epoch milliseconds, null to call it off. */
export type ReminderInput = { mailId: string; userId: string; by: number | null; note: string };

type Deps = {
  env: Env;
  features: Features;
  storage: DurableObjectStorage;
  schedule(mailId: string, at: number): Promise<void>;
  cancel(mailId: string): void;
  begin(request: TurnRequest): Promise<Outcome<unknown>>;
  /** Notifies the readers' tabs; what is notable makes the chat unread. */
  notify(isNotable: boolean): void;
};

/** The reminders of one room. */
export type Reminders = {
  set(input: ReminderInput): Promise<Outcome<null>>;
  /** When somebody is reminded of a mail; null for no time. */
  of(mailId: string): MailReminder | null;
  /** Its time has come: answers when to come again, null where it is over. */
  due(mailId: string): Promise<number | null>;
};

/** The reminders of one room, at most one a mail. */
export function createReminders({ env, features, storage, schedule, cancel, begin, notify }: Deps): Reminders {
  const { sql } = storage;

  function drop(mailId: string): null {
    sql.exec("DELETE FROM mail_reminders WHERE mail_id = ?", mailId);
    return null;
  }

  async function remind(
    mail: RoomMail,
    { userId, dueAt, note }: { userId: string; dueAt: number; note: string },
  ): Promise<Outcome<unknown>> {
    const { id: chatId } = readChat(sql);
    const { model_id: modelId, tool_categories: categories } = readSettings(sql);
    const place = { chatId, parentId: selectedLeaf(sql, userId), modelId, categories, needs: "email", sources: ALL_SOURCES };
    try {
      // The same reminder again is the same message.
      const request = await prepareTriggered({ env, features }, { userId, id: mail.id, content: contentOf(mail, dueAt, note), ...place });
      return request && isCreated(sql) ? await begin(request) : NOT_FOUND;
    } catch (cause) {
      if (cause instanceof AppError) return { ok: false, code: cause.code, message: cause.message };
      throw cause;
    }
  }

  return {
    async set({ mailId, userId, by, note }) {
      const mail = findMail(sql, mailId);
      if (mail?.direction !== "out") return NOT_FOUND;
      if (by === null) {
        drop(mailId);
        cancel(mailId);
        notify(false);
        return { ok: true, value: null };
      }
      if (mail.state !== "sent" && mail.state !== "queued") return wrong("Only a mail that was sent can be waited for.");
      if (by < Date.now() || by > Date.now() + YEAR_MS) return wrong("The time has to lie ahead, within a year.");
      sql.exec(
        `INSERT INTO mail_reminders (mail_id, user_id, due_at, note) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (mail_id) DO UPDATE SET user_id = ?2, due_at = ?3, note = ?4`,
        mailId,
        userId,
        by,
        note,
      );
      await schedule(mailId, by);
      notify(false);
      return { ok: true, value: null };
    },
    of: (mailId) =>
      sql.exec<{ by: number; note: string }>("SELECT due_at AS by, note FROM mail_reminders WHERE mail_id = ?", mailId).toArray()[0] ??
      null,
    async due(mailId) {
      const row = sql
        .exec<{ user_id: string; due_at: number; note: string }>(
          "SELECT user_id, due_at, note FROM mail_reminders WHERE mail_id = ?",
          mailId,
        )
        .toArray()[0];
      const mail = findMail(sql, mailId);
      if (!row || mail?.state !== "sent" || isAnswered(sql, mail) || refuse(levelOf(sql, row.user_id), "mail")) return drop(mailId);
      if (storedTurn(sql)) return Date.now() + AGAIN_MS;
      const suppressed = await suppressedAmong(openDatabase(env.DB), [...mail.to_addr, ...mail.cc_addr]);
      if (!isCreated(sql)) return null;
      if (suppressed.size > 0) {
        updateMail(sql, mailId, {
          note: `Nobody answered in time. No follow-up was drafted: nothing more is sent to ${[...suppressed].join(", ")}.`,
        });
        notify(true);
        return drop(mailId);
      }
      const begun = await remind(mail, { userId: row.user_id, dueAt: row.due_at, note: row.note });
      if (!isCreated(sql)) return null;
      if (!begun.ok && PASSING.has(begun.code)) return Date.now() + AGAIN_MS;
      if (!begun.ok) {
        updateMail(sql, mailId, {
          note: `Nobody answered in time. No follow-up was drafted: ${begun.message ?? ERRORS[begun.code].message}`,
        });
        notify(true);
      }
      return drop(mailId);
    },
  };
}

/** True where an answer came in since, in its thread or from one of its receivers; what machines send is none. */
function isAnswered(sql: SqlStorage, mail: RoomMail): boolean {
  const receivers = JSON.stringify([...mail.to_addr, ...mail.cc_addr]);
  const query = `SELECT 1 FROM mails WHERE direction = 'in' AND is_automatic = 0 AND created_at > ?1 AND state <> 'blocked' AND (
      (?2 IS NOT NULL AND (in_reply_to = ?2 OR EXISTS (SELECT 1 FROM json_each(reference_ids) WHERE value = ?2)))
      OR from_addr IN (SELECT value FROM json_each(?3))) LIMIT 1`;
  return sql.exec(query, mail.created_at, mail.message_id, receivers).toArray().length > 0;
}

function contentOf({ id, subject, to_addr: to, created_at: at }: RoomMail, dueAt: number, note: string): string {
  const lines = [
    `Reminder: nobody has answered the mail “${subject}” to ${to.join(", ")} of ${minute(at)} by ${minute(new Date(dueAt).toISOString())}.`,
    `Draft a short, friendly follow-up to it with sendEmail, in its thread (reply_to ${id}). It is sent only once I approve it.`,
    ...(note === "" ? [] : [`My note about it: ${note}`]),
  ];
  return lines.join("\n\n");
}

function minute(at: string): string {
  return `${at.slice(0, 10)}, ${at.slice(11, 16)} UTC`;
}

function wrong(message: string): Outcome<never> {
  return { ok: false, code: "INVALID_INPUT", message };
}
