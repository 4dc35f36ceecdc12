import * as z from "zod/mini";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { type Env, configOf } from "#worker/platform/env.ts";
import type { Connections } from "./live/connections.ts";
import type { UserMemory } from "./memory/memory.ts";
import { hasSessionLease } from "./session-leases.ts";
import type { ReplyInput, Reserved } from "#worker/conversation/hub/rpc.ts";
import type { Account } from "./ledger/account.ts";
import { reserve } from "./ledger/ledger.ts";

type Deps = {
  env: Env;
  sql: SqlStorage;
  account: Account;
  connections: Pick<Connections, "makePlace">;
  memory: Pick<UserMemory, "section">;
};

/** Holds back what a reply may cost with the memory that goes along, which is answered; refused for too many turns in a minute, and where too little is left. */
export async function reserveReply(
  { env, sql, account, connections, memory }: Deps,
  { generation = 0, isFollowed = false, memoryAt, amountMicros, session, ...input }: ReplyInput,
): Promise<Outcome<Reserved>> {
  if (session && !hasSessionLease(sql, session)) return { ok: false, code: "UNAUTHENTICATED" };
  await account.ensureGrant();
  // Whoever is too fast costs no rooms that are asked for a place; meanwhile others may have begun.
  const early = readRateWindow(sql, env);
  if (!early.ok) return { ok: false, code: "RATE_LIMITED", retryAfter: early.retryAfter };
  const hasPlace = input.chatId === undefined || (await connections.makePlace());
  if (isFollowed && !hasPlace) return { ok: false, code: "STREAMS_LIMITED" };
  const budget = await account.budgetIn(input.teamId);
  const pace = readRateWindow(sql, env);
  if (!pace.ok) return { ok: false, code: "RATE_LIMITED", retryAfter: pace.retryAfter };
  const section = memoryAt === undefined ? null : memory.section();
  const memoryMicros = Math.ceil((section?.tokens ?? 0) * (memoryAt ?? 0));
  const reserved = reserve(sql, { ...input, generation, amountMicros: amountMicros + memoryMicros }, budget);
  if (!reserved.ok) return reserved;
  storeRateWindow(sql, pace.times, section !== null);
  return {
    ok: true,
    value: {
      ...reserved.value,
      hasPlace,
      memory: section && { text: section.text, ids: section.ids, isUntrusted: section.isUntrusted },
      isSessionLive: session !== undefined,
    },
  };
}

const Times = z.array(z.number());

/** Whether the user may begin a turn now, and the times to keep when they do; reads only. */
function readRateWindow(sql: SqlStorage, env: Env): ReturnType<typeof countWithinMinute> {
  const { turns_at } = sql.exec<{ turns_at: string }>("SELECT turns_at FROM hub").one();
  return countWithinMinute(Times.parse(JSON.parse(turns_at)), { now: Date.now(), limit: configOf(env).limits.turnsPerMinute });
}

/** Keeps when the user's latest turns began, and when memory last went along, in the hub's one row: exact over the object's death, for one written row a turn. */
function storeRateWindow(sql: SqlStorage, times: number[], hasMemory: boolean): void {
  const usedAt = hasMemory ? new Date().toISOString() : null;
  sql.exec("UPDATE hub SET turns_at = ?, memory_used_at = COALESCE(?, memory_used_at)", JSON.stringify(times), usedAt);
}

const MINUTE_MS = 60_000;

/** The times of the last minute with one more, or the seconds to wait where they are as many as may be; a `limit` of 0 is none. Times in epoch milliseconds. */
export function countWithinMinute(
  times: readonly number[],
  { now, limit }: { now: number; limit: number },
): { ok: true; times: number[] } | { ok: false; retryAfter: number } {
  const recent = times.filter((at) => at > now - MINUTE_MS);
  const oldest = recent[recent.length - limit];
  if (limit === 0 || oldest === undefined) return { ok: true, times: [...recent, now] };
  return { ok: false, retryAfter: Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000)) };
}
