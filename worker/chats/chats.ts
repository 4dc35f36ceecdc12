import { openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { setChatTitle } from "./queries.ts";

export { prepareQueued } from "./prepare-turn.ts";

/** Keeps the relational copy of a chat's title in step with its room. */
export function syncTitle(env: Env, chat: { id: string; title: string }): Promise<void> {
  return setChatTitle(openDatabase(env.DB), chat);
}
