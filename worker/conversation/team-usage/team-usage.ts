import type { OwnTeamUsage, TeamUsage } from "#shared/entities/team-usage.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { findManagedTeam } from "#worker/people/teams/teams.ts";
import { csvLine } from "#worker/conversation/usage/csv.ts";
import type { TeamTime } from "#worker/people/hub/rpc.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { readBudgets, readOwnBudgets } from "./budgets.ts";
import { selectDays, selectPeople, selectTimes } from "./queries.ts";

/** Hubs asked at once; a Worker has six connections. */
const HUBS_AT_ONCE = 6;
/** Every hub has reported its day once so many hours of the next one are over. */
const REPORTED_HOURS = 2;
const DAY_MS = 24 * 60 * 60_000;

type Row = { user_id: string; day: string; model_id: string; calls: number; tokens: number; cost_micros: number };
type Sums = { cost_micros: number; calls: number; tokens: number };

/** What a team's chats cost in a month of UTC, by default this one, for its admins. Throws TEAM_NOT_FOUND, FORBIDDEN. */
export async function readTeamUsage(
  env: Env,
  db: Database,
  caller: Caller,
  { teamId, month = thisMonth(), withToday }: { teamId: string; month?: string | undefined; withToday: boolean },
): Promise<TeamUsage> {
  await findManagedTeam(db, teamId, caller.userId);
  const [stored, people, budgets] = await Promise.all([
    selectDays(db, teamId, monthOf(month)),
    selectPeople(db, teamId),
    readBudgets(db, teamId),
  ]);
  const isOpen = withToday && month === thisMonth();
  const rows = isOpen ? await addOpenDays(env, db, { teamId, month, stored }) : stored;
  const byMember = sumBy(rows, ({ user_id: id }) => id);
  return {
    month,
    withToday: isOpen,
    budgets,
    total: toAmounts(sum(rows)),
    members: people
      .filter(({ user_id: id, is_former: isFormer }) => isFormer === 0 || byMember.has(id))
      .map(({ user_id, name, is_former: isFormer, budget_micros: budget }) => ({
        user_id,
        name,
        isFormer: isFormer === 1,
        budget: budget === null ? null : fromMicros(budget),
        ...toAmounts(byMember.get(user_id) ?? NOTHING),
      }))
      .toSorted((a, b) => b.cost - a.cost),
    models: [...sumBy(rows, ({ model_id: id }) => id)]
      .map(([model_id, sums]) => ({ model_id, ...toAmounts(sums) }))
      .toSorted((a, b) => b.cost - a.cost),
    days: [...sumBy(rows, ({ day }) => day)]
      .map(([day, sums]) => ({ day, ...toAmounts(sums) }))
      .toSorted((a, b) => b.day.localeCompare(a.day)),
  };
}

/** A month's closed days as CSV, a line for each day, member and model. Throws TEAM_NOT_FOUND, FORBIDDEN. */
export async function exportTeamUsage(
  db: Database,
  caller: Caller,
  { teamId, month = thisMonth() }: { teamId: string; month?: string | undefined },
): Promise<string> {
  await findManagedTeam(db, teamId, caller.userId);
  const [rows, people] = await Promise.all([selectDays(db, teamId, monthOf(month)), selectPeople(db, teamId)]);
  const names = new Map(people.map(({ user_id: id, name }) => [id, name]));
  const lines = rows.map(({ user_id, day, model_id, calls, tokens, cost_micros: micros }) =>
    csvLine([day, names.get(user_id) ?? "", model_id, String(calls), String(tokens), fromMicros(micros).toFixed(6)]),
  );
  return `day,member,model,calls,tokens,amount_usd\r\n${lines.join("")}`;
}

/** What a person spent this month in each of their teams, and their budgets there. */
export async function readOwnTeamUsage(env: Env, db: Database, { userId }: Caller): Promise<OwnTeamUsage[]> {
  const teams = await readOwnBudgets(db, userId);
  const spent: Record<string, number> = teams.length === 0 ? {} : await hubOf(env, userId).spentBy("team");
  return teams.map(({ team_id, name, micros, team }) => ({
    team_id,
    name,
    spent: fromMicros(spent[team_id] ?? 0),
    budget: micros === null ? null : fromMicros(micros),
    team: team && { spent: fromMicros(team.spent), budget: fromMicros(team.micros) },
  }));
}

type Open = { teamId: string; month: string; stored: Row[] };

/** The days that may not be reported yet are asked of the hubs of everybody who was in the team on them. */
async function addOpenDays(env: Env, db: Database, { teamId, month, stored }: Open): Promise<Row[]> {
  const now = new Date();
  const today = dayOf(now.getTime());
  const yesterday = dayOf(now.getTime() - DAY_MS);
  const days = now.getUTCHours() < REPORTED_HOURS && yesterday.startsWith(month) ? [yesterday, today] : [today];
  const [first = today] = days;
  const times = new Map<string, TeamTime[]>();
  for (const { userId, from, until } of await selectTimes(db, teamId)) {
    times.set(userId, [...(times.get(userId) ?? []), { teamId, from, until }]);
  }
  const asked = [...times].filter(([, own]) => own.some(({ until }) => until === null || until >= first));
  const open: Row[] = [];
  for (let next = 0; next < asked.length; next += HUBS_AT_ONCE) {
    const batch = asked.slice(next, next + HUBS_AT_ONCE);
    open.push(...(await Promise.all(batch.map(([userId, own]) => readOpen(env, { userId, teamId, days, times: own })))).flat());
  }
  return [...open, ...stored.filter(({ day, user_id: id }) => !(days.includes(day) && times.has(id)))];
}

type Asked = { userId: string; teamId: string; days: string[]; times: TeamTime[] };

async function readOpen(env: Env, { userId, teamId, days, times }: Asked): Promise<Row[]> {
  const reports = await Promise.all(days.map((day) => hubOf(env, userId).usageOfDay(day, times)));
  return reports.flatMap((report, index) =>
    (report?.usage ?? [])
      .filter((usage) => usage.teamId === teamId)
      .map(({ modelId, calls, tokens, costMicros }) => ({
        user_id: userId,
        day: days[index] ?? "",
        model_id: modelId,
        calls,
        tokens,
        cost_micros: costMicros,
      })),
  );
}

const NOTHING: Sums = { cost_micros: 0, calls: 0, tokens: 0 };

function add(a: Sums, b: Sums): Sums {
  return { cost_micros: a.cost_micros + b.cost_micros, calls: a.calls + b.calls, tokens: a.tokens + b.tokens };
}

function sum(rows: readonly Sums[]): Sums {
  return rows.reduce(add, NOTHING);
}

function sumBy(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const row of rows) sums.set(keyOf(row), add(sums.get(keyOf(row)) ?? NOTHING, row));
  return sums;
}

function toAmounts({ cost_micros: micros, calls, tokens }: Sums) {
  return { cost: fromMicros(micros), calls, tokens };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function thisMonth(): string {
  return dayOf(Date.now()).slice(0, 7);
}

/** From the month's first day up to the next one's. */
function monthOf(month: string): { from: string; until: string } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return { from: `${month}-01`, until: dayOf(Date.UTC(year, number, 1)) };
}
