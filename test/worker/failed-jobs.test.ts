import { createExecutionContext, createMessageBatch, createScheduledController, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { dropJob, listJobs, retryJob, type RunSql } from "../../scripts/lib/failed-jobs.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import type { Env } from "#worker/platform/env.ts";
import worker from "#worker/index.ts";

afterEach(() => vi.restoreAllMocks());

const run: RunSql = async (statement) => (await env.DB.prepare(statement).all()).results;

type Delivery = { queue?: string; attempts?: number; deployment?: Env };

async function deliver(body: object, { queue = "polylogue-jobs", attempts = 1, deployment = env }: Delivery = {}) {
  const batch = createMessageBatch(queue, [{ id: crypto.randomUUID(), timestamp: new Date(), attempts, body }]);
  await worker.queue(batch, deployment);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { done: explicitAcks.length, again: retryMessages.length };
}

function hear(): string[] {
  const lines: string[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  return lines;
}

/** A job that fails as long as its bucket is away. */
function purge() {
  return { kind: "chat.purge", chatId: crypto.randomUUID(), userIds: [crypto.randomUUID()] };
}

const AWAY = new Error(
  `Bearer abc of someone@example.com at https://user:pass@files.example/x?token=1 ${"k3y".repeat(12)} ${env.SESSION_SECRET}`,
);
const withoutFiles = deploymentWith({
  FILES: new Proxy(env.FILES, { get: () => () => Promise.reject(AWAY) }),
});

it("A job that its queue gave up is a row and a line that say what is stuck, without a secret", async () => {
  const lines = hear();
  const job = purge();
  for (const attempts of [1, 2, 6]) expect(await deliver(job, { attempts, deployment: withoutFiles })).toEqual({ done: 0, again: 1 });
  expect(await listJobs(run)).toContain("tried again by itself, 6 attempts");
  // A second copy's queues have names of their own (scripts/lib/deploy/names.ts).
  expect(await deliver(job, { queue: "polylogue-preview-jobs-dead" })).toEqual({ done: 1, again: 0 });

  const listed = (await listJobs(run)).split("\n\n").find((text) => text.includes(job.chatId)) ?? "";
  expect(listed).toMatch(/^[0-9a-f]{12} {2}chat\.purge {2}stuck, 6 attempts, last 2/);
  expect(listed).toContain("error  Error: Bearer ... of ... at https://files.example/x ... ...");
  const logged = lines.filter((line) => line.includes("a job is stuck"));
  expect(logged).toHaveLength(1);
  expect(JSON.parse(logged[0] ?? "")).toMatchObject({ kind: "chat.purge", chatId: job.chatId, attempts: 6 });
  expect(logged[0]).not.toMatch(/someone@|pass|token=|k3yk3y/);
  expect(logged[0]).not.toContain(env.SESSION_SECRET);
});

it("A job that failed and then did its work is forgotten; one that ended the Worker is listed without an error", async () => {
  hear();
  const job = purge();
  await deliver(job, { deployment: withoutFiles });
  expect(await deliver(job, { attempts: 2 })).toEqual({ done: 1, again: 0 });
  expect(await listJobs(run)).not.toContain(job.chatId);

  const fatal = { kind: "file.read", key: `chats/${crypto.randomUUID()}/attachments/a/b`, format: "pdf", size: 1 };
  await deliver(fatal, { queue: "polylogue-reads-dead" });
  const listed = (await listJobs(run)).split("\n\n").find((text) => text.includes(fatal.key)) ?? "";
  expect(listed).toContain("stuck, attempts unknown");
  expect(listed).toContain("error  none noted: the Worker ended");
});

it("A stuck job is sent anew to its own queue by the next cron once that is asked for, and another is dropped for good", async () => {
  hear();
  const [job, other] = [purge(), purge()];
  const invited = { kind: "invitations.take", userId: crypto.randomUUID(), emails: ["hidden@example.com"] };
  for (const body of [job, other, invited]) await deliver(body, { queue: "polylogue-jobs-dead" });
  const list = await listJobs(run);
  const idOf = (chatId: string) =>
    list
      .split("\n\n")
      .find((text) => text.includes(chatId))
      ?.slice(0, 12) ?? "";
  expect(list).not.toContain("hidden@");

  const send = vi.spyOn(env.JOBS, "send");
  await retryJob(run, idOf(job.chatId));
  expect(await listJobs(run)).toContain(`${idOf(job.chatId)}  chat.purge  sent anew soon`);
  await dropJob(run, idOf(other.chatId));
  await worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), env);
  // The database is shared with tests that leave jobs of their own.
  const ours = new Set([job.chatId, other.chatId]);
  expect(send.mock.calls.map(([body]) => body).filter((body) => "chatId" in body && ours.has(String(body.chatId)))).toEqual([job]);
  const left = await listJobs(run);
  expect(left).not.toContain(job.chatId);
  expect(left).not.toContain(other.chatId);
  await expect(dropJob(run, idOf(other.chatId))).rejects.toThrow("No job");
  await expect(retryJob(run, "' OR 1=1 --")).rejects.toThrow("is no id of a job");
});
