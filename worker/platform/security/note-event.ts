import type { Context } from "hono";
import type { SecurityEvent } from "#shared/security-events.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { networkToLog } from "#worker/platform/requests/network-of.ts";
import { pathToLog } from "#worker/platform/requests/path-to-log.ts";
import { requestIdOf } from "#worker/platform/requests/request-id.ts";
import { log } from "#worker/platform/log.ts";
import { countEvent } from "./counts.ts";

/** Notes a security event: one line with the account where one is known, the call, which says by which way somebody signed in, and no address of anybody's; and counts it. */
export function noteEvent(c: Context<AppContext>, kind: SecurityEvent, account: string | null = c.get("caller")?.userId ?? null): void {
  const network = networkToLog(c.req.header("cf-connecting-ip") ?? "local");
  log.event("security", { kind, account, network, path: pathToLog(c.req.path), request: requestIdOf(c) });
  c.executionCtx.waitUntil(countEvent(c.env, kind));
}

/** Notes a refusal that somebody ran into who tries what they may not. */
export function noteRefusal(c: Context<AppContext>, error: unknown): void {
  const kind = error instanceof AppError ? (KINDS[error.code] ?? kindByPlace(c, error.code)) : null;
  if (kind !== null) noteEvent(c, kind);
}

/** Left out is what a person meets in a day's work: an ended session, a sign-in that is no longer fresh, what their plan does not have. */
const KINDS: Partial<Record<ErrorCode, SecurityEvent>> = {
  ACCOUNT_BLOCKED: "blocked",
  CODE_RATE_LIMITED: "limited",
  CODE_TRIES_LIMITED: "limited",
  EMAIL_IN_USE: "refused",
  FORBIDDEN: "refused",
  FOREIGN_ORIGIN: "foreign-origin",
  INVALID_CODE: "wrong-code",
  INVALID_LINK: "wrong-code",
  INVITATIONS_LIMITED: "limited",
  INVITE_INVALID: "wrong-code",
  INVITE_REQUIRED: "refused",
  LINK_ONLY: "limited",
  MEMBERS_RESTRICTED: "refused",
  NUMBER_TRIES_LIMITED: "limited",
  RATE_LIMITED: "limited",
  TEAM_ADMINS_ONLY: "refused",
  TEAM_INVITATION_MISMATCH: "refused",
  TEAM_INVITATION_NOT_FOUND: "wrong-code",
  TEAM_NOT_FOUND: "foreign-id",
  WRONG_CODES_TODAY: "limited",
};

const WEBHOOK = /\/webhook(?:\/|$)/;
const ADMINISTRATION = /^\/api\/admin\//;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

/** What a missing thing or a missing session means depends on where it was asked for. */
function kindByPlace(c: Context<AppContext>, code: ErrorCode): SecurityEvent | null {
  const { path } = c.req;
  if (WEBHOOK.test(path)) return code === "UNAUTHENTICATED" || code === "NOT_FOUND" ? "wrong-signature" : null;
  if (code !== "NOT_FOUND") return null;
  if (ADMINISTRATION.test(path)) return "refused";
  if (c.get("caller") && UUID.test(path)) return "foreign-id";
  // Tokens and codes that nobody gave out.
  return pathToLog(path) === path ? null : "wrong-code";
}
