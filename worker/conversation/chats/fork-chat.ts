import type { ChatDetails } from "#shared/entities/chat.ts";
import { CHAT_TITLE_LENGTH, FORKS_PER_HOUR } from "#shared/limits.ts";
import { copyFiles } from "#worker/library/attachments/copy-files.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { unwrap } from "#worker/platform/errors/app-error.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";
import { createCopy } from "./create-copy.ts";
import { openChat } from "./open-chat.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import { renewIds } from "./renew-ids.ts";
import type { ChatCopy } from "#worker/conversation/room/chat-copy.ts";

const SUFFIX = " (fork)";

/** Makes a chat of the caller's own of the path up to a message, files included. Throws NOT_FOUND, CONFLICT, PAYLOAD_TOO_LARGE, RATE_LIMITED, STORAGE_FULL. */
export async function forkChat(
  env: Env,
  db: Database,
  { caller, chatId, messageId, id }: { caller: Caller; chatId: string; messageId: string; id: string },
): Promise<ChatDetails> {
  const source = unwrap<ChatCopy>(await roomOf(env, chatId).copy(readerOf(caller), messageId));
  await countOrRefuse(env, `forks:${caller.userId}`, hourly(FORKS_PER_HOUR), "RATE_LIMITED");
  const copy = { ...renewIds(source), title: forkTitle(source.title) };
  const { files } = source;
  const sizes = new Map(files.filter(({ isMissing }) => !isMissing).map((file) => [file.id, file.size]));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const create = () => createCopy(env, db, { caller, id, copy }, () => copyFiles(env, { from: chatId, to: id, files }));
  const { userId } = caller;
  if (!caller.anonymous) unwrap(await hubOf(env, userId).folders({ kind: "follow", chatId: id, sourceId: chatId }));
  await (bytes === 0 ? create() : withinStorage(env, { ownerId: userId, userId, id, bytes }, create));
  return openChat(env, caller, id);
}

/** A fork's title: the source's, marked once, however often it is forked. */
export function forkTitle(title: string): string {
  const plain = title.endsWith(SUFFIX) ? title.slice(0, -SUFFIX.length) : title || "New Chat";
  return plain.slice(0, CHAT_TITLE_LENGTH - SUFFIX.length) + SUFFIX;
}
