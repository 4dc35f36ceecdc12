import * as z from "zod/mini";

/**
 * A mail that was not taken. `refused`: it never will be. `later`: it was not sent and may be tried again. `unsure`: it may have
 * been sent, so only a service with keys may be asked again. `code` is the service's own name for it.
 */
export type MailFailure = { ok: false; kind: "refused" | "later" | "unsure"; code: string; cause: unknown };

/** A service's own name for what was wrong; its sentences may repeat who was written to. */
const Named = z.object({ name: z.string().check(z.regex(/^[A-Za-z]\w{0,59}$/)) });
const Coded = z.object({ code: z.string() });

/** What the binding throws where another try may succeed (email.md, B). */
const LATER = new Set(["E_RATE_LIMIT_EXCEEDED", "E_DAILY_LIMIT_EXCEEDED"]);
const UNSURE = new Set(["E_INTERNAL_SERVER_ERROR", "E_DELIVERY_FAILED"]);

/** How Resend refused (email.md, C). */
export function refusalOf(status: number, answer: string): MailFailure {
  const named = Named.safeParse(toJson(answer));
  const code = named.success ? named.data.name : `HTTP_${status}`;
  const cause = new Error(`Resend answered ${status} (${code})`);
  if (status === 429 || code === "concurrent_idempotent_requests") return { ok: false, kind: "later", code, cause };
  // It may have taken the mail before it failed.
  if (status >= 500) return { ok: false, kind: "unsure", code, cause };
  return { ok: false, kind: "refused", code, cause };
}

/** True where Resend knows the key of a mail that it took before, with another content. */
export function isKnownKey(status: number, answer: string): boolean {
  return status === 409 && Named.safeParse(toJson(answer)).data?.name === "invalid_idempotent_request";
}

/** What the platform's binding says of a mail that it did not take; null for what it did not say. */
export function saidByBinding(cause: unknown): MailFailure | null {
  const coded = Coded.safeParse(cause);
  if (!coded.success || !coded.data.code.startsWith("E_")) return null;
  const { code } = coded.data;
  return { ok: false, kind: LATER.has(code) ? "later" : UNSURE.has(code) ? "unsure" : "refused", code, cause };
}

/** Nobody knows whether it was sent. */
export function unsure(cause: unknown): MailFailure {
  return { ok: false, kind: "unsure", code: "UNSURE", cause };
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy before the service may answer with a page.
    return null;
  }
}
