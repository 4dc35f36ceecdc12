import { createExecutionContext, createMessageBatch, createScheduledController, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { retryJob } from "../../../scripts/lib/failed-jobs.ts";
import { getSession } from "#shared/contracts/account/auth.ts";
import { deleteChat, getChat, listChats } from "#shared/contracts/chat/chats.ts";
import { changeChats } from "#shared/contracts/chat/inbox.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { search } from "#shared/contracts/search.ts";
import { listShares, shareChat } from "#shared/contracts/chat/sharing.ts";
import { cases } from "#test/support/cases.ts";
import { docx } from "#test/support/office-files.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { makeTeam } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Client, newAddress, type Person, signIn, visitor } from "#test/support/worker.ts";
import worker from "#worker/index.ts";
import type { QueueName } from "#worker/platform/jobs/job.ts";

/** Two months before the tests run: a guest last seen then is unused. */
const LONG_AGO = new Date(Date.now() - 60 * 24 * 60 * 60_000).toISOString();
/** A model that guests may use. */
const FOR_GUESTS = "openai/gpt-5-nano";
const SENT = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
const DEAD = { JOBS: "polylogue-jobs-dead", READS: "polylogue-reads-dead", BULK: "polylogue-bulk-dead" };
const ALIVE = { JOBS: "polylogue-jobs", READS: "polylogue-reads", BULK: "polylogue-bulk" };

type Job = { queue: QueueName; body: object };
/** `came` counts how often the job was delivered before. */
type Delivery = { job: Job; isDead: boolean; came: { times: number } };

/** What a run of jobs is about, and how it goes on from there: ids by the names under which they are compared. */
type World = { people: Record<string, Client>; names: Map<string, string>; fileKey: string; jobs: Job[] };

afterEach(() => vi.restoreAllMocks());

async function atRest(client: Client, chatId: string): Promise<void> {
  await until("the chat at rest", async () => {
    const { chat } = await client.take(getChat, { params: { id: chatId } });
    return !chat.isStreaming && chat.title !== "";
  });
}

/** People, chats and files in the state in which each kind of job finds them, with those jobs. */
async function makeWorld(sent: Job[]): Promise<World> {
  const [owner, reader, member, joined, account] = await Promise.all([signIn(), signIn(), signIn(), signIn(), signIn()]);
  const [merged, unused] = [visitor(), visitor()];
  const chat = async (client: Client, chatText: string) => {
    const { chatId } = await startChatAndRead(client, `say ${chatText}`, FOR_GUESTS);
    await atRest(client, chatId);
    return chatId;
  };
  const [kept, gone, one, two, theirs, old] = [
    await chat(owner, "kept lanterns"),
    await chat(owner, "gone lanterns"),
    await chat(owner, "first lanterns"),
    await chat(owner, "second lanterns"),
    await chat(merged, "guest lanterns"),
    await chat(unused, "old lanterns"),
  ];
  const share = (id: string, who: Person) =>
    owner.take(shareChat, { params: { id }, body: { type: "user", email: who.email, permissionLevel: "editor" } });
  await share(kept, reader);
  await share(gone, reader);
  const invited = newAddress();
  const invitation = { type: "user" as const, email: invited, permissionLevel: "viewer" as const, invite: true };
  await owner.take(shareChat, { params: { id: kept }, body: invitation });
  const teamId = await makeTeam("Team", [owner, member]);
  await owner.take(shareChat, { params: { id: kept }, body: { type: "team", teamId, permissionLevel: "viewer" } });
  const late = await signIn(visitor(), invited);
  await env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, 'member', '')")
    .bind(teamId, joined.user.id)
    .run();
  const [mergedId, unusedId] = [await idOf(merged), await idOf(unused)];
  await env.DB.prepare("UPDATE users SET last_seen_at = ? WHERE id = ?").bind(LONG_AGO, unusedId).run();
  const file = docx("<w:p><w:r><w:t>a file of lanterns</w:t></w:r></w:p>");
  const fileKey = `chats/${kept}/attachments/${crypto.randomUUID()}/${crypto.randomUUID()}`;
  await env.FILES.put(fileKey, file);

  const before = sent.length;
  await owner.take(deleteChat, { params: { id: gone } });
  await owner.take(changeChats, { body: { ids: [one, two], action: "delete" } });
  const asked = sent.slice(before);
  expect(asked.map(({ body }) => body)).toMatchObject([{ kind: "chat.purge" }, { kind: "chats.delete" }]);
  const nothing = { chatId: kept, copyId: crypto.randomUUID(), createdAt: LONG_AGO };
  const jobs = [
    { kind: "guest.merge", guestId: mergedId, accountId: account.user.id },
    { kind: "guest.purge", userId: unusedId },
    { kind: "invitations.take", userId: late.user.id, emails: [invited] },
    { kind: "teams.refresh", teamId, after: "" },
    { kind: "reindex", userId: owner.user.id, step: { name: "start" } },
    { kind: "list.reconcile", userId: owner.user.id, step: { name: "database", after: "" } },
    { kind: "list.reconcile", userId: reader.user.id, step: { name: "database", after: "" } },
    { kind: "copy.abandon", ...nothing },
  ];
  return {
    people: { owner, reader, member, joined, late, account },
    names: new Map(Object.entries({ kept, gone, one, two, theirs, old }).map(([name, id]) => [id, name])),
    fileKey,
    jobs: [
      ...asked,
      ...jobs.map((body): Job => ({ queue: "JOBS", body })),
      { queue: "READS", body: { kind: "file.read", key: fileKey, format: "docx", size: file.byteLength } },
    ],
  };
}

async function idOf(client: Client): Promise<string> {
  return (await client.take(getSession, {})).user?.id ?? expect.fail("A guest has no id.");
}

/** What people see, what is stored, and what is left over. */
async function stateOf({ people, names, fileKey }: World) {
  const nameOf = (id: string) => names.get(id) ?? "?";
  const seen: Record<string, unknown> = {};
  for (const [name, client] of Object.entries(people)) {
    const { chats } = await client.take(listChats, { query: { view: "all" } });
    const { hits } = await client.take(search, { query: { q: "lanterns", kind: "message" } });
    seen[name] = {
      chats: chats.map(({ id, permissionLevel, archived }) => `${nameOf(id)} ${permissionLevel}${archived ? " archived" : ""}`).toSorted(),
      found: [...new Set(hits.map((hit) => nameOf(hit.chat.id)))].toSorted(),
    };
  }
  const { owner, account } = people;
  const ids = [...names.keys()];
  const contentsOf = async (client: Client | undefined, name: string) => {
    const id = ids.find((one) => names.get(one) === name) ?? "";
    return (await client?.take(listMessages, { params: { id } }))?.messages.map(({ content }) => content);
  };
  const remainingId = ids.find((id) => nameOf(id) === "kept") ?? "";
  const { userShares, teamShares } = (await owner?.take(listShares, { params: { id: remainingId } })) ?? { userShares: [], teamShares: [] };
  const rows = await Promise.all(
    ids.map(async (id) => {
      const row = await env.DB.prepare("SELECT deleted_at FROM chats WHERE id = ?").bind(id).first<{ deleted_at: string | null }>();
      const files = await env.FILES.list({ prefix: `chats/${id}/` });
      return `${nameOf(id)} ${row === null ? "no row" : row.deleted_at === null ? "live" : "deleted"}, ${files.objects.length} files`;
    }),
  );
  const failed = await env.DB.prepare("SELECT payload FROM failed_jobs").all<{ payload: string }>();
  return {
    seen,
    contents: { kept: await contentsOf(owner, "kept"), theirs: await contentsOf(account, "theirs") },
    shares: [userShares.map(({ pending }) => (pending ? "pending" : "taken")).toSorted(), teamShares.length],
    rows: rows.toSorted(),
    text: await (await env.FILES.get(`${fileKey}/text`))?.text(),
    failed: failed.results.filter(({ payload }) => ids.some((id) => payload.includes(id))).length,
  };
}

const CHAT = (chatText: string) => [`say ${chatText}`, chatText];

/** However often and in whatever order the jobs came. */
const FINAL = {
  seen: {
    owner: { chats: ["kept owner"], found: ["kept"] },
    reader: { chats: ["kept editor"], found: ["kept"] },
    member: { chats: ["kept viewer"], found: ["kept"] },
    joined: { chats: ["kept viewer"], found: ["kept"] },
    late: { chats: ["kept viewer"], found: ["kept"] },
    account: { chats: ["theirs owner"], found: ["theirs"] },
  },
  contents: { kept: CHAT("kept lanterns"), theirs: CHAT("guest lanterns") },
  shares: [["taken", "taken"], 1],
  rows: [
    "gone deleted, 0 files",
    "kept live, 2 files",
    "old deleted, 0 files",
    "one deleted, 0 files",
    "theirs live, 0 files",
    "two deleted, 0 files",
  ],
  text: "a file of lanterns",
  failed: 0,
};

/** Delivers a batch to the Worker; what comes of it is its own business, as jobs that fail come again. */
async function deliver({ job: { queue, body }, isDead, came }: Delivery): Promise<void> {
  const attempts = (came.times += 1);
  const batch = createMessageBatch(isDead ? DEAD[queue] : ALIVE[queue], [
    { id: crypto.randomUUID(), timestamp: new Date(), attempts, body },
  ]);
  await worker.queue(batch, env);
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  expect({ body, done: explicitAcks.length }).toEqual({ body, done: 1 });
}

it("a queue may deliver each job one to three times, in any order, some by way of its dead letters: all ends the same", async () => {
  const sent: Job[] = [];
  for (const queue of ["JOBS", "READS", "BULK"] as const) {
    vi.spyOn(env[queue], "send").mockImplementation(async (body) => {
      sent.push({ queue, body });
      return SENT;
    });
    vi.spyOn(env[queue], "sendBatch").mockImplementation(async (messages) => {
      for (const { body } of messages) sent.push({ queue, body });
      return SENT;
    });
  }
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const run = async (statement: string) => (await env.DB.prepare(statement).all()).results;

  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      const world = await makeWorld(sent);
      sent.length = 0;
      const waiting: Delivery[] = [];
      const add = (job: Job, mayDie: boolean) => {
        const isDead = mayDie && draw(fc.nat, 4) === 0;
        const times = isDead ? 1 : draw(fc.integer, { min: 1, max: 3 });
        const came = { times: 0 };
        waiting.push(...Array.from({ length: times }, (): Delivery => ({ job, isDead, came })));
      };
      for (const job of world.jobs) add(job, true);
      while (waiting.length > 0) {
        const [next] = waiting.splice(draw(fc.nat, waiting.length - 1), 1);
        if (next) await deliver(next);
        // What it asked for comes as often, and so does what was sent again.
        for (const job of sent.splice(0)) add(job, false);
        if (waiting.length > 0) continue;
        const { results } = await env.DB.prepare("SELECT id FROM failed_jobs WHERE stuck_at IS NOT NULL").all<{ id: string }>();
        for (const { id } of results) await retryJob(run, id);
        if (results.length > 0) await worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), env);
        for (const job of sent.splice(0)) add(job, false);
      }
      await expect.poll(() => stateOf(world), { timeout: 15_000 }).toEqual(FINAL);
    }),
    // A smaller case is a whole new world: the failed one shows as much.
    { ...cases({ sample: 1, full: 100 }), endOnFailure: true },
  );
});
