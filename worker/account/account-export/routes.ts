import type { Hono } from "hono";
import {
  deleteAccountExport,
  downloadAccountExport,
  getAccountExport,
  startAccountExport,
} from "#shared/contracts/account/account-export.ts";
import type { AppContext, Env } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { deleteExport, finishedExport, newestExport, startExport } from "./account-export.ts";
import { accountExportJob } from "./job.ts";
import { APP_NAME } from "#shared/app.ts";
import { exportFolder } from "./export-keys.ts";
import type { ExportRow } from "./queries.ts";

/** Mounts the caller's export of everything they have. */
export function accountExportRoutes(app: Hono<AppContext>): void {
  serve(app, getAccountExport, async ({ c, caller }) => ({ export: await newestExport(c.var.db, caller.userId) }));

  serve(app, startAccountExport, async ({ c, caller, body }) => {
    const started = await startExport(c.env, c.var.db, { id: body.id, userId: caller.userId });
    // Sent again for a request that comes again: the first may have ended before this, and a step is kept once.
    if (started.state === "running") await enqueue(c.env, accountExportJob, { exportId: started.id, step: 0 });
    return { export: started };
  });

  serve(app, downloadAccountExport, async ({ c, caller, params }) => {
    const row = await finishedExport(c.var.db, { id: params.id, userId: caller.userId });
    return downloadExport(c.env, row, { range: c.req.header("range"), ifRange: c.req.header("if-range") });
  });

  serve(app, deleteAccountExport, async ({ c, caller, params }) => {
    await deleteExport(c.env, c.var.db, { id: params.id, userId: caller.userId });
    return { ok: true as const };
  });
}

type Range = { from: number; to: number };
type ByteSegment = { key: string; offset: number; length: number };

/** A finished export as a download, or the range of it that is asked for (RFC 9110, 14): one, in bytes. */
function downloadExport(env: Env, row: ExportRow, request: { range: string | undefined; ifRange: string | undefined }): Response {
  const tag = `"${row.id}"`;
  const headers = {
    "content-type": "application/zip",
    "content-disposition": `attachment; filename="${APP_NAME.toLowerCase()}-${row.created_at.slice(0, 10)}.zip"`,
    "cache-control": "private, no-store",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    etag: tag,
  };
  // Whoever goes on with another export gets this one whole.
  const isSame = request.ifRange === undefined || request.ifRange === tag;
  const range = isSame && request.range !== undefined ? parseRange(request.range, row.size) : null;
  if (range === "unsatisfiable")
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${row.size}` } });
  const { from, to } = range ?? { from: 0, to: row.size - 1 };
  const length = to - from + 1;
  const { readable, writable } = new FixedLengthStream(length);
  void pour(env, segmentsInRange(row, { from, to }), writable);
  return new Response(readable, {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      "content-length": String(length),
      ...(range && { "content-range": `bytes ${from}-${to}/${row.size}` }),
    },
  });
}

/** One range of bytes; null where none of this form is asked for, as that is answered with all. */
function parseRange(header: string, size: number): Range | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (first === "" && last === "") return null;
  if (first === "") return Number(last) === 0 ? "unsatisfiable" : { from: Math.max(0, size - Number(last)), to: size - 1 };
  const from = Number(first);
  const to = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < from) return null;
  return from >= size ? "unsatisfiable" : { from, to };
}

/** Which parts of which stored segments make up a range. */
function segmentsInRange({ id, user_id: userId, segments }: ExportRow, { from, to }: Range): ByteSegment[] {
  const folder = exportFolder(userId, id);
  const segmentsToSend: ByteSegment[] = [];
  let begins = 0;
  for (const [name, size] of segments) {
    const offset = Math.max(from - begins, 0);
    const end = Math.min(to + 1 - begins, size);
    if (end > offset) segmentsToSend.push({ key: `${folder}${name}`, offset, length: end - offset });
    begins += size;
  }
  return segmentsToSend;
}

/** Sends chunks one after the other; where one is gone the download breaks off, as its length was promised. */
async function pour(env: Env, pieces: readonly ByteSegment[], to: WritableStream<Uint8Array>): Promise<void> {
  try {
    for (const { key, offset, length } of pieces) {
      const stored = await env.FILES.get(key, { range: { offset, length } });
      if (!stored) throw new Error("A segment of an export is gone");
      await stored.body.pipeTo(to, { preventClose: true });
    }
    await to.close();
  } catch (cause) {
    // The reader may have gone first.
    await to.abort(cause).catch(() => undefined);
  }
}
