import type { Hono } from "hono";
import { getSession } from "#shared/contracts/account/auth.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { getUserRow, describeUser } from "../users/users.ts";
import { featuresOf } from "./features.ts";

/** Mounts what every page asks first: who is here, and what this deployment offers. */
export function sessionRoutes(app: Hono<AppContext>): void {
  serve(app, getSession, async ({ c, caller }) => ({
    user: caller ? await describeUser(c.env, await getUserRow(c.var.db, caller.userId)) : null,
    features: featuresOf(c.env),
    keeps_nothing: c.var.keepsNothing,
  }));
}
