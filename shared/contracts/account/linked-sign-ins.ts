import * as z from "zod/mini";
import { Timestamp } from "#shared/entities/ids.ts";
import { FRESH_OWN_MIN } from "#shared/limits.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { Ok } from "./auth.ts";

/** An outside sign-in that opens an account: the address that it goes by at its provider, null where it was not used for long. */
const LinkedSignIn = z.object({ id: z.string(), provider: z.enum(["google"]), email: z.nullable(z.string()), linked_at: Timestamp });
export type LinkedSignIn = z.infer<typeof LinkedSignIn>;

export const listLinkedSignIns = endpoint("GET", "/api/auth/linked-sign-ins", {
  summary: "The outside sign-ins that open the caller's account",
  access: "account",
  response: z.object({ linked: z.array(LinkedSignIn) }),
});

export const endLinkedSignIn = endpoint("DELETE", "/api/auth/linked-sign-ins/:id", {
  summary: "Have an outside sign-in open the account no more, and sign out everywhere else; needs a sign-in of the last 60 minutes",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  params: z.object({ id: z.string().check(z.regex(/^[\w-]{43}$/)) }),
  response: Ok,
});
