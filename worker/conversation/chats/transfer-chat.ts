import * as z from "zod/mini";
import { deleteFolder, attachmentFolder } from "#worker/library/attachments/attachment-keys.ts";
import type { NewChat } from "#worker/people/room/new-chat.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import type { Hint } from "#worker/people/users/users.ts";
import { deleteClaim, findChatRow } from "#worker/people/owned-chats/owned-chats.ts";
import type { ChatCopy, CopyPart } from "#worker/conversation/room/chat-copy.ts";

/** So many seconds after a copy began it is created, or whoever made it is gone. */
const ABANDONED_SECONDS = 10 * 60;

/** A copy that began; `createdAt` distinguishes its chat from another one under the same id. */
const Begun = z.object({ chatId: z.string(), copyId: z.string(), createdAt: z.string() });
type Begun = z.infer<typeof Begun>;

type Input = { id: string; chat: NewChat; copy: ChatCopy; hint?: Hint | undefined };

/**
 * Founds a chat with a copy. A long one goes to its room in parts, and nobody sees anything of it before the last; what a Worker that
 * ended in between left is taken back later. Throws STILL_RUNNING while another copy is on its way to the same room.
 */
export async function transferChat(env: Env, { id, chat, copy, hint }: Input): Promise<void> {
  const room = roomOf(env, id, hint);
  const ahead = splitCopy(copy);
  const last = ahead.pop();
  const copyId = crypto.randomUUID();
  if (ahead.length > 0) {
    await enqueue(env, abandonCopyJob, { chatId: id, copyId, createdAt: chat.createdAt }, { delaySeconds: ABANDONED_SECONDS });
  }
  for (const [before, part] of ahead.entries()) {
    if (!(await room.stage({ copyId, before }, chat.ownerId, part))) throw new AppError("STILL_RUNNING");
  }
  const staged = ahead.length > 0 ? { staged: { copyId, before: ahead.length } } : {};
  if (!(await room.createChat(id, chat, { copy: { ...copy, ...last }, ...staged }))) throw new AppError("STILL_RUNNING");
}

/** Takes back what is left of a copy that was never created: its room, its files and its row, unless the id has become another's since. */
export async function abandonCopy(env: Env, { chatId, copyId, createdAt }: Begun): Promise<void> {
  const db = openDatabase(env.DB);
  const isDropped = await roomOf(env, chatId).dropCopy(copyId);
  const row = isDropped ? await findChatRow(db, chatId) : null;
  if (row?.created_at !== createdAt) return;
  await deleteFolder(env.FILES, attachmentFolder(chatId));
  await deleteClaim(db, chatId);
}

/** Looks after a long copy's end. */
export const abandonCopyJob = job("copy.abandon", Begun, abandonCopy);

/** A part has about so many characters: each is in memory several times while it goes from one object to another. */
const PART_CHARACTERS = 500_000;

/** A copy in parts, in their order: at least one, and those of a chat with messages begin with some. A message or a round of tool calls is never cut. */
export function splitCopy({ messages, rounds, compactions }: ChatCopy): CopyPart[] {
  let part: CopyPart = { messages: [], rounds: [], compactions: [] };
  let characters = 0;
  const parts = [part];
  const partFor = (item: unknown): CopyPart => {
    const more = charactersIn(item);
    if (characters > 0 && characters + more > PART_CHARACTERS) {
      part = { messages: [], rounds: [], compactions: [] };
      parts.push(part);
      characters = 0;
    }
    characters += more;
    return part;
  };
  for (const message of messages) partFor(message).messages.push(message);
  for (const { replyId, rounds: own } of rounds) for (const round of own) partFor(round).rounds.push({ replyId, rounds: [round] });
  for (const compaction of compactions) partFor(compaction).compactions.push(compaction);
  return parts;
}

/** About what a value takes as text, names of its fields included. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, own]) => sum + name.length + charactersIn(own), 0);
}
