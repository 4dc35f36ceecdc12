import { drizzle } from "drizzle-orm/d1";
import { AppError } from "#worker/platform/errors/app-error.ts";

export type Database = ReturnType<typeof drizzle>;

const opened = new WeakMap<D1Database, Database>();

/** Picks the database; the one place to change when accounts and content part (docs/architecture.md). */
export function openDatabase(binding: D1Database | undefined): Database {
  if (!binding) throw new AppError("DATABASE_NOT_CONFIGURED");
  const known = opened.get(binding);
  if (known) return known;
  const database = drizzle(binding);
  opened.set(binding, database);
  return database;
}

/**
 * The database for one request that reads: its first query asks the primary, so that whatever was written before is seen, and what follows
 * from that is read at the replica nearest to it, as new as the first.
 */
export function openForReading(binding: D1Database | undefined): Database {
  if (!binding) throw new AppError("DATABASE_NOT_CONFIGURED");
  const session = binding.withSession("first-primary");
  return drizzle(
    new Proxy(binding, {
      get(primary, name) {
        const from = name === "prepare" || name === "batch" ? session : primary;
        const value: unknown = Reflect.get(from, name, from);
        return typeof value === "function" ? value.bind(from) : value;
      },
    }),
  );
}
