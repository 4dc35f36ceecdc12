import type { Env } from "../env.ts";
import type { ChatRoom } from "./chat-room.ts";

/** The room of a chat. Expected failures come back as outcomes, for `unwrap` to throw. */
export function roomOf(env: Env, chatId: string): DurableObjectStub<ChatRoom> {
  return env.CHAT_ROOM.getByName(chatId);
}
