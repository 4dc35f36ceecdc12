import { env } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { afterEach, expect, it, vi } from "vitest";
import { getAccountExport } from "#shared/contracts/account/account-export.ts";
import { downloaded, readyExport, storedSegments } from "#test/support/account-export.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { make } from "#test/support/knowledge.ts";
import { overrideMethods } from "#test/support/override-methods.ts";
import { type Person, signIn } from "#test/support/worker.ts";
import { purgeExports } from "#worker/account/account-export/account-export.ts";
import { accountExportJob, expireExportJob } from "#worker/account/account-export/job.ts";
import { SEGMENT_BYTES } from "#worker/account/account-export/zip/segments.ts";
import type { Env } from "#worker/platform/env.ts";

const MB = 1024 * 1024;

afterEach(() => void vi.restoreAllMocks());

/** An export that no message goes on with, and a deployment in which its messages are noted instead of sent. */
async function begun(person: Person, changes: Partial<Env> = {}) {
  const id = crypto.randomUUID();
  const at = new Date().toISOString();
  await env.DB.prepare("INSERT INTO account_exports (id, user_id, state, created_at, updated_at) VALUES (?, ?, 'running', ?, ?)")
    .bind(id, person.user.id, at, at)
    .run();
  const sent: unknown[] = [];
  const send = (body: unknown) => Promise.resolve(void sent.push(body));
  const queues = { JOBS: overrideMethods(env.JOBS, { send }), READS: overrideMethods(env.READS, { send }) };
  return { id, sent, deployment: deploymentWith({ ...queues, ...changes }) };
}

const rowOf = (id: string) =>
  env.DB.prepare("SELECT state, step, entries, problem, expires_at FROM account_exports WHERE id = ?")
    .bind(id)
    .first<{ state: string; step: number; entries: number; problem: string | null; expires_at: string | null }>();

/** Runs messages until none is left. */
async function runAll({ id, sent, deployment }: Awaited<ReturnType<typeof begun>>): Promise<number> {
  const step = (message: unknown, attempt = 1) => accountExportJob.receive(deployment, message, attempt);
  await step({ exportId: id, step: 0 });
  let steps = 1;
  for (;;) {
    const row = await rowOf(id);
    if (row?.state !== "running") return steps;
    const message = sent.shift();
    if (message === undefined) throw new Error("An export goes on with no message");
    steps += 1;
    await step(message);
    // The queue may bring each a second time, also after its work is kept.
    await step(message);
  }
}

/** More entries than one step takes. */
async function manyEntries(person: Person, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await make(person, { name: `Entry ${at}`, text_content: `Text ${at}` });
}

it("an export in parts has each entry once, whatever ended or came again in between", async () => {
  const person = await signIn();
  await manyEntries(person, 70);
  let failures = 3;
  const put = (...input: Parameters<R2Bucket["put"]>) => {
    failures -= 1;
    return failures >= 0 ? Promise.reject(new Error("The store is away")) : env.FILES.put(...input);
  };
  const flaky = await begun(person);
  const broken = deploymentWith({ ...flaky.deployment, FILES: overrideMethods(env.FILES, { put }) });
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await expect(accountExportJob.receive(broken, { exportId: flaky.id, step: 0 }, attempt)).rejects.toThrow("The store is away");
  }
  // Two deliveries of one message at once: one of them counts.
  const twice = [1, 2].map((attempt) => accountExportJob.receive(flaky.deployment, { exportId: flaky.id, step: 0 }, attempt));
  await Promise.all(twice);
  expect(await rowOf(flaky.id)).toMatchObject({ state: "running", step: 1 });
  expect(await runAll(flaky)).toBeGreaterThan(1);
  const zip = await downloaded(person, flaky.id);
  const names: string[] = [];
  unzipSync(zip, { filter: ({ name }) => names.push(name) > 0 });
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => /^knowledge\/.*entry\.json$/.test(name))).toHaveLength(70);
  expect(await rowOf(flaky.id)).toMatchObject({ state: "ready", entries: names.length });
});

it("an export in parts goes on where whoever kept a step ended before sending the next message", async () => {
  const person = await signIn();
  await manyEntries(person, 65);
  const cut = await begun(person);
  const lost = deploymentWith({
    ...cut.deployment,
    READS: overrideMethods(env.READS, { send: () => Promise.reject(new Error("The queue is away")) }),
  });
  await expect(accountExportJob.receive(lost, { exportId: cut.id, step: 0 }, 1)).rejects.toThrow("The queue is away");
  await accountExportJob.receive(cut.deployment, { exportId: cut.id, step: 0 }, 2);
  expect(cut.sent).toEqual([{ kind: "account.export", exportId: cut.id, step: 1 }]);
});

it("an export in parts never holds more than a few megabytes, of 200 MB of files", async () => {
  const person = await signIn();
  const entry = await make(person, { name: "Archive" });
  const FILE_BYTES = 40 * MB;
  const rows = Array.from({ length: 5 }, (_, at) => ({ id: crypto.randomUUID(), at }));
  for (const { id, at } of rows) {
    await env.DB.prepare(
      `INSERT INTO user_context_files (id, context_id, user_id, file_url, file_name, file_type, file_size, created_at, sync_status, object_key, is_stored)
         VALUES (?, ?, ?, '', ?, 'application/pdf', ?, ?, 'synced', ?, 1)`,
    )
      .bind(id, entry.id, person.user.id, `File ${at}.pdf`, FILE_BYTES, new Date().toISOString(), `big/${id}`)
      .run();
  }
  let drawn = 0;
  let stored = 0;
  let most = 0;
  let largest = 0;
  const big = (): ReadableStream<Uint8Array> => {
    let left = FILE_BYTES;
    const chunk = new Uint8Array(64 * 1024);
    return new ReadableStream({
      pull(controller) {
        drawn += chunk.length;
        left -= chunk.length;
        most = Math.max(most, drawn - stored);
        controller.enqueue(chunk);
        if (left <= 0) controller.close();
      },
    });
  };
  const FILES = overrideMethods(env.FILES, {
    get: (key: string) => Promise.resolve(key.startsWith("big/") ? { body: big(), size: FILE_BYTES, uploaded: new Date() } : null),
    put: (_: string, bytes: Uint8Array) => {
      stored += bytes.length;
      largest = Math.max(largest, bytes.length);
      return Promise.resolve(null);
    },
  });
  const run = await begun(person, { FILES });
  const steps = await runAll(run);
  expect(drawn).toBe(5 * FILE_BYTES);
  expect(stored).toBeGreaterThan(drawn);
  expect(largest).toBeLessThanOrEqual(SEGMENT_BYTES);
  expect(most).toBeLessThan(2 * SEGMENT_BYTES);
  expect(steps).toBeGreaterThan(1);
  expect(await rowOf(run.id)).toMatchObject({ state: "ready" });
});

it("an export in parts fails for everybody to see once it was tried often enough, and can be asked for again", async () => {
  const person = await signIn();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const FILES = overrideMethods(env.FILES, { put: () => Promise.reject(new Error("The store is away")) });
  const run = await begun(person, { FILES });
  await accountExportJob.receive(run.deployment, { exportId: run.id, step: 0 }, 4);
  const { export: held } = await person.take(getAccountExport, {});
  expect(held).toMatchObject({ state: "failed", problem: expect.stringContaining("Nothing of your account was changed") });
});

it("an export in parts that no message goes on with is reported as failed", async () => {
  const person = await signIn();
  const { id } = await begun(person);
  await env.DB.prepare("UPDATE account_exports SET updated_at = ? WHERE id = ?").bind("2026-01-01T00:00:00.000Z", id).run();
  expect((await person.take(getAccountExport, {})).export).toMatchObject({ state: "failed" });
});

it("an export in parts that failed goes with all that is stored of it after a day, like any other", async () => {
  const person = await signIn();
  await manyEntries(person, 65);
  const { id, deployment } = await begun(person);
  await accountExportJob.receive(deployment, { exportId: id, step: 0 }, 1);
  expect(await storedSegments(person.user.id)).not.toEqual([]);
  await env.DB.prepare("UPDATE account_exports SET updated_at = ? WHERE id = ?").bind("2026-01-01T00:00:00.000Z", id).run();
  await purgeExports(env);
  expect(await rowOf(id)).toMatchObject({ state: "failed", expires_at: expect.any(String) });
  await env.DB.prepare("UPDATE account_exports SET expires_at = ? WHERE id = ?").bind("2026-01-02T00:00:00.000Z", id).run();
  await purgeExports(env);
  expect([await rowOf(id), await storedSegments(person.user.id)]).toEqual([null, []]);
});

it("an export in parts leaves nothing behind where it is deleted while a step is made", async () => {
  const person = await signIn();
  const FILES = overrideMethods(env.FILES, {
    put: async (key: string, bytes: Uint8Array) => {
      await env.DB.prepare("DELETE FROM account_exports WHERE user_id = ?").bind(person.user.id).run();
      return env.FILES.put(key, bytes);
    },
  });
  const run = await begun(person, { FILES });
  await accountExportJob.receive(run.deployment, { exportId: run.id, step: 0 }, 1);
  expect(await storedSegments(person.user.id)).toEqual([]);
});

it("an export in parts is deleted by its own message once its day is over", async () => {
  const person = await signIn();
  const run = await begun(person);
  await runAll(run);
  await readyExport(person, run.id);
  await expireExportJob.receive(run.deployment, { exportId: run.id }, 1);
  expect((await person.take(getAccountExport, {})).export).toMatchObject({ state: "ready" });
  await env.DB.prepare("UPDATE account_exports SET expires_at = ? WHERE id = ?").bind("2026-01-01T00:00:00.000Z", run.id).run();
  await expireExportJob.receive(run.deployment, { exportId: run.id }, 1);
  expect(await rowOf(run.id)).toBeNull();
  expect((await env.FILES.list({ prefix: `exports/${person.user.id}/` })).objects).toEqual([]);
});
