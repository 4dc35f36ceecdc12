import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { GoogleFault, Person } from "./tokens.ts";

/** An authorization that waits for its code to be exchanged. */
export type Grant = {
  person: Person;
  clientId: string;
  redirectUri: string;
  nonce: string | null;
  /** When the person signed in to Google, in epoch seconds, where that was asked for. */
  authTime: number | null;
  challenge: string | null;
  scope: string;
  /** True where a refresh token was asked for, and where the answer names what was granted before. */
  isOffline: boolean;
  addsEarlier: boolean;
  /** What goes wrong with the exchange of this code alone. */
  fault: GoogleFault | null;
};

/** The codes given out. Each is good for one exchange and for ten minutes. */
export type Codes = { issue(grant: Grant): string; redeem(code: string): Grant | null };

const CODE_LIFETIME_MS = 10 * 60_000;

/** No codes yet. */
export function createCodes(): Codes {
  const open = new Map<string, { grant: Grant; until: number }>();
  return {
    issue(grant) {
      const code = `4/${randomBytes(24).toString("base64url")}`;
      open.set(code, { grant, until: Date.now() + CODE_LIFETIME_MS });
      return code;
    },
    redeem(code) {
      const found = open.get(code);
      open.delete(code);
      return found && found.until > Date.now() ? found.grant : null;
    },
  };
}

const RefreshRequest = z.object({
  grant_type: z.literal("refresh_token"),
  refresh_token: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
});

const TokenRequest = z.object({
  grant_type: z.literal("authorization_code"),
  code: z.string(),
  redirect_uri: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  code_verifier: z.string().optional(),
});

export type Refusal = { status: number; error: string; description: string };

/** The token of a request that renews; null for any other request, and a refusal where the client is none. */
export function readRefresh(body: unknown, client: { id: string; secret: string }): { token: string } | { refusal: Refusal } | null {
  const parsed = RefreshRequest.safeParse(body);
  if (!parsed.success) return null;
  const { client_id: id, client_secret: secret, refresh_token: token } = parsed.data;
  if (id !== client.id || !isEqual(secret, client.secret)) return refuse(401, "invalid_client", "The OAuth client was not found.");
  return { token };
}

/** Checks a token request as Google does: client, single use, redirect address, PKCE. */
export function redeemCode(codes: Codes, body: unknown, client: { id: string; secret: string }): { grant: Grant } | { refusal: Refusal } {
  const parsed = TokenRequest.safeParse(body);
  if (!parsed.success) return refuse(400, "invalid_request", z.prettifyError(parsed.error));
  const request = parsed.data;
  if (request.client_id !== client.id || !isEqual(request.client_secret, client.secret))
    return refuse(401, "invalid_client", "The OAuth client was not found.");
  const grant = codes.redeem(request.code);
  if (!grant || grant.clientId !== request.client_id) return refuse(400, "invalid_grant", "Malformed auth code.");
  if (grant.redirectUri !== request.redirect_uri) return refuse(400, "redirect_uri_mismatch", "Bad Request");
  if (grant.challenge !== null && challengeOf(request.code_verifier ?? "") !== grant.challenge)
    return refuse(400, "invalid_grant", "Invalid code verifier.");
  if (grant.challenge === null && request.code_verifier !== undefined) return refuse(400, "invalid_grant", "code_verifier is not needed.");
  return { grant };
}

function refuse(status: number, error: string, description: string): { refusal: Refusal } {
  return { refusal: { status, error, description } };
}

function challengeOf(verifier: string): string | null {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) ? createHash("sha256").update(verifier).digest("base64url") : null;
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
