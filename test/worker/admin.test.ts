import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import {
  blockUser,
  changePlan,
  giveCredits,
  listAudit,
  listBalances,
  listUsers,
  signOutUser,
  unblockUser,
} from "#shared/contracts/account/admin.ts";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import { startEmailSignIn, verifyEmailSignIn } from "#shared/contracts/account/auth.ts";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { listMessages, stopReply } from "#shared/contracts/chat/messages.ts";
import { addToQueue, changeQueue, readQueue } from "#shared/contracts/chat/queue.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { getUser } from "#shared/contracts/account/users.ts";
import { ADMIN_ACTIONS_PER_HOUR, ADMIN_PAGE } from "#shared/limits.ts";
import { explain } from "#test/support/explain.ts";
import { openTab } from "#test/support/live-tab.ts";
import { newestCode } from "#test/support/mailbox.ts";
import { CHEAP_MODEL, readReply, startChat, textOf } from "#test/support/replies.ts";
import { ask, NOT_FOUND } from "#test/support/role-answers.ts";
import { share } from "#test/support/shared-chat.ts";
import { visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, refusal, signIn, signInAdministrator, visitor } from "#test/support/worker.ts";
import { giveAuditedCreditsJob } from "#worker/doors/admin/account-actions.ts";
import { beginAdminAction } from "#worker/people/users/admin-action.ts";
import { openSession } from "#worker/people/sessions/sessions.ts";
import { openDatabase } from "#worker/platform/db/client.ts";

const administered = Object.entries(ENDPOINTS).filter(([, { access }]) => access === "admin");

let admin: Person;
beforeAll(async () => {
  admin = await signInAdministrator();
});

async function entriesOf(subject: string) {
  return (await admin.take(listAudit, { query: { subject } })).entries;
}

async function signInByCode(email: string) {
  const client = visitor();
  await client.take(startEmailSignIn, { body: { email } });
  const code = (await newestCode(env.MAILBOX_SIMULATOR, email)) ?? "";
  return client.call(verifyEmailSignIn, { body: { email, code } });
}

/** Every page of the users' list, one after the other. */
async function allPages(q?: string) {
  const pages = [];
  let cursor: string | undefined;
  do {
    const { users, nextCursor } = await admin.take(listUsers, {
      query: { ...(q !== undefined && { q }), ...(cursor !== undefined && { cursor }) },
    });
    pages.push(users);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

/** Accounts whose names and addresses begin alike, as few statements as D1 takes. */
async function seedPeople(count: number, name: (n: number) => string, email: (n: number) => string): Promise<string[]> {
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  const rows = ids.map((id, n) => ({ id, name: name(n), email: email(n), at: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString() }));
  await env.DB.prepare(
    `INSERT INTO users (id, display_name, email, created_at, last_seen_at)
     SELECT value ->> 'id', value ->> 'name', value ->> 'email', value ->> 'at', value ->> 'at' FROM json_each(?)`,
  )
    .bind(JSON.stringify(rows))
    .run();
  return ids;
}

it.each(administered)("administration: %s is no address for anybody else", async (name, endpoint) => {
  const target = { chatId: crypto.randomUUID(), messageId: crypto.randomUUID(), replyId: crypto.randomUUID() };
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  for (const client of [visitor(), guest, await signIn()]) {
    const { status, text } = await ask(client, name, endpoint, target);
    expect(`${status} ${text}`).toBe(NOT_FOUND);
    // Nor does another method reveal that it is there.
    const other = await client.fetch(endpoint.path.replace(":id", target.chatId), {
      method: endpoint.method === "PATCH" ? "PUT" : "PATCH",
    });
    expect(`${other.status} ${await other.text()}`).toBe(NOT_FOUND);
  }
});

it("administration ends with the row, whatever the session's token says", async () => {
  const second = await signInAdministrator();
  await second.take(listUsers, {});
  await env.DB.prepare("UPDATE users SET email = ? WHERE id = ?").bind(newAddress(), admin.user.id).run();
  expect(refusal(await second.call(listUsers, {}))).toBe("NOT_FOUND");
  expect(refusal(await second.call(changePlan, { params: { id: admin.user.id }, body: { plan: "team" } }))).toBe("NOT_FOUND");
  await env.DB.prepare("UPDATE users SET email = ? WHERE id = ?").bind(admin.email, admin.user.id).run();
  await second.take(listUsers, {});
  await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(admin.user.id).run();
  expect(refusal(await second.call(listUsers, {}))).toBe("NOT_FOUND");
  admin = await signInAdministrator();
});

it("administration has its page for administrators, which is the 404 of every unknown page for others", async () => {
  const pageOf = async (client: { fetch: Person["fetch"] }, path: string) => {
    const response = await client.fetch(path, { headers: { accept: "text/html" } });
    return { status: response.status, html: await response.text() };
  };
  const unknown = await pageOf(visitor(), "/no-such-page");
  expect(unknown.status).toBe(404);
  for (const client of [visitor(), await signIn()]) expect(await pageOf(client, "/admin")).toEqual(unknown);
  expect(await pageOf(admin, "/admin")).toEqual({ ...unknown, status: 200 });
});

it("users are listed last seen first, page by page, each once, and no query reads more than its page", async () => {
  const ids = await seedPeople(
    3 * ADMIN_PAGE,
    (n) => `Pager ${n}`,
    () => newAddress(),
  );
  const pages = await allPages();
  expect(pages.slice(0, -1).every(({ length }) => length === ADMIN_PAGE)).toBe(true);
  const users = pages.flat();
  expect(new Set(users.map(({ id }) => id)).size).toBe(users.length);
  expect(ids.every((id) => users.some((user) => user.id === id))).toBe(true);
  const seen = users.map(({ last_seen_at: at }) => at);
  expect(seen).toEqual(seen.toSorted().toReversed());

  const { nextCursor } = await admin.take(listUsers, {});
  const steps = await explain(() => admin.take(listUsers, { query: { cursor: nextCursor ?? "" } }));
  expect(steps.join("\n")).toContain("USING INDEX users_by_last_seen");
  expect(steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
});

it("users are found by the beginning of their address, name or later name, and by their id, without a scan", async () => {
  const mark = crypto.randomUUID().slice(0, 8);
  const [lena, ines, emile] = await seedPeople(
    3,
    (n) => [`Lena Brandt${mark}`, `Ines${mark} Moreau`, `Émile${mark} de Vries`][n] ?? "",
    (n) => [`zz${mark}@brandt.work`, `yy${mark}@nordlicht.studio`, `xx${mark}@vries.example`][n] ?? "",
  );
  const idsOf = async (q: string) => (await allPages(q)).flat().map(({ id }) => id);
  expect(await idsOf(`zz${mark}`)).toEqual([lena]);
  expect(await idsOf(`ZZ${mark}@Brandt.work`)).toEqual([lena]);
  expect(await idsOf(`ines${mark} m`)).toEqual([ines]);
  expect(await idsOf(`brandt${mark}`)).toEqual([lena]);
  expect(await idsOf(`émile${mark}`)).toEqual([emile]);
  expect(await idsOf(lena ?? "")).toEqual([lena]);
  expect(await idsOf(crypto.randomUUID())).toEqual([]);
  // Neither a pattern nor a quote means anything here.
  for (const q of ["%", "_", "'", '"; DROP TABLE users; --', "\u{10FFFF}"]) expect(await idsOf(q)).toEqual([]);

  const steps = await explain(() => admin.take(listUsers, { query: { q: `none${mark}` } }));
  expect(steps.join("\n")).toMatch(/users_by_name[^]*users_by_later_name/);
  expect(steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
});

it("users are found once each where several fields match, over several pages", async () => {
  const mark = `many${crypto.randomUUID().slice(0, 8)}`;
  const ids = await seedPeople(
    70,
    (n) => `${mark} ${mark}${n}`,
    (n) => (n % 2 === 0 ? `${mark}${n}@example.com` : newAddress()),
  );
  const found = (await allPages(mark)).flat().map(({ id }) => id);
  expect(found.toSorted()).toEqual(ids.toSorted());
});

it("users have the balances of their ledgers, and nothing that they wrote", async () => {
  const person = await signIn();
  const nobody = crypto.randomUUID();
  const { balances } = await admin.take(listBalances, { query: { ids: `${person.user.id},${nobody}` } });
  expect(balances).toEqual([{ id: person.user.id, credits: 5, spent: 0 }]);
  const { users } = await admin.take(listUsers, { query: { q: person.email } });
  expect(
    Object.keys(users[0] ?? {})
      .toSorted()
      .join(" "),
  ).toBe("anonymous blocked_at created_at display_name email id is_admin last_seen_at plan profile_image");
});

it("an account that is blocked loses its sessions and what is open at once, hears so at every door, and is opened again", async () => {
  const person = await signIn();
  const tab = await openTab(person);
  const params = { id: person.user.id };
  const { user } = await admin.take(blockUser, { params, body: { reason: "Spam to strangers" } });
  expect(user.blocked_at).not.toBeNull();
  await until("the socket closed", () => tab.closed.length > 0, 1_000);
  expect(refusal(await person.call(createChat, { body: {} }))).toBe("UNAUTHENTICATED");
  const refused = await signInByCode(person.email);
  expect(refused).toMatchObject({ status: 403, error: { code: "ACCOUNT_BLOCKED" } });
  // A sign-in that found the account before it was blocked opens no session either.
  const late = openSession(openDatabase(env.DB), { ...person.user, display_name: "Late" }, { userAgent: "" });
  await expect(late).rejects.toMatchObject({ code: "ACCOUNT_BLOCKED" });
  expect(await env.DB.prepare("SELECT count(*) AS n FROM sessions WHERE user_id = ?").bind(params.id).first("n")).toBe(0);

  await admin.take(blockUser, { params, body: { reason: "Again" } });
  await admin.take(unblockUser, { params, body: {} });
  expect((await signInByCode(person.email)).ok).toBe(true);
  expect(await entriesOf(params.id)).toMatchObject([
    { action: "user.unblock", reason: null, before: { blocked: true }, after: { blocked: false } },
    {
      action: "user.block",
      reason: "Spam to strangers",
      actor: { id: admin.user.id, email: admin.email },
      subject: { kind: "user", email: person.email },
      before: { blocked: false },
      after: { blocked: true },
    },
  ]);
});

it("an account that is blocked sends nothing that it left waiting, in a chat that others still read", async () => {
  const [person, editor] = [await signIn(), await signIn()];
  const chat = await startChat(person, "fault hang-mid-stream\nbytes 3000", CHEAP_MODEL);
  await readReply(person, { ...chat, enough: (events) => textOf(events).length > 5 });
  const params = { id: chat.chatId };
  await share(person, chat.chatId, editor.email, "editor");
  await person.take(addToQueue, { params, body: { id: crypto.randomUUID(), content: "say more", model_id: CHEAP_MODEL } });
  await admin.take(blockUser, { params: { id: person.user.id }, body: { reason: "Spam" } });
  await editor.take(stopReply, { params });
  const pausedBy = async () => (await editor.take(readQueue, { params })).paused?.code;
  await until("the queue's pause", pausedBy);
  await editor.take(changeQueue, { params, body: { paused: false } });
  await until("the refusal", async () => (await pausedBy()) === "ACCOUNT_BLOCKED");
  expect((await editor.take(listMessages, { params })).messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

it("an account that is blocked learns whom to ask", async () => {
  const person = await signIn();
  await admin.take(blockUser, { params: { id: person.user.id }, body: { reason: "Spam" } });
  const browser = visitor();
  await browser.take(startEmailSignIn, { body: { email: person.email } });
  const code = (await newestCode(env.MAILBOX_SIMULATOR, person.email)) ?? "";
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", origin: "http://localhost", cookie },
    body: JSON.stringify({ email: person.email, code }),
  };
  const answer = await visitWith({ OPERATOR_EMAIL: "operator@example.com" }, verifyEmailSignIn.path, init);
  expect(await answer.json()).toEqual({
    code: "ACCOUNT_BLOCKED",
    error: "This account is blocked. Write to operator@example.com about it.",
  });
});

it("an account that is blocked is never one's own, nor a guest", async () => {
  const body = { reason: "Mistake" };
  expect(await admin.call(blockUser, { params: { id: admin.user.id }, body })).toMatchObject({
    status: 403,
    error: { error: "You cannot block your own account." },
  });
  await admin.take(listUsers, {});
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  const { user } = await guest.take(getUser, {});
  for (const endpoint of [blockUser, signOutUser]) {
    expect(refusal(await admin.call(endpoint, { params: { id: user.id }, body }))).toBe("FORBIDDEN");
  }
  await guest.take(createChat, { body: {} });
  expect(refusal(await admin.call(blockUser, { params: { id: crypto.randomUUID() }, body }))).toBe("NOT_FOUND");
  for (const reason of ["", "  ", "x".repeat(501)]) {
    const answer = await admin.call(blockUser, { params: { id: admin.user.id }, body: { reason } });
    expect(answer).toMatchObject({ status: 400, error: { error: "Say why, in up to 500 characters." } });
  }
});

it("actions on an account sign it out everywhere", async () => {
  const person = await signIn();
  const other = await signIn(visitor(), person.email);
  const tab = await openTab(person);
  await admin.take(signOutUser, { params: { id: person.user.id }, body: { reason: "Lost a phone" } });
  await until("the socket closed", () => tab.closed.length > 0, 1_000);
  for (const client of [person, other]) expect(refusal(await client.call(createChat, { body: {} }))).toBe("UNAUTHENTICATED");
  expect(await entriesOf(person.user.id)).toMatchObject([
    { action: "user.sign_out", reason: "Lost a phone", before: { sessions: 2 }, after: { sessions: 0 } },
  ]);
});

it("actions on an account change its plan, which its next request has, and write nothing where nothing changes", async () => {
  const person = await signIn();
  const params = { id: person.user.id };
  for (const plan of ["team", "team", "solo", "none"] as const) {
    expect((await admin.take(changePlan, { params, body: { plan } })).user.plan).toBe(plan);
    expect((await person.take(getUser, {})).user).toMatchObject({ team_plan: plan === "team", solo_plan: plan === "solo" });
  }
  expect((await entriesOf(params.id)).map(({ before, after }) => [before?.["plan"], after?.["plan"]])).toEqual([
    ["solo", "none"],
    ["team", "solo"],
    ["none", "team"],
  ]);
});

it("actions on an account give it credits as one entry of its ledger, and of the audit log", async () => {
  const person = await signIn();
  const params = { id: person.user.id };
  expect(await admin.take(giveCredits, { params, body: { amount: 12.34, reason: "Sorry for the outage" } })).toEqual({ credits: 17.34 });
  expect((await person.take(getUsage, {})).credits).toBe(17.34);
  const [entry] = await entriesOf(params.id);
  expect(entry).toMatchObject({
    action: "user.credits",
    reason: "Sorry for the outage",
    before: { credits: 5 },
    after: { credits: 17.34, given: 12.34 },
  });
  // The job that stands by for a Worker that ends in between gives it no second time.
  await giveAuditedCreditsJob.receive(env, { entryId: entry?.id }, 1);
  await giveAuditedCreditsJob.receive(env, { entryId: crypto.randomUUID() }, 1);
  const rows = await runInDurableObject(env.USER_HUB.getByName(params.id), (_, { storage }) =>
    storage.sql.exec<{ what: string; amount_micros: number; balance_micros: number }>("SELECT * FROM ledger ORDER BY seq").toArray(),
  );
  expect(rows).toMatchObject([{ amount_micros: 5_000_000 }, { what: "grant", amount_micros: 12_340_000, balance_micros: 17_340_000 }]);
  for (const amount of [0, -5, 0.001, 1_000.01]) {
    expect(refusal(await admin.call(giveCredits, { params, body: { amount, reason: "No" } }))).toBe("INVALID_INPUT");
  }
});

it("an administrator has six hundred actions an hour, and learns when the next may come", async () => {
  const person = await signIn();
  const caller = { ...person.user, userId: person.user.id, sessionId: "s", displayName: "Busy", plan: "none" as const };
  const begin = () => beginAdminAction(env, openDatabase(env.DB), { caller });
  for (let done = 0; done < ADMIN_ACTIONS_PER_HOUR; done += 50) await Promise.all(Array.from({ length: 50 }, begin));
  await expect(begin()).rejects.toMatchObject({ code: "RATE_LIMITED", headers: { "retry-after": expect.stringMatching(/^\d+$/) } });
});

it("the audit log is listed newest first, page by page, by its key", async () => {
  const { user } = await signIn();
  const plans = ["team", "solo"] as const;
  for (let n = 0; n < ADMIN_PAGE + 3; n += 1) {
    await admin.take(changePlan, { params: { id: user.id }, body: { plan: plans[n % 2] ?? "none", reason: `Change ${n}` } });
  }
  const first = await admin.take(listAudit, { query: { subject: user.id } });
  expect(first.entries.map(({ reason }) => reason).slice(0, 2)).toEqual([`Change ${ADMIN_PAGE + 2}`, `Change ${ADMIN_PAGE + 1}`]);
  expect(first.entries).toHaveLength(ADMIN_PAGE);
  const second = await admin.take(listAudit, { query: { subject: user.id, cursor: first.nextCursor ?? "" } });
  expect(second.entries.map(({ reason }) => reason)).toEqual(["Change 2", "Change 1", "Change 0"]);
  expect(second.nextCursor).toBeNull();
  for (const subject of [undefined, user.id]) {
    const query = { cursor: first.nextCursor ?? "", ...(subject !== undefined && { subject }) };
    const steps = await explain(() => admin.take(listAudit, { query }));
    expect(steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
  }
});

it("the audit log is changed by nobody, the Worker's own database user included", async () => {
  const { user } = await signIn();
  await admin.take(changePlan, { params: { id: user.id }, body: { plan: "team" } });
  const rows = () => env.DB.prepare("SELECT * FROM audit_log ORDER BY seq").all();
  const before = (await rows()).results;
  const [{ id, seq } = { id: "", seq: 0 }] = (
    await env.DB.prepare("SELECT id, seq FROM audit_log WHERE subject_id = ?").bind(user.id).all<{ id: string; seq: number }>()
  ).results;
  const columns = "id, at, actor_id, actor_name, action, subject_kind, subject_id, subject_name";
  const forged = `'', 'x', 'x', 'user.plan', 'user', 'x', 'x'`;
  for (const statement of [
    "UPDATE audit_log SET reason = 'Other'",
    `UPDATE audit_log SET actor_id = 'x' WHERE id = '${id}'`,
    "DELETE FROM audit_log",
    `DELETE FROM audit_log WHERE seq = ${seq}`,
    `INSERT OR REPLACE INTO audit_log (${columns}) VALUES ('${id}', ${forged})`,
    `INSERT OR REPLACE INTO audit_log (seq, ${columns}) VALUES (${seq}, 'other', ${forged})`,
    `INSERT INTO audit_log (${columns}) VALUES ('${id}', ${forged}) ON CONFLICT (id) DO UPDATE SET reason = 'x'`,
    `REPLACE INTO audit_log SELECT * FROM audit_log`,
    "UPDATE audit_log SET subject_name = 'Deleted user', subject_email = NULL",
  ]) {
    await expect(env.DB.prepare(statement).run()).rejects.toThrow(/the audit log only grows/);
  }
  // It outlives whom it speaks of.
  await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(user.id).run();
  expect((await rows()).results).toEqual(before);
  expect(await entriesOf(user.id)).toMatchObject([{ subject: { email: user.email } }]);
});

it("the audit log is written with its action or not at all", async () => {
  const person = await signIn();
  await env.DB.prepare("CREATE TRIGGER refuse_plans BEFORE UPDATE OF team_plan ON users BEGIN SELECT RAISE(ABORT, 'no'); END").run();
  const answer = await admin.fetch(`/api/admin/users/${person.user.id}/plan`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ plan: "team" }),
  });
  await env.DB.prepare("DROP TRIGGER refuse_plans").run();
  expect(answer.status).toBe(500);
  expect(await entriesOf(person.user.id)).toEqual([]);
});
