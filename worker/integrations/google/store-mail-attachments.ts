import { formatBytes } from "#shared/attachment-rules.ts";
import { ATTACHMENT_NAME_LENGTH } from "#shared/limits.ts";
import type { ToolSource } from "#shared/entities/tool-call.ts";
import { fileKey } from "#worker/library/attachments/attachment-keys.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { awaitReading } from "#worker/library/attachments/read-upload.ts";
import { factsOf, type RoomFile } from "#worker/library/attachments/room-file.ts";
import { type GmailMessage, type GmailPlace, fromBase64Url, readAttachment } from "#worker/platform/clients/google/gmail.ts";
import { storeMailFiles } from "#worker/mail/inbound/store-mail-files.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import type { ToolContext } from "#worker/conversation/tools/tool.ts";
import { attachmentsOf } from "./shown-mail.ts";

/** One comes as base64 in JSON, which takes several times its bytes of the room's memory. */
const BYTES_MAX = 8 * 1024 * 1024;
/** Characters of a file's text that go to the model. */
const TEXT_LENGTH = 20_000;
/** A parser in its own queue is waited for so long, in milliseconds. */
const PATIENCE_MS = 15_000;

/** What became of attachments: a text for the model where one could be read, what readers see, and what to say about it. */
export type StoredAttachments = { texts: { name: string; text: string }[]; sources: ToolSource[]; notes: string[] };

type Input = { messages: readonly GmailMessage[]; ids: readonly string[] };

/** Keeps attachments as files of the chat, under the rules of uploads; a repeat of the call keeps the same ones. */
export async function storeMailAttachments(place: GmailPlace, { messages, ids }: Input, context: ToolContext): Promise<StoredAttachments> {
  const outcome: StoredAttachments = { texts: [], sources: [], notes: [] };
  const all = messages.flatMap((message) => attachmentsOf(message).map((file) => ({ ...file, name: nameOf(file), messageId: message.id })));
  const { env, chatId, files, reader } = context;
  for (const id of new Set(ids)) {
    const file = all.find((one) => one.id === id);
    if (!file) outcome.notes.push(`There is no attachment ${plainName(id)} in what was read.`);
    else if (file.bytes > BYTES_MAX)
      outcome.notes.push(
        `${file.name} is larger than ${formatBytes(BYTES_MAX)}, which is the most that is taken of Gmail, and was left out.`,
      );
    else {
      const { attachmentId, data } = file.part.body ?? {};
      const { messageId } = file;
      const answer = attachmentId
        ? await readAttachment(place, { messageId, attachmentId, bytesMax: BYTES_MAX })
        : ({ ok: true, value: data ?? "" } as const);
      const content = answer.ok ? fromBase64Url(answer.value) : null;
      if (content === null) {
        outcome.notes.push(`${file.name} could not be read. ${answer.ok ? "" : answer.message}`.trim());
        continue;
      }
      const mailId = await uuidOfName(`gmail/${reader.userId}/${id}`);
      const { files: stored, note } = await storeMailFiles(env, { chatId, mailId, ownerId: files.ownerId() }, [
        { name: file.name, type: file.type, content },
      ]);
      if (note !== null) outcome.notes.push(`${file.name} was left out: its kind is not kept, or the storage is full.`);
      for (const one of stored) await add(outcome, one, context);
    }
  }
  return outcome;
}

/** A name as the model may see it outside a quote. */
function nameOf({ name }: { name: string }): string {
  return plainName(name).slice(-ATTACHMENT_NAME_LENGTH);
}

async function add(outcome: StoredAttachments, file: RoomFile, { env, chatId, files, reader }: ToolContext): Promise<void> {
  const key = fileKey({ chatId, id: file.id, objectId: file.objectId });
  const read = file.kind === "image" ? null : await awaitReading(env.FILES, key, PATIENCE_MS);
  await files.add(reader.userId, { ...file, ...(read && factsOf(read)) });
  if (read?.ok) outcome.texts.push({ name: file.name, text: read.text.slice(0, TEXT_LENGTH) });
  const size = formatBytes(file.size);
  outcome.sources.push({ url: `/api/chat/${chatId}/attachments/${file.id}`, title: `${file.name} (${size})`, error: null });
  outcome.notes.push(`The user has the file ${file.name} (${size}) in this chat.${file.kind === "image" ? " You do not see it." : ""}`);
}
