import type { Chat } from "#shared/entities/chat.ts";
import type { Outcome } from "#worker/app-error.ts";
import { broadcast } from "../live/live.ts";
import type { Marks } from "../rpc.ts";
import { findChat, markChat } from "./chat-list.ts";

type Input = { userId: string; chatId: string; marks: Marks };

/** Sets the user's own marks, notifies their tabs and returns the row, null for an unknown chat. */
export function markAndNotify(ctx: DurableObjectState, { userId, chatId, marks }: Input): Outcome<Chat | null> {
  const { sql } = ctx.storage;
  const marked = markChat(sql, chatId, marks);
  if (!marked.ok) return marked;
  const chat = findChat(sql, userId, chatId);
  if (marked.value !== null && chat) broadcast(ctx, [{ type: "chat.changed", cursor: String(marked.value), chat }]);
  return { ok: true, value: chat };
}
