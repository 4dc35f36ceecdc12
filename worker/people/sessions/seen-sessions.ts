import { SESSION_TOKEN_MS } from "#shared/limits.ts";
import type { KnownSession } from "#worker/platform/env.ts";
import { sha256 } from "#worker/platform/random.ts";
import type { FoundSession } from "./sessions.ts";

/** A session as its row was read, and a digest of what it said of its person. */
export type SeenSession = { found: FoundSession; digest: string };

/** By session, as this isolate last read their rows; what is old here has another digest than the person's hub knows. */
const seen = new Map<string, SeenSession>();
const SEEN_MAX = 1_000;

/** A session whose row was read here; undefined where it was not, or has ended since by its time. */
export function seenSession(id: string): SeenSession | undefined {
  const known = seen.get(id);
  return known && known.found.expiresAt > Date.now() ? known : undefined;
}

/** Keeps what a session's row said that was read `at` (epoch ms) or later: messages may rely on it as long as on a token. */
export async function cacheSession(found: FoundSession, at: number): Promise<Extract<KnownSession, { confirm: null }>> {
  const { caller, models, tools, expiresAt } = found;
  const digest = await sha256(JSON.stringify([caller, models, tools]));
  if (seen.size >= SEEN_MAX) seen.clear();
  seen.set(caller.sessionId, { found, digest });
  return { digest, row: { at, until: Math.min(expiresAt, at + SESSION_TOKEN_MS) }, confirm: null };
}
