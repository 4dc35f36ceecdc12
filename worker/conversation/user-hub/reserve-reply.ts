import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Connections } from "./live/connections.ts";
import type { UserMemory } from "./memory/memory.ts";
import { hasSessionLease } from "./session-leases.ts";
import { storeRateWindow, readRateWindow } from "./rate-window.ts";
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
