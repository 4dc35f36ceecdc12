import type { Context, Hono } from "hono";
import { deletePicture, getPicture, getUser, putPicture, updateUser } from "#shared/contracts/account/users.ts";
import { NAME_CHANGES_PER_HOUR } from "#shared/limits.ts";
import type { AppContext, Caller } from "../env.ts";
import { countOrRefuse, hourly } from "../http/rate-limit.ts";
import { serve } from "../http/serve.ts";
import { refreshSession } from "../http/session.ts";
import { notifyContacts } from "../sharing/people.ts";
import { hubOf } from "../user-hub/stub.ts";
import { changePicture, removePicture, servePicture } from "./pictures.ts";
import { checkTriggered } from "./triggered.ts";
import { changeUser, describeUser, getUserRow } from "./users.ts";

/** Mounts the caller's own record. */
export function userRoutes(app: Hono<AppContext>): void {
  serve(app, getUser, async ({ c, caller }) => ({
    user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)),
  }));

  serve(app, updateUser, async ({ c, caller, body }) => {
    await checkTriggered(c.env, c.var.db, caller, body);
    const isRenaming = body.display_name !== undefined && body.display_name !== (await getUserRow(c.var.db, caller.userId)).display_name;
    // Each new name is sent to up to a hundred others.
    if (isRenaming) await countOrRefuse(c.env, `names:${caller.userId}`, hourly(NAME_CHANGES_PER_HOUR), "RATE_LIMITED");
    const user = await changeUser(c.var.db, caller.userId, body);
    // The cookie's token says the name: without a new one this browser would write under the old for five minutes.
    if (body.display_name !== undefined) await refreshSession(c);
    // What a browser reports by itself is no news for the others.
    if (Object.keys(body).some((field) => field !== "browser_time_zone")) notifyTabs(c, caller);
    if (isRenaming) notifyOthers(c, caller);
    return { user: await describeUser(c.env, user) };
  });

  serve(app, putPicture, async ({ c, caller }) => {
    await changePicture(c.env, c.var.db, caller.userId, c.req.raw);
    notifyTabs(c, caller);
    notifyOthers(c, caller);
    return { user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)) };
  });

  serve(app, deletePicture, async ({ c, caller }) => {
    if (await removePicture(c.env, c.var.db, caller.userId)) {
      notifyTabs(c, caller);
      notifyOthers(c, caller);
    }
    return { user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)) };
  });

  serve(app, getPicture, ({ c, params }) => servePicture(c.env, params.id));
}

/** Their other tabs read the person again; nobody waits for that. */
function notifyTabs(c: Context<AppContext>, { userId }: Caller): void {
  c.executionCtx.waitUntil(hubOf(c.env, userId).noteUserChanged());
}

function notifyOthers(c: Context<AppContext>, { userId }: Caller): void {
  c.executionCtx.waitUntil(notifyContacts(c.env, c.var.db, userId));
}
