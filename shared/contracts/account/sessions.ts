import * as z from "zod/mini";
import { Timestamp } from "#shared/entities/ids.ts";
import { FRESH_OWN_MIN } from "#shared/limits.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { Ok } from "./auth.ts";

/** A browser that is signed in: `name` is what people know it by, `last_seen_at` exact to the hour. */
const OwnSession = z.object({
  id: z.string(),
  name: z.string(),
  is_this: z.boolean(),
  keeps_nothing: z.boolean(),
  created_at: Timestamp,
  last_seen_at: Timestamp,
});
export type OwnSession = z.infer<typeof OwnSession>;

export const listSessions = endpoint("GET", "/api/auth/sessions", {
  summary: "The browsers that are signed in to the caller's account, the one of the call first, then those used last",
  access: "account",
  response: z.object({ sessions: z.array(OwnSession) }),
});

export const endSession = endpoint("DELETE", "/api/auth/sessions/:id", {
  summary: "Sign one of these browsers out; needs a sign-in of the last 60 minutes",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  params: z.object({ id: z.string().check(z.regex(/^[\w-]{43}$/)) }),
  response: Ok,
});
