import type { Context, Hono } from "hono";
import { getSession } from "#shared/contracts/account/auth.ts";
import type { User } from "#shared/entities/user.ts";
import type { AppContext, Caller } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { contactDetailsOf, describeUser, getUserRow } from "#worker/people/users/users.ts";
import { featuresOf } from "./features.ts";

/** Mounts what every page asks first: who is here, and what this deployment offers. */
export function sessionRoutes(app: Hono<AppContext>): void {
  serve(app, getSession, async ({ c, caller }) => ({
    user: caller && (await describeCaller(c, caller)),
    features: featuresOf(c.env),
    keeps_nothing: c.var.keepsNothing,
  }));
}

/** Who asks by a cookie was read with their session. */
async function describeCaller({ env, var: { db, person } }: Context<AppContext>, { userId }: Caller): Promise<User> {
  return person ? describeUser(env, person.user, contactDetailsOf(env, person)) : describeUser(env, await getUserRow(db, userId));
}
