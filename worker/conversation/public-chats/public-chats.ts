import type { PublicChat } from "#shared/entities/public-chat.ts";
import { isOwnerBeingDeleted } from "./owner-deletion.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { PublicView } from "#worker/conversation/room/rpc.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";

type Asked = { chatId: string; page: number; known?: number | undefined };

/** A page of a chat where it is public; true where it is as `known` had it, null where it is not public, or goes with its owner's account. */
export async function viewPublic(env: Env, db: Database, { chatId, page, known }: Asked): Promise<PublicView | true | null> {
  const [view, isGoing] = await Promise.all([roomOf(env, chatId).readPublic(page, known), isOwnerBeingDeleted(db, chatId)]);
  return isGoing ? null : view;
}

/** A page of a published chat. Throws one and the same NOT_FOUND for a chat that is not public, for none, and for a page beyond the last. */
export async function readPublicChat(env: Env, db: Database, { chatId, page }: Asked): Promise<PublicChat> {
  const view = await viewPublic(env, db, { chatId, page });
  if (view === null || view === true || page > view.pages) throw new AppError("NOT_FOUND");
  const { version: _, ...chat } = view;
  return chat;
}
