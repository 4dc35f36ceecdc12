import type { PushDevice } from "#shared/contracts/account/push.ts";
import { PUSH_DEVICES_MAX } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { importReceiver } from "#worker/platform/clients/push/encrypt.ts";
import { isPushAddress, type PushTarget } from "#worker/platform/clients/push/send-push.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import type { PushConfig } from "#worker/platform/config/push.ts";
import { deviceName } from "#worker/people/sessions/device-name.ts";
import { deleteDevice, hasDeviceAt, type PushDeviceRow, replaceDevice, selectDevices } from "./queries.ts";

/** The devices of the caller that are notified by push, oldest first. */
export async function listDevices(db: Database, { userId, sessionId }: Caller): Promise<PushDevice[]> {
  const rows = await selectDevices(db, userId, new Date().toISOString());
  return rows.map((row) => toDevice(row, sessionId));
}

/** Ids of a user's devices that can be notified now. */
export async function deviceIds(db: Database, userId: string): Promise<string[]> {
  return (await selectDevices(db, userId, new Date().toISOString())).map(({ id }) => id);
}

type Adding = {
  caller: Caller;
  config: PushConfig;
  subscription: PushTarget;
  /** The address where the browser was notified before, as it says. */
  replaces?: string | undefined;
  userAgent: string;
};

/**
 * Has the caller's browser notified from now on, until its session ends; whoever had it before no longer is.
 * Throws INVALID_INPUT for what is no subscription at a public push service, PUSH_DEVICES_FULL, and CONFLICT where the session
 * has no device at the address that is replaced: nobody who signed in since has asked for any.
 */
export async function addDevice(
  env: Env,
  db: Database,
  { caller, config, subscription, replaces, userAgent }: Adding,
): Promise<PushDevice> {
  const { userId, sessionId } = caller;
  const { endpoint, p256dh, auth } = subscription;
  // A repeat finds what it made.
  if (replaces !== undefined && !(await hasDeviceAt(db, sessionId, [replaces, endpoint]))) throw new AppError("CONFLICT");
  if (!(await isPushAddress(env, config, endpoint).catch(() => false)))
    throw new AppError("INVALID_INPUT", { message: "This browser's push service cannot be reached from here." });
  await importReceiver(subscription).catch((cause: unknown) => {
    throw new AppError("INVALID_INPUT", { message: "The subscription's key is none.", cause });
  });
  const row = {
    id: crypto.randomUUID(),
    user_id: userId,
    session_id: sessionId,
    endpoint,
    p256dh,
    auth,
    name: deviceName(userAgent),
    created_at: new Date().toISOString(),
  };
  const stored = await replaceDevice(db, row, PUSH_DEVICES_MAX);
  if (!stored) {
    const isFull = (await selectDevices(db, userId, "")).length >= PUSH_DEVICES_MAX;
    throw new AppError(isFull ? "PUSH_DEVICES_FULL" : "CONFLICT");
  }
  await hubOf(env, userId).noteUserChanged();
  return toDevice(stored, sessionId);
}

export async function removeDevice(env: Env, db: Database, device: { userId: string; id: string }): Promise<void> {
  await deleteDevice(db, device);
  await hubOf(env, device.userId).noteUserChanged();
}

function toDevice({ id, name, created_at, session_id }: PushDeviceRow, sessionId: string): PushDevice {
  return { id, name, created_at, is_this: session_id === sessionId };
}
