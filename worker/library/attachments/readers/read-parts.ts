import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import type { TurnModel } from "#worker/people/models/turn-model.ts";
import type { PromptPart } from "#worker/platform/clients/prompt.ts";
import { fileKey, textKey } from "#worker/library/attachments/attachment-keys.ts";
import { toDataUrl } from "#worker/platform/clients/data-url.ts";
import { STILL_READING } from "./extraction.ts";
import { type PartPlan, plannedLength, planParts } from "#worker/library/attachments/plan-parts.ts";
import { omittedFileNote, quoteFile } from "#worker/library/attachments/quote-file.ts";
import { readSince } from "#worker/library/attachments/read-upload.ts";

/** No character of a JavaScript string takes more bytes in UTF-8. */
const BYTES_PER_CHARACTER = 3;

type Conversation = { chatId: string; messages: readonly { id: string; files: readonly RoomFile[] }[] };

/** What a conversation's files are to a model, by message; reads of the storage only what goes to the model. */
export async function readParts(
  files: R2Bucket,
  { chatId, messages }: Conversation,
  model: Pick<TurnModel, "vision" | "takesFiles" | "contextLength">,
): Promise<Map<string, PromptPart[]>> {
  const parts = new Map<string, PromptPart[]>();
  const known = await Promise.all(
    messages.map(async (message) => ({
      ...message,
      files: await Promise.all(message.files.map((file) => readAgain(files, chatId, file))),
    })),
  );
  for (const [id, plans] of planParts(known, model)) {
    parts.set(id, await Promise.all(plans.map((plan) => readPart(files, chatId, plan))));
  }
  return parts;
}

/** A file as it stands now: one whose upload did not wait for its reading may have been read since. */
export async function readAgain(files: R2Bucket, chatId: string, file: RoomFile): Promise<RoomFile> {
  if (file.unread !== STILL_READING) return file;
  const since = await readSince(files, fileKey({ chatId, id: file.id, objectId: file.objectId }));
  return { ...file, ...since };
}

async function readPart(files: R2Bucket, chatId: string, plan: PartPlan): Promise<PromptPart> {
  const { file } = plan;
  const place = { chatId, id: file.id, objectId: file.objectId };
  if (plan.as === "note") return { type: "text", text: omittedFileNote(file, plan.reason) };
  if (plan.as === "text") return readText(files, { file, key: textKey(place), characters: plan.characters });
  const stored = await files.get(fileKey(place));
  if (!stored) return missingFile(file);
  const url = toDataUrl(file.type, new Uint8Array(await stored.arrayBuffer()));
  if (plan.as === "image") return { type: "image_url", image_url: { url } };
  return { type: "file", file: { filename: file.name, file_data: url }, characters: plannedLength(plan) };
}

async function readText(
  files: R2Bucket,
  { file, key, characters }: { file: RoomFile; key: string; characters: number },
): Promise<PromptPart> {
  const stored = await files.get(key, { range: { offset: 0, length: characters * BYTES_PER_CHARACTER } });
  if (!stored) return missingFile(file);
  const text = (await stored.text()).slice(0, characters);
  return { type: "text", text: quoteFile(file, { text, isComplete: file.isComplete && characters === file.characters }) };
}

function missingFile(file: RoomFile): PromptPart {
  return { type: "text", text: omittedFileNote(file, "it is no longer stored.") };
}
