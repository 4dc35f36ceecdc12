import type { Hono } from "hono";
import { getSession } from "#shared/contracts/auth.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { getUserRow, toUser } from "../users/users.ts";
import { featuresOf } from "./features.ts";

/** Signing in and out. */
export function authRoutes(app: Hono<AppContext>): void {
  serve(app, getSession, async ({ c, caller }) => ({
    user: caller ? toUser(await getUserRow(c.get("db"), caller.userId)) : null,
    features: featuresOf(c.env),
  }));
}
