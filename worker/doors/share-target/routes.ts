import type { Hono } from "hono";
import { pathWithText, SHARE_TARGET, sharedParts, sharedText } from "#shared/sharing/share-target.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { AppContext } from "#worker/platform/env.ts";

/** Files come along in the same form, which is then not read: a text is nothing like as large, in bytes. */
const READ_MAX = 1_000_000;

/** What is shared with the application where its service worker, which keeps files too, is not there: the text goes into a new chat. */
export function shareTargetRoutes(app: Hono<AppContext>): void {
  app.post(SHARE_TARGET, async (c) => {
    // What the system passes on comes from no site at all.
    const site = c.req.header("sec-fetch-site");
    if (site === "cross-site" || site === "same-site") throw new AppError("FOREIGN_ORIGIN");
    const isRead = Number(c.req.header("content-length") ?? Number.POSITIVE_INFINITY) <= READ_MAX;
    // A form that cannot be read shares nothing, and its sender still comes to a new chat.
    const form = isRead ? await c.req.formData().catch(() => null) : null;
    return c.redirect(pathWithText(form ? sharedText(sharedParts(form)) : ""), 303);
  });
}
