import type { MiddlewareHandler } from "hono";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { AppContext } from "#worker/platform/env.ts";

/** Says, before the database is asked for, that a deployment without one takes no feedback. */
export const requireFeedback: MiddlewareHandler<AppContext> = async (c, next) => {
  if (!c.env.DB) throw new AppError("FEEDBACK_NOT_SUPPORTED");
  await next();
};
