import type { Env } from "#worker/platform/env.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";
import type { DriveIndexRpc } from "./rpc.ts";

export function driveIndexOf(env: Env, userId: string): DurableObjectStub<DriveIndexRpc> {
  return stubOf<DriveIndexRpc>(env.DRIVE_INDEX, userId);
}
