import type { ChatDetails } from "#shared/entities/chat.ts";
import type { RoomDetails } from "#worker/conversation/room/rpc.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { unwrap } from "#worker/platform/errors/app-error.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { readerOf } from "#worker/people/callers/reader.ts";

/** A chat with the caller's own marks. Throws NOT_FOUND for a stranger and for nobody's chat alike. */
export async function openChat(env: Env, caller: Caller, chatId: string): Promise<ChatDetails> {
  const [details, marks] = await Promise.all([roomOf(env, chatId).describe(readerOf(caller)), hubOf(env, caller.userId).find(chatId)]);
  return toChatDetails(unwrap(details), caller, marks);
}

type Marks = Pick<ChatDetails, "isRead" | "isPinned" | "archived" | "folder_id" | "tags">;

const UNMARKED: Marks = { isRead: true, isPinned: false, archived: false, folder_id: null, tags: [] };

/** The room's part and the hub's part of a chat, as one; a hub that does not know of it yet has no marks on it. */
export function toChatDetails({ row, ...details }: RoomDetails, caller: Caller, marks: Marks | null): ChatDetails {
  const { lastSender, activity: _activity, ...shared } = row;
  const sender = lastSender === null ? "" : lastSender.id === caller.userId ? "You" : lastSender.name;
  const { isRead, isPinned, archived, folder_id, tags } = marks ?? UNMARKED;
  return { ...shared, ...details, lastMessageSender: sender, isRead, isPinned, archived, folder_id, tags };
}
