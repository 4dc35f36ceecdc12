import * as z from "zod/mini";
import { CODE_MIN_LENGTH, EMAIL_LENGTH, FRESH_OWN_MIN, LINK_TOKEN_LENGTH } from "#shared/limits.ts";
import { Features, User } from "#shared/entities/user.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

/** A mail address, trimmed and in lower case; dots and +tags stay, as they are other mailboxes at many providers. */
export const EmailAddress = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, "Email is required"),
    z.maxLength(EMAIL_LENGTH, "That address is too long."),
    z.email("Enter a valid email address."),
  );

export const Ok = z.object({ ok: z.literal(true) });

/**
 * True from the page that a Google account whose address Google does not speak for is led to, and from the link of a mail that was asked for
 * there: that account, which this browser remembers, opens the mailed address's from now on. From no other page it is set.
 */
const JoinsGoogle = z.optional(z.boolean());

export const getSession = endpoint("GET", "/api/auth/session", {
  summary: "Who is signed in, and what this deployment offers",
  access: "anyone",
  response: z.object({
    user: z.nullable(User),
    features: Features,
    /** True where the person wants nothing kept on this device. */
    keeps_nothing: z.boolean(),
  }),
});

export const startEmailSignIn = endpoint("POST", "/api/auth/email/start", {
  summary: "Mail a 6-digit sign-in code, which holds in the asking browser alone, and a link that holds in any",
  access: "anyone",
  repeat: "same",
  body: z.object({
    email: EmailAddress,
    returnUrl: z.optional(z.string()),
    invite: z.optional(z.string()),
    /** True where the mail's link is to join Google too. */
    joins_google: JoinsGoogle,
  }),
  /** True where the mail has no code: too many wrong ones were entered for the address today. */
  response: z.object({ ok: z.literal(true), link_only: z.boolean() }),
});

export const verifyEmailSignIn = endpoint("POST", "/api/auth/email/verify", {
  summary: "Exchange a code for a session",
  access: "anyone",
  repeat: "spent",
  body: z.object({
    email: EmailAddress,
    code: z.string().check(z.trim(), z.minLength(CODE_MIN_LENGTH, "Enter the code from the mail."), z.maxLength(12)),
    invite: z.optional(z.string()),
    /** True where nothing is to stay on the device: the session ends with the browser, or 12 hours after its last use. */
    keeps_nothing: z.optional(z.boolean()),
    joins_google: JoinsGoogle,
  }),
  response: z.object({ user: User }),
});

export const signInByLink = endpoint("POST", "/api/auth/email/link", {
  summary: "Exchange the token of a sign-in mail's link for a session, once",
  access: "anyone",
  repeat: "spent",
  body: z.object({
    token: z.string().check(z.minLength(1), z.maxLength(LINK_TOKEN_LENGTH)),
    invite: z.optional(z.string()),
    keeps_nothing: z.optional(z.boolean()),
    joins_google: JoinsGoogle,
  }),
  response: z.object({ user: User }),
});

export const startGoogleSignIn = endpoint("GET", "/api/auth/google/start", {
  summary: "Redirect to Google's sign-in",
  access: "anyone",
  query: z.object({
    returnUrl: z.optional(z.string()),
    invite: z.optional(z.string()),
    /** Set where who is signed in proves it again, in a window of its own that tells the page that opened it. */
    again: z.optional(z.literal("1")),
    keeps_nothing: z.optional(z.literal("1")),
    /** Where a failure is shown: on the login page unless given, or on the page of `returnUrl`, which has a form of its own. */
    failure: z.optional(z.enum(["login", "page"])),
  }),
});

export const finishGoogleSignIn = endpoint("GET", "/api/auth/google/callback", {
  summary: "Where Google returns to",
  access: "anyone",
  query: z.object({ code: z.optional(z.string()), state: z.optional(z.string()), error: z.optional(z.string()) }),
});

export const checkFreshSignIn = endpoint("GET", "/api/auth/fresh", {
  summary: "Whether the caller proved in the last 60 minutes who they are, asked before a page is left for what needs it",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  response: Ok,
});

export const signOut = endpoint("POST", "/api/auth/signout", {
  summary: "End this session, or all of them, which needs a sign-in of the last 60 minutes",
  access: "user",
  repeat: "spent",
  body: z.object({ everywhere: z.optional(z.boolean()) }),
  response: Ok,
});
