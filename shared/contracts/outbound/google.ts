import * as z from "zod/mini";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { GoogleConnection } from "#shared/entities/outbound/google-connection.ts";

/** Characters of a query's longest value. */
const QUERY_LENGTH = 4_000;

const text = z.optional(z.string().check(z.maxLength(QUERY_LENGTH)));

export const getGoogleStatus = endpoint("GET", "/api/gmail/connection-status", {
  summary: "Whether the caller's Google account is connected, which one, what was granted, and why it does not work where it does not",
  access: "account",
  response: GoogleConnection,
});

export const disconnectGoogle = endpoint("DELETE", "/api/gmail/connection-status", {
  summary: "Give the caller's grant back to Google and forget all that came by it",
  access: "account",
  response: z.object({ ok: z.literal(true) }),
});

export const connectGoogle = endpoint("GET", "/api/auth/gmail/connect", {
  summary:
    "Leads a browser to Google to grant what these features need (gmail and drive with a comma between; all that is on here unless given)",
  access: "anyone",
  query: z.object({ features: text, returnUrl: text }),
});

export const finishGoogleConnect = endpoint("GET", "/api/auth/gmail/callback", {
  summary: "Where Google returns to; redirects to the page that began with gmail_success or gmail_error",
  access: "anyone",
  query: z.object({ code: text, state: text, error: text }),
});
