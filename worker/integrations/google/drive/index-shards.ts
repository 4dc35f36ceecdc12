/** Where the passages of a person's Drive lie: in several indexes, as one holds no more than can be searched while somebody waits. */
import type { Env } from "#worker/platform/env.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";

/** With the passages that one index holds enough for 10,000 files of 20 passages each. */
const SHARDS = 4;

/** The names of a person's indexes: no knowledge entry has such an id. */
export function shardsOf(userId: string): string[] {
  return Array.from({ length: SHARDS }, (_, number) => shardName(userId, number));
}

/** The index that holds a file's passages. */
export function shardOf(userId: string, fileId: string): string {
  // FNV-1a, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/): near numbers spread as well as far ones.
  let hash = 0x811c9dc5;
  for (let at = 0; at < fileId.length; at += 1) hash = Math.imul(hash ^ fileId.charCodeAt(at), 0x01000193) >>> 0;
  return shardName(userId, hash % SHARDS);
}

function shardName(userId: string, number: number): string {
  return `drive:${userId}:${number}`;
}

/** Forgets all passages of a person's Drive. */
export async function dropShards(env: Env, userId: string): Promise<void> {
  await Promise.all(shardsOf(userId).map((id) => indexOf(env, id).drop()));
}
