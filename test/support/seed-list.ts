import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import type { ChatRow } from "#worker/conversation/room/rpc.ts";

/** How the nth chat differs from a read, plain one of its owner; `age` in milliseconds. */
export type Seed = { age: number; unread?: boolean; pinned?: boolean; archived?: boolean; row?: Partial<ChatRow> };

/** A list's row as a room would report it. */
export function listedRow(
  userId: string,
  { id = crypto.randomUUID(), at, row }: { id?: string; at: string; row?: Partial<ChatRow> },
): ChatRow {
  return {
    id,
    user_id: userId,
    title: "Seeded",
    public: false,
    lastMessageAt: at,
    lastMessagePreview: "",
    lastSender: null,
    lastMessageModel: null,
    isWaiting: false,
    hasMails: false,
    created_at: at,
    isShared: false,
    hasBeenShared: false,
    permissionLevel: "owner",
    sharedByName: null,
    ownerName: null,
    isStreaming: false,
    teams: [],
    activity: { seq: 0, by: null },
    ...row,
  };
}

/** Fills a user's list without rooms behind it; answers the chats' ids in the order given. */
export async function seedList(userId: string, seeds: Seed[]): Promise<string[]> {
  const now = Date.now();
  return runInDurableObject(env.USER_HUB.getByName(userId), (_, { storage }) => {
    const { cursor } = storage.sql.exec<{ cursor: number }>("SELECT COALESCE(MAX(changed), 0) AS cursor FROM chats").one();
    return storage.transactionSync(() =>
      seeds.map(({ age, unread = false, pinned = false, archived = false, row }, n) => {
        const at = new Date(now - age).toISOString();
        const full = listedRow(userId, { at, ...(row && { row }) });
        storage.sql.exec(
          `INSERT INTO chats (id, version, changed, row, last_at, is_read, is_pinned, archived) VALUES (?, 1, ?, ?, ?, ?, ?, ?)`,
          full.id,
          cursor + 1 + n,
          JSON.stringify(full),
          at,
          Number(!unread),
          Number(pinned),
          Number(archived),
        );
        return full.id;
      }),
    );
  });
}
