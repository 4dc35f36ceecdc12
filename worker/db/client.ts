import { drizzle } from "drizzle-orm/d1";
import { AppError } from "../app-error.ts";

/** The relational database as drizzle sees it. */
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
