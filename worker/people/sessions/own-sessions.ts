import type { OwnSession } from "#shared/contracts/account/sessions.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { deviceName } from "#worker/people/sessions/device-name.ts";
import { selectSessions } from "./queries.ts";
import { sha256 } from "#worker/platform/random.ts";
import { endSessions } from "./sign-out.ts";

/** The browsers that are signed in to a person's account, the caller's first, then those used last. */
export async function listOwnSessions(db: Database, caller: Caller): Promise<OwnSession[]> {
  const sessions = (await readOwn(db, caller.userId)).map(({ name, row }) => ({
    id: name,
    name: deviceName(row.user_agent),
    is_this: row.id === caller.sessionId,
    keeps_nothing: row.keeps_nothing,
    created_at: row.created_at,
    last_seen_at: row.last_seen_at,
  }));
  return sessions.toSorted((one, other) => Number(other.is_this) - Number(one.is_this));
}

/** Ends one of them, with the sockets and streams that it holds open. Throws NOT_FOUND. */
export async function endOwnSession(env: Env, db: Database, { caller, id }: { caller: Caller; id: string }): Promise<void> {
  const found = (await readOwn(db, caller.userId)).find(({ name }) => name === id);
  if (!found) throw new AppError("NOT_FOUND");
  await endSessions(env, db, { caller: { ...caller, sessionId: found.row.id }, everywhere: false });
}

/** Each by a name of its own, as what it is stored by is nobody's to see. */
async function readOwn(db: Database, userId: string) {
  const rows = await selectSessions(db, userId, new Date().toISOString());
  return Promise.all(rows.map(async (row) => ({ row, name: await sha256(`session|${row.id}`) })));
}
