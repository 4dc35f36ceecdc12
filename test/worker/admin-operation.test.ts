import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { listAudit, listBalances } from "#shared/contracts/account/admin.ts";
import { createInvite, redeemInvite, returnInvite as returnOwnInvite } from "#shared/contracts/account/invites.ts";
import {
  decidePlans,
  downloadLedger,
  getOverview,
  getSpend,
  listAllInvites,
  listFeedback,
  listJobKinds,
  listJobs,
  listPlans,
  retryJob,
  returnAnyInvite,
  settleFeedback,
} from "#shared/contracts/account/operation.ts";
import { createTeam } from "#shared/contracts/account/teams.ts";
import { getUser, updateUser } from "#shared/contracts/account/users.ts";
import { ADMIN_PAGE } from "#shared/limits.ts";
import { explain } from "#test/support/explain.ts";
import { newFeedback, stuckJob, waitingPerson } from "#test/support/operation.ts";
import { type Person, refusal, signIn, signInAdministrator } from "#test/support/worker.ts";
import { readOverview, readSpend } from "#worker/doors/admin/operation/spend.ts";
import { openDatabase } from "#worker/platform/db/client.ts";

const db = openDatabase(env.DB);

let admin: Person;
beforeAll(async () => {
  admin = await signInAdministrator();
});
afterEach(() => vi.restoreAllMocks());

async function entriesOf(subject: string) {
  return (await admin.take(listAudit, { query: { subject } })).entries;
}

/** Every row of a list, in pages that may not be longer than a page. */
async function allOf<T>(read: (query: { cursor?: string }) => Promise<{ rows: T[]; nextCursor: string | null }>): Promise<T[]> {
  const rows: T[] = [];
  let query: { cursor?: string } = {};
  for (;;) {
    const page = await read(query);
    expect(page.rows.length).toBeLessThanOrEqual(ADMIN_PAGE);
    rows.push(...page.rows);
    if (page.nextCursor === null) return rows;
    query = { cursor: page.nextCursor };
  }
}

/** That a page further down reads no whole table, and sorts nothing that it read. */
async function expectNoScan(readPage: () => Promise<unknown>): Promise<void> {
  const steps = await explain(readPage);
  expect(steps.some((step) => step.startsWith("SEARCH"))).toBe(true);
  expect(steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
}

const BELOW = { cursor: `${new Date().toISOString()}~${crypto.randomUUID()}` };

it("everybody's invites are listed with who made and used them, newest first, and an unused one is returned", async () => {
  const [maker, user] = [await signIn(), await signIn()];
  const { invite: kept } = await maker.take(createInvite, { body: { sent_to: "Hanna Voss" } });
  const { invite: used } = await admin.take(createInvite, { body: { solo_plan: true } });
  await user.take(redeemInvite, { params: { code: used.code }, body: {} });
  // More than two pages of them.
  const rows = Array.from({ length: 2 * ADMIN_PAGE }, (_, n) => ({ id: crypto.randomUUID(), code: `TEST${crypto.randomUUID()}`, n }));
  await env.DB.prepare(
    `INSERT INTO invites (id, code, created_by, created_at, initial_credits_micros)
       SELECT value ->> 'id', value ->> 'code', ?, '2020-01-01T00:00:00.000Z', 0 FROM json_each(?)`,
  )
    .bind(maker.user.id, JSON.stringify(rows))
    .run();
  const all = await allOf(async (query) => {
    const { invites, nextCursor } = await admin.take(listAllInvites, { query });
    return { rows: invites, nextCursor };
  });
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(rows.every(({ id }) => all.some((invite) => invite.id === id))).toBe(true);
  const made = all.map(({ created_at: at }) => at);
  expect(made).toEqual(made.toSorted().toReversed());
  expect(all.find(({ id }) => id === kept.id)).toMatchObject({
    sent_to: "Hanna Voss",
    plan: "none",
    created_by: { email: maker.email },
    used_by: null,
  });
  expect(all.find(({ id }) => id === used.id)).toMatchObject({
    plan: "solo",
    created_by: { email: admin.email },
    used_by: { email: user.email },
  });

  await admin.take(returnAnyInvite, { params: { id: kept.id } });
  for (const id of [kept.id, used.id]) expect(refusal(await admin.call(returnAnyInvite, { params: { id } }))).toBe("NOT_FOUND");
  expect(refusal(await (await signIn()).call(redeemInvite, { params: { code: kept.code }, body: {} }))).toBe("INVITE_INVALID");
  expect(await entriesOf(kept.id)).toMatchObject([
    {
      action: "invite.return",
      subject: { name: "Hanna Voss" },
      before: { code: kept.code, "made by": maker.email, credits: 5 },
      after: null,
    },
  ]);
  await expectNoScan(() => admin.take(listAllInvites, { query: BELOW }));
});

it("everybody's invites are entries of the audit log where an administrator made them or took them back, and not where a member did", async () => {
  const { invite } = await admin.take(createInvite, { body: { team_plan: true, initial_credits: 20, sent_to: "Press" } });
  expect(await entriesOf(invite.id)).toMatchObject([
    { action: "invite.create", subject: { kind: "invite", name: "Press" }, after: { plan: "team", credits: 20, "active at once": true } },
  ]);
  await admin.take(returnOwnInvite, { params: { id: invite.id } });
  expect((await entriesOf(invite.id)).map(({ action }) => action).toSorted()).toEqual(["invite.create", "invite.return"]);
  const member = await signIn();
  const { invite: members } = await member.take(createInvite, { body: {} });
  await member.take(returnOwnInvite, { params: { id: members.id } });
  expect(await entriesOf(members.id)).toEqual([]);
});

it("plans that wait are listed, approved or refused once, and each decision is an entry", async () => {
  const [approved, refused] = [await waitingPerson(admin), await waitingPerson(admin)];
  const waiting = () =>
    allOf(async (query) => {
      const { plans, nextCursor } = await admin.take(listPlans, { query });
      return { rows: plans, nextCursor };
    });
  expect((await waiting()).find(({ user_id: id }) => id === approved.user.id)).toMatchObject({ email: approved.email, team_plan: true });
  const decideOn = (id: string, decision: "approve" | "refuse") =>
    admin.call(decidePlans, { params: { id }, body: { decision, reason: "As agreed" } });
  const both = await Promise.all([decideOn(approved.user.id, "approve"), decideOn(approved.user.id, "refuse")]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect((await decideOn(refused.user.id, "refuse")).ok).toBe(true);
  expect(await decideOn(refused.user.id, "approve")).toMatchObject({ error: { error: "No plan waits for this person any more." } });
  expect((await refused.take(getUser, {})).user.team_plan).toBe(false);
  expect(await entriesOf(refused.user.id)).toMatchObject([
    { action: "plan.refuse", reason: "As agreed", before: { plan: "none", waiting: "team" }, after: { plan: "none" } },
  ]);
  const [entry, ...others] = await entriesOf(approved.user.id);
  expect(others).toEqual([]);
  expect((await approved.take(getUser, {})).user.team_plan).toBe(entry?.action === "plan.approve");
  expect(entry?.after).toEqual({ plan: entry?.action === "plan.approve" ? "team" : "none" });
  expect((await waiting()).map(({ user_id: id }) => id)).not.toContain(refused.user.id);
  await expectNoScan(() => admin.take(listPlans, { query: BELOW }));
});

it("feedback is listed open or done, and marked by entries that hold nothing of its text", async () => {
  const person = await signIn();
  const id = await newFeedback(person, "Please add Kimi K3");
  const idsOf = (state: "open" | "done") =>
    allOf(async (query) => {
      const { feedback, nextCursor } = await admin.take(listFeedback, { query: { ...query, state } });
      return { rows: feedback.map((entry) => entry.id), nextCursor };
    });
  const { feedback } = await admin.take(listFeedback, {});
  expect(feedback.find((entry) => entry.id === id)).toMatchObject({ message: "Please add Kimi K3", from: { email: person.email } });
  await admin.take(settleFeedback, { params: { id }, body: { done: true } });
  await admin.take(settleFeedback, { params: { id }, body: { done: true } });
  expect(await idsOf("open")).not.toContain(id);
  expect(await idsOf("done")).toContain(id);
  await admin.take(settleFeedback, { params: { id }, body: { done: false } });
  expect(await idsOf("open")).toContain(id);
  const entries = await entriesOf(id);
  expect(entries.map(({ action }) => action)).toEqual(["feedback.reopen", "feedback.done"]);
  expect(JSON.stringify(entries)).not.toContain("Kimi");
  const unknown = { params: { id: crypto.randomUUID() }, body: { done: true } };
  expect(refusal(await admin.call(settleFeedback, unknown))).toBe("NOT_FOUND");
  // What is left of somebody who is gone has no name.
  await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(person.user.id).run();
  expect((await admin.take(listFeedback, {})).feedback.find((entry) => entry.id === id)?.from).toBeNull();
  for (const state of ["open", "done"] as const) await expectNoScan(() => admin.take(listFeedback, { query: { ...BELOW, state } }));
});

it("failed jobs are listed with their cause and without content, and a dead letter is sent anew", async () => {
  const ids = await Promise.all(Array.from({ length: ADMIN_PAGE + 2 }, (_, n) => stuckJob(new Date(Date.now() - n * 1000).toISOString())));
  const id = ids[0] ?? "";
  const stuck = () =>
    allOf(async (query) => {
      const { jobs, nextCursor } = await admin.take(listJobs, { query });
      return { rows: jobs, nextCursor };
    });
  const jobs = await stuck();
  expect(ids.every((one) => jobs.some((job) => job.id === one))).toBe(true);
  const job = jobs.find((one) => one.id === id);
  expect(job).toMatchObject({ kind: "invitations.take", attempts: 6, cause: "Error: The bucket is away", retry_at: null });
  expect(Object.keys(job?.about ?? {})).toEqual(["userId"]);
  expect(JSON.stringify(jobs)).not.toContain("hidden@example");
  const { kinds } = await admin.take(listJobKinds, {});
  expect(kinds.find(({ kind }) => kind === "invitations.take")?.stuck).toBeGreaterThanOrEqual(ids.length);

  const sent = vi.spyOn(env.JOBS, "send");
  await admin.take(retryJob, { params: { jobId: id }, body: {} });
  expect(sent.mock.calls.filter(([body]) => body.kind === "invitations.take" && body["userId"] === job?.about["userId"])).toHaveLength(1);
  expect((await stuck()).map((one) => one.id)).not.toContain(id);
  for (const unknown of [id, "0123456789ab", "no-job"]) {
    expect(refusal(await admin.call(retryJob, { params: { jobId: unknown }, body: {} }))).toBe("NOT_FOUND");
  }
  expect(await entriesOf(id)).toMatchObject([
    { action: "job.retry", subject: { kind: "job", name: "invitations.take" }, before: { attempts: 6 } },
  ]);
  for (const state of ["stuck", "trying"] as const) await expectNoScan(() => admin.take(listJobs, { query: { ...BELOW, state } }));
});

it("failed jobs stay marked where they cannot be sent anew at once, for the cron", async () => {
  const id = await stuckJob();
  vi.spyOn(env.JOBS, "send").mockRejectedValue(new Error("The queue is away"));
  await admin.take(retryJob, { params: { jobId: id }, body: {} });
  expect((await admin.take(listJobs, {})).jobs.find((job) => job.id === id)?.retry_at).not.toBeNull();
  expect(refusal(await admin.call(retryJob, { params: { jobId: id }, body: {} }))).toBe("NOT_FOUND");
});

describe("what everybody spent", () => {
  const write = (userId: string, rows: [day: string, model: string, calls: number, cost: number][]) =>
    env.DB.batch(
      rows.map(([day, model, calls, cost]) =>
        env.DB.prepare("INSERT INTO usage_days VALUES (?, ?, '', ?, ?, 100, ?, 1)").bind(userId, day, model, calls, cost),
      ),
    );

  it("what everybody spent is listed by model and by day, as the days are reported, reported anew and forgotten", async () => {
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    await write(one, [
      ["2025-03-01", "maker/big", 2, 3_000_000],
      ["2025-03-02", "maker/small", 1, 500_000],
    ]);
    await write(other, [
      ["2025-03-02", "maker/big", 4, 1_000_000],
      ["2025-04-01", "maker/big", 1, 9_000_000],
    ]);
    const spend = await admin.take(getSpend, { query: { month: "2025-03" } });
    expect(spend).toEqual({
      month: "2025-03",
      total: 4.5,
      models: [
        { key: "maker/big", cost: 4, calls: 6, tokens: 200 },
        { key: "maker/small", cost: 0.5, calls: 1, tokens: 100 },
      ],
      days: [
        { key: "2025-03-01", cost: 3, calls: 2, tokens: 100 },
        { key: "2025-03-02", cost: 1.5, calls: 5, tokens: 200 },
      ],
    });
    await env.DB.prepare("UPDATE usage_days SET cost_micros = 2000000, day = '2025-03-02' WHERE user_id = ? AND day = '2025-03-01'")
      .bind(one)
      .run();
    await env.DB.prepare("DELETE FROM usage_days WHERE user_id = ?").bind(other).run();
    const later = await admin.take(getSpend, { query: { month: "2025-03" } });
    expect(later.days.filter(({ cost }) => cost > 0)).toEqual([{ key: "2025-03-02", cost: 2.5, calls: 3, tokens: 200 }]);
    for (const month of ["2025-13", "2025", "2025-03' OR 1=1"]) {
      expect(refusal(await admin.call(getSpend, { query: { month } }))).toBe("INVALID_INPUT");
    }
    await expectNoScan(() => readSpend(db, { month: "2025-03" }));
  });

  it("what everybody spent is downloaded as CSV by day, person, team and model, page after page of an index, and never as a spreadsheet's formula", async () => {
    const person = await signIn();
    await person.take(updateUser, { body: { display_name: "=HYPERLINK(1)" } });
    const { team } = await admin.take(createTeam, { body: { name: "Nordlicht, Studio" } });
    const deletedId = crypto.randomUUID();
    const insert = "INSERT INTO usage_days VALUES (?, ?, ?, ?, 2, 100, ?, 1)";
    await env.DB.batch([
      env.DB.prepare(insert).bind(person.user.id, "2024-05-02", team.id, "maker/big", 1_250_000),
      env.DB.prepare(insert).bind(deletedId, "2024-05-01", "", "maker/big", 1),
      env.DB.prepare(insert).bind(deletedId, "2024-06-01", "", "maker/big", 5),
      // More than two pages of one day, model and cost, which only the table's key distinguishes.
      env.DB.prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
         INSERT INTO usage_days SELECT 'many-' || i, '2024-05-03', '', 'maker/many', 1, 1, 1, 1 FROM n`,
      ),
    ]);
    const lines = async (query: string) => {
      const response = await admin.fetch(`${downloadLedger.path}${query}`);
      expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      return (await response.text()).trimEnd().split("\r\n");
    };
    const [header, ...rows] = await lines("?month=2024-05");
    expect(header).toBe("day,person,email,team,model,calls,tokens,amount_usd");
    expect(new Set(rows.slice(0, 2100)).size).toBe(2100);
    expect(rows.slice(2100)).toEqual([
      `2024-05-02,'=HYPERLINK(1),${person.user.email},"Nordlicht, Studio",maker/big,2,100,1.250000`,
      `2024-05-01,${deletedId},,,maker/big,2,100,0.000001`,
    ]);
    const all = await lines("");
    expect(all).toContain(`2024-06-01,${deletedId},,,maker/big,2,100,0.000005`);
    expect(all).toEqual(expect.arrayContaining(rows));
    const steps = await explain(() => lines("?month=2024-05"));
    expect(steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
    expect(refusal(await person.call(downloadLedger, {}))).toBe("NOT_FOUND");
    await env.DB.prepare("DELETE FROM usage_days WHERE day LIKE '2024-%'").run();
  });

  it("what everybody spent stands beside each person's balance", async () => {
    const person = await signIn();
    const day = new Date().toISOString().slice(0, 10);
    await write(person.user.id, [
      [day, "maker/big", 1, 250_000],
      ["2025-03-01", "maker/big", 1, 4_000_000],
    ]);
    const query = { ids: person.user.id };
    expect(await admin.take(listBalances, { query })).toEqual({ balances: [{ id: person.user.id, credits: 5, spent: 0.25 }] });
    await expectNoScan(() => admin.take(listBalances, { query }));
  });

  it("what everybody spent is compared with as many days of the month before, beside what waits", async () => {
    const userId = crypto.randomUUID();
    await write(userId, [
      ["2024-02-01", "maker/big", 1, 2_000_000],
      ["2024-02-20", "maker/big", 1, 7_000_000],
      ["2024-03-02", "maker/big", 1, 3_000_000],
      ["2024-03-10", "maker/big", 1, 5_000_000],
    ]);
    const overview = await readOverview(db, new Date("2024-03-10T12:00:00Z"));
    expect(overview).toMatchObject({ month: "2024-03", spent: 3, spent_before: 2, accounts: { areMore: false } });
    await Promise.all([newFeedback(), stuckJob(), waitingPerson(admin)]);
    const now = await admin.take(getOverview, {});
    expect(Math.min(now.stuck_jobs, now.waiting_plans, now.open_feedback, now.accounts.count, now.today.count)).toBeGreaterThan(0);
  });
});
