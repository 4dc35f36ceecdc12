import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { signIn } from "#test/support/worker.ts";
import { deletePastCodes } from "#worker/additional-emails/additional-emails.ts";
import { deletePastLinks } from "#worker/alerts/alerts.ts";
import { deleteObjects } from "#worker/attachments/attachment-keys.ts";
import { deleteEnded } from "#worker/auth/sessions.ts";
import { openDatabase } from "#worker/db/client.ts";
import { forgetLostFailures } from "#worker/jobs/failed-jobs.ts";
import { deletePastNumberCodes } from "#worker/messaging-setup/past-codes.ts";
import { forgetOldMessages } from "#worker/messaging/conversations.ts";

/** Longer ago than anything is kept. */
const PAST = "2020-01-01T00:00:00.000Z";
const MANY = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)";

it.each([
  [
    "sessions",
    (db) => deleteEnded(db, new Date().toISOString()),
    `INSERT INTO sessions (id, user_id, user_agent, created_at, last_seen_at, expires_at) ${MANY} SELECT ?1 || i, ?1, '', ?2, ?2, ?2 FROM n`,
  ],
  [
    "sign_in_codes",
    (db) => deleteEnded(db, new Date().toISOString()),
    `INSERT INTO sign_in_codes (browser, email, code_hash, link_hash, tries, expires_at) ${MANY} SELECT ?1, i, '', ?1 || i, 0, ?2 FROM n`,
  ],
  [
    "alert_links",
    (db) => deletePastLinks(db, new Date().toISOString()),
    `INSERT INTO alert_links (hash, user_id, happened_at, expires_at) ${MANY} SELECT ?1 || i, ?1, ?2, ?2 FROM n`,
  ],
  [
    "messaging_messages",
    (db) => forgetOldMessages(db),
    `INSERT INTO messaging_messages (id, user_id, state, sent_at, created_at) ${MANY} SELECT ?1 || i, ?1, 'done', 0, ?2 FROM n`,
  ],
  [
    "failed_jobs",
    () => forgetLostFailures(env),
    `INSERT INTO failed_jobs (id, queue, kind, payload, failed_at) ${MANY} SELECT ?1 || i, 'JOBS', 'x', '{}', ?2 FROM n`,
  ],
] satisfies [string, (db: ReturnType<typeof openDatabase>) => Promise<boolean>, string][])(
  "What is over in %s goes a thousand rows at a time, and each time says whether there is more",
  async (table, remove, insert) => {
    const { id } = (await signIn()).user;
    // What other tests left is over as well.
    while (await remove(openDatabase(env.DB)));
    await env.DB.prepare(insert).bind(id, PAST).run();
    const count = () =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE instr(${KEYS[table] ?? "id"}, ?) > 0`)
        .bind(id)
        .first<number>("n");
    const before = (await count()) ?? 0;
    const seen: unknown[] = [];
    for (let isMore = true; isMore && seen.length < 5;) {
      isMore = await remove(openDatabase(env.DB));
      seen.push([isMore, before - ((await count()) ?? 0)]);
    }
    expect(seen).toEqual([
      [true, 1000],
      [true, 2000],
      [false, 2100],
    ]);
  },
);

const KEYS: Record<string, string> = { sign_in_codes: "browser", alert_links: "hash", sessions: "user_id" };

it.each([
  [
    "additional_email_codes",
    deletePastCodes,
    "INSERT INTO additional_email_codes (user_id, email, code_hash, expires_at) VALUES (?1, 'past@example.com', '', ?2)",
  ],
  [
    "messaging_codes",
    deletePastNumberCodes,
    "INSERT INTO messaging_codes (user_id, phone, code_hash, expires_at) VALUES (?1, '+15550001234', '', ?2)",
  ],
] as const)("What is over in %s goes, and what holds stays", async (table, remove, insert) => {
  const [past, held] = [(await signIn()).user.id, (await signIn()).user.id];
  await env.DB.prepare(insert).bind(past, PAST).run();
  await env.DB.prepare(insert).bind(held, "2999-01-01T00:00:00.000Z").run();
  expect(await remove(openDatabase(env.DB), new Date().toISOString())).toBe(false);
  const left = await env.DB.prepare(`SELECT user_id FROM ${table} WHERE user_id IN (?, ?)`).bind(past, held).all();
  expect(left.results).toEqual([{ user_id: held }]);
});

it("Objects of a list are deleted a thousand at a time, which is what the storage takes", async () => {
  const deleted: number[] = [];
  const files: Pick<R2Bucket, "delete"> = { delete: async (keys) => void deleted.push([keys].flat().length) };
  const keys = Array.from({ length: 2_100 }, (_, index) => `none/${index}`);
  await deleteObjects(files, keys);
  expect(deleted).toEqual([1_000, 1_000, 100]);
  await deleteObjects(files, []);
  expect(deleted).toHaveLength(3);
});
