import * as z from "zod/mini";
import { CODE_MIN_LENGTH, FRESH_OWN_MIN } from "#shared/limits.ts";
import { User } from "#shared/entities/user.ts";
import { EmailAddress, Ok } from "./auth.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const startAdditionalEmail = endpoint("POST", "/api/email/additional/start", {
  summary: "Mail a 6-digit code to another address of the caller; needs a sign-in of the last 60 minutes",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  repeat: "same",
  body: z.object({ email: EmailAddress }),
  response: Ok,
});

export const verifyAdditionalEmail = endpoint("POST", "/api/email/additional/verify", {
  summary: "Prove the address that the last code was mailed to; it belongs to the caller's account from then on",
  access: "account",
  repeat: "spent",
  body: z.object({
    code: z.string().check(z.trim(), z.minLength(CODE_MIN_LENGTH, "Enter the code from the mail."), z.maxLength(12)),
  }),
  response: z.object({ user: User }),
});

export const deleteAdditionalEmail = endpoint("POST", "/api/email/additional/delete", {
  summary: "Remove an additional address: what it sends is a stranger's from now on; needs a sign-in of the last 60 minutes",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  repeat: "same",
  body: z.object({ email: EmailAddress }),
  response: z.object({ user: User }),
});

/** How a mail domain proves its mails: what was found in its DNS. */
export const EmailAuthentication = z.object({
  hasAuthentication: z.boolean(),
  domain: z.string(),
  methods: z.array(z.enum(["dkim", "dmarc"])),
  dkim: z.boolean(),
  dmarc: z.boolean(),
  /** What could not be looked up; null where everything was. */
  error: z.nullable(z.string()),
});
export type EmailAuthentication = z.infer<typeof EmailAuthentication>;

export const checkEmailAuthentication = endpoint("POST", "/api/email/check-authentication", {
  summary: "Whether the domain of the caller's own address has DKIM or DMARC; without either, a mail says how to set them up",
  access: "account",
  repeat: "same",
  /** `userId` is not read: the session says who asks. */
  body: z.object({ userId: z.optional(z.string()) }),
  response: EmailAuthentication,
});
