import { readParts } from "#worker/library/attachments/readers/read-parts.ts";
import type { PromptPart } from "#worker/platform/clients/prompt.ts";
import { sentFiles } from "#worker/library/attachments/room-file.ts";
import type { PathRow } from "./path.ts";
import type { TurnRequest } from "./request.ts";

/** What the files of a path are to a turn's model, by message; the storage is asked only where there are any. */
export function readPathFiles(
  files: R2Bucket,
  path: readonly PathRow[],
  { chatId, model }: Pick<TurnRequest, "chatId" | "model">,
): Promise<Map<string, PromptPart[]>> {
  return readParts(files, { chatId, messages: path.map(({ id, attachments }) => ({ id, files: sentFiles(attachments) })) }, model);
}
