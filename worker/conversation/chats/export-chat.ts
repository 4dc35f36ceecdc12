import type { ExportFormat } from "#shared/contracts/chat/copies.ts";
import type { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { EXPORT_LENGTH } from "#shared/limits.ts";
import { fileNames } from "#worker/library/attachments/serve-attachment.ts";
import type { ChatWithFiles } from "#worker/conversation/room/rpc.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { sourcesOfCaller } from "#worker/conversation/tools/private-source.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import { toMarkdown } from "./to-markdown.ts";

const FORMATS = {
  markdown: { extension: "md", type: "text/markdown; charset=utf-8" },
  json: { extension: "json", type: "application/json; charset=utf-8" },
} as const satisfies Record<ExportFormat, { extension: string; type: string }>;

/** A chat as a download: all of it as JSON, or the path that the caller looks at as markdown. Throws NOT_FOUND, PAYLOAD_TOO_LARGE. */
export async function exportChat(
  env: Env,
  { caller, chatId, format }: { caller: Caller; chatId: string; format: ExportFormat },
): Promise<Response> {
  const { chat } = unwrap<ChatWithFiles>(await roomOf(env, chatId).export(readerOf(caller), sourcesOfCaller(caller)));
  const { extension, type } = FORMATS[format];
  return new Response(format === "json" ? toJson(chat) : toMarkdown(chat), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; ${fileNames(`${chat.title.trim() || "New Chat"}.${extension}`)}`,
      "cache-control": "no-store",
    },
  });
}

/** A chat as a file that can be imported again: in lines for people to read, as long as there is room. Throws PAYLOAD_TOO_LARGE. */
export function toJson(chat: ExportedChat): string {
  const compact = JSON.stringify(chat);
  if (compact.length > EXPORT_LENGTH)
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: "This chat is too long for a file that could be imported again. Export it as Markdown.",
    });
  const lines = JSON.stringify(chat, null, 2);
  return lines.length > EXPORT_LENGTH ? compact : lines;
}
