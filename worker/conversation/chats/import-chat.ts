import type { ChatDetails } from "#shared/entities/chat.ts";
import type { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { BYTES_PER_CHARACTER, IMPORTS_PER_HOUR } from "#shared/limits.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { createCopy } from "./create-copy.ts";
import { openChat } from "./open-chat.ts";
import { renewIds } from "./renew-ids.ts";
import { toCopy } from "./to-copy.ts";
import type { ChatCopy } from "#worker/conversation/room/chat-copy.ts";

/** The most bytes that a row of an object's storage takes. */
const ROW_BYTES = 2_000_000;
/** What goes to an object in one call, as a round of tool calls does, has 32 MB at most, and two bytes for each of its characters; a file's own JSON has fewer of them. */
const COPY_LENGTH = 15_000_000;

/** Makes a chat of the caller's own of an exported one, under new ids; nothing that it names is fetched. Throws INVALID_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED. */
export async function importChat(
  env: Env,
  db: Database,
  { caller, exported }: { caller: Caller; exported: ExportedChat },
): Promise<ChatDetails> {
  checkExport(exported);
  const copy = renewIds(toCopy(exported, caller));
  checkSize(copy);
  await countOrRefuse(env, `imports:${caller.userId}`, hourly(IMPORTS_PER_HOUR), "RATE_LIMITED");
  const id = crypto.randomUUID();
  await createCopy(env, db, { caller, id, copy }, async () => undefined);
  return openChat(env, caller, id);
}

/** A chat from elsewhere as an exported one, its files by message, what it had besides, and when it began and was last written in there (ISO 8601). */
type ImportedChat = {
  id: string;
  exported: ExportedChat;
  files: ReadonlyMap<string, RoomFile[]>;
  beside?: ChatCopy["beside"];
  createdAt: string;
  lastAt: string;
};

/**
 * Makes a chat of a person's own of what they bring from elsewhere, at the times that it is of. The same id again finds it made.
 * `prepare` stores its files. Throws INVALID_INPUT, PAYLOAD_TOO_LARGE.
 */
export async function createImportedChat(
  env: Env,
  db: Database,
  { person, ...importedChat }: ImportedChat & { person: Pick<Caller, "userId" | "displayName"> },
  prepare: () => Promise<void>,
): Promise<void> {
  const { id, exported, files, beside, createdAt, lastAt } = importedChat;
  checkExport(exported);
  const plain = toCopy(exported, person);
  const messages = plain.messages.map((row) => {
    const own = files.get(row.id) ?? [];
    return own.length === 0 ? row : { ...row, attachments: JSON.stringify(own) };
  });
  const copy: ChatCopy = { ...plain, messages, lastAt, ...(beside && { beside }) };
  checkSize(copy);
  await createCopy(env, db, { caller: { userId: person.userId, anonymous: false }, id, copy, createdAt, mayExist: true }, prepare);
}

function checkSize({ messages, rounds, compactions, beside }: ChatCopy): void {
  let characters = 0;
  const rows: object[] = [...messages, ...rounds.flatMap((own) => own.rounds.flatMap(({ calls }) => calls)), ...compactions];
  rows.push(...(beside?.todos ?? []), ...(beside?.mails ?? []));
  for (const row of rows) {
    const texts = Object.values(row).map((value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)));
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    characters += length;
    if (length * BYTES_PER_CHARACTER > ROW_BYTES && new TextEncoder().encode(texts.join("")).byteLength > ROW_BYTES)
      throw new AppError("PAYLOAD_TOO_LARGE", { message: "A message of this chat is too long to be imported." });
  }
  if (characters > COPY_LENGTH) throw new AppError("PAYLOAD_TOO_LARGE", { message: "This chat is too long to be imported." });
}

/** Refuses an exported chat whose messages make no tree that a chat could have: what its schema cannot say. Throws INVALID_INPUT. */
function checkExport({ messages, head_id: headId, compactions }: ExportedChat): void {
  const roles = new Map<string, string>();
  for (const { id, parent_id: parentId, role, tool_rounds: rounds, attachments } of messages) {
    if (roles.has(id)) throw damaged("Two of its messages have the same id.");
    const above = parentId === null ? null : roles.get(parentId);
    if (above === undefined) throw damaged("A message answers one that is not there.");
    // A question may follow one that was never answered.
    if (role === "assistant" && above !== "user") throw damaged("Its messages don't take turns.");
    if (role === "user" ? rounds.length > 0 : attachments.length > 0) throw damaged("A message holds what it cannot hold.");
    roles.set(id, role);
  }
  const isKnown = (id: string): boolean => roles.has(id);
  if (headId === null ? messages.length > 0 : !isKnown(headId)) throw damaged("The end of its path is not there.");
  if (!compactions.every((made) => roles.get(made.question_id) === "user" && isKnown(made.last_id)))
    throw damaged("A summary stands for messages that are not there.");
}

function damaged(how: string): AppError {
  return new AppError("INVALID_INPUT", { message: `This file was changed or is damaged. ${how}` });
}
