import type { MiddlewareHandler } from "hono";
import { ARTIFACT_BODY_LENGTH, BODY_BYTES, BYTES_PER_CHARACTER, EXPORT_LENGTH, LIBRARY_LENGTH } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { hasCaller } from "./session.ts";

type Bound = readonly [asked: RegExp, bytes: number];

/** Bodies that are read into memory which their reader made room in, as no stream of ours could fill it: without a length they are counted there (read-json.ts, take-report.ts). */
const READ_AT_ONCE: readonly Bound[] = [
  [/^POST \/api\/artifacts(?:\/upload-markdown)?$|^PUT \/api\/artifacts\/[^/]+\/content$/, ARTIFACT_BODY_LENGTH * BYTES_PER_CHARACTER],
  [/^POST \/api\/library$/, LIBRARY_LENGTH * BYTES_PER_CHARACTER],
  [/^POST \/api\/chats\/import$/, EXPORT_LENGTH * BYTES_PER_CHARACTER],
  [/^POST \/api\/mail\/webhook$/, 400_000],
  [/^POST \/api\/phone\/webhook\//, 2 * 1024 * 1024],
  [/^POST \/api\/whatsapp\/webhook$/, 3 * 1024 * 1024],
];

/** What is no JSON of a contract, or a longer one: bytes at most. */
const BOUNDS: readonly Bound[] = [[/^POST \/policy-reports$/, 100_000], ...READ_AT_ONCE];

/**
 * Files and parts of imports stay streams, which count what passes. Whoever comes with a key is known before a body is read, within bounds of
 * those routes' own, and is refused in the shape that its program reads. What is shared with the application may bring files, which are not read.
 */
const COUNTED_THERE = [
  /^PUT \/api\/(?:chat\/[^/]+\/attachments|(?:artifacts|user-contexts)\/[^/]+\/files|imports\/[^/]+\/parts)\/[^/]+$/,
  /^PUT \/api\/user\/picture$/,
  /^POST \/api\/transcriptions$/,
  /^POST \/share$/,
  /^[A-Z]+ \/(?:mcp|v1\/.*)$/,
];

/** How many bytes a request's body may have; null where its route counts them itself. */
export function bodyBound(method: string, path: string): number | null {
  const asked = `${method} ${path}`;
  if (COUNTED_THERE.some((pattern) => pattern.test(asked))) return null;
  return BOUNDS.find(([pattern]) => pattern.test(asked))?.[1] ?? BODY_BYTES;
}

/** Ends every body with 413 at its route's bound, before anything else looks at it: by its announced length, else as its bytes come. */
export const boundBody: MiddlewareHandler<AppContext> = async (c, next) => {
  const { raw } = c.req;
  const bound = raw.body === null || hasCaller(raw) ? null : bodyBound(c.req.method, c.req.path);
  if (bound === null || raw.body === null) return next();
  const announced = raw.headers.get("content-length");
  if (announced !== null) {
    if (Number(announced) > bound) throw tooLarge(bound);
    // The platform gives no more than was announced.
    return next();
  }
  if (READ_AT_ONCE.some(([asked]) => asked.test(`${c.req.method} ${c.req.path}`))) return next();
  const state = { size: 0 };
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      state.size += chunk.byteLength;
      if (state.size > bound) controller.error(tooLarge(bound));
      else controller.enqueue(chunk);
    },
  });
  c.req.raw = new Request(raw, { method: raw.method, body: raw.body.pipeThrough(counting) });
  await next();
  // Whatever its reader made of an end in the middle.
  if (state.size <= bound || c.res.status === 101) return;
  await c.res.body?.cancel();
  c.res = undefined;
  throw tooLarge(bound);
};

function tooLarge(bound: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", { message: `That is too large: at most ${Math.round(bound / 100_000) / 10} MB are taken.` });
}
