import type { Outcome } from "#worker/app-error.ts";
import { openDatabase } from "#worker/db/client.ts";
import type { Env } from "#worker/env.ts";
import { loadOnce } from "#worker/load-once.ts";

const finding = loadOnce(() => import("#worker/mcp/find-token.ts"));

/** Access tokens for the user's MCP servers, renewed by one at a time: two renewals of one connection would end it. */
export function createMcpTokens({ env, userId }: { env: Env; userId: string }) {
  const asked = new Map<string, Promise<Outcome<string>>>();

  async function find(connectionId: string, refused: string | null): Promise<Outcome<string>> {
    const { findToken } = await finding();
    return findToken({ env, db: openDatabase(env.DB), userId }, connectionId, refused);
  }

  return {
    /** The token of now; `refused` is one that the server did not take. */
    async token(connectionId: string, refused: string | null): Promise<Outcome<string>> {
      // Whoever comes while one is renewed gets that one, unless it is just this one that was refused.
      const running = await asked.get(connectionId);
      if (running && !(running.ok && running.value === refused)) return running;
      const next = asked.get(connectionId) ?? find(connectionId, refused);
      asked.set(connectionId, next);
      try {
        return await next;
      } finally {
        if (asked.get(connectionId) === next) asked.delete(connectionId);
      }
    },
  };
}
