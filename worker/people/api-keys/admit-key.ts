import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { hubOf } from "#worker/people/hub/stub.ts";

/** Counts an answer that a key asks for against its month. Throws API_KEY_BUDGET. */
export async function admitKey(env: Env, caller: Caller, replyId: string): Promise<void> {
  const { key, userId } = caller;
  if (!key) return;
  const { isAdmitted } = await hubOf(env, userId).admit({ kind: "key", keyId: key.id, replyId, budgetMicros: key.budgetMicros });
  if (!isAdmitted) throw new AppError("API_KEY_BUDGET");
}
