import type { Env } from "../env.ts";
import type { DriveIndexRpc } from "./rpc.ts";

/** The index of a person's Drive. */
export function driveIndexOf(env: Env, userId: string): DurableObjectStub<DriveIndexRpc> {
  return env.DRIVE_INDEX.getByName(userId);
}
