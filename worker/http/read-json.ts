import { BODY_BYTES, BODY_DEPTH } from "#shared/limits.ts";
import { AppError } from "./app-error.ts";

/** A request's JSON body. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_JSON, or INVALID_INPUT where it is nested too deeply. */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  const bytes = await readBytes(request, BODY_BYTES);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    if (depthOf(text) > BODY_DEPTH) throw new AppError("INVALID_INPUT", { message: "That request is nested too deeply." });
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("INVALID_JSON", { cause });
  }
}

/** How many arrays and objects stand inside each other at most, counted in one pass before anything is built of them. */
export function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') isText = !isText;
    else if (isText && character === "\\") at += 1;
    else if (!isText && (character === "[" || character === "{")) deepest = Math.max(deepest, (depth += 1));
    else if (!isText && (character === "]" || character === "}")) depth -= 1;
  }
  return deepest;
}

/** A body's bytes, refused as soon as they are more than `limit`, whatever its Content-Length says. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw new AppError("PAYLOAD_TOO_LARGE");
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw new AppError("PAYLOAD_TOO_LARGE");
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
