/** Turns a notice into its mail, as far as its person still wants it and can get it. */
import type { Mail } from "../clients/mailer.ts";
import { openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { countIfFree, daily } from "../http/rate-limit.ts";
import { findShareOf } from "../sharing/share-of.ts";
import { suppressedAmong } from "../suppressions/suppressions.ts";
import { findUser } from "../users/users.ts";
import { type ChatNoticeKind, type DoneKind, NOTICE_FIELDS, type NoticeKind, noticeKindOf } from "./notice.ts";
import { doneMail } from "./done-mail.ts";
import type { DoneJob } from "./done-job.ts";
import { noticeMail } from "./notice-mail.ts";
import { unsubscribeToken } from "./unsubscribe-token.ts";

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
  const share = kind === "share" ? await findShareOf(db, { chatId, userId }) : null;
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
  return countIfFree(env, `notices:shares:${userId}`, daily(SHARES_PER_DAY));
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
