import type { PublicChat } from "#shared/entities/public-chat.ts";
import { roomOf } from "../chat-room/stub.ts";
import type { Env } from "../env.ts";
import { AppError } from "../app-error.ts";

/** A page of a published chat. Throws one and the same NOT_FOUND for a chat that is not public, for none, and for a page beyond the last. */
export async function readPublicChat(env: Env, chatId: string, page: number): Promise<PublicChat> {
  const view = await roomOf(env, chatId).readPublic(page);
  if (view === null || view === true || page > view.pages) throw new AppError("NOT_FOUND");
  const { version: _, ...chat } = view;
  return chat;
}
