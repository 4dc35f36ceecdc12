import type { ExportFormat } from "#shared/contracts/copies.ts";
import type { ExportedChat } from "#shared/exported-chat.ts";
import { fileNames } from "../attachments/serve-attachment.ts";
import { roomOf } from "../chat-room/stub.ts";
import type { Caller, Env } from "../env.ts";
import { unwrap } from "../http/app-error.ts";
import { readerOf } from "./prepare-turn.ts";
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
  const chat = unwrap<ExportedChat>(await roomOf(env, chatId).export(readerOf(caller)));
  const { extension, type } = FORMATS[format];
  return new Response(format === "json" ? JSON.stringify(chat, null, 2) : toMarkdown(chat), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; ${fileNames(`${chat.title.trim() || "New Chat"}.${extension}`)}`,
      "cache-control": "no-store",
    },
  });
}
