import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { deploymentWith } from "#test/support/deployment.ts";
import { signIn } from "#test/support/worker.ts";
import { runJobs } from "#worker/jobs.ts";

afterEach(() => vi.restoreAllMocks());

/** Runs messages as one batch; the ids of those that were done, and of those that come again. */
async function run(bodies: Record<string, unknown>) {
  const messages = Object.entries(bodies).map(([id, body]) => ({ id, timestamp: new Date(), attempts: 1, body }));
  const batch = createMessageBatch("polylogue-jobs", messages);
  await runJobs(batch, env);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { done: explicitAcks, again: retryMessages.map(({ msgId }) => msgId) };
}

it("a queued job of every kind that builds have sent is done", async () => {
  const userId = (await signIn()).user.id;
  const nobody = crypto.randomUUID();
  const chatId = crypto.randomUUID();
  const sent = {
    "chat.purge": { kind: "chat.purge", chatId, userIds: [userId] },
    "copy.abandon": { kind: "copy.abandon", chatId, copyId: crypto.randomUUID(), createdAt: new Date().toISOString() },
    "chats.delete": { kind: "chats.delete", userId, jobId: crypto.randomUUID() },
    "guest.purge": { kind: "guest.purge", userId: nobody },
    "guest.merge": { kind: "guest.merge", guestId: nobody, accountId: userId },
    "sessions.close": { kind: "sessions.close", userId: nobody, sessionIds: "all" },
    "settings.changed": { kind: "settings.changed", userId: nobody },
    "reindex, start": { kind: "reindex", userId, step: { name: "start" } },
    "reindex, list": { kind: "reindex", userId, step: { name: "list", after: "" } },
    "reindex, read": { kind: "reindex", userId, step: { name: "read", run: 0 } },
    "list.reconcile": { kind: "list.reconcile", userId, step: { name: "database", after: "" } },
    "usage.day": { kind: "usage.day", userId, day: "2026-11-20" },
    "invitations.take": { kind: "invitations.take", userId, emails: ["someone@example.com"] },
    "file.read": { kind: "file.read", key: `chats/${chatId}/attachments/a/b`, format: "pdf", size: 1 },
  };
  expect(await run(sent)).toEqual({ done: Object.keys(sent), again: [] });
});

it("a queued job that this build does not know, or not in this form, comes again, and the others of its batch do not", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  const userId = crypto.randomUUID();
  const outcome = await run({
    newer: { kind: "chat.translate", userId },
    "without its user": { kind: "guest.purge" },
    "of another form": { kind: "reindex", userId, step: { name: "sort" } },
    "no job": "hello",
    sound: { kind: "guest.purge", userId },
  });
  expect(outcome).toEqual({ done: ["sound"], again: ["newer", "without its user", "of another form", "no job"] });
  expect(lines.filter((line) => line.includes("job failed"))).toHaveLength(4);
  expect(lines[0]).toContain("This build knows no such job");
});

it("a queued job is done in a deployment with a broken variable, as it asks for none", async () => {
  const message = { id: "job", timestamp: new Date(), attempts: 1, body: { kind: "guest.purge", userId: crypto.randomUUID() } };
  const batch = createMessageBatch("polylogue-jobs", [message]);
  await runJobs(batch, deploymentWith({ SIGNUP: "closed" }));
  expect(await getQueueResult(batch, createExecutionContext())).toMatchObject({ explicitAcks: ["job"] });
});
