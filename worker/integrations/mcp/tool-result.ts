import { FORMATS, formatBytes, formatOfType } from "#shared/attachment-rules.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import type { ToolImage, ToolSource } from "#shared/entities/tool-call.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { fileKey } from "#worker/library/attachments/attachment-keys.ts";
import { hasTooManyPixels } from "#worker/library/attachments/clean-picture.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { sniffFormat } from "#worker/library/attachments/sniff-format.ts";
import type { McpContent, McpResult } from "#worker/platform/clients/mcp/session.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import type { ConnectedTool } from "#worker/conversation/tools/connected/connected-tool.ts";
import type { ToolContext, ToolResult } from "#worker/conversation/tools/tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";

/** So many characters go to the model; all of a longer text is kept as a file. */
const MODEL_TEXT_LENGTH = 50_000;
/** Files that are kept of one call. */
const FILES_MAX = 10;

type File = { name: string; bytes: Uint8Array; isImage: boolean };
type Gathered = { texts: string[]; files: File[]; links: ToolSource[] };

/** A server's answer as the model and as readers see it: text quoted as others', pictures and files kept in the chat. */
export async function toToolResult(
  { isError, content, structured }: McpResult,
  tool: ConnectedTool,
  context: ToolContext,
): Promise<ToolResult> {
  const { texts, files, links } = gather(content, tool.name);
  if (texts.length === 0 && structured !== undefined) texts.push(JSON.stringify(structured));
  const fullText = texts.join("\n\n");
  if (fullText.length > MODEL_TEXT_LENGTH)
    files.unshift({ name: `${tool.name}.txt`, bytes: new TextEncoder().encode(fullText), isImage: false });
  const { images, sources, notes } = await keepFiles(files.slice(0, FILES_MAX), tool, context);
  if (files.length > FILES_MAX) notes.push(`${files.length - FILES_MAX} more files were left out.`);
  const text =
    fullText.length > MODEL_TEXT_LENGTH
      ? `${fullText.slice(0, MODEL_TEXT_LENGTH)}\n(Cut: it goes on for ${fullText.length - MODEL_TEXT_LENGTH} characters.)`
      : fullText;
  const answerText = [...(text === "" ? [] : [quoteUntrusted(text)]), ...notes].join("\n\n") || "Done. The server sent nothing back.";
  const all = [...links, ...sources];
  if (isError) return { ok: false, error: answerText, sources: all };
  return { ok: true, output: answerText, sources: all, images };
}

function gather(content: readonly McpContent[], toolName: string): Gathered {
  const gathered: Gathered = { texts: [], files: [], links: [] };
  const add = (base64: string, type: string, named: string) => {
    const bytes = fromBase64(base64);
    const format = formatOfType(type);
    if (!bytes) gathered.texts.push("(A part of the answer could not be read.)");
    else gathered.files.push({ name: withExtension(named, type), bytes, isImage: format !== null && FORMATS[format].kind === "image" });
  };
  for (const part of content) {
    if (part.type === "text") gathered.texts.push(part.text);
    else if (part.type === "image" || part.type === "audio") add(part.data, part.mimeType, toolName);
    else if (part.type === "resource_link") {
      const title = part.title ?? part.name ?? part.uri;
      gathered.texts.push(`${title}: ${part.uri}`);
      if (safeUrl(part.uri) !== undefined) gathered.links.push({ url: part.uri, title, error: null });
    } else {
      const { uri, mimeType = "application/octet-stream", text, blob } = part.resource;
      if (text !== undefined) gathered.texts.push(`${uri}:\n${text}`);
      else if (blob !== undefined) add(blob, mimeType, uri.split("/").at(-1) || toolName);
    }
  }
  return gathered;
}

type StoredFiles = { images: ToolImage[]; sources: ToolSource[]; notes: string[] };

/** Stores files as the chat's own, under the rules of uploads; a repeat of the call stores the same ones. */
async function keepFiles(
  given: readonly File[],
  tool: ConnectedTool,
  { env, chatId, callId, reader, files }: ToolContext,
): Promise<StoredFiles> {
  const stored: StoredFiles = { images: [], sources: [], notes: [] };
  for (const [index, { name, bytes, isImage }] of given.entries()) {
    const format = sniffFormat(name, bytes);
    const size = formatBytes(bytes.length);
    if (format === null || bytes.length === 0 || hasTooManyPixels(FORMATS[format].type, bytes)) {
      stored.notes.push(`A file of the answer (${plainName(name)}, ${size}) is of a kind that is not kept.`);
      continue;
    }
    const id = await uuidOfName(`${chatId}/${callId}/${index}`);
    const { type, kind } = FORMATS[format];
    const file = { id, objectId: id, name: plainName(name), type, kind, size: bytes.length, characters: 0, isComplete: true, unread: null };
    try {
      await withinStorage(env, { ownerId: files.ownerId(), userId: reader.userId, id, bytes: bytes.length }, async () => {
        await env.FILES.put(fileKey({ chatId, id, objectId: id }), bytes, { httpMetadata: { contentType: type } });
        await files.add(reader.userId, file);
      });
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code !== "STORAGE_FULL") throw cause;
      stored.notes.push(`The storage is full: ${file.name} (${size}) was left out.`);
      continue;
    }
    const url = `/api/chat/${chatId}/attachments/${id}`;
    // The rest of the address may hold a key.
    if (isImage && kind === "image") stored.images.push({ url, page_url: new URL(tool.serverUrl).origin, title: file.name });
    else stored.sources.push({ url, title: `${file.name} (${size})`, error: null });
    stored.notes.push(isImage ? `The user sees the picture ${file.name}.` : `The user has the file ${file.name} (${size}).`);
  }
  return stored;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    // What is not base64 is no file.
    return null;
  }
}

const EXTENSIONS: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "application/pdf": "pdf",
  "text/plain": "txt",
  "text/markdown": "md",
  "text/csv": "csv",
  "application/json": "json",
};

function withExtension(name: string, type: string): string {
  const extension = EXTENSIONS[type.split(";")[0]?.trim() ?? ""];
  return extension === undefined || name.toLowerCase().endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}
