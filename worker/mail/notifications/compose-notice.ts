/** Turns a notice into its mail, as far as its person still wants it and can get it. */
import type { Mail } from "#worker/platform/clients/mailer.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { countIfAllowed, daily } from "#worker/platform/http/rate-limit.ts";
import { findPersonalShare } from "./personal-share.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";
import { findUser } from "#worker/people/users/users.ts";
import { type ChatNoticeKind, type DoneKind, NOTICE_FIELDS, NOTICE_SUBJECTS, type NoticeKind, noticeKindOf } from "./notice.ts";
import { describeJob, type DoneJob } from "#worker/people/done-jobs/done-job.ts";
import { unsubscribeToken } from "./unsubscribe-token.ts";
import { letter, nameInMail } from "#worker/platform/letters/letter.ts";
import { cleanSubject } from "#worker/platform/letters/subject.ts";
import { APP_NAME } from "#shared/app.ts";

const TITLE_LENGTH = 100;

/** What a mail is about; `title` is null where others wrote it, as the words in such a mail are ours alone. */
type About = {
  kind: ChatNoticeKind;
  title: string | null;
  /** Who shared the chat. */
  sharer: { name: string; email: string } | null;
};

type Addressed = { to: string; chatUrl: string; unsubscribeUrl: string };

/** The mail about something that happened while its person was away, with the headers of one-click unsubscribing (RFC 8058). */
function noticeMail(about: About, { to, chatUrl, unsubscribeUrl }: Addressed): Mail & { headers: Record<string, string> } {
  const { subject, sentence } = noticeTexts(about);
  const mail = letter({
    to,
    subject: cleanSubject(subject),
    paragraphs: [sentence],
    button: { label: "Open the chat", url: chatUrl },
    footnote: `You get mails about ${NOTICE_SUBJECTS[about.kind]}: at most one an hour for each chat. Settings > General > Notifications changes that.`,
    link: { label: "Stop these mails", url: unsubscribeUrl },
  });
  return { ...mail, headers: unsubscribeHeaders(unsubscribeUrl) };
}

function noticeTexts({ kind, title, sharer }: About): { subject: string; sentence: string } {
  const name = title?.slice(0, TITLE_LENGTH).trim();
  const where = name ? `\u2018${name}\u2019` : null;
  switch (kind) {
    case "reply":
      return {
        subject: where ? `A reply is ready in ${where}` : "A reply is ready in a shared chat",
        sentence: `The reply that you asked for in ${where ?? "a shared chat"} finished while you were away.`,
      };
    case "approval":
      return {
        subject: where ? `Waiting for you in ${where}` : "A shared chat waits for you",
        sentence: `A reply in ${where ?? "a shared chat"} wants to do something that needs your word. Nothing happens until you approve it.`,
      };
    case "share": {
      const who = sharer ? nameInMail(sharer) : "Somebody";
      return {
        subject: `${who} shared a chat with you`,
        sentence: `${who} shared a chat with you on ${APP_NAME}. It is in your list.`,
      };
    }
  }
}

const DETAIL_LENGTH = 500;

const MANY = {
  import: "imports and exports are done",
  index: "indexes are done",
  schedule: "of your schedules ran",
  share: "artifacts were shared with you",
} as const;

/** The mail about imports, indexes or schedules that ended, with the headers of one-click unsubscribing (RFC 8058). */
function doneMail(
  jobs: readonly DoneJob[],
  { kind, to, origin, unsubscribeUrl }: { kind: DoneKind; to: string; origin: string; unsubscribeUrl: string },
): Mail & { headers: Record<string, string> } {
  const [first] = jobs;
  const isOne = jobs.length === 1 && first !== undefined;
  const paragraphs = jobs.map((job) => [`${describeJob(job)}.`, job.summary?.slice(0, DETAIL_LENGTH)].filter(Boolean).join(" "));
  const howOften = kind === "index" ? "one for each index that you start" : "at most one an hour";
  const mail = letter({
    to,
    subject: cleanSubject(isOne ? describeJob(first) : `${jobs.length} ${MANY[kind]}`),
    paragraphs,
    button: { label: "Open it", url: `${origin}${first?.path ?? "/"}` },
    footnote: `You get mails about ${NOTICE_SUBJECTS[noticeKindOf(kind)]}: ${howOften}. Settings > General > Notifications changes that.`,
    link: { label: "Stop these mails", url: unsubscribeUrl },
  });
  return { ...mail, headers: unsubscribeHeaders(unsubscribeUrl) };
}

/** A chat that arrives later than this after it was shared, in milliseconds, was in the list before: its list was made again. */
const ARRIVAL_MS = 10 * 60_000;
/** Shares that one person is mailed about in a day, whoever shares. */
const SHARES_PER_DAY = 10;

/** `at` is when it happened, in epoch milliseconds; `title` is null for a chat of others. */
export type Notice = { userId: string; chatId: string; kind: ChatNoticeKind; title: string | null; at: number; origin: string };

/** The mail; null where it is not wanted, cannot be had, or its person was mailed about that already. */
export async function composeNotice(env: Env, notice: Notice): Promise<(Mail & { headers: Record<string, string> }) | null> {
  const { userId, chatId, kind, title, at, origin } = notice;
  const db = openDatabase(env.DB);
  const user = await findUser(db, userId);
  if (!user || user.anonymous || user.email === null || user.blocked_at !== null || !user[NOTICE_FIELDS[kind]]) return null;
  if ((await suppressedAmong(db, [user.email])).size > 0) return null;
  const share = kind === "share" ? await findPersonalShare(db, { chatId, userId }) : null;
  if (kind === "share" && (!share || share.wasInvited || at - Date.parse(share.createdAt) > ARRIVAL_MS)) return null;
  if (kind === "share" && !(await mayMailOfShare(env, userId))) return null;
  return noticeMail(
    { kind, title, sharer: share?.sharer ?? null },
    {
      to: user.email,
      chatUrl: `${origin}/c/${chatId}`,
      unsubscribeUrl: `${origin}/unsubscribe/${await unsubscribeToken(env, { userId, kind })}`,
    },
  );
}

/** Anybody may share with a person: what comes beyond a day's mails stands in the lists alone. */
function mayMailOfShare(env: Env, userId: string): Promise<boolean> {
  return countIfAllowed(env, `notices:shares:${userId}`, daily(SHARES_PER_DAY));
}

/** The kinds that a person wants mails of; null for who can get none. */
export async function wantsNotices(env: Env, userId: string): Promise<Record<NoticeKind, boolean> | null> {
  const user = await findUser(openDatabase(env.DB), userId);
  if (!user || user.anonymous || user.email === null) return null;
  return {
    reply: user.notify_replies,
    approval: user.notify_approvals,
    share: user.notify_shares,
    import: user.notify_imports,
    schedule: user.notify_schedules,
  };
}

/** The mail about work of one kind that is done; null where it is not wanted or cannot be had. */
export async function composeDoneNotice(
  env: Env,
  { userId, kind, jobs, origin }: { userId: string; kind: DoneKind; jobs: readonly DoneJob[]; origin: string },
): Promise<(Mail & { headers: Record<string, string> }) | null> {
  const db = openDatabase(env.DB);
  const user = await findUser(db, userId);
  const wanted = noticeKindOf(kind);
  if (!user || user.anonymous || user.email === null || user.blocked_at !== null || !user[NOTICE_FIELDS[wanted]]) return null;
  if ((await suppressedAmong(db, [user.email])).size > 0) return null;
  if (kind === "share" && !(await mayMailOfShare(env, userId))) return null;
  const unsubscribeUrl = `${origin}/unsubscribe/${await unsubscribeToken(env, { userId, kind: wanted })}`;
  return doneMail(jobs, { kind, to: user.email, origin, unsubscribeUrl });
}

/** The headers that let a mail program end a kind of mail with one click (RFC 8058). */
function unsubscribeHeaders(url: string): Record<string, string> {
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}
