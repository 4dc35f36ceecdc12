import { createExecutionContext, createMessageBatch, createScheduledController, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { runNightIn } from "#test/support/night.ts";
import { startChat } from "#test/support/replies.ts";
import { overrideMethods } from "#test/support/override-methods.ts";
import { signIn, visitor } from "#test/support/worker.ts";
import { deleteExpiredCodes } from "#worker/people/additional-emails/additional-emails.ts";
import { deleteExpiredLinks } from "#worker/people/alerts/alerts.ts";
import { deleteObjects } from "#worker/library/attachments/attachment-keys.ts";
import { deleteEnded } from "#worker/people/sessions/sessions.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import worker from "#worker/index.ts";
import { forgetLostFailures } from "#worker/platform/jobs/failed-jobs.ts";
import { nightJob, STEPS } from "#worker/night.ts";
import { deletePastNumberCodes } from "#worker/integrations/messaging-setup/expired-codes.ts";
import { forgetOldMessages } from "#worker/integrations/messaging/conversations.ts";

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
    (db) => deleteExpiredLinks(db, new Date().toISOString()),
    `INSERT INTO alert_links (hash, user_id, happened_at, expires_at) ${MANY} SELECT ?1 || i, ?1, ?2, ?2 FROM n`,
  ],
  [
    "messaging_messages",
    (db) => forgetOldMessages(db),
    `INSERT INTO messaging_messages (id, user_id, state, sent_at, created_at) ${MANY} SELECT ?1 || i, ?1, 'done', 0, ?2 FROM n`,
  ],
  [
    "night_steps",
    () => STEPS["nights"]?.(env, "").then((next) => next !== null) ?? Promise.reject(new Error("There is no such step")),
    `INSERT INTO night_steps (night, step, page, taken_at) ${MANY} SELECT ?2, ?1 || i, 0, ?2 FROM n`,
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

const KEYS: Record<string, string> = { sign_in_codes: "browser", alert_links: "hash", night_steps: "step", sessions: "user_id" };

it.each([
  [
    "additional_email_codes",
    deleteExpiredCodes,
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

afterEach(() => vi.restoreAllMocks());

/** A step's first message, of a night of its own. */
const stepOf = (step: string) => ({ kind: "night.step", night: crypto.randomUUID(), step, page: 0, after: "" });

/** A queue that keeps what it is sent instead of delivering it. */
function caught(queue: typeof env.BULK) {
  const bodies: Record<string, unknown>[] = [];
  const send = async (body: Record<string, unknown>) => void bodies.push(body);
  const sendBatch = async (messages: { body: Record<string, unknown> }[]) => void bodies.push(...messages.map(({ body }) => body));
  return { bodies, queue: overrideMethods(queue, { send, sendBatch }) };
}

describe("the night", () => {
  it("the night is a job for each step in the queue of what nobody waits for", async () => {
    const { bodies, queue } = caught(env.BULK);
    const scheduledTime = new Date("2026-11-28T03:00:00.000Z");
    await worker.scheduled(createScheduledController({ cron: "0 3 * * *", scheduledTime }), deploymentWith({ BULK: queue }));
    const first = { kind: "night.step", night: "2026-11-28T03:00:00.000Z", page: 0, after: "" };
    expect(bodies).toEqual(Object.keys(STEPS).map((step) => ({ ...first, step })));
  });

  it("the night reaches each of the people that were about once, a hundred a message, and no message asks the database more than a few things", async () => {
    const people = Array.from({ length: 250 }, (_, index) => `night-${String(index).padStart(3, "0")}`);
    const at = new Date(Date.now() - 60_000).toISOString();
    const dayBefore = new Date(Date.now() - 2 * 24 * 60 * 60_000).toISOString();
    await env.DB.prepare("UPDATE users SET last_seen_at = ?1 WHERE last_seen_at > ?1").bind(dayBefore).run();
    await env.DB.prepare("INSERT INTO users (id, display_name, created_at, last_seen_at) SELECT value, 'Ann', ?2, ?2 FROM json_each(?1)")
      .bind(JSON.stringify(people), at)
      .run();
    onTestFinished(async () => void (await env.DB.prepare("DELETE FROM users WHERE id LIKE 'night-%'").run()));
    let queries = 0;
    const DB = overrideMethods(env.DB, {
      prepare: (text: string) => {
        queries += 1;
        return env.DB.prepare(text);
      },
    });
    const { bodies, queue } = caught(env.BULK);
    const deployment = deploymentWith({ DB, BULK: queue });
    const reconciled: unknown[] = [];
    const asked: number[] = [];
    for (let next: Record<string, unknown> | undefined = stepOf("lists"); next;) {
      queries = 0;
      await nightJob.receive(deployment, next, 1);
      asked.push(queries);
      const sent = bodies.splice(0);
      reconciled.push(...sent.flatMap(({ kind, userId }) => (kind === "list.reconcile" ? [userId] : [])));
      // Whoever is about while it goes on is not met again.
      await env.DB.prepare("UPDATE users SET last_seen_at = ? WHERE id = ?")
        .bind(new Date(Date.now() + 1).toISOString(), people[0] ?? "")
        .run();
      next = sent.find(({ kind }) => kind === "night.step");
    }
    expect(reconciled).toEqual(people);
    expect(asked).toHaveLength(3);
    expect(Math.max(...asked)).toBeLessThanOrEqual(2);
  });

  it("the night has a step that failed come again by itself, seen as a failed job and tried anew from there, while the others go on", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await env.DB.prepare("DELETE FROM failed_jobs WHERE kind = 'night.step'").run();
    const away = overrideMethods(env.FILES, { list: () => Promise.reject(new Error("The bucket is away")) });
    const worked = await runNightIn(deploymentWith({ FILES: away }));
    expect(worked.filter(({ isDone }) => !isDone)).toEqual([{ step: "media", after: "", isDone: false }]);
    expect(new Set(worked.map(({ step }) => step))).toEqual(new Set(Object.keys(STEPS)));
    const failed = async () =>
      (await env.DB.prepare("SELECT kind, queue, payload, stuck_at IS NOT NULL AS stuck FROM failed_jobs WHERE kind = 'night.step'").all())
        .results;
    const released = "SELECT night FROM night_steps WHERE step = 'media' AND taken_at = ''";
    const night = (await env.DB.prepare(released).first<string>("night")) ?? "";
    const payload = JSON.stringify({ night, step: "media", page: 0, after: "" });
    expect(await failed()).toEqual([{ kind: "night.step", queue: "BULK", payload, stuck: 0 }]);

    const body = { kind: "night.step", night, step: "media", page: 0, after: "" };
    const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 6, body };
    const dead = createMessageBatch("polylogue-bulk-dead", [message]);
    await worker.queue(dead, env);
    expect(await getQueueResult(dead, createExecutionContext())).toMatchObject({ explicitAcks: [message.id] });
    expect(await failed()).toEqual([{ kind: "night.step", queue: "BULK", payload, stuck: 1 }]);
    await env.DB.prepare("UPDATE failed_jobs SET retry_at = '2026-01-01' WHERE kind = 'night.step'").run();
    const { bodies, queue } = caught(env.BULK);
    await worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), deploymentWith({ BULK: queue }));
    expect(bodies).toEqual([body]);
    expect(await failed()).toEqual([]);
    const list = vi.fn<R2Bucket["list"]>(env.FILES.list.bind(env.FILES));
    await nightJob.receive(deploymentWith({ FILES: overrideMethods(env.FILES, { list }) }), body, 1);
    expect(list).toHaveBeenCalled();
  });

  /** A step of three pages: which of them were done, and what is queued meanwhile. */
  function pages({ onPage = async () => {} }: { onPage?: (page: string) => Promise<void> } = {}) {
    const done: string[] = [];
    vi.spyOn(STEPS, "lists").mockImplementation(async (_env: unknown, after: string) => {
      await onPage(after);
      done.push(after);
      return after === "b" ? null : after === "a" ? "b" : "a";
    });
    const { bodies, queue } = caught(env.BULK);
    const deployment = deploymentWith({ BULK: queue });
    const receive = (body: Record<string, unknown>, attempt = 1) => nightJob.receive(deployment, body, attempt);
    return { done, bodies, receive };
  }

  it("the night goes on once from a message that comes twice, at the same time or when the next ones were there already", async () => {
    const { done, bodies, receive } = pages();
    const all: Record<string, unknown>[] = [];
    for (let next: Record<string, unknown> | undefined = stepOf("lists"); next; next = bodies.shift()) {
      const twice = next;
      all.push(twice);
      await Promise.all([receive(twice), receive(twice)]);
    }
    for (const body of all.toReversed()) await receive(body);
    for (const body of all.toReversed()) await receive(body, 2);
    // Of the last page nobody can tell that it was the last, and nothing follows it.
    expect([done, bodies]).toEqual([["", "a", "b", "b"], []]);
  });

  it("the night has one chain again soon after a message that was worked off, and comes again all the same", async () => {
    const { done, bodies, receive } = pages();
    const first = stepOf("lists");
    await receive(first);
    await receive(first, 2);
    expect(bodies).toHaveLength(2);
    for (let next = bodies.shift(); next; next = bodies.shift()) await receive(next);
    expect(done).toEqual(["", "", "a", "b"]);
  });

  it("the night does a page again whose Worker ended, at the queue's next attempt or where somebody asks for it later", async () => {
    let fails = 2;
    const onPage = async () => {
      if (fails-- > 0) throw new Error("The Worker ended");
    };
    const { done, bodies, receive } = pages({ onPage });
    const first = stepOf("lists");
    await expect(receive(first)).rejects.toThrow("The Worker ended");
    await expect(receive(first, 2)).rejects.toThrow("The Worker ended");
    await receive(first);
    expect([done, bodies.length]).toEqual([[""], 1]);

    // As it is where nothing could be written down any more.
    const [second] = bodies.splice(0);
    const claimedAt = (time: string) =>
      env.DB.prepare(
        "INSERT INTO night_steps (night, step, page, taken_at) VALUES (?1, 'lists', 1, ?2) ON CONFLICT DO UPDATE SET page = 1, taken_at = ?2",
      )
        .bind(first.night, time)
        .run();
    await claimedAt(new Date().toISOString());
    await receive({ ...second });
    expect(done).toEqual([""]);
    await claimedAt(PAST);
    await receive({ ...second });
    expect(done).toEqual(["", "a"]);
    expect(bodies).toMatchObject([{ page: 2, after: "b" }]);
  });

  it("the night has nothing that its jobs ask for stand before what somebody waits for", async () => {
    const guest = visitor();
    await startChat(guest, "say hi", "openai/gpt-5-nano");
    const userId = (await guest.take(getSession, {})).user?.id ?? "";
    await env.DB.prepare("UPDATE users SET last_seen_at = '2020-01-01T00:00:00.000Z' WHERE id = ?").bind(userId).run();
    const [jobs, bulk] = [caught(env.JOBS), caught(env.BULK)];
    const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: { kind: "guest.purge", userId } };
    const batch = createMessageBatch("polylogue-bulk", [message]);
    await worker.queue(batch, deploymentWith({ JOBS: jobs.queue, BULK: bulk.queue }));
    expect(await getQueueResult(batch, createExecutionContext())).toMatchObject({ explicitAcks: [message.id] });
    expect(jobs.bodies).toEqual([]);
    expect(bulk.bodies).toMatchObject([{ kind: "chat.purge" }]);
  });
});
