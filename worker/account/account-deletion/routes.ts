import type { Hono } from "hono";
import { deleteAccount, previewDeletion, type DeletionPreview } from "#shared/contracts/account/deletion.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { AppContext, Env } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { dropSession } from "#worker/people/callers/session.ts";
import { getUserRow } from "#worker/people/users/users.ts";
import { beginDeletion } from "./begin.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { leaderlessTeams, teamsOfOneMember } from "#worker/people/teams/depart.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { selectCounts } from "./queries.ts";

export function accountDeletionRoutes(app: Hono<AppContext>): void {
  serve(app, previewDeletion, ({ c, caller }) => describeDeletion(c.env, c.var.db, caller.userId));

  serve(app, deleteAccount, async ({ c, caller, body }) => {
    const { email } = await getUserRow(c.var.db, caller.userId);
    if (body.email !== email) throw new AppError("INVALID_INPUT", { message: "That is not this account\u2019s address." });
    await beginDeletion(c.env, c.var.db, { userId: caller.userId, origin: ownOrigin(c) });
    dropSession(c);
    return { ok: true as const };
  });
}

/** What is deleted with an account, shown to its owner beforehand. */
async function describeDeletion(env: Env, db: Database, userId: string): Promise<DeletionPreview> {
  const hub = hubOf(env, userId);
  const [counts, credits, storedBytes, lone, leaderless] = await Promise.all([
    selectCounts(db, userId),
    hub.credits(),
    hub.storedBytes(),
    teamsOfOneMember(db, userId),
    leaderlessTeams(db, userId),
  ]);
  return { ...counts, credits: fromMicros(credits), storedBytes, loneTeams: lone, leaderlessTeams: leaderless };
}
