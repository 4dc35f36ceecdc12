import type { Hono } from "hono";
import { sendFeedback } from "#shared/contracts/account/feedback.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { storeFeedback, mailFeedback } from "./feedback.ts";

/** Each is a row and a mail, so one person gets this many an hour. */
const FEEDBACK_PER_HOUR = 20;

/** Mounts sending feedback; the mail goes out after the answer. */
export function feedbackRoutes(app: Hono<AppContext>): void {
  // Visitors and guests get the feedback form's own text rather than the general one.
  app.post(sendFeedback.path, async (c, next) => {
    const caller = c.get("caller");
    if (!caller || caller.anonymous) throw new AppError("FEEDBACK_SIGN_IN");
    await next();
  });

  serve(app, sendFeedback, async ({ c, caller, body }) => {
    const feedback = { userId: caller.userId, message: body.message, origin: ownOrigin(c) };
    await countOrRefuse(c.env, `feedback:${caller.userId}`, hourly(FEEDBACK_PER_HOUR), "RATE_LIMITED");
    await storeFeedback(c.env, c.get("db"), feedback);
    c.executionCtx.waitUntil(mailFeedback(c.env, c.get("db"), feedback));
    return { ok: true as const };
  });
}
