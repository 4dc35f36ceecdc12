import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";

/** Ends the life of a chat's room at once, as a crash or a deploy does; an eviction would wait for its turn. */
export async function killRoom(chatId: string): Promise<void> {
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, state) => state.abort("killed by a test")).catch(() => {});
}
