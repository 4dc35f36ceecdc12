import { readParts } from "../attachments/read-parts.ts";
import type { PromptPart } from "../clients/prompt.ts";
import { sentFiles } from "../chat-room/messages/attachments.ts";
import type { PathRow } from "../chat-room/messages/message-row.ts";
import type { TurnRequest } from "../chat-room/rpc.ts";

/** What the files of a path are to a turn's model, by message; the storage is asked only where there are any. */
export function readPathFiles(
  files: R2Bucket,
  path: readonly PathRow[],
  { chatId, model }: Pick<TurnRequest, "chatId" | "model">,
): Promise<Map<string, PromptPart[]>> {
  return readParts(files, { chatId, messages: path.map(({ id, attachments }) => ({ id, files: sentFiles(attachments) })) }, model);
}
