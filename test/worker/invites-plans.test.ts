import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, onTestFinished } from "vitest";
import { createInvite, listInvites, previewInvite, redeemInvite } from "#shared/contracts/account/invites.ts";
import { getUser } from "#shared/contracts/account/users.ts";
import { openTab } from "#test/support/live-tab.ts";
import { until } from "#test/support/until.ts";
import { type Person, refusal, signIn, visitor } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import worker from "#worker/index.ts";
import { recordResetsJob } from "#worker/people/invites/monthly-resets.ts";
import { approvePlans, listWaitingPlans, refusePlans } from "#worker/people/invites/waiting-plans.ts";

const db = openDatabase(env.DB);

let administrator: Promise<Person> | undefined;
function admin(): Promise<Person> {
  administrator ??= signIn(visitor(), "admin@example.com");
  return administrator;
}

async function waitingPerson(): Promise<Person & { code: string }> {
  const { invite } = await (await admin()).take(createInvite, { body: { team_plan: true, auto_activate: false, initial_credits: 7 } });
  const person = await signIn();
  const redeemed = await person.take(redeemInvite, { params: { code: invite.code }, body: {} });
  expect(redeemed.invite).toMatchObject({ team_plan: true, credits: 7, used: "waits" });
  return { ...person, code: invite.code };
}

function decisionOn(userId: string) {
  const actor = { id: crypto.randomUUID(), name: "Administrator", email: "admin@example.com" };
  return { userId, audited: { id: crypto.randomUUID(), at: new Date().toISOString(), actor, reason: null } };
}

async function allWaiting() {
  const rows = [];
  let after = null;
  for (;;) {
    const page = await listWaitingPlans(db, { after, limit: 2 });
    rows.push(...page);
    after = page.at(-1) ?? null;
    if (page.length < 2) return rows;
  }
}

it("A plan that waits holds once it is approved, and the person's tabs are notified; one that is refused never does", async () => {
  const [approved, refused, other] = [await waitingPerson(), await waitingPerson(), await waitingPerson()];
  const waiting = await allWaiting();
  const ids = waiting.map(({ user_id: id }) => id);
  expect(ids.filter((id) => [approved.user.id, refused.user.id, other.user.id].includes(id))).toEqual([
    approved.user.id,
    refused.user.id,
    other.user.id,
  ]);
  expect(waiting.find(({ user_id: id }) => id === approved.user.id)).toMatchObject({ email: approved.email, team_plan: true, credits: 7 });
  expect((await approved.take(getUser, {})).user).toMatchObject({ team_plan: false, credits: 12 });
  // A plan that waits is none yet.
  expect(await approved.take(listInvites, {})).toMatchObject({ balance: { limit: 3 }, waiting_plan: "team" });

  const tab = await openTab(approved);
  const decided = await Promise.all([
    approvePlans(env, db, decisionOn(approved.user.id)),
    approvePlans(env, db, decisionOn(approved.user.id)),
  ]);
  expect(decided.filter(Boolean)).toHaveLength(1);
  await until("the tab hears it", () => tab.events.some(({ type }) => type === "user.changed"));
  tab.close();
  expect((await approved.take(getUser, {})).user).toMatchObject({ team_plan: true, solo_plan: false, credits: 12 });
  expect(await approved.take(listInvites, {})).toMatchObject({ balance: { limit: 0 }, waiting_plan: null });

  expect(await refusePlans(env, db, decisionOn(refused.user.id))).toBe(true);
  expect(await approvePlans(env, db, decisionOn(refused.user.id))).toBe(false);
  expect((await refused.take(getUser, {})).user.team_plan).toBe(false);
  expect((await refused.take(listInvites, {})).waiting_plan).toBeNull();
  expect((await refused.take(previewInvite, { params: { code: refused.code } })).invite.used).toBe("refused");
  const left = (await allWaiting()).map(({ user_id: id }) => id);
  expect(left).toContain(other.user.id);
  expect(left).not.toContain(approved.user.id);
  expect(left).not.toContain(refused.user.id);
});

it("what an invite code gives is shown to anybody while it is open, and afterwards to whoever used it", async () => {
  const { invite } = await (await admin()).take(createInvite, { body: { solo_plan: true, initial_credits: 9 } });
  const look = { params: { code: invite.code } };
  expect((await visitor().take(previewInvite, look)).invite).toEqual({
    team_plan: false,
    solo_plan: true,
    auto_activate: true,
    team_name: null,
    credits: 9,
    used: null,
  });
  const person = await signIn();
  await person.take(redeemInvite, { ...look, body: {} });
  expect((await person.take(previewInvite, look)).invite).toMatchObject({ credits: 9, used: "active" });
  expect(refusal(await visitor().call(previewInvite, look))).toBe("INVITE_INVALID");
  expect(refusal(await visitor().call(previewInvite, { params: { code: "nothing" } }))).toBe("INVITE_INVALID");
});

it("A code that two accounts redeem at once gives its plan and credits to one of them", async () => {
  const { invite } = await (await admin()).take(createInvite, { body: { solo_plan: true, initial_credits: 9 } });
  const people = await Promise.all([signIn(), signIn()]);
  const answers = await Promise.all(people.map((person) => person.call(redeemInvite, { params: { code: invite.code }, body: {} })));
  expect(answers.map(refusal).filter((code) => code === "INVITE_INVALID")).toHaveLength(1);
  const users = await Promise.all(people.map(async (person) => (await person.take(getUser, {})).user));
  expect(users.map(({ solo_plan: hasPlan, credits }) => [hasPlan, credits])).toEqual(
    answers.map(({ ok }) => (ok ? [true, 14] : [false, 5])),
  );
});

it("Invites that are made, and used by others, show in every tab of who made them", async () => {
  const boss = await admin();
  const tab = await openTab(boss);
  const inviteEvents = () => tab.events.filter((event) => event.type === "content.changed" && event.kind === "invite").length;
  const { invite } = await boss.take(createInvite, { body: { solo_plan: true } });
  await until("the making is reported", () => inviteEvents() === 1);
  await (await signIn()).take(redeemInvite, { params: { code: invite.code }, body: {} });
  await until("the use is reported", () => inviteEvents() === 2);
  expect((await boss.take(listInvites, {})).invites.map(({ id }) => id)).not.toContain(invite.id);
  tab.close();
});

it("The cron of the 1st records the month for everybody who made an invite in the last one, page by page and once", async () => {
  const maker = await signIn();
  await maker.take(createInvite, { body: {} });
  const idle = await signIn();
  // A year in which no other test makes any: three pages of people with two invites each.
  const people = Array.from({ length: 1_100 }, (_, index) => `reset-${String(index).padStart(4, "0")}`);
  await env.DB.prepare(
    "INSERT INTO users (id, display_name, created_at, last_seen_at, anonymous) SELECT value, value, '', '', 0 FROM json_each(?)",
  )
    .bind(JSON.stringify(people))
    .run();
  await env.DB.prepare(
    `INSERT INTO invites (id, code, created_by, created_at, month, initial_credits_micros)
     SELECT p.value || n.value, p.value || n.value, p.value, '2031-11-05', '2031-11', 0 FROM json_each(?) p, json_each('[1,2]') n`,
  )
    .bind(JSON.stringify(people))
    .run();
  // No list of everybody's reads rows that no call could have made.
  onTestFinished(async () => {
    await env.DB.prepare("DELETE FROM invites WHERE month = '2031-11' AND created_by LIKE 'reset-%'").run();
    await env.DB.prepare("DELETE FROM users WHERE id LIKE 'reset-%'").run();
  });
  const sent: unknown[] = [];
  const queue = { ...env.BULK, send: async (message: unknown) => void sent.push(message) };
  const deployment = new Proxy(env, { get: (target, name) => (name === "BULK" ? queue : Reflect.get(target, name)) });
  const scheduledTime = new Date("2031-12-01T00:00:00Z");
  await worker.scheduled(createScheduledController({ cron: "0 0 1 * *", scheduledTime }), deployment);
  // The queue's own copy of a job may come twice.
  let jobs = 0;
  for (const message of sent) {
    jobs += 1;
    await recordResetsJob.receive(deployment, message, 1);
    if (jobs < 4) await recordResetsJob.receive(env, message, 2);
  }
  expect(sent[0]).toMatchObject({ kind: "invites.resets", month: "2031-12", after: "" });
  expect(sent).toHaveLength(3);
  const count = (condition: string) => env.DB.prepare(`SELECT count(*) AS n FROM invite_resets WHERE ${condition}`).first<number>("n");
  expect(await count("month = '2031-12'")).toBe(1_100);
  expect(await count("month = '2031-12' AND made_before = 2")).toBe(1_100);
  expect(await count(`user_id IN ('${maker.user.id}', '${idle.user.id}') AND month = '2031-12'`)).toBe(0);
});

it("The reset reads an index's range, never all users", async () => {
  const plan = await env.DB.prepare(
    "EXPLAIN QUERY PLAN SELECT created_by, count(*) FROM invites WHERE month = ? AND created_by > ? GROUP BY created_by ORDER BY created_by LIMIT 500",
  )
    .bind("2031-11", "")
    .all<{ detail: string }>();
  expect(plan.results.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^SEARCH invites USING .*invites_by_month/)]);
});
