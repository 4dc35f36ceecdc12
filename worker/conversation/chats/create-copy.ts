import { deleteFolder, attachmentFolder } from "#worker/library/attachments/attachment-keys.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { locationHintFor } from "#worker/people/users/users.ts";
import { abandonChat, claimChat } from "#worker/people/owned-chats/owned-chats.ts";
import { transferChat } from "./transfer-chat.ts";
import type { ChatCopy } from "#worker/conversation/room/chat-copy.ts";

/** `createdAt` is when the chat began elsewhere; `mayExist` where a repeat finds what it made itself. */
type Input = {
  caller: Pick<Caller, "userId" | "anonymous">;
  id: string;
  copy: ChatCopy;
  createdAt?: string | undefined;
  mayExist?: boolean;
};

/** Makes a chat of the caller's own that holds a copy; all of it or nothing. `prepare` stores what its messages carry. Throws CONFLICT for an id that is taken. */
export async function createCopy(
  env: Env,
  db: Database,
  { caller, id, copy, createdAt, mayExist = false }: Input,
  prepare: () => Promise<void>,
): Promise<void> {
  const { title, settings } = copy;
  const [{ chat, isNew }, hint] = await Promise.all([
    claimChat(db, { id, caller, title, settings, createdAt }),
    locationHintFor(db, caller.userId),
  ]);
  if (!isNew && !mayExist) throw new AppError("CONFLICT", { message: "A chat of this id exists already." });
  try {
    await prepare();
    await transferChat(env, { id, chat, copy, hint });
  } catch (cause) {
    // What an earlier try made may have been written in since.
    if (!isNew) throw cause;
    await abandonChat(env, db, id);
    await deleteFolder(env.FILES, attachmentFolder(id));
    throw cause;
  }
}
