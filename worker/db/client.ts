import { drizzle } from "drizzle-orm/d1";
import { AppError } from "../http/app-error.ts";

/** The relational database as drizzle sees it. */
export type Database = ReturnType<typeof drizzle>;

/** Picks the database; the one place to change when accounts and content part (README, Scale). */
export function openDatabase(binding: D1Database | undefined): Database {
  if (!binding) throw new AppError("DATABASE_NOT_CONFIGURED");
  return drizzle(binding);
}
