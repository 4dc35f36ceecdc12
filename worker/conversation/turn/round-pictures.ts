import { TOOL_PICTURES, TOOL_PICTURES_BYTES } from "#shared/limits.ts";
import { fileKey } from "#worker/library/attachments/attachment-keys.ts";
import { toDataUrl } from "#worker/platform/clients/data-url.ts";
import type { PromptPart } from "#worker/platform/clients/prompt.ts";
import type { ChatFiles } from "#worker/conversation/tools/tool.ts";
import type { TurnRequest } from "./request.ts";
import type { RoundPictures, StoredCall, StoredRound } from "./round.ts";

type Place = Pick<TurnRequest, "chatId"> & { model: Pick<TurnRequest["model"], "vision"> };

/** Reads what these rounds' calls brought in pictures that the chat keeps, the newest first as long as there is room; nothing for a model that sees none. */
export async function readRoundPictures(
  storage: R2Bucket,
  files: Pick<ChatFiles, "find">,
  { chatId, model, rounds }: Place & { rounds: readonly StoredRound[] },
): Promise<RoundPictures> {
  const found = new Map<string, PromptPart[]>();
  if (!model.vision) return found;
  let [bytes, count] = [TOOL_PICTURES_BYTES, TOOL_PICTURES];
  for (const call of rounds.flatMap(({ calls }) => calls).toReversed()) {
    for (const id of attachmentIds(call, chatId)) {
      const file = files.find(id);
      if (file?.kind !== "image" || file.size > bytes || count === 0) continue;
      const stored = await storage.get(fileKey({ chatId, id: file.id, objectId: file.objectId }));
      if (!stored) continue;
      bytes -= file.size;
      count -= 1;
      const url = toDataUrl(file.type, new Uint8Array(await stored.arrayBuffer()));
      found.set(call.id, [...(found.get(call.id) ?? []), { type: "image_url", image_url: { url } }]);
    }
  }
  return found;
}

function attachmentIds({ images }: StoredCall, chatId: string): string[] {
  const begin = `/api/chat/${chatId}/attachments/`;
  return images.flatMap(({ url }) => (url.startsWith(begin) ? [url.slice(begin.length)] : []));
}
