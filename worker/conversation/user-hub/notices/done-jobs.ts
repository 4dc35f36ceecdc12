/**
 * Mails about imports and schedules that ended while the user was away: each after a while, several of a kind within an hour as one. Of an
 * index they are told at once, and wherever they are, as they were promised when they started it.
 */
import { canSendMail, hasMailKeys, sendNotice } from "#worker/platform/clients/mailer.ts";
import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { composeDoneNotice } from "#worker/mail/notifications/compose-notice.ts";
import { DoneJob } from "#worker/people/done-jobs/done-job.ts";
import { DONE_KINDS, type DoneKind, doneKindOf } from "#worker/mail/notifications/notice.ts";
import { APART_MS, AWAY_MS, KEY_LIFETIME_MS } from "./notice-times.ts";
import type { OpenPushes } from "./open-pushes.ts";
import { readOrigin } from "./origin.ts";

/** As `doneKindOf` has it; the row of later work that stands for the next mail of a kind has its name. */
const OF_KIND =
  "CASE job ->> 'what' WHEN 'schedule' THEN 'schedule' WHEN 'artifact' THEN 'share' WHEN 'index' THEN 'index' ELSE 'import' END = ?";
/** What was sent is known for so many milliseconds, longer than any job is repeated. */
const KNOWN_MS = 30 * 24 * 60 * 60_000;
/** Jobs that one mail names. */
const JOBS_PER_MAIL = 20;

/** `batch` names the mail that it is in, once that may have gone out; `settled_at` is null until it is known what became of it. */
type Row = { id: string; job: string; at: number; batch: string | null; claimed_at: number | null; settled_at: number | null };

type Deps = {
  env: Env;
  sql: SqlStorage;
  userId: string;
  due: () => Pick<DueWork<"done-jobs">, "schedule">;
  pushes: Pick<OpenPushes, "use">;
  /** True while the user looks at the product. */
  isHere(): boolean;
};

export type DoneJobs = {
  /** Takes the end of a job, once. */
  note(job: DoneJob): Promise<void>;
  /** The time of a kind's next mail has come: answers when to come again, null where nothing waits. */
  attempt(kind: string): Promise<number | null>;
};

/** The ended jobs of one user. */
export function createDoneJobs({ env, sql, userId, due, pushes, isHere }: Deps): DoneJobs {
  const open = (kind: DoneKind) =>
    sql.exec<Row>(`SELECT * FROM done_jobs WHERE settled_at IS NULL AND ${OF_KIND} ORDER BY at LIMIT ?`, kind, JOBS_PER_MAIL).toArray();

  /** What to mail: whoever looks at the product sees the rest. */
  function unnotified(rows: readonly Row[]): readonly Row[] {
    return isHere() ? rows.filter(({ job }) => mustNotify(toJob(job))) : rows;
  }

  function settle(rows: readonly Row[]): void {
    for (const { id } of rows) sql.exec("UPDATE done_jobs SET settled_at = ? WHERE id = ?", Date.now(), id);
  }

  /** What waits is sent as soon as the last mail is an hour old. */
  function nextTime(kind: DoneKind): number | null {
    const [first] = open(kind);
    if (!first) return null;
    if (kind === "index") return first.at;
    const last = sql.exec<{ at: number | null }>(`SELECT MAX(claimed_at) AS at FROM done_jobs WHERE ${OF_KIND}`, kind).one().at ?? 0;
    return Math.max(first.at + AWAY_MS, last + APART_MS);
  }

  return {
    async note(job) {
      if (isHere() && !mustNotify(job)) return;
      await pushes.use((opened) => opened.note(job));
      if (!canSendMail(env) || readOrigin(env, sql) === null) return;
      const now = Date.now();
      sql.exec("DELETE FROM done_jobs WHERE settled_at < ?", now - KNOWN_MS);
      sql.exec("INSERT INTO done_jobs (id, job, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", job.id, JSON.stringify(job), now);
      const kind = doneKindOf(job);
      const at = nextTime(kind);
      if (at !== null) await due().schedule("done-jobs", kind, at);
    },
    async attempt(named) {
      const kind = DONE_KINDS.find((one) => one === named);
      if (kind === undefined) return null;
      const claimed = open(kind).filter(({ batch }) => batch !== null);
      const isSpent = claimed.some(({ claimed_at: at }) => !hasMailKeys(env) || (at ?? 0) < Date.now() - KEY_LIFETIME_MS);
      if (isSpent) {
        // An earlier life handed it over and did not hear what became of it.
        settle(claimed);
        return nextTime(kind);
      }
      const at = claimed.length > 0 ? null : nextTime(kind);
      if (at !== null && at > Date.now()) return at;
      const waiting = claimed.length > 0 ? claimed : open(kind);
      const rows = claimed.length > 0 ? claimed : unnotified(waiting);
      const origin = readOrigin(env, sql);
      const jobs = rows.map(({ job }) => toJob(job));
      const mail = rows.length > 0 && origin !== null ? await composeDoneNotice(env, { userId, kind, jobs, origin }) : null;
      if (!mail || origin === null || (claimed.length === 0 && unnotified(rows).length < rows.length)) {
        settle(waiting);
        return nextTime(kind);
      }
      const batch = claimed[0]?.batch ?? crypto.randomUUID();
      for (const { id } of rows)
        sql.exec("UPDATE done_jobs SET batch = ?, claimed_at = COALESCE(claimed_at, ?) WHERE id = ?", batch, Date.now(), id);
      const sent = await sendNotice(env, { ...mail, key: `done-jobs-${batch}` }, origin);
      if (!sent.ok) {
        const isOver = sent.kind === "refused" || (sent.kind === "unsure" && !hasMailKeys(env));
        // What was surely not taken may be sent by a life without keys too.
        if (sent.kind === "later")
          for (const { id } of rows) sql.exec("UPDATE done_jobs SET batch = NULL, claimed_at = NULL WHERE id = ?", id);
        if (!isOver) throw new Error("A mail about what is done was not taken", { cause: sent.cause });
        log.warn("a mail about what is done was refused", { code: sent.code, cause: sent.cause });
      }
      settle(waiting);
      return nextTime(kind);
    },
  };
}

function toJob(job: string): DoneJob {
  return DoneJob.parse(JSON.parse(job));
}

/**
 * True, even while the user is here, for a schedule that failed, because nobody waits for it; for an export, because somebody else may have
 * asked for it; and for an index, because a mail was promised.
 */
function mustNotify({ what, isOk }: DoneJob): boolean {
  return what === "export" || what === "index" || (what === "schedule" && !isOk);
}
