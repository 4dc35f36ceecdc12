import * as z from "zod/mini";
import { FEEDBACK_LENGTH } from "#shared/limits.ts";
import { Ok } from "./auth.ts";
import { someText } from "#shared/contracts/as-name.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const sendFeedback = endpoint("POST", "/api/feedback", {
  summary: "Send feedback or ask for a model; stored, and mailed to the operator",
  access: "account",
  repeat: "key",
  body: z.object({
    /** Accepted and ignored: the session says who writes. */
    userId: z.optional(z.unknown()),
    message: z.string().check(z.trim(), someText("Write a message first."), z.maxLength(FEEDBACK_LENGTH, "That message is too long.")),
  }),
  response: Ok,
});
