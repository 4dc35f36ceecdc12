import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Features } from "#worker/conversation/features.ts";
import type { TokenOf } from "#worker/conversation/hub/rpc.ts";

type Deps = { env: Env; userId: string; findToken: Features["findToken"]; onEnded: () => Promise<void> };

/** Access tokens of the user's connections, renewed by one at a time: two renewals of one connection could end it. */
export function createTokens({ env, userId, findToken, onEnded }: Deps) {
  const asked = new Map<string, Promise<Outcome<string>>>();

  async function find(of: TokenOf, refused: string | null): Promise<Outcome<string>> {
    const found = await findToken({ env, db: openDatabase(env.DB), userId }, of, refused);
    // With a reason it ended just now, which the user's tabs show.
    if (!found.ok && found.code === "SIGN_IN_REQUIRED" && found.message !== undefined) await onEnded();
    return found;
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
