/**
 * Pushes about what happened in the user's chats, or was done for them, while they were away. One row a chat, the newest; it is sent to each
 * device once, by a job for each, and stays a while, so the same is not sent again.
 */
import * as z from "zod/mini";
import type { Chat } from "#shared/entities/chat.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueueAll } from "#worker/platform/jobs/job.ts";
import { DoneJob } from "#worker/people/done-jobs/done-job.ts";
import { ChatNoticeKind, kindOfJob, NoticeKind } from "#worker/mail/notifications/notice.ts";
import { composeJobPush, composePush } from "#worker/mail/push/compose-push.ts";
import { deviceIds } from "#worker/mail/push/devices.ts";
import { pushSettings } from "#worker/mail/push/push-settings.ts";
import type { PushContent, PushText } from "#worker/mail/push/push-content.ts";
import { pushJob } from "#worker/mail/push/push-job.ts";
import { countUnread } from "../list/chat-views.ts";
import { AWAY_MS } from "./notice-times.ts";
import type { NotifiableEvent } from "./notifiable-event.ts";
import type { PushInput } from "#worker/mail/push/deliver-push.ts";

/** What was sent is known for so many milliseconds, longer than any job is repeated. */
const KNOWN_MS = 30 * 24 * 60 * 60_000;

const PushTexts = z.object({ title: z.string(), body: z.string(), path: z.string() });

/** `what` names what happened; `push_text` is null until it is sent, `delivered` the devices that have it. */
type Row = {
  key: string;
  id: string;
  kind: string;
  what: string;
  at: number;
  job: string | null;
  push_text: string | null;
  delivered: string;
};

export type PushDeps = {
  env: Env;
  sql: SqlStorage;
  userId: string;
  due: () => Pick<DueWork<"push">, "schedule">;
  /** True while the user looks at the product. */
  isHere(): boolean;
  /** The chat, while its person has yet to see what happened in it. */
  unseen(chatId: string, happening: NotifiableEvent): Chat | null;
};

export type Pushes = {
  /** Takes what happened in a chat. */
  noteChat(chat: Chat, happening: NotifiableEvent): Promise<void>;
  /** Takes the end of a job. */
  note(job: DoneJob): Promise<void>;
  /** The time of a push has come: answers when to come again, null where it is over. */
  attempt(key: string): Promise<number | null>;
  /** What a job that sends one asks. */
  ask(input: PushInput): Promise<PushContent | null>;
  /** The user changed what they want, or their devices. */
  forget(): void;
};

/** The pushes of one user. */
export function createPushes({ env, sql, userId, due, isHere, unseen }: PushDeps): Pushes {
  let settings: ReturnType<typeof pushSettings> | null = null;

  const find = (key: string) => sql.exec<Row>("SELECT * FROM pushes WHERE key = ?", key).toArray()[0];

  /** Most people have no device: a hub that is awake asks once. */
  async function wants(kind: NoticeKind): Promise<boolean> {
    settings ??= pushSettings(openDatabase(env.DB), userId);
    try {
      const wanted = await settings;
      return wanted !== null && wanted.devices > 0 && wanted.kinds[kind];
    } catch (cause) {
      settings = null;
      throw cause;
    }
  }

  /** Nobody is called to another device while they are here: they have as long as before a mail. */
  async function take(row: Pick<Row, "key" | "kind" | "what" | "job">, now = Date.now()): Promise<void> {
    if (find(row.key)?.what === row.what) return;
    sql.exec("DELETE FROM pushes WHERE at < ?", now - KNOWN_MS);
    sql.exec(
      `INSERT OR REPLACE INTO pushes (key, id, kind, what, at, job, push_text, delivered) VALUES (?, ?, ?, ?, ?, ?, NULL, '[]')`,
      row.key,
      crypto.randomUUID(),
      row.kind,
      row.what,
      now,
      row.job,
    );
    await due().schedule("push", row.key, isHere() ? now + AWAY_MS : now);
  }

  function happeningOf({ kind, what, job }: Row): NotifiableEvent | null {
    const known = ChatNoticeKind.safeParse(kind);
    return job === null && known.success ? { kind: known.data, what } : null;
  }

  function isSeen(row: Row): boolean {
    const happening = happeningOf(row);
    return happening !== null && unseen(row.key, happening) === null;
  }

  async function compose(row: Row): Promise<PushText | null> {
    if (row.job !== null) return composeJobPush(env, { userId, job: DoneJob.parse(JSON.parse(row.job)) });
    const happening = happeningOf(row);
    const chat = happening && unseen(row.key, happening);
    return happening && chat ? composePush(env, { userId, chat, kind: happening.kind, at: row.at }) : null;
  }

  return {
    async noteChat(chat, { kind, what }) {
      if (!chat.isRead && (await wants(kind))) await take({ key: chat.id, kind, what, job: null });
    },
    async note(job) {
      const kind = kindOfJob(job);
      if (!(await wants(kind))) return;
      const chatId = /^\/c\/(.+)$/.exec(job.path)?.[1];
      await take({ key: chatId ?? job.id, kind, what: job.id, job: JSON.stringify(job) });
    },
    async attempt(key) {
      const row = find(key);
      if (!row || row.push_text !== null) return null;
      const pushTexts = await compose(row);
      const devices = pushTexts === null ? [] : await deviceIds(openDatabase(env.DB), userId);
      if (pushTexts === null || devices.length === 0 || find(key)?.id !== row.id) return null;
      sql.exec("UPDATE pushes SET push_text = ? WHERE key = ? AND id = ?", JSON.stringify(pushTexts), key, row.id);
      try {
        await enqueueAll(
          env,
          pushJob,
          devices.map((deviceId) => ({ userId, deviceId, key, id: row.id, tries: 0 })),
        );
      } catch (cause) {
        sql.exec("UPDATE pushes SET push_text = NULL WHERE key = ? AND id = ?", key, row.id);
        throw cause;
      }
      return null;
    },
    async ask({ do: what, key, id, deviceId }) {
      const row = find(key);
      if (!row || row.id !== id || row.push_text === null) return null;
      const delivered = z.array(z.string()).parse(JSON.parse(row.delivered));
      if (delivered.includes(deviceId)) return null;
      if (what === "delivered") {
        sql.exec("UPDATE pushes SET delivered = ? WHERE key = ? AND id = ?", JSON.stringify([...delivered, deviceId]), key, id);
        return null;
      }
      if (isSeen(row)) return null;
      const pushTexts = PushTexts.parse(JSON.parse(row.push_text));
      return { id, kind: NoticeKind.parse(row.kind), tag: key, ...pushTexts, unread: countUnread(sql) };
    },
    forget() {
      settings = null;
    },
  };
}
