import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listUsers } from "#shared/contracts/account/admin.ts";
import { getSession } from "#shared/contracts/account/auth.ts";
import { deleteAccount, previewDeletion } from "#shared/contracts/account/deletion.ts";
import { listTeams, updateTeamMember } from "#shared/contracts/account/teams.ts";
import { getArtifact } from "#shared/contracts/artifacts.ts";
import { getChat, listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { listPersonas } from "#shared/contracts/library/personas.ts";
import { DELETED_USER } from "#shared/deleted-user.ts";
import { heldIn, leftInDatabase, leftInFiles, leftInObject } from "#test/support/leftovers.ts";
import { openTab } from "#test/support/live-tab.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { makeTeam } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { wholeAccount } from "#test/support/whole-account.ts";
import { refusal, signIn, signInAdministrator, signInByMail } from "#test/support/worker.ts";
import { resumeDeletions } from "#worker/account-deletion/resume.ts";
import { runJobs } from "#worker/jobs/queue.ts";

afterEach(() => void vi.restoreAllMocks());

/** Delivers the job's message once; true while the deletion goes on. */
async function deliver(userId: string): Promise<boolean> {
  const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: { kind: "account.delete", userId } };
  const batch = createMessageBatch("polylogue-jobs", [message]);
  await runJobs(batch, env);
  await getQueueResult(batch, createExecutionContext());
  return (await env.DB.prepare("SELECT 1 FROM account_deletions WHERE user_id = ?").bind(userId).first()) !== null;
}

/** Delivers messages until the deletion is through, without the rest between its passes. */
async function finish(userId: string): Promise<void> {
  for (let messages = 0; messages < 100; messages += 1) if (!(await deliver(userId))) return;
  throw new Error("The deletion came to no end.");
}

/** An id that stays taken is no trace of anybody. */
const isTombstone = ({ place }: { place: string }) => place === "chats.id";

describe("a deleted account", () => {
  it("leaves nothing anywhere, and others what is theirs", { timeout: 60_000 }, async () => {
    const whole = await wholeAccount();
    const { person, reader, host, chats, needles, who, objects, kept } = whole;
    const userId = person.user.id;
    const tab = await openTab(reader);
    expect(await person.take(previewDeletion, {})).toMatchObject({ chats: 2, sharedChats: 1, readers: 2, leaderlessTeams: [] });

    await person.take(deleteAccount, { body: { email: person.email.toUpperCase() } });
    expect((await person.take(getSession, {})).user).toBeNull();
    await finish(userId);

    const trace = [...needles, ...Object.values(chats)];
    expect((await leftInDatabase(trace)).filter((left) => !isTombstone(left))).toEqual([]);
    expect(await leftInFiles(trace)).toEqual([]);
    expect(await heldIn(objects.drive)).toEqual([]);
    for (const stub of [...objects.rooms, ...objects.indexes]) expect(await heldIn(stub)).toEqual([]);
    expect(await leftInObject("hub", objects.hub, trace)).toEqual([]);
    expect(await heldIn(objects.hub)).toEqual(await heldIn(env.USER_HUB.getByName(crypto.randomUUID())));
    for (const [name, stub] of [
      ["their chat", env.CHAT_ROOM.getByName(whole.theirs)],
      ["their hub", env.USER_HUB.getByName(host.user.id)],
    ] as const)
      expect(await leftInObject(name, stub, who)).toEqual([]);
    expect(await leftInObject("reader", env.USER_HUB.getByName(reader.user.id), [...who, whole.marker])).toEqual([]);

    // Readers are told, and what was copied stays.
    await until("the news", () => tab.events.find((event) => event.type === "chat.deleted" && event.chat_id === chats.shared));
    expect(tab.events.filter((event) => event.type === "chat.deleted")).toEqual([
      { type: "chat.deleted", cursor: expect.any(String), chat_id: chats.shared, why: "account", title: expect.stringContaining("") },
    ]);
    expect(refusal(await reader.call(getChat, { params: { id: chats.shared } }))).toBe("NOT_FOUND");
    expect(refusal(await reader.call(getArtifact, { params: { id: whole.artifactId } }))).toBe("NOT_FOUND");
    expect((await reader.take(listChats, {})).chats.map(({ id }) => id)).toEqual([whole.fork]);

    // What they wrote in others' chats and for their teams is there without them.
    const { messages } = await host.take(listMessages, { params: { id: whole.theirs } });
    const written = messages.filter(({ role }) => role === "user");
    expect(written.map(({ author, mail }) => author?.display_name ?? mail?.from_name).slice(1)).toEqual([
      DELETED_USER.name,
      DELETED_USER.name,
    ]);
    expect(written.every(({ content }) => content.includes(kept))).toBe(true);
    expect((await host.take(getArtifact, { params: { id: whole.theirArtifact } })).artifact.content).toBe(`${kept} two`);
    const { personas } = await whole.member.take(listPersonas, {});
    expect(personas.find(({ id }) => id === whole.teamContent.persona)).toMatchObject({ user_id: DELETED_USER.id });

    const administrator = await signInAdministrator();
    expect((await administrator.take(listUsers, { query: { q: DELETED_USER.name } })).users).toEqual([]);
    const [mail] = await mailsTo(env.MAILBOX_SIMULATOR, person.email);
    expect(mail?.subject).toBe("Your Polylogue account is deleted");
  });

  it("frees its address for a new and empty account, which gets no gift again", async () => {
    const first = await signInByMail();
    await first.take(deleteAccount, { body: { email: first.email } });
    const again = await signInByMail(undefined, first.email);
    expect(again.user.id).not.toBe(first.user.id);
    await finish(first.user.id);
    expect((await again.take(listChats, {})).chats).toEqual([]);
    expect((await again.take(getSession, {})).user).toMatchObject({ email: first.email, credits: 0 });
  });
});

describe("a deletion", () => {
  it("whose every piece comes twice, each first one dying on its way, leaves nothing either", { timeout: 90_000 }, async () => {
    const whole = await wholeAccount();
    const userId = whole.person.user.id;
    await whole.person.take(deleteAccount, { body: { email: whole.person.email } });
    const send = env.JOBS.send.bind(env.JOBS);
    for (let pieces = 0; pieces < 100; pieces += 1) {
      // It dies after its work, before anything says that it was done: at the next message, and at each write of how far it is.
      vi.spyOn(env.JOBS, "send").mockRejectedValueOnce(new Error("The Worker ended."));
      await deliver(userId);
      vi.spyOn(env.JOBS, "send").mockImplementation(send);
      if (!(await deliver(userId))) break;
    }
    expect((await leftInDatabase(whole.needles)).filter((left) => !isTombstone(left))).toEqual([]);
    expect(await leftInFiles(whole.needles)).toEqual([]);
    for (const stub of [whole.objects.drive, ...whole.objects.rooms, ...whole.objects.indexes]) expect(await heldIn(stub)).toEqual([]);
  });

  it("whose job was lost is taken up again, and what fails is seen by administrators", async () => {
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
});

describe("deleting an account", () => {
  it("twice at once is one deletion", async () => {
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

  it("needs a fresh sign-in", async () => {
    const person = await signIn();
    await env.DB.prepare("UPDATE sessions SET created_at = ? WHERE user_id = ?")
      .bind(new Date(Date.now() - 11 * 60_000).toISOString(), person.user.id)
      .run();
    expect(refusal(await person.call(deleteAccount, { body: { email: person.email } }))).toBe("FRESH_SIGN_IN_REQUIRED");
  });

  it("asks for another admin of a team first, and takes along one that nobody else is in", async () => {
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

  it("takes its own address, typed", async () => {
    const person = await signIn();
    expect(refusal(await person.call(deleteAccount, { body: { email: "other@example.com" } }))).toBe("INVALID_INPUT");
    expect((await person.take(getSession, {})).user?.id).toBe(person.user.id);
  });
});
