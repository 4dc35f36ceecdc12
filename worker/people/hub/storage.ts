import { formatBytes } from "#shared/attachment-rules.ts";
import { STORAGE_BYTES } from "#shared/limits.ts";
import type { Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { hubOf } from "./stub.ts";

/** Files on their way to a chat of `ownerId`, or to what `of` names, held by an `id` of their own; at most so many bytes. */
type Arriving = { ownerId: string; userId: string; id: string; bytes: number; of?: string };

/** Does what stores files once there is room for them in their owner's quota, and holds that room meanwhile. Throws STORAGE_FULL, or STORAGE_NOT_CONFIGURED where none is bound, before any of it. */
export async function withinStorage<T>(
  env: Env,
  { ownerId, userId, id, bytes, of = "this chat" }: Arriving,
  store: () => Promise<T>,
): Promise<T> {
  if (!env.FILES) throw new AppError("STORAGE_NOT_CONFIGURED");
  const hub = hubOf(env, ownerId);
  const { isReserved, used } = await hub.holdStorage({ id, bytes });
  if (!isReserved) throw storageFull({ used, isOwn: ownerId === userId, of });
  try {
    return await store();
  } finally {
    // What was stored is stored, and a hold ends by itself within the hour.
    await hub.releaseStorage(id).catch((cause: unknown) => log.warn("reserved storage was not released", { cause }));
  }
}

type Room = { ownerId: string; userId: string; used: number; bytes: number; of: string };

/** Refuses what exceeds a quota with so many bytes used; `of` names what another owns. Throws STORAGE_FULL. */
export function refuseStorage({ ownerId, userId, used, bytes, of }: Room): void {
  if (used + bytes > STORAGE_BYTES) throw storageFull({ used, isOwn: ownerId === userId, of });
}

function storageFull({ used, isOwn, of }: { used: number; isOwn: boolean; of: string }): AppError {
  const quota = `${formatBytes(used)} of your ${formatBytes(STORAGE_BYTES)}`;
  const own = `Your files take ${quota}, which leaves no room for this. Delete artifacts, or chats and knowledge with files, to make room.`;
  return new AppError("STORAGE_FULL", { message: isOwn ? own : `The storage of ${of}'s owner is full.` });
}
