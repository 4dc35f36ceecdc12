import type { PushKinds } from "#shared/contracts/account/push.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { NoticeKind } from "#worker/mail/notifications/notice.ts";
import { selectPushSettings, setMuted } from "./queries.ts";

/** About what a person wants pushes, and how many devices they have. */
export type PushSettings = { kinds: PushKinds; devices: number };

/** What a person wants of pushes; null for who is gone or blocked. */
export async function pushSettings(db: Database, userId: string): Promise<PushSettings | null> {
  const settings = await selectPushSettings(db, userId);
  return settings ? { kinds: toKinds(settings.muted), devices: settings.devices } : null;
}

/** Changes about what a person wants pushes: a kind that is not named stays as it is. */
export async function changeKinds(db: Database, userId: string, changes: Partial<PushKinds>): Promise<PushKinds> {
  const before = toKinds((await selectPushSettings(db, userId))?.muted ?? []);
  const kinds = { ...before, ...changes };
  await setMuted(
    db,
    userId,
    NoticeKind.options.filter((kind) => !kinds[kind]),
  );
  return kinds;
}

function toKinds(muted: readonly string[]): PushKinds {
  const wants = (kind: NoticeKind) => !muted.includes(kind);
  return {
    reply: wants("reply"),
    approval: wants("approval"),
    share: wants("share"),
    import: wants("import"),
    schedule: wants("schedule"),
  };
}
