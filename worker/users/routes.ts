import type { Hono } from "hono";
import { getUser } from "#shared/contracts/users.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { getUserRow, toUser } from "./users.ts";

/** The signed-in person's own record. */
export function userRoutes(app: Hono<AppContext>): void {
  serve(app, getUser, async ({ c, caller }) => ({ user: toUser(await getUserRow(c.get("db"), caller.userId)) }));
}
