/** What a copy keeps its data in: the queues, the bucket and the database. */
import * as z from "zod";
import type { RunSql } from "../failed-jobs.ts";
import { FIRST_OF_0_1 } from "../migrate.ts";
import type { Copy } from "./copy.ts";
import { openPlatform, PlatformError, type Platform } from "./platform.ts";

/** The longest that the platform keeps a message: jobs count on it (worker/platform/jobs/failed-jobs.ts). */
const KEPT_S = 14 * 24 * 60 * 60;

const Queue = z.object({
  queue_id: z.string(),
  queue_name: z.string(),
  settings: z.object({ delivery_delay: z.number().optional(), message_retention_period: z.number().optional() }).nullish(),
});
type Queue = z.infer<typeof Queue>;
const Database = z.object({ uuid: z.string(), name: z.string() });

/** What of a copy is there already. */
export type Found = { queues: Map<string, Queue>; buckets: Set<string>; databaseId: string | null };

/** Looks a queue up by its name; null where there is none. */
export async function findQueue({ ask }: Platform, name: string): Promise<Queue | null> {
  const listed = await ask(`queues?name=${encodeURIComponent(name)}`, z.array(Queue));
  return listed.find(({ queue_name: found }) => found === name) ?? null;
}

/** Whether there is a bucket of this name. */
export async function hasBucket({ ask }: Platform, name: string): Promise<boolean> {
  const { buckets } = await ask(`r2/buckets?name_contains=${name}`, z.object({ buckets: z.array(z.object({ name: z.string() })) }));
  return buckets.some((one) => one.name === name);
}

/** The id of a copy's database; null where there is none. */
export async function findDatabase({ ask }: Platform, { database }: Pick<Copy, "database">): Promise<string | null> {
  const listed = await ask(`d1/database?name=${encodeURIComponent(database)}`, z.array(Database));
  return listed.find(({ name }) => name === database)?.uuid ?? null;
}

/** Whether version 0.1 made a database, whose migrations no later version goes on from. */
export async function isDatabaseOf01(platform: Platform, id: string): Promise<boolean> {
  const isMigrated = (await query(platform, id, "SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'")).length > 0;
  return isMigrated && (await query(platform, id, `SELECT 1 FROM d1_migrations WHERE name = '${FIRST_OF_0_1}'`)).length > 0;
}

/** The rows that a statement gives in a copy's database. */
async function query({ ask }: Platform, id: string, sql: string): Promise<unknown[]> {
  const Answers = z.array(z.object({ results: z.array(z.unknown()) }));
  const answers = await ask(`d1/database/${id}/query`, Answers, { method: "POST", body: { sql } });
  return answers.flatMap(({ results }) => results);
}

/**
 * Makes what of a copy is missing, and has its queues keep messages for 14 days; returns the database's id. Queues come first, as an
 * account on the free plan is refused those: so nothing was made there.
 */
export async function makeResources(platform: Platform, copy: Copy, found: Found): Promise<string> {
  for (const name of copy.queues) await keepQueue(platform, name, found.queues.get(name));
  for (const name of copy.buckets.filter((one) => !found.buckets.has(one))) {
    const body = { name, ...(copy.place !== null && { locationHint: copy.place }) };
    await make(platform, `The R2 bucket ${name}`, platform.ask("r2/buckets", z.unknown(), { method: "POST", body }));
  }
  if (found.databaseId !== null) {
    if (copy.place !== null) {
      process.stdout.write(`D1_LOCATION is passed over: the database ${copy.database} is there, and stays where it was made.\n`);
    }
    return found.databaseId;
  }
  const body = { name: copy.database, ...(copy.place !== null && { primary_location_hint: copy.place }) };
  const made = await make(platform, `The D1 database ${copy.database}`, platform.ask("d1/database", Database, { method: "POST", body }));
  return made.uuid;
}

async function keepQueue(platform: Platform, name: string, known: Queue | undefined): Promise<void> {
  const settings = { ...known?.settings, message_retention_period: KEPT_S };
  const body = { queue_name: name, settings };
  if (!known) await make(platform, `The queue ${name}`, platform.ask("queues", z.unknown(), { method: "POST", body }));
  else if (known.settings?.message_retention_period !== KEPT_S) {
    await make(
      platform,
      `The 14 days of the queue ${name}`,
      platform.ask(`queues/${known.queue_id}`, z.unknown(), { method: "PUT", body }),
    );
  }
}

async function make<T>(platform: Platform, what: string, asked: Promise<T>): Promise<T> {
  try {
    const made = await asked;
    process.stdout.write(`${what}: made.\n`);
    return made;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    throw new Error(`${what} could not be made, and nothing was deployed. Cloudflare says:\n${error.message}${adviceOn(platform, error)}`, {
      cause: error,
    });
  }
}

/** Codes by which the platform refuses queues to an account without the paid plan, or their length of keeping. */
const PLAN = new Set([11002, 100128, 100129]);

function adviceOn({ dashboard }: Platform, { codes, message }: PlatformError): string {
  if (!codes.some((code) => PLAN.has(code)) && !/\bplan\b/i.test(message)) return "";
  return `\nThe product needs the Workers Paid plan, as its queues keep messages for 14 days: ${dashboard}/workers/plans`;
}

/** Opens a copy's database for single statements. */
export async function openRemoteDatabase(copy: Copy): Promise<{ run: RunSql; close: () => Promise<void> }> {
  const platform = await openPlatform();
  const id = await findDatabase(platform, copy);
  if (id === null) throw new Error(`This account has no ${copy.worker}: \`${copy.command}\` makes it.`);
  return { run: (sql) => query(platform, id, sql), close: async () => {} };
}
