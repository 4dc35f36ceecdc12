import { configOf, type Env } from "#worker/platform/env.ts";

/** The address that the user's mails lead to: the deployment's own, else the one that their last tab came from; null before the first. */
export function readOrigin(env: Env, sql: SqlStorage): string | null {
  return configOf(env).origin ?? sql.exec<{ origin: string | null }>("SELECT origin FROM hub").one().origin;
}

/** Keeps where a tab came from, where the deployment names no address of its own. */
export function storeOrigin(env: Env, sql: SqlStorage, origin: string | null): void {
  if (origin !== null && configOf(env).origin === undefined && readOrigin(env, sql) !== origin)
    sql.exec("UPDATE hub SET origin = ?", origin);
}
