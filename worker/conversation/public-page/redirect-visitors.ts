import type { MiddlewareHandler } from "hono";
import { isUuid } from "#shared/uuid.ts";
import { isPublic } from "#worker/people/owned-chats/owned-chats.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { readCookie } from "#worker/platform/http/cookies.ts";

/** Leads a visitor from a published chat's address to its public page. */
export const redirectVisitors: MiddlewareHandler<AppContext, "/c/:id"> = async (c, next) => {
  const id = c.req.param("id");
  // Whoever has a session may be a member; the application finds out.
  const isVisitor = readCookie(c, "session") === undefined;
  return isVisitor && isUuid(id) && (await isPublic(openDatabase(c.env.DB), id))
    ? c.redirect(`/p/${id}${new URL(c.req.url).search}`, 302)
    : next();
};
