/** First answers to requests with an Idempotency-Key, kept for a day, so the same request again has no second effect. */
import type { Claim, Claimed } from "#worker/people/hub/rpc.ts";

/** How long an answer is kept, in milliseconds (decisions, Endpoints). */
const ANSWER_RETENTION_MS = 24 * 60 * 60_000;
/** A request that was never answered counts as lost after this many milliseconds, and may be made again. */
const LOST_MS = 60_000;
/** A repeat waits this long for the first one's answer, in milliseconds. */
const WAIT_MS = 20_000;

export type Answers = {
  /** Claims a key for the request with this hash; one that is being worked on is waited for. */
  claim(claim: Claim): Promise<Claimed>;
  /** Keeps the answer that a claimed key led to; null lets the key go, as a failed request may be made again. */
  settle(key: string, body: string | null): void;
};

/** The answers of one user. */
export function createIdempotentAnswers(sql: SqlStorage): Answers {
  const working = new Map<string, PromiseWithResolvers<void>>();
  return {
    async claim(claim) {
      let claimed = claimKey(sql, claim);
      const first = claimed.kind === "running" ? working.get(claim.key) : undefined;
      if (first) {
        await Promise.race([first.promise, new Promise((resolve) => setTimeout(resolve, WAIT_MS))]);
        claimed = claimKey(sql, claim);
      }
      if (claimed.kind === "new") working.set(claim.key, Promise.withResolvers());
      return claimed;
    },
    settle(key, body) {
      settleKey(sql, key, body);
      working.get(key)?.resolve();
      working.delete(key);
    },
  };
}

function claimKey(sql: SqlStorage, { key, hash }: Claim): Claimed {
  const now = Date.now();
  sql.exec("DELETE FROM answers WHERE at <= ? OR (body IS NULL AND at <= ?)", now - ANSWER_RETENTION_MS, now - LOST_MS);
  const known = sql.exec<{ hash: string; body: string | null }>("SELECT hash, body FROM answers WHERE key = ?", key).toArray()[0];
  if (!known) {
    sql.exec("INSERT INTO answers (key, hash, at) VALUES (?, ?, ?)", key, hash, now);
    return { kind: "new" };
  }
  if (known.hash !== hash) return { kind: "other" };
  return known.body === null ? { kind: "running" } : { kind: "answered", body: known.body };
}

function settleKey(sql: SqlStorage, key: string, body: string | null): void {
  if (body === null) sql.exec("DELETE FROM answers WHERE key = ?", key);
  else sql.exec("UPDATE answers SET body = ? WHERE key = ?", body, key);
}
