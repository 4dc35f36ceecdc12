import type { Env } from "../env.ts";
import type { ChatRoomRpc } from "./rpc.ts";

/** The room of a chat. Expected failures come back as outcomes, for `unwrap` to throw. */
export function roomOf(env: Env, chatId: string): DurableObjectStub<ChatRoomRpc> {
  return env.CHAT_ROOM.getByName(chatId);
}
