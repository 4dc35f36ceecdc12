import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_readConfig as readConfig, unstable_splitSqlQuery as splitStatements } from "wrangler";
import * as z from "zod";
import { inRoot } from "./paths.ts";

const Databases = z.object({ d1_databases: z.array(z.object({ binding: z.string(), database_id: z.optional(z.string()) })) });

/** Opens the local D1 under `persistTo`, beside a server that may use it. */
export async function openLocalDatabase(persistTo: string): Promise<{ database: D1Like; close: () => Promise<void> }> {
  const id = Databases.parse(readConfig({ config: inRoot("wrangler.jsonc") })).d1_databases.find(
    ({ binding }) => binding === "DB",
  )?.database_id;
  if (!id) throw new Error("wrangler.jsonc gives the binding DB no database_id.");
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      name: "migrate",
      modules: true,
      script: "export default {}",
      d1Databases: { DB: id },
      resourcePersistencePath: persistTo,
      cf: false,
    }),
  );
  return { database: await runtime.getD1Database("DB"), close: () => runtime.dispose() };
}

/** The first migration of version 0.1, whose databases no later version reads. */
export const FIRST_OF_0_1 = "0001_users.sql";

/** Whether the local D1 under `persistTo` is one that version 0.1 made. */
export async function isOf01(persistTo: string): Promise<boolean> {
  if (!existsSync(persistTo)) return false;
  const { database, close } = await openLocalDatabase(persistTo);
  try {
    const made = await database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first();
    return made !== null && (await database.prepare("SELECT 1 FROM d1_migrations WHERE name = ?").bind(FIRST_OF_0_1).first()) !== null;
  } finally {
    await close();
  }
}

/** Brings the local D1 under `persistTo` up to the newest migration of a folder, with the same bookkeeping as `wrangler d1 migrations apply`; returns how many it applied. */
export async function migrateLocal(persistTo: string, folder = inRoot("migrations")): Promise<number> {
  const { database, close } = await openLocalDatabase(persistTo);
  try {
    return await applyAll(database, folder);
  } finally {
    await close();
  }
}

async function applyAll(database: D1Like, folder: string): Promise<number> {
  await database.exec(
    "CREATE TABLE IF NOT EXISTS d1_migrations(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
  );
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const waiting = (await readdir(folder)).filter((name) => name.endsWith(".sql") && !applied.has(name)).toSorted();
  for (const name of waiting) {
    const statements = splitStatements(await readFile(join(folder, name), "utf8"));
    try {
      await database.batch([
        ...statements.map((statement) => database.prepare(statement)),
        database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
      ]);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message.replace(/^D1_ERROR: /, "") : String(cause);
      throw new Error(`The migration migrations/${name} failed and left the local database as it was: ${reason}.`, { cause });
    }
  }
  return waiting.length;
}

type D1Like = Awaited<ReturnType<Miniflare["getD1Database"]>>;
