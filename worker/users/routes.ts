import type { Hono } from "hono";
import { getPicture, getUser, updateUser } from "#shared/contracts/users.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { refreshSession } from "../http/session.ts";
import { servePicture } from "./pictures.ts";
import { changeUser, describeUser, getUserRow } from "./users.ts";

/** Mounts the caller's own record. */
export function userRoutes(app: Hono<AppContext>): void {
  serve(app, getUser, async ({ c, caller }) => ({
    user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)),
  }));

  serve(app, updateUser, async ({ c, caller, body }) => {
    const user = await changeUser(c.var.db, caller.userId, body);
    // The cookie's token says the name: without a new one this browser would write under the old for five minutes.
    if (body.display_name !== undefined) await refreshSession(c);
    return { user: await describeUser(c.env, user) };
  });

  serve(app, getPicture, ({ c, params }) => servePicture(c.env, params.id));
}
