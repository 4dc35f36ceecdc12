import type { Env } from "#worker/platform/env.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";
import type { PassageIndexRpc } from "./rpc.ts";

/** The index of what an entry holds, by the entry's id; `hint` says where it is best made. */
export function indexOf(env: Env, id: string, hint?: DurableObjectNamespaceGetDurableObjectOptions): DurableObjectStub<PassageIndexRpc> {
  return stubOf<PassageIndexRpc>(env.PASSAGES, id, hint);
}
