import type { Env } from "../env.ts";
import type { PassageIndexRpc } from "./rpc.ts";

/** The index of what an entry holds, by the entry's id. */
export function indexOf(env: Env, id: string): DurableObjectStub<PassageIndexRpc> {
  return env.PASSAGES.getByName(id);
}
