import type { Outcome } from "#worker/app-error.ts";
import { openDatabase } from "#worker/db/client.ts";
import type { Env } from "#worker/env.ts";
import { loadOnce } from "#worker/load-once.ts";
import type { TokenOf } from "../rpc.ts";

const ofMcp = loadOnce(() => import("#worker/mcp/find-token.ts"));
const ofGoogle = loadOnce(() => import("#worker/google/find-token.ts"));

/** Access tokens of the user's connections, renewed by one at a time: two renewals of one connection could end it. */
export function createTokens({ env, userId, onEnded }: { env: Env; userId: string; onEnded: () => Promise<void> }) {
  const asked = new Map<string, Promise<Outcome<string>>>();

  async function find(of: TokenOf, refused: string | null): Promise<Outcome<string>> {
    const found = await ask(of, refused);
    // With a reason it ended just now, which the user's tabs show.
    if (!found.ok && found.code === "SIGN_IN_REQUIRED" && found.message !== undefined) await onEnded();
    return found;
  }

  async function ask(of: TokenOf, refused: string | null): Promise<Outcome<string>> {
    const place = { env, db: openDatabase(env.DB), userId };
    if (of.kind === "google") return (await ofGoogle()).findToken(place, refused);
    return (await ofMcp()).findToken(place, of.connectionId, refused);
  }

  return {
    /** The token of now; `refused` is one that the server did not take. */
    async token(of: TokenOf, refused: string | null): Promise<Outcome<string>> {
      const key = of.kind === "google" ? of.kind : of.connectionId;
      // Whoever comes while one is renewed gets that one, unless it is just this one that was refused.
      const running = await asked.get(key);
      if (running && !(running.ok && running.value === refused)) return running;
      const next = asked.get(key) ?? find(of, refused);
      asked.set(key, next);
      try {
        return await next;
      } finally {
        if (asked.get(key) === next) asked.delete(key);
      }
    },
  };
}
