import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import type { getOverview, getSpend } from "#shared/contracts/account/operation.ts";
import type { Spent } from "#shared/entities/operation.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { readCounts } from "#worker/platform/security/counts.ts";
import { countUpTo, selectSpend } from "./queries.ts";

type Row = Awaited<ReturnType<typeof selectSpend>>[number];

/** What everybody spent on the closed days of a month, this one unless another is named. */
export async function readSpend(
  db: Database,
  { month }: { month?: string | undefined },
  now = new Date(),
): Promise<ResponseOf<typeof getSpend>> {
  const named = month ?? now.toISOString().slice(0, 7);
  const rows = await selectSpend(db, { from: `${named}-01`, until: `${named}-99` });
  const byCost = (one: Spent, other: Spent) => other.cost - one.cost;
  const byDay = (one: Spent, other: Spent) => one.key.localeCompare(other.key);
  return {
    month: named,
    total: totalOf(rows),
    models: summed(rows, ({ model_id: id }) => id).toSorted(byCost),
    days: summed(rows, ({ day }) => day).toSorted(byDay),
  };
}

function summed(rows: Row[], keyOf: (row: Row) => string): Spent[] {
  const groups = Map.groupBy(rows, keyOf);
  return [...groups].map(([key, group]) => ({
    key,
    cost: totalOf(group),
    calls: group.reduce((sum, { calls }) => sum + calls, 0),
    tokens: group.reduce((sum, { tokens }) => sum + tokens, 0),
  }));
}

function totalOf(rows: Row[]): number {
  return fromMicros(rows.reduce((sum, { cost_micros: micros }) => sum + micros, 0));
}

/** Nobody needs the exact number beyond, and counting takes a row each. */
const COUNTED = 100_000;

/** What an administrator sees first. */
export async function readOverview(db: Database, now = new Date()): Promise<ResponseOf<typeof getOverview>> {
  const today = now.toISOString().slice(0, 10);
  const month = today.slice(0, 7);
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
  const [counts, security, spent, spentBefore] = await Promise.all([
    countUpTo(db, { today, most: COUNTED + 1 }),
    readCounts(db, now),
    selectSpend(db, { from: `${month}-01`, until: today }),
    selectSpend(db, { from: `${before}-01`, until: `${before}${today.slice(7)}` }),
  ]);
  const shown = (count: number) => ({ count: Math.min(count, COUNTED), areMore: count > COUNTED });
  return {
    accounts: shown(counts.accounts),
    today: shown(counts.today),
    month,
    spent: totalOf(spent),
    spent_before: totalOf(spentBefore),
    stuck_jobs: counts.stuckJobs,
    waiting_plans: counts.waitingPlans,
    open_feedback: counts.openFeedback,
    security,
  };
}
