import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sendMessage } from "#shared/contracts/messages.ts";
import { removeTeamMember } from "#shared/contracts/teams.ts";
import type { Charge } from "#worker/chat-room/rpc.ts";
import { reportDayJob } from "#worker/usage/days.ts";
import { CHEAP_MODEL, readEvents, streamTurn } from "#test/support/replies.ts";
import { makeTeam } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn } from "#test/support/worker.ts";

const DAY_MS = 24 * 60 * 60_000;

afterEach(() => vi.useRealTimers());

/** A first message in a team's workspace, answered. */
async function ask(person: Person, teamId: string, content = "say hello") {
  const chatId = crypto.randomUUID();
  const body = { id: crypto.randomUUID(), parent_id: null, content, model_id: CHEAP_MODEL, team_id: teamId };
  await readEvents(await streamTurn(person, sendMessage, { params: { id: chatId }, body }));
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

/** Lets a hub's alarm come once its day is over. */
async function closeDay(person: Person, days = 1): Promise<void> {
  later(days);
  expect(await runDurableObjectAlarm(hubOf(person))).toBe(true);
}

const today = () => new Date().toISOString().slice(0, 10);

describe("What a turn costs", () => {
  it("is entered with the team in whose workspace its chat was begun, and with its tokens", async () => {
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

  it("is reported once its day is over, by team and model, and a hub without new entries never wakes", async () => {
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

  it("wakes its hub on each day with entries, and what is entered late for a closed day corrects it", async () => {
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

  it("is no team's once the person has left it, and stays the team's until then", async () => {
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
});
