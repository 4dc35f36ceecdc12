import type { Hono } from "hono";
import {
  blockUser,
  changePlan,
  deleteUser,
  giveCredits,
  listAudit,
  listBalances,
  listUsers,
  signOutUser,
  unblockUser,
} from "#shared/contracts/account/admin.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { noteEvent } from "#worker/platform/security/note-event.ts";
import { block, giveAccountCredits, givePlan, removeAccount, signOutAccount, unblock } from "./account-actions.ts";
import { listPeople, readBalances } from "./list-users.ts";
import type { AuditEntry } from "#shared/entities/audit.ts";
import { ADMIN_PAGE } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { toPage } from "./page.ts";
import { type AuditRow, selectAudit } from "./queries.ts";

/** Mounts administration: each contract says `admin`, so nobody else reaches a handler. */
export function adminRoutes(app: Hono<AppContext>): void {
  serve(app, listUsers, ({ c, query }) => listPeople(c.env, c.var.db, query));

  serve(app, listBalances, async ({ c, query }) => ({ balances: await readBalances(c.env, c.var.db, query.ids.split(",")) }));

  serve(app, signOutUser, async ({ c, caller, params, body }) => {
    await signOutAccount(c.env, c.var.db, { caller, ...params, ...body });
    return { ok: true as const };
  });

  serve(app, blockUser, async ({ c, caller, params, body }) => {
    const user = await block(c.env, c.var.db, { caller, ...params, ...body });
    noteEvent(c, "block", user.id);
    return { user };
  });

  serve(app, unblockUser, async ({ c, caller, params, body }) => ({
    user: await unblock(c.env, c.var.db, { caller, ...params, ...body }),
  }));

  serve(app, deleteUser, async ({ c, caller, params, body }) => {
    await removeAccount(c.env, c.var.db, { caller, origin: ownOrigin(c), ...params, ...body });
    return { ok: true as const };
  });

  serve(app, changePlan, async ({ c, caller, params, body }) => ({
    user: await givePlan(c.env, c.var.db, { caller, ...params, ...body }),
  }));

  serve(app, giveCredits, async ({ c, caller, params, body }) => ({
    credits: await giveAccountCredits(c.env, c.var.db, { caller, ...params, ...body }),
  }));

  serve(app, listAudit, ({ c, query }) => readAudit(c.var.db, query));
}

/** A page of what administrators did. */
async function readAudit(
  db: Database,
  { subject, cursor }: { subject?: string | undefined; cursor?: string | undefined },
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  if (!Number.isSafeInteger(before)) throw new AppError("INVALID_INPUT", { message: "That page is not there." });
  const rows = await selectAudit(db, { subject, before, limit: ADMIN_PAGE + 1 });
  const { page, nextCursor } = toPage(rows, { limit: ADMIN_PAGE, cursorOf: ({ seq }) => String(seq) });
  return { entries: page.map(toEntry), nextCursor };
}

function toEntry(row: AuditRow): AuditEntry {
  const { id, at, action, reason, before, after } = row;
  const actor = { id: row.actor_id, name: row.actor_name, email: row.actor_email };
  const subject = { kind: row.subject_kind, id: row.subject_id, name: row.subject_name, email: row.subject_email };
  return { id, at, actor, action, reason, subject, before, after };
}
