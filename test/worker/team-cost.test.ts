import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { getTeamUsage, listOwnTeamUsage, updateTeamBudgets } from "#shared/contracts/account/team-usage.ts";
import { removeTeamMember, updateTeamMember } from "#shared/contracts/account/teams.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import type { Charge } from "#worker/platform/spending/holds.ts";
import { reportDayJob } from "#worker/conversation/usage/days.ts";
import { openTab } from "#test/support/live-tab.ts";
import { CHEAP_MODEL, readEvents, beginStreamedTurn } from "#test/support/replies.ts";
import { makeTeam } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Person, refusal, signIn, signInByMail, visitor } from "#test/support/worker.ts";

const DAY_MS = 24 * 60 * 60_000;

afterEach(() => vi.useRealTimers());

/** A first message in a team's workspace, answered. */
async function ask(person: Person, teamId: string, content = "say hello") {
  const chatId = crypto.randomUUID();
  const body = { id: crypto.randomUUID(), parent_id: null, content, model_id: CHEAP_MODEL, team_id: teamId };
  await readEvents(await beginStreamedTurn(person, sendMessage, { params: { id: chatId }, body }));
  return chatId;
}

const hubOf = ({ user }: Person) => env.USER_HUB.getByName(user.id);

/** A call that was paid for; $0.01 unless it says otherwise. */
function charge(teamId: string | null, dollars = 0.01): Charge {
  const callId = `${crypto.randomUUID()}:0:0`;
  const paid = { replyId: crypto.randomUUID(), chatId: crypto.randomUUID(), what: "reply" as const, modelId: CHEAP_MODEL };
  return { callId, ...paid, amountMicros: Math.round(dollars * 1_000_000), isHouse: false, teamId, tokens: 100 };
}

async function spend(person: Person, teamId: string | null, dollars = 0.01): Promise<void> {
  const paid = charge(teamId, dollars);
  await hubOf(person).charge(paid, paid.callId);
}

type Row = {
  user_id: string;
  day: string;
  team_id: string;
  model_id: string;
  calls: number;
  tokens: number;
  cost_micros: number;
  seq: number;
};

async function daysOf({ user }: Person): Promise<Row[]> {
  return (await env.DB.prepare("SELECT * FROM usage_days WHERE user_id = ? ORDER BY day, team_id, model_id").bind(user.id).all<Row>())
    .results;
}

const alarmOf = (person: Person) => runInDurableObject(hubOf(person), (_, { storage }) => storage.getAlarm());

/** It is so many days later for the Worker. */
const later = (days: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days * DAY_MS });

/** Lets a hub's alarm come once its day is over: by noon each has, at whatever time of the day this runs. */
async function closeDay(person: Person, days = 1): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: (Math.floor(Date.now() / DAY_MS) + days + 0.5) * DAY_MS });
  expect(await runDurableObjectAlarm(hubOf(person))).toBe(true);
}

const today = () => new Date().toISOString().slice(0, 10);

it("What a turn costs is entered with the team in whose workspace its chat was begun, and with its tokens", async () => {
  const person = await signIn();
  const teamId = await makeTeam("Crew", [person]);
  const chatId = await ask(person, teamId);
  const entries = await until("reply and title", async () => {
    const ledger = await hubOf(person).ledger({ before: Number.MAX_SAFE_INTEGER, limit: 10 });
    const spent = ledger.filter(({ chat_id }) => chat_id === chatId);
    return spent.length === 2 ? spent : null;
  });
  for (const entry of entries) expect(entry).toMatchObject({ team_id: teamId, tokens: expect.any(Number) });
  expect(entries.every(({ tokens }) => (tokens ?? 0) > 0)).toBe(true);
});

it("What a turn costs is reported once its day is over, by team and model, and a hub without new entries never wakes", async () => {
  const person = await signIn();
  const teamId = await makeTeam("Crew", [person]);
  const day = today();
  expect(await alarmOf(person)).toBeNull();
  for (const id of [teamId, teamId, null]) await spend(person, id);
  const wakesAt = (await alarmOf(person)) ?? 0;
  expect(new Date(wakesAt).toISOString().slice(0, 10) > day).toBe(true);
  await closeDay(person);
  const rows = await until("the report", async () => ((await daysOf(person)).length === 2 ? daysOf(person) : null));
  const model = { user_id: person.user.id, day, model_id: CHEAP_MODEL };
  expect(rows).toMatchObject([
    { ...model, team_id: "", calls: 1, tokens: 100, cost_micros: 10_000 },
    { ...model, team_id: teamId, calls: 2, tokens: 200, cost_micros: 20_000 },
  ]);
  expect(await alarmOf(person)).toBeNull();
  // A repeated delivery of the job changes nothing.
  await env.DB.prepare("UPDATE usage_days SET calls = 7 WHERE user_id = ?").bind(person.user.id).run();
  for (let n = 0; n < 2; n += 1) await reportDayJob.receive(env, { userId: person.user.id, day }, n + 1);
  expect((await daysOf(person)).map(({ calls }) => calls)).toEqual([7, 7]);
});

it("What a turn costs wakes its hub on each day with entries, and what is entered late for a closed day corrects it", async () => {
  const person = await signIn();
  const day = today();
  await spend(person, null);
  await closeDay(person);
  await until("the first day", async () => (await daysOf(person)).length === 1);
  await spend(person, null, 0.03);
  const next = today();
  expect(await alarmOf(person)).not.toBeNull();
  const late = { call_id: "late", at: `${day}T23:00:00.000Z`, what: "reply", chat_id: null, message_id: null, model_id: CHEAP_MODEL };
  await hubOf(person).takeOverLedger([{ ...late, amount_micros: -700, is_house: 1, balance_micros: 0 }]);
  // Taken up at once, while the open day waits for its end.
  await runDurableObjectAlarm(hubOf(person));
  await until("the corrected day", async () => (await daysOf(person))[0]?.calls === 2);
  expect(await daysOf(person)).toMatchObject([{ day, calls: 2, cost_micros: 10_700 }]);
  await closeDay(person);
  await until("the second day", async () => (await daysOf(person)).length === 2);
  expect(await daysOf(person)).toMatchObject([
    { day, calls: 2 },
    { day: next, calls: 1, cost_micros: 30_000 },
  ]);
  expect(await alarmOf(person)).toBeNull();
});

it("What a turn costs is no team's once the person has left it, and stays the team's until then", async () => {
  const [admin, member] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Crew", [admin, member]);
  await spend(member, teamId);
  await admin.take(removeTeamMember, { params: { id: teamId }, query: { userId: member.user.id } });
  await spend(member, teamId, 0.02);
  await closeDay(member);
  const rows = await until("the report", async () => ((await daysOf(member)).length === 2 ? daysOf(member) : null));
  expect(rows).toMatchObject([
    { team_id: "", cost_micros: 20_000 },
    { team_id: teamId, cost_micros: 10_000 },
  ]);
  const { results } = await env.DB.prepare("SELECT name FROM former_members WHERE team_id = ?").bind(teamId).all();
  expect(results).toEqual([{ name: member.user.display_name }]);
});

it("A team's usage is its admins' by member, model and day, with today where it is asked for, and says nothing of what was said", async () => {
  const [admin, member] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Crew", [admin, member]);
  const stranger = await signIn();
  const day = today();
  const chatId = await ask(member, teamId, "say a secret plan");
  await spend(admin, teamId, 0.5);
  await until("the reply and its title", async () => {
    const ledger = await hubOf(member).ledger({ before: Number.MAX_SAFE_INTEGER, limit: 10 });
    return ledger.filter(({ chat_id }) => chat_id === chatId).length === 2;
  });
  const params = { id: teamId };
  for (const [person, code] of [[member, "FORBIDDEN"] as const, [stranger, "TEAM_NOT_FOUND"] as const]) {
    expect(refusal(await person.call(getTeamUsage, { params }))).toBe(code);
    expect((await person.fetch(`/api/teams/${teamId}/usage.csv`)).ok).toBe(false);
    expect(refusal(await person.call(updateTeamBudgets, { params, body: { each: 1 } }))).toBe(code);
  }
  const before = (await admin.take(getTeamUsage, { params })).usage;
  expect(before).toMatchObject({ withToday: false, total: { cost: 0, calls: 0 }, models: [], days: [] });
  const { usage } = await admin.take(getTeamUsage, { params, query: { today: "true" } });
  expect(usage).toMatchObject({ month: day.slice(0, 7), withToday: true, total: { calls: 3 } });
  expect(usage.days).toMatchObject([{ day, calls: 3 }]);
  expect(usage.members).toMatchObject([
    { user_id: admin.user.id, isFormer: false, cost: 0.5, calls: 1 },
    { user_id: member.user.id, isFormer: false, calls: 2 },
  ]);
  expect(usage.models.map(({ model_id }) => model_id)).toContain(CHEAP_MODEL);
  expect(JSON.stringify(usage)).not.toContain("secret");
  expect(JSON.stringify(usage)).not.toContain(chatId);
});

it("A team's usage goes on under the name of who left until then, and is downloaded as CSV", async () => {
  const [admin, member] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Crew", [admin, member]);
  const params = { id: teamId };
  const day = today();
  await spend(member, teamId, 0.25);
  await admin.take(updateTeamMember, { params, body: { userId: member.user.id, role: "admin" } });
  expect((await member.take(getTeamUsage, { params })).usage.withToday).toBe(false);
  await admin.take(removeTeamMember, { params, query: { userId: member.user.id } });
  await spend(member, teamId, 4);
  // Whoever was its admin sees no more of it than who never was.
  expect(refusal(await member.call(getTeamUsage, { params }))).toBe("TEAM_NOT_FOUND");
  expect((await member.take(listOwnTeamUsage, {})).teams).toEqual([]);
  await member.take(updateUser, { body: { display_name: "=Renamed" } });
  await closeDay(member);
  await until("the report", async () => (await daysOf(member)).length === 2);
  vi.useRealTimers();
  await admin.take(updateTeamBudgets, { params, body: { team: 0.3 } });
  // A team's own budget is shown to its admins, and holds nobody.
  expect((await admin.take(listOwnTeamUsage, {})).teams).toMatchObject([{ budget: null, team: { spent: 0.25, budget: 0.3 } }]);
  const { usage } = await admin.take(getTeamUsage, { params, query: { month: day.slice(0, 7) } });
  expect(usage.members).toMatchObject([
    { user_id: member.user.id, name: member.user.display_name, isFormer: true, cost: 0.25 },
    { user_id: admin.user.id, isFormer: false, cost: 0 },
  ]);
  const csv = await (await admin.fetch(`/api/teams/${teamId}/usage.csv?month=${day.slice(0, 7)}`)).text();
  expect(csv).toBe(`day,member,model,calls,tokens,amount_usd\r\n${day},${member.user.display_name},${CHEAP_MODEL},1,100,0.250000\r\n`);
});

it("The hours after midnight show the day before from the hubs that have yet to report it", async () => {
  const evening = Date.UTC(2100, 5, 15, 23, 30);
  vi.useFakeTimers({ toFake: ["Date"], now: evening });
  const [admin, member] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Crew", [admin, member]);
  await spend(member, teamId, 0.5);
  vi.setSystemTime(evening + DAY_MS / 24);
  await spend(member, teamId, 0.25);
  const read = async () => (await admin.take(getTeamUsage, { params: { id: teamId }, query: { today: "true" } })).usage;
  const days = [
    { day: "2100-06-16", cost: 0.25, calls: 1 },
    { day: "2100-06-15", cost: 0.5, calls: 1 },
  ];
  expect((await read()).days).toMatchObject(days);
  // Once it is reported it counts no second time.
  expect(await runDurableObjectAlarm(hubOf(member))).toBe(true);
  await reportDayJob.receive(env, { userId: member.user.id, day: "2100-06-15" }, 1);
  expect((await read()).days).toMatchObject(days);
});

it("A guest's days are the account's alone once the guest has signed in to it", async () => {
  const account = await signIn();
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  const { user } = await guest.take(getSession, {});
  const guestId = user?.id ?? "";
  await env.DB.prepare("INSERT INTO usage_days VALUES (?, ?, '', ?, 1, 1, 1, 1)").bind(guestId, today(), CHEAP_MODEL).run();
  await signInByMail(guest, account.email);
  const guests = async () => (await env.DB.prepare("SELECT 1 FROM usage_days WHERE user_id = ?").bind(guestId).all()).results;
  await until("the guest's days gone", async () => (await guests()).length === 0);
  expect(await guests()).toEqual([]);
});

describe("A member's budget", () => {
  const send = (person: Person, teamId: string) =>
    person.call(sendMessage, {
      params: { id: crypto.randomUUID() },
      body: { id: crypto.randomUUID(), parent_id: null, content: "say hello", model_id: CHEAP_MODEL, team_id: teamId },
    });

  it("A member's budget is reported to their tabs as it is used, refuses at its end, names the team, and ends with the month", async () => {
    const [admin, member] = [await signIn(), await signIn()];
    const teamId = await makeTeam("The Crew", [admin, member]);
    const params = { id: teamId };
    await admin.take(updateTeamBudgets, { params, body: { each: 1 } });
    const tab = await openTab(member);
    await spend(member, teamId, 0.8);
    const change = await until("the news", () => tab.events.find(({ type }) => type === "budget.changed"));
    tab.close();
    expect(change).toMatchObject({ team_id: teamId, name: "The Crew", spent: 0.8, budget: 1 });
    expect((await member.take(listOwnTeamUsage, {})).teams).toEqual([
      { team_id: teamId, name: "The Crew", spent: 0.8, budget: 1, team: null },
    ]);
    expect((await send(member, teamId)).ok).toBe(true);
    await spend(member, teamId, 0.2);
    const refused = await send(member, teamId);
    expect(refused).toMatchObject({ status: 402, error: { code: "TEAM_BUDGET_REACHED" } });
    expect(refused).toMatchObject({
      error: { error: expect.stringMatching(/^Your budget of \$1\.00 a month in the team "The Crew" is used up\./) },
    });
    // Neither their own chats nor others' turns are held to it.
    expect(
      (
        await member.call(sendMessage, {
          params: { id: crypto.randomUUID() },
          body: { id: crypto.randomUUID(), parent_id: null, content: "say hello" },
        })
      ).ok,
    ).toBe(true);
    expect((await send(admin, teamId)).ok).toBe(true);
    // One of their own goes before that of each.
    await admin.take(updateTeamBudgets, { params, body: { member: { userId: member.user.id, budget: 5 } } });
    expect((await send(member, teamId)).ok).toBe(true);
    await admin.take(updateTeamBudgets, { params, body: { member: { userId: member.user.id, budget: null } } });
    expect((await send(member, teamId)).ok).toBe(false);
    later(31);
    expect(await hubOf(member).reserve({ replyId: crypto.randomUUID(), amountMicros: 1_000, teamId })).toMatchObject({ ok: true });
  });

  it("A member's budget lets one of two turns at its end begin, and none that may cost more than is left", async () => {
    const [admin, member] = [await signIn(), await signIn()];
    const teamId = await makeTeam("Crew", [admin, member]);
    await admin.take(updateTeamBudgets, { params: { id: teamId }, body: { each: 0.01 } });
    const hub = hubOf(member);
    const hold = (micros: number) => hub.reserve({ replyId: crypto.randomUUID(), amountMicros: micros, teamId });
    const both = await Promise.all([hold(6_000), hold(6_000)]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => !ok)).toMatchObject({ code: "TEAM_BUDGET_REACHED", message: expect.stringContaining("$0.0040 is left") });
    expect(await hub.reserveCall({ replyId: "leg", generation: -1, amountMicros: 5_000, teamId })).toMatchObject({ ok: false });
    expect(await hold(4_000)).toMatchObject({ ok: true });
    expect(await hub.reserve({ replyId: "elsewhere", amountMicros: 6_000, teamId: null })).toMatchObject({ ok: true });
  });

  it("A member's budget holds nobody who is not in the team, and takes no amount below zero", async () => {
    const [admin, member, stranger] = [await signIn(), await signIn(), await signIn()];
    const teamId = await makeTeam("Crew", [admin, member]);
    const params = { id: teamId };
    expect((await admin.call(updateTeamBudgets, { params, body: { each: -1 } })).status).toBe(400);
    const ofStranger = { member: { userId: stranger.user.id, budget: 1 } };
    expect(refusal(await admin.call(updateTeamBudgets, { params, body: ofStranger }))).toBe("NOT_FOUND");
    await admin.take(updateTeamBudgets, { params, body: { each: 0 } });
    expect((await send(member, teamId)).ok).toBe(false);
    const hold = () => hubOf(stranger).reserve({ replyId: crypto.randomUUID(), amountMicros: 1_000, teamId });
    expect(await hold()).toMatchObject({ ok: true });
    await admin.take(updateTeamBudgets, { params, body: { each: null } });
    expect((await send(member, teamId)).ok).toBe(true);
  });
});
