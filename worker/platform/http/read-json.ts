import { BODY_BYTES, BODY_DEPTH, BYTES_PER_CHARACTER } from "#shared/limits.ts";
import { readAllBytes, release } from "#worker/platform/clients/read-all-bytes.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";

/** A request's JSON body, of at most `length` characters where that is given; without one it says nothing, as `{}` does. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_JSON, or INVALID_INPUT where it is nested too deeply. */
export async function readJson(request: Request, length?: number): Promise<unknown> {
  if (hasNoBody(request)) return {};
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  try {
    const text = await (length === undefined ? readText(request) : readLongText(request, length));
    if (depthOf(text) > BODY_DEPTH) throw new AppError("INVALID_INPUT", { message: "That request is nested too deeply." });
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("INVALID_JSON", { cause });
  }
}

function hasNoBody({ headers, body }: Request): boolean {
  return !headers.has("content-type") && (body === null || headers.get("content-length") === "0");
}

/** How many bytes a long body of at most `length` characters has at most, by what its request says; one that is refused unread has none. */
export function maxBodyBytes({ headers }: Request, length: number): number {
  const limit = length * BYTES_PER_CHARACTER;
  const announced = Number(headers.get("content-length") ?? 0);
  return announced > limit ? 0 : announced || limit;
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

/** A long body's text, made at once: chunks of text are joined by a copy of all of it. */
async function readLongText({ headers, body }: Request, length: number): Promise<string> {
  const limit = length * BYTES_PER_CHARACTER;
  const expected = Number(headers.get("content-length") ?? 0);
  if (expected > limit) throw tooLarge(limit);
  let characters = 0;
  const isTooMuch = (part: Uint8Array): boolean => (characters += charactersIn(part)) > length;
  const bytes = body ? await readAllBytes(body, { limit, expected, isTooMuch }) : new Uint8Array();
  if (bytes === null) throw characters > length ? tooLong(length) : tooLarge(limit);
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  release(bytes);
  return text;
}

/** UTF-16 code units that begin in a chunk of UTF-8: two for a sequence of four bytes, one for a shorter one. */
function charactersIn(part: Uint8Array): number {
  let count = 0;
  for (const byte of part) count += byte >= 0xf0 ? 2 : byte >= 0x80 && byte < 0xc0 ? 0 : 1;
  return count;
}

/** A body's text, refused as soon as it is too long, whatever its Content-Length says; no more of the bytes is held than what came last. */
async function readText(request: Request): Promise<string> {
  const limit = BODY_BYTES;
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  if (!request.body) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function tooLong(length: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", { message: `That is too long: at most ${length / 1_000_000} million characters are taken.` });
}

function tooLarge(limit: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", { message: `That is too large: at most ${limit / 1_000_000} MB are taken.` });
}
