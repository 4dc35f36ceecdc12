import { SignJWT } from "jose";
import * as z from "zod/mini";
import { SESSION_IDLE_MS, SESSION_TOKEN_MS } from "#shared/limits.ts";
import { claimsOf, signingKey } from "#worker/people/signing-keys/keys.ts";
import { randomToken, sha256 } from "#worker/platform/random.ts";

/** What seeding needs of D1, whose own types only the Worker's side has. */
type Database<S> = { prepare(query: string): { bind(...values: unknown[]): S }; batch(statements: S[]): Promise<unknown[]> };

/** The session cookie's name over plain http on localhost. */
export const SESSION_COOKIE = "polylogue-session";

/** What a new account begins with, in micro-dollars: the default of `DEFAULT_CREDITS`. */
const CREDITS_MICROS = 5_000_000;

const Found = z.object({ results: z.tuple([z.object({ id: z.string(), name: z.string(), solo: z.number(), team: z.number() })]) });

/**
 * Opens a session for an address as a mailed code would, for a new account where the address has none, and answers the session cookie's value.
 * Nothing is mailed, no guest's chats come along and no invitation is taken: tests of those sign in by mail.
 */
export async function seedAccount<S>(db: Database<S>, { secret, email }: { secret: string; email: string }): Promise<string> {
  const sessionSecret = randomToken();
  const sessionId = await sha256(sessionSecret);
  const now = Date.now();
  const [at, end] = [now, now + SESSION_IDLE_MS].map((time) => new Date(time).toISOString());
  const user = "INSERT INTO users (id, display_name, email, credits_micros, created_at, last_seen_at) VALUES (?, ?, ?, ?, ?, ?)";
  const session =
    "INSERT INTO sessions (id, user_id, user_agent, created_at, last_seen_at, expires_at, proved_at) SELECT ?, id, 'seeded', ?, ?, ?, ? FROM users";
  const found = await db.batch([
    db
      .prepare(`${user} ON CONFLICT DO NOTHING`)
      .bind(crypto.randomUUID(), email.slice(0, email.indexOf("@")), email, CREDITS_MICROS, at, at),
    db.prepare(`${session} WHERE email = ?`).bind(sessionId, at, at, end, at, email),
    db.prepare("SELECT id, display_name AS name, solo_plan AS solo, team_plan AS team FROM users WHERE email = ?").bind(email),
  ]);
  const { id, name, solo, team } = Found.parse(found[2]).results[0];
  const token = await new SignJWT({ sid: sessionId, anonymous: false, name, plan: team ? "team" : solo ? "solo" : "none" })
    .setProtectedHeader({ alg: "HS256", typ: claimsOf("session-token").typ })
    .setAudience(claimsOf("session-token").audience)
    .setSubject(id)
    .setExpirationTime(new Date(now + SESSION_TOKEN_MS))
    .sign(await signingKey({ sessionSecret: secret }, "session-token"));
  return `${sessionSecret}.${token}`;
}
