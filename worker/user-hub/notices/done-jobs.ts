/** Mails about imports and indexes that ended while the user was away: each after a while, several within an hour as one. */
import * as z from "zod/mini";
import { canSendMail, hasMailKeys, sendNotice } from "#worker/clients/mailer.ts";
import type { DueWork } from "#worker/due-work/due-work.ts";
import type { Env } from "#worker/env.ts";
import { log } from "#worker/log.ts";
import { composeDoneNotice } from "#worker/notifications/compose-notice.ts";
import type { DoneJob } from "#worker/notifications/done-job.ts";
import { APART_MS, AWAY_MS, KEY_LIFETIME_MS } from "./notice-times.ts";
import { readOrigin } from "./origin.ts";

/** The row of later work that stands for the next mail. */
const NEXT = "next";
/** What was told is known for so many milliseconds, longer than any job is repeated. */
const KNOWN_MS = 30 * 24 * 60 * 60_000;
/** Jobs that one mail names. */
const JOBS_PER_MAIL = 20;

const Job = z.object({
  id: z.string(),
  what: z.enum(["import", "index"]),
  title: z.string(),
  isOk: z.boolean(),
  said: z.nullable(z.string()),
  path: z.string(),
});

/** `batch` names the mail that it is in, once that may have gone out; `settled_at` is null until it is known what became of it. */
type Row = { id: string; job: string; at: number; batch: string | null; claimed_at: number | null; settled_at: number | null };

type Deps = {
  env: Env;
  sql: SqlStorage;
  userId: string;
  due: () => Pick<DueWork<"done-jobs">, "schedule">;
  /** True while the user looks at the product. */
  isHere(): boolean;
};

export type DoneJobs = {
  /** Takes the end of a job, once. */
  note(job: DoneJob): Promise<void>;
  /** The time of the next mail has come: answers when to come again, null where nothing waits. */
  attempt(): Promise<number | null>;
};

/** The ended jobs of one user. */
export function createDoneJobs({ env, sql, userId, due, isHere }: Deps): DoneJobs {
  const open = () => sql.exec<Row>("SELECT * FROM done_jobs WHERE settled_at IS NULL ORDER BY at LIMIT ?", JOBS_PER_MAIL).toArray();

  function settle(rows: readonly Row[]): void {
    for (const { id } of rows) sql.exec("UPDATE done_jobs SET settled_at = ? WHERE id = ?", Date.now(), id);
  }

  /** What waits is told as soon as the last mail is an hour old. */
  function nextTime(): number | null {
    const [first] = open();
    if (!first) return null;
    const last = sql.exec<{ at: number | null }>("SELECT MAX(claimed_at) AS at FROM done_jobs").one().at ?? 0;
    return Math.max(first.at + AWAY_MS, last + APART_MS);
  }

  return {
    async note(job) {
      if (isHere() || !canSendMail(env) || readOrigin(env, sql) === null) return;
      const now = Date.now();
      sql.exec("DELETE FROM done_jobs WHERE settled_at < ?", now - KNOWN_MS);
      sql.exec(
        "INSERT INTO done_jobs (id, job, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        job.id,
        JSON.stringify(job satisfies z.infer<typeof Job>),
        now,
      );
      const at = nextTime();
      if (at !== null) await due().schedule("done-jobs", NEXT, at);
    },
    async attempt() {
      const claimed = open().filter(({ batch }) => batch !== null);
      const isSpent = claimed.some(({ claimed_at: at }) => !hasMailKeys(env) || (at ?? 0) < Date.now() - KEY_LIFETIME_MS);
      if (isSpent) {
        // An earlier life handed it over and did not hear what became of it.
        settle(claimed);
        return nextTime();
      }
      const at = claimed.length > 0 ? null : nextTime();
      if (at !== null && at > Date.now()) return at;
      const rows = claimed.length > 0 ? claimed : open();
      const origin = readOrigin(env, sql);
      const jobs = rows.map(({ job }) => Job.parse(JSON.parse(job)));
      const isWanted = rows.length > 0 && origin !== null && (claimed.length > 0 || !isHere());
      const mail = isWanted ? await composeDoneNotice(env, { userId, jobs, origin }) : null;
      if (!mail || origin === null || (claimed.length === 0 && isHere())) {
        settle(rows);
        return nextTime();
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
      settle(rows);
      return nextTime();
    },
  };
}
