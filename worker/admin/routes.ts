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
import type { AppContext } from "../env.ts";
import { ownOrigin } from "../http/origin.ts";
import { serve } from "../http/serve.ts";
import { noteEvent } from "../security/note-event.ts";
import { block, giveAccountCredits, givePlan, removeAccount, signOutAccount, unblock } from "./acts.ts";
import { readAudit } from "./audit-log.ts";
import { readBalances, listPeople } from "./list-users.ts";

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
