import { createExecutionContext, createMessageBatch, getQueueResult, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { deleteUser, listAudit, listUsers } from "#shared/contracts/account/admin.ts";
import { getSession } from "#shared/contracts/account/auth.ts";
import { deleteAccount, previewDeletion } from "#shared/contracts/account/deletion.ts";
import { getQuotas } from "#shared/contracts/account/quotas.ts";
import { listTeams, updateTeamMember } from "#shared/contracts/account/teams.ts";
import { createArtifact, getArtifact, listArtifacts, shareArtifact } from "#shared/contracts/artifacts.ts";
import { getChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { copyPublicChat, getPublicChat } from "#shared/contracts/chat/sharing.ts";
import { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { listPersonas } from "#shared/contracts/library/personas.ts";
import { putToolSettings } from "#shared/contracts/tools.ts";
import { DELETED_ADDRESS, DELETED_USER } from "#shared/deleted-user.ts";
import { ageSignIn } from "#test/support/sign-in.ts";
import { nonEmptyTablesIn, leftInDatabase, leftInFiles, leftInObject } from "#test/support/leftovers.ts";
import { openTab } from "#test/support/live-tab.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { CHEAP_MODEL, readReply, startChatAndRead, textOf } from "#test/support/replies.ts";
import { makeTeam, share } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { createAccountWithEverything } from "#test/support/account-with-everything.ts";
import { newAddress, refusal, signIn, signInAdministrator, signInByMail, visit } from "#test/support/worker.ts";
import { resumeDeletions } from "#worker/account/account-deletion/resume.ts";
import { finishRows } from "#worker/account/account-deletion/rows.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { connectedToolId } from "#worker/integrations/mcp/served-tool.ts";
import { runJobs } from "#worker/jobs.ts";

afterEach(() => void vi.restoreAllMocks());

/** Delivers the job's message once; true while the deletion goes on. */
async function deliver(userId: string, attempts = 1): Promise<boolean> {
  const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts, body: { kind: "account.delete", userId } };
  const batch = createMessageBatch("polylogue-jobs", [message]);
  await runJobs(batch, env);
  await getQueueResult(batch, createExecutionContext());
  return (await deletionOf(userId)) !== null;
}

function deletionOf(userId: string) {
  return env.DB.prepare("SELECT stage, failing FROM account_deletions WHERE user_id = ?").bind(userId).first();
}

/** Delivers messages until the deletion is through, without the rest between its passes. */
async function finish(userId: string): Promise<void> {
  for (let messages = 0; messages < 100; messages += 1) if (!(await deliver(userId))) return;
  throw new Error("The deletion came to no end.");
}

/** An id that stays taken is no trace of anybody. */
const isTombstone = ({ place }: { place: string }) => place === "chats.id";

it("a deleted account leaves nothing anywhere, and others what is theirs", async () => {
  const since = new Date();
  const fixture = await createAccountWithEverything();
  const { person, reader, host, shared, own, needles, who, objects, kept: othersText } = fixture;
  const userId = person.user.id;
  const tab = await openTab(reader);
  expect(await person.take(previewDeletion, {})).toMatchObject({ chats: 3, sharedChats: 1, readers: 2, leaderlessTeams: [] });

  await person.take(deleteAccount, { body: { email: person.email.toUpperCase() } });
  expect((await person.take(getSession, {})).user).toBeNull();
  await finish(userId);

  const trace = [...needles, ...own];
  const left = await leftInDatabase(trace);
  expect(left.filter((one) => !isTombstone(one))).toEqual([]);
  // What it looks for it finds.
  expect(new Set(left.map(({ needle }) => needle))).toEqual(new Set(own));
  expect(await leftInFiles(trace, since)).toEqual([]);
  expect(await nonEmptyTablesIn(objects.drive)).toEqual([]);
  for (const stub of [...objects.rooms, ...objects.indexes]) expect(await nonEmptyTablesIn(stub)).toEqual([]);
  expect(await leftInObject("hub", objects.hub, trace)).toEqual([]);
  expect(await nonEmptyTablesIn(objects.hub)).toEqual(await nonEmptyTablesIn(env.USER_HUB.getByName(crypto.randomUUID())));
  for (const [name, stub] of [
    ["their chat", env.CHAT_ROOM.getByName(fixture.theirs)],
    ["their hub", env.USER_HUB.getByName(host.user.id)],
  ] as const)
    expect(await leftInObject(name, stub, who)).toEqual([]);
  expect(await leftInObject("reader", env.USER_HUB.getByName(reader.user.id), [...who, fixture.marker])).toEqual([]);

  // Readers are notified, and what was copied stays.
  await until("the news", () => tab.events.find((event) => event.type === "chat.deleted" && event.chat_id === shared));
  expect(tab.events.filter((event) => event.type === "chat.deleted")).toEqual([
    { type: "chat.deleted", cursor: expect.any(String), chat_id: shared, why: "account", title: expect.stringContaining("") },
  ]);
  expect(refusal(await reader.call(getChat, { params: { id: shared } }))).toBe("NOT_FOUND");
  expect(refusal(await reader.call(getArtifact, { params: { id: fixture.artifactId } }))).toBe("NOT_FOUND");
  expect((await reader.take(listChats, {})).chats.map(({ id }) => id)).toEqual([fixture.fork]);

  // What they wrote in others' chats and for their teams is there without them.
  const { messages } = await host.take(listMessages, { params: { id: fixture.theirs } });
  const written = messages.filter(({ role }) => role === "user");
  expect(written.map(({ author, mail }) => author?.display_name ?? mail?.from_name).slice(1)).toEqual([
    DELETED_USER.name,
    DELETED_USER.name,
  ]);
  expect(written.every(({ content }) => content.includes(othersText))).toBe(true);
  expect((await host.take(getArtifact, { params: { id: fixture.theirArtifact } })).artifact.content).toBe(`${othersText} two`);
  const { personas } = await fixture.member.take(listPersonas, {});
  expect(personas.find(({ id }) => id === fixture.teamContent.persona)).toMatchObject({ user_id: DELETED_USER.id });

  const administrator = await signInAdministrator();
  expect((await administrator.take(listUsers, { query: { q: DELETED_USER.name } })).users).toEqual([]);
  const [mail] = await mailsTo(env.MAILBOX_SIMULATOR, person.email);
  expect(mail?.subject).toBe("Your Polylogue account is deleted");
});

it("a deleted account takes along at once what others could open, before any of it is deleted", async () => {
  const [person, reader] = [await signIn(), await signIn()];
  const { chatId, replyId } = await startChatAndRead(person, "say shared");
  await share(person, chatId, reader.email, "editor");
  const { chatId: published } = await startChatAndRead(person, "say published");
  await person.take(updateChat, { params: { id: published }, body: { public: true } });
  await reader.take(getPublicChat, { params: { id: published } });
  const { artifact } = await person.take(createArtifact, { body: { title: "Shared", content: "Text" } });
  await person.take(shareArtifact, {
    params: { id: artifact.id },
    body: { type: "user", email: reader.email, permissionLevel: "editor" },
  });
  await reader.take(getArtifact, { params: { id: artifact.id } });
  const content = `${crypto.randomUUID()}\nfault hang-mid-stream times 1\nbytes 3000`;
  const body = { id: crypto.randomUUID(), parent_id: replyId, content, model_id: CHEAP_MODEL };
  const asked = await reader.take(sendMessage, { params: { id: chatId }, body });
  let isStreaming = false;
  const streamed = readReply(reader, {
    chatId,
    replyId: asked.replyId,
    enough: (events) => {
      isStreaming ||= textOf(events).length > 20;
      return false;
    },
  });
  await until("the reply to stream", () => isStreaming);
  const queued = vi.spyOn(env.JOBS, "send").mockResolvedValue({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } });

  await person.take(deleteAccount, { body: { email: person.email } });
  expect(queued).toHaveBeenCalledWith({ kind: "account.delete", userId: person.user.id });
  expect(refusal(await reader.call(getChat, { params: { id: chatId } }))).toBe("NOT_FOUND");
  expect(await streamed.catch(() => "cut")).toBeDefined();
  expect(refusal(await reader.call(getPublicChat, { params: { id: published } }))).toBe("NOT_FOUND");
  expect(refusal(await reader.call(copyPublicChat, { params: { id: published }, body: {} }))).toBe("NOT_FOUND");
  const page = async (id: string) => (await visit(`/p/${id}`)).text();
  expect(await page(published)).toBe((await page(crypto.randomUUID())).replaceAll(/[\da-f-]{36}/g, published));
  expect(refusal(await reader.call(getArtifact, { params: { id: artifact.id } }))).toBe("NOT_FOUND");
  expect((await reader.take(listArtifacts, {})).artifacts).toEqual([]);
  vi.restoreAllMocks();
  await finish(person.user.id);
});

it("a deleted account takes along what a server of its own sent in others' chats, unless it was passed on there", async () => {
  const [host, person] = [await signIn(), await signIn()];
  const { chatId, replyId } = await startChatAndRead(host, "say theirs");
  await share(host, chatId, person.email, "editor");
  const server = { name: "Bills", server_url: `${env.MCP_SIMULATOR}/hostile/lies/mcp` };
  const { id: connectionId } = (await person.take(createMcpConnection, { body: server })).connection;
  const tool = connectedToolId(connectionId, "mixed");
  const on = { enabled: true, is_always_on_override: true, always_allowed: false };
  await person.take(putToolSettings, { body: { settings: { [tool]: on } } });
  const messages = async () => (await person.take(listMessages, { params: { id: chatId } })).messages;
  const write = async (parentId: string, body: { content: string; attachments?: string[] }) => {
    const message = { id: crypto.randomUUID(), parent_id: parentId, model_id: CHEAP_MODEL, ...body };
    return (await person.take(sendMessage, { params: { id: chatId }, body: message })).replyId;
  };
  const calling = await write(replyId, { content: `call ${tool} {}\nthen\nsay Done.` });
  const call = await until("a call that waits", async () =>
    (await messages()).at(-1)?.tool_calls.find(({ status }) => status === "waiting"),
  );
  await person.take(decideToolCall, { params: { id: chatId, callId: call.id }, body: { decision: "approve" } });
  await readReply(person, { chatId, replyId: calling });
  const answer = (await messages()).at(-1);
  const picture = answer?.tool_calls[0]?.images[0]?.url ?? "";
  const pictureId = picture.split("/").at(-1) ?? "";
  await readReply(person, { chatId, replyId: await write(calling, { content: "say Sent.", attachments: [pictureId] }) });
  const stored = async () => (await env.FILES.list({ prefix: `chats/${chatId}/attachments/` })).objects;
  const counted = async () => (await host.take(getQuotas, {})).storage.used;
  const before = await stored();
  const picturesLeft = before.filter(({ key }) => key.includes(pictureId));
  expect([before.length, picturesLeft.length]).toEqual([2, 1]);
  await until("both to be counted", async () => (await counted()) === before.reduce((sum, { size }) => sum + size, 0));

  await person.take(deleteAccount, { body: { email: person.email } });
  await finish(person.user.id);
  expect((await stored()).map(({ key }) => key)).toEqual(picturesLeft.map(({ key }) => key));
  const rows = await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) =>
    storage.sql.exec("SELECT id FROM attachments").toArray(),
  );
  expect(rows).toEqual([{ id: pictureId }]);
  await until("one to be counted", async () => (await counted()) === picturesLeft[0]?.size);
  expect((await host.fetch(picture)).status).toBe(200);
});

it("a deleted account leaves addresses that only begin or end like its own", async () => {
  const host = await signIn();
  const { chatId } = await startChatAndRead(host, "say theirs");
  const own = newAddress();
  const alike = [`a${own}`, `x.${own}`, `${own}.au`, `${own}-b.org`, own.replaceAll(".", "x")];
  await addMailToRoom(chatId, { from_addr: own, to_addr: alike });
  const room = env.CHAT_ROOM.getByName(chatId);
  await room.forgetPerson({ userId: crypto.randomUUID(), addresses: [own] });
  const mails = await runInDurableObject(room, (_, { storage }) => storage.sql.exec("SELECT from_addr, to_addr FROM mails").toArray());
  expect(mails).toEqual([{ from_addr: DELETED_ADDRESS, to_addr: JSON.stringify(alike) }]);
});

it("a deleted account frees its address for a new and empty account, which gets no gift again", async () => {
  const first = await signInByMail();
  await first.take(deleteAccount, { body: { email: first.email } });
  const again = await signInByMail(undefined, first.email);
  expect(again.user.id).not.toBe(first.user.id);
  await finish(first.user.id);
  expect((await again.take(listChats, {})).chats).toEqual([]);
  expect((await again.take(getSession, {})).user).toMatchObject({ email: first.email, credits: 0 });
});

it("a deletion whose every job comes twice, each first one dying on its way, leaves nothing either", async () => {
  const since = new Date();
  const fixture = await createAccountWithEverything();
  const userId = fixture.person.user.id;
  await fixture.person.take(deleteAccount, { body: { email: fixture.person.email } });
  const send = env.JOBS.send.bind(env.JOBS);
  for (let step = 0; step < 100; step += 1) {
    // It dies after its work, before anything says that it was done: at the next message, and at each write of how far it is.
    vi.spyOn(env.JOBS, "send").mockRejectedValueOnce(new Error("The Worker ended."));
    await deliver(userId);
    vi.spyOn(env.JOBS, "send").mockImplementation(send);
    if (!(await deliver(userId))) break;
  }
  expect((await leftInDatabase(fixture.needles)).filter((left) => !isTombstone(left))).toEqual([]);
  expect(await leftInFiles(fixture.needles, since)).toEqual([]);
  for (const stub of [fixture.objects.drive, ...fixture.objects.rooms, ...fixture.objects.indexes])
    expect(await nonEmptyTablesIn(stub)).toEqual([]);
});

it("a deletion goes on without a room that fails, and comes back to it", async () => {
  const person = await signIn();
  const userId = person.user.id;
  const [{ chatId: bad }, { chatId: good }] = [await startChatAndRead(person, "say one"), await startChatAndRead(person, "say two")];
  await person.take(deleteAccount, { body: { email: person.email } });
  const roomBy = env.CHAT_ROOM.getByName.bind(env.CHAT_ROOM);
  vi.spyOn(env.CHAT_ROOM, "getByName").mockImplementation((name, options) => {
    if (name === bad) throw new Error("This room answers nothing.");
    return roomBy(name, options);
  });
  vi.spyOn(console, "error").mockImplementation(() => {});
  await until("all else to be gone", async () => (await deliver(userId, 3)) && (await deletionOf(userId))?.["stage"] === "again");
  expect((await deletionOf(userId))?.["failing"]).toBe(JSON.stringify([`chats ${bad}`, `others ${bad}`]));
  expect(await nonEmptyTablesIn(roomBy(good))).toEqual([]);
  expect(await env.DB.prepare("SELECT 1 FROM users WHERE id = ?").bind(userId).first()).toBeNull();
  vi.restoreAllMocks();
  await finish(userId);
  expect(await nonEmptyTablesIn(roomBy(bad))).toEqual([]);
});

it("a deletion whose job was lost is taken up again, and what fails is seen by administrators", async () => {
  const person = await signIn();
  const userId = person.user.id;
  vi.spyOn(env.JOBS, "send").mockRejectedValueOnce(new Error("The queue is away."));
  await person.take(deleteAccount, { body: { email: person.email } });
  await env.DB.prepare("UPDATE account_deletions SET touched_at = '2026-01-01T00:00:00.000Z', stage = 'chats' WHERE user_id = ?")
    .bind(userId)
    .run();
  const sent = vi.spyOn(env.JOBS, "send");
  await resumeDeletions(env);
  expect(sent).toHaveBeenCalledWith({ kind: "account.delete", userId });
  vi.restoreAllMocks();
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(env.JOBS, "send").mockRejectedValue(new Error("The queue is away."));
  await deliver(userId);
  vi.restoreAllMocks();
  const failed = () => env.DB.prepare("SELECT kind FROM failed_jobs WHERE payload LIKE ?").bind(`%${userId}%`).all();
  expect((await failed()).results).toEqual([{ kind: "account.delete" }]);
  await finish(userId);
  expect((await failed()).results).toEqual([]);
});

it("a deleted account's rows go in batches, whatever number of them there is", async () => {
  const person = await signIn();
  const userId = person.user.id;
  const many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)";
  const at = new Date().toISOString();
  await env.DB.prepare(
    `INSERT INTO chats (id, user_id, title, public, created_at, deleted_at) ${many} SELECT ?1 || '-' || i, ?1, '', 0, ?2, ?2 FROM n`,
  )
    .bind(userId, at)
    .run();
  await env.DB.prepare(`INSERT INTO uploads (id, chat_id, created_at) ${many} SELECT ?1 || '-' || i, ?1 || '-' || i, ?2 FROM n`)
    .bind(userId, at)
    .run();
  const left = async () => ({
    chats: await env.DB.prepare("SELECT count(*) AS n FROM chats WHERE user_id = ?").bind(userId).first("n"),
    uploads: await env.DB.prepare("SELECT count(*) AS n FROM uploads WHERE instr(id, ?) > 0").bind(userId).first("n"),
  });
  const db = openDatabase(env.DB);
  const seen: unknown[] = [];
  for (let isMore = true; isMore && seen.length < 10;) {
    isMore = await finishRows(db, userId);
    seen.push(await left());
  }
  expect(seen).toEqual([
    { chats: 2100, uploads: 1100 },
    { chats: 2100, uploads: 100 },
    { chats: 1100, uploads: 0 },
    { chats: 100, uploads: 0 },
    { chats: 0, uploads: 0 },
  ]);
  expect(await env.DB.prepare("SELECT 1 FROM users WHERE id = ?").bind(userId).first()).toBeNull();
});

it("deleting an account twice at once is one deletion", async () => {
  const person = await signIn();
  const cookies = new Map(person.cookies);
  const ask = () => person.call(deleteAccount, { body: { email: person.email } });
  const answers = await Promise.all([ask(), ask()]);
  expect(answers.every(({ status }) => [202, 400, 401].includes(status))).toBe(true);
  for (const [name, value] of cookies) person.cookies.set(name, value);
  expect([400, 401]).toContain((await ask()).status);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM account_deletions WHERE user_id = ?").bind(person.user.id).first("n")).toBe(1);
  await finish(person.user.id);
});

it("deleting an account needs a fresh sign-in", async () => {
  const person = await signIn();
  await ageSignIn(person, 11);
  expect(refusal(await person.call(deleteAccount, { body: { email: person.email } }))).toBe("FRESH_SIGN_IN_REQUIRED");
});

it("deleting an account asks for another admin of a team first, and takes along one that nobody else is in", async () => {
  const [admin, member] = [await signIn(), await signIn()];
  const team = await makeTeam("Both of us", [admin, member]);
  const lone = await makeTeam("Only me", [admin]);
  expect(await admin.take(previewDeletion, {})).toMatchObject({
    leaderlessTeams: [{ id: team, name: "Both of us" }],
    loneTeams: [{ id: lone, name: "Only me" }],
  });
  const refused = await admin.call(deleteAccount, { body: { email: admin.email } });
  expect(refused).toMatchObject({ status: 409, error: { error: expect.stringContaining("only admin of ‘Both of us’") } });
  await admin.take(updateTeamMember, { params: { id: team }, body: { userId: member.user.id, role: "admin" } });
  await admin.take(deleteAccount, { body: { email: admin.email } });
  await finish(admin.user.id);
  expect((await member.take(listTeams, {})).teams).toMatchObject([{ id: team, created_by: member.user.id, memberCount: 1 }]);
  await until("the lone team to go", async () => (await env.DB.prepare("SELECT 1 FROM teams WHERE id = ?").bind(lone).first()) === null);
});

it("deleting an account is an administrator's action too, with the address typed and a reason", async () => {
  const administrator = await signInAdministrator();
  const [person, other] = [await signIn(), await signIn()];
  const remove = (id: string, email: string) => administrator.call(deleteUser, { params: { id }, body: { email, reason: "Asked for it" } });
  const entries = async (subject: string) => (await administrator.take(listAudit, { query: { subject } })).entries;
  const id = person.user.id;
  expect(refusal(await remove(id, other.email))).toBe("INVALID_INPUT");
  expect(refusal(await remove(administrator.user.id, administrator.email))).toBe("FORBIDDEN");
  const team = await makeTeam("Theirs", [person, other]);
  expect(refusal(await remove(id, person.email))).toBe("CONFLICT");
  expect(await entries(id)).toEqual([]);
  await person.take(updateTeamMember, { params: { id: team }, body: { userId: other.user.id, role: "admin" } });
  expect((await remove(id, person.email.toUpperCase())).status).toBe(202);
  expect((await person.take(getSession, {})).user).toBeNull();
  expect(await entries(id)).toMatchObject([
    {
      action: "user.delete",
      reason: "Asked for it",
      actor: { id: administrator.user.id },
      subject: { id, name: DELETED_USER.name, email: null },
    },
  ]);
  expect(refusal(await remove(id, person.email))).toBe("NOT_FOUND");
  expect((await administrator.take(listUsers, { query: { q: id } })).users).toEqual([]);
  await finish(id);
  expect(await entries(id)).toHaveLength(1);
});

it("deleting an account looks through no table that grows with everybody else", async () => {
  const person = await signIn();
  const prepared = vi.spyOn(env.DB, "prepare");
  await person.take(deleteAccount, { body: { email: person.email } });
  const asked = new Set(prepared.mock.calls.map(([text]) => text));
  prepared.mockRestore();
  const plans: string[] = [];
  for (const text of asked) {
    const filled = text.replaceAll(/\?\d*/g, "'x'");
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${filled}`).all<{ detail: string }>();
    plans.push(...results.map(({ detail }) => `${detail} | ${text}`));
  }
  expect(plans.length).toBeGreaterThan(50);
  expect(plans.filter((plan) => /^SCAN (?!a VIRTUAL|\(|CONSTANT|json_each|e\b)/.test(plan))).toEqual([]);
  await finish(person.user.id);
});

it("deleting an account takes its own address, typed", async () => {
  const person = await signIn();
  expect(refusal(await person.call(deleteAccount, { body: { email: "other@example.com" } }))).toBe("INVALID_INPUT");
  expect((await person.take(getSession, {})).user?.id).toBe(person.user.id);
});
