import type { Chat, ChatDetails } from "#shared/entities/chat.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { ChatPatch } from "#worker/conversation/room/rpc.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { toChatDetails } from "./open-chat.ts";
import { readerOf } from "#worker/people/callers/reader.ts";

type Patch = ChatPatch & { isRead?: boolean | undefined; isPinned?: boolean | undefined; archived?: boolean | undefined };

/** Changes the caller's own marks and, where their rights allow, the chat itself. */
export async function changeChat(
  env: Env,
  { caller, chatId, patch }: { caller: Caller; chatId: string; patch: Patch },
): Promise<ChatDetails> {
  const { isRead, isPinned, archived, ...shared } = patch;
  if (shared.public !== undefined && caller.anonymous) throw new AppError("SIGN_IN_REQUIRED");
  const room = roomOf(env, chatId);
  const reader = readerOf(caller);
  const isShared = Object.values(shared).some((value) => value !== undefined);
  if (archived) await refuseShared(env, caller, chatId);
  const details = unwrap(isShared ? await room.update(reader, shared) : await room.describe(reader));
  const hub = hubOf(env, caller.userId);
  const isMarked = isRead !== undefined || isPinned !== undefined || archived !== undefined;
  const mark = async () => unwrap<Chat | null>(await hub.mark(chatId, { isRead, isPinned, archived }));
  if (!isMarked) return toChatDetails(details, caller, await hub.find(chatId));
  const marked = await mark();
  if (marked !== null) return toChatDetails(details, caller, marked);
  // A chat that was made a moment ago may not be in the list yet.
  await room.reportTo(caller.userId);
  return toChatDetails(details, caller, await mark());
}

/** Before anything else of the patch is done. */
async function refuseShared(env: Env, caller: Caller, chatId: string): Promise<void> {
  const chat = await hubOf(env, caller.userId).find(chatId);
  if (chat?.isShared || chat?.hasBeenShared) throw new AppError("SHARED_NOT_ARCHIVED");
}
