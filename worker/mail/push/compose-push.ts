/** Turns what happened into the words of a notification, as far as its person still wants it. */
import type { Chat } from "#shared/entities/chat.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { countIfAllowed, daily } from "#worker/platform/http/rate-limit.ts";
import { nameInMail } from "#worker/platform/letters/letter.ts";
import { type DoneJob, describeJob } from "#worker/people/done-jobs/done-job.ts";
import { type ChatNoticeKind, kindOfJob } from "#worker/mail/notifications/notice.ts";
import { findPersonalShare } from "#worker/mail/notifications/personal-share.ts";
import { pushSettings } from "./push-settings.ts";
import type { PushText } from "./push-content.ts";

const TITLE_LENGTH = 100;
/** A locked screen shows a line or two. */
const BODY_LENGTH = 200;
/** A chat that arrives later than this after it was shared, in milliseconds, was in the list before: its list was made again. */
const ARRIVAL_MS = 10 * 60_000;
/** Shares that one person is notified of in a day, whoever shares. */
const SHARES_PER_DAY = 10;

/** `at` is when it happened, in epoch milliseconds. */
export type ChatNotice = { userId: string; chat: Chat; kind: ChatNoticeKind; at: number };

/** What is said about something in a chat; null where it is not wanted. */
export async function composePush(env: Env, notice: ChatNotice): Promise<PushText | null> {
  const { userId, chat, kind } = notice;
  const db = openDatabase(env.DB);
  const settings = await pushSettings(db, userId);
  if (!settings?.kinds[kind]) return null;
  const path = `/c/${chat.id}`;
  if (kind !== "share") return { ...pushTexts(kind, chat, chat.user_id === userId), path };
  const share = await findPersonalShare(db, { chatId: chat.id, userId });
  if (!share || share.wasInvited || notice.at - Date.parse(share.createdAt) > ARRIVAL_MS) return null;
  // Anybody may share with them: what comes beyond that stands in the list alone.
  if (!(await countIfAllowed(env, `push:shares:${userId}`, daily(SHARES_PER_DAY)))) return null;
  const who = share.sharer ? nameInMail(share.sharer) : "Somebody";
  return { title: `${cut(who, TITLE_LENGTH)} shared a chat with you`, body: "It is in your list.", path };
}

/** What is said about work that has ended; null where it is not wanted. */
export async function composeJobPush(env: Env, { userId, job }: { userId: string; job: DoneJob }): Promise<PushText | null> {
  const settings = await pushSettings(openDatabase(env.DB), userId);
  if (!settings?.kinds[kindOfJob(job)]) return null;
  return { title: describeJob(job), body: cut(job.summary ?? "", BODY_LENGTH), path: job.path };
}

/** Of others' chats not even the title is shown, as they could write anything there; a chat with mails shows nothing of what it says. */
function pushTexts(kind: "reply" | "approval", chat: Chat, isOwn: boolean): Pick<PushText, "title" | "body"> {
  const title = isOwn ? cut(chat.title, TITLE_LENGTH) : "";
  if (kind === "approval") return { title: title || "A chat waits for you", body: "A reply wants to do something that needs your word." };
  const isShown = isOwn && !chat.hasMails && chat.lastMessageModel !== null;
  return { title: title || "A reply is ready", body: (isShown && cut(chat.lastMessagePreview, BODY_LENGTH)) || "Your reply is ready." };
}

function cut(text: string, length: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= length) return trimmed;
  // Half of a surrogate pair is no character.
  return `${trimmed
    .slice(0, length - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}\u2026`;
}
