import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createArtifact, shareArtifact } from "#shared/contracts/artifacts.ts";
import { getUser } from "#shared/contracts/account/users.ts";
import { openTab } from "#test/support/live-tab.ts";
import { ALL, signInAndLeave, hubOf, unsubscribeLinkIn, MINUTE, noticesTo, wakeAfter, WAITED } from "#test/support/notices.ts";
import { until } from "#test/support/until.ts";
import { ORIGIN, type Person, signIn, visit } from "#test/support/worker.ts";
import type { DoneJob } from "#worker/people/done-jobs/done-job.ts";
import { noteDoneJob } from "#worker/people/done-jobs/note-done-job.ts";

afterEach(() => void vi.useRealTimers());

describe("a mail about a job that is done", () => {
  const job = (id: string, more: Partial<DoneJob> = {}): DoneJob => ({
    id,
    what: "import",
    title: "Handbook.pdf",
    isOk: true,
    summary: "412 passages can be found.",
    path: "/settings/knowledge",
    ...more,
  });
  async function open(person: Person): Promise<number> {
    const count = (sql: SqlStorage) => sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM done_jobs WHERE settled_at IS NULL").one().n;
    return runInDurableObject(hubOf(person), (_, { storage }) => count(storage.sql));
  }

  it("a mail about a job that is done comes once to who is away, several within an hour as one, and ends by its link", async () => {
    const person = await signInAndLeave();
    const id = crypto.randomUUID();
    await noteDoneJob(env, person.user.id, job(id));
    await noteDoneJob(env, person.user.id, job(id));
    await wakeAfter(person, MINUTE);
    expect(await noticesTo(person)).toEqual([]);
    await wakeAfter(person, WAITED);
    await noteDoneJob(env, person.user.id, job(id));
    const [first, ...more] = await noticesTo(person);
    expect(more).toEqual([]);
    expect(first?.subject).toBe("‘Handbook.pdf’ was imported");
    expect(first?.text).toContain("412 passages can be found.");
    expect(first?.text).toContain(`${ORIGIN}/settings/knowledge`);

    for (const title of ["Memories.json", "Notes.txt"])
      await noteDoneJob(
        env,
        person.user.id,
        job(crypto.randomUUID(), { what: "import", title, isOk: title !== "Notes.txt", summary: null }),
      );
    await wakeAfter(person, WAITED);
    expect(await noticesTo(person)).toHaveLength(1);
    await wakeAfter(person, 70 * MINUTE);
    const mails = await noticesTo(person);
    expect(mails).toHaveLength(2);
    const both = mails.find(({ subject }) => subject === "2 imports and exports are done");
    expect(both?.text).toContain("‘Memories.json’ was imported.");
    expect(both?.text).toContain("‘Notes.txt’ could not be imported.");

    const stop = new URL(unsubscribeLinkIn(both)).pathname;
    expect((await visit(stop, { method: "POST" })).status).toBe(200);
    expect((await person.take(getUser, {})).user.notify_imports).toBe(false);
    await noteDoneJob(env, person.user.id, job(crypto.randomUUID()));
    await wakeAfter(person, 180 * MINUTE);
    expect(await noticesTo(person)).toHaveLength(2);
    expect(await open(person)).toBe(0);
  });

  it("a mail about a job that is done comes at once at the end of an index, done or failed, wherever its person is, unless they switched that off", async () => {
    const person = await signInAndLeave();
    const tab = await openTab(person);
    tab.say({ chat_id: null, visible: true, typing: false, opened: true });
    const drive = (more: Partial<DoneJob>) => job(crypto.randomUUID(), { what: "index", title: "Google Drive", ...more });
    await noteDoneJob(env, person.user.id, job(crypto.randomUUID()));
    await noteDoneJob(env, person.user.id, drive({}));
    await until("the mail", async () => (await noticesTo(person)).length === 1);
    expect(await noticesTo(person)).toMatchObject([{ subject: "‘Google Drive’ is ready to be searched" }]);
    // Nor does it wait for an hour after the last.
    await noteDoneJob(env, person.user.id, drive({ isOk: false, summary: "Connect Google again." }));
    await until("the second", async () => (await noticesTo(person)).length === 2);
    const mails = await noticesTo(person);
    const failed = mails.find(({ subject }) => subject === "‘Google Drive’ could not be read");
    expect(failed?.text).toContain("Connect Google again.");
    await visit(new URL(unsubscribeLinkIn(failed)).pathname, { method: "POST" });
    await noteDoneJob(env, person.user.id, drive({}));
    await wakeAfter(person, WAITED);
    expect(await noticesTo(person)).toHaveLength(2);
  });

  it("a mail about a job that is done names who shared an artifact, once for each and never what it is called, as far as such mails are wanted", async () => {
    const owner = await signIn();
    const [person, unwilling] = [await signInAndLeave(), await signInAndLeave({ ...ALL, notify_shares: false })];
    const { artifact } = await owner.take(createArtifact, { body: { title: "Your account is locked", content: "Words" } });
    const shareWith = ({ email }: Pick<Person, "email">, permissionLevel: "viewer" | "editor") =>
      owner.take(shareArtifact, { params: { id: artifact.id }, body: { type: "user", email, permissionLevel } });
    for (const level of ["viewer", "editor"] as const) await shareWith(person, level);
    await shareWith(unwilling, "viewer");
    await wakeAfter(person, WAITED);
    await wakeAfter(unwilling, WAITED);
    const [mail, ...more] = await noticesTo(person);
    expect(more).toEqual([]);
    expect(mail?.subject).toContain(owner.email);
    expect(mail?.subject).toContain("shared an artifact with you");
    expect(mail?.text).toContain(`${ORIGIN}/artifacts/${artifact.id}`);
    expect(`${mail?.subject} ${mail?.html}`).not.toContain("locked");
    expect(await noticesTo(unwilling)).toEqual([]);
    expect((await visit(new URL(unsubscribeLinkIn(mail)).pathname, { method: "POST" })).status).toBe(200);
    expect((await person.take(getUser, {})).user.notify_shares).toBe(false);
  });

  it("a mail about a job that is done does not come to who looks at the product, to a guest or to a blocked account", async () => {
    const person = await signInAndLeave();
    const tab = await openTab(person);
    tab.say({ chat_id: null, visible: true, typing: false, opened: true });
    await until("seen", async () => {
      await noteDoneJob(env, person.user.id, job(crypto.randomUUID()));
      const before = await open(person);
      await noteDoneJob(env, person.user.id, job(crypto.randomUUID()));
      return (await open(person)) === before;
    });
    await wakeAfter(person, WAITED);
    expect(await noticesTo(person)).toEqual([]);

    const blocked = await signInAndLeave();
    await noteDoneJob(env, blocked.user.id, job(crypto.randomUUID()));
    await env.DB.prepare("UPDATE users SET blocked_at = ? WHERE id = ?").bind(new Date().toISOString(), blocked.user.id).run();
    await wakeAfter(blocked, WAITED);
    expect(await noticesTo(blocked)).toEqual([]);
    expect(await open(blocked)).toBe(0);

    const guest = await signInAndLeave();
    await noteDoneJob(env, guest.user.id, job(crypto.randomUUID()));
    await env.DB.prepare("UPDATE users SET anonymous = 1, email = NULL WHERE id = ?").bind(guest.user.id).run();
    await wakeAfter(guest, WAITED);
    expect(await noticesTo(guest)).toEqual([]);
    expect(await open(guest)).toBe(0);
  });
});
