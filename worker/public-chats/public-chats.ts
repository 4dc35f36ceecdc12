import type { PublicChat } from "#shared/entities/public-chat.ts";
import { isLeaving } from "../account-deletion/leaving.ts";
import { AppError } from "../app-error.ts";
import type { PublicView } from "../chat-room/rpc.ts";
import { roomOf } from "../chat-room/stub.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";

type Asked = { chatId: string; page: number; known?: number | undefined };

/** A page of a chat where it is public; true where it is as `known` had it, null where it is not public, or goes with its owner's account. */
export async function viewPublic(env: Env, db: Database, { chatId, page, known }: Asked): Promise<PublicView | true | null> {
  const [view, isGoing] = await Promise.all([roomOf(env, chatId).readPublic(page, known), isLeaving(db, chatId)]);
  return isGoing ? null : view;
}

/** A page of a published chat. Throws one and the same NOT_FOUND for a chat that is not public, for none, and for a page beyond the last. */
export async function readPublicChat(env: Env, db: Database, { chatId, page }: Asked): Promise<PublicChat> {
  const view = await viewPublic(env, db, { chatId, page });
  if (view === null || view === true || page > view.pages) throw new AppError("NOT_FOUND");
  const { version: _, ...chat } = view;
  return chat;
}
