import type { Hono } from "hono";
import {
  beginImport as beginCall,
  cancelImport as cancelCall,
  finishImportUpload,
  getImport as getCall,
  getImportReport,
  listImports as listCall,
  putImportPart,
  startImport as startCall,
} from "#shared/contracts/account/imports.ts";
import { fileNames } from "#worker/library/attachments/serve-attachment.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { withReservedMemory, PASSING_BYTES } from "#worker/platform/http/body-memory.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { beginImport, cancelImport, finishUpload, getImport, listImports, putPart, startImport, writeReport } from "./imports.ts";

/** Mounts imports of what people import from elsewhere. */
export function importRoutes(app: Hono<AppContext>): void {
  serve(app, listCall, async ({ c, caller }) => ({ imports: await listImports(c.var.db, caller.userId) }));

  serve(app, beginCall, async ({ c, caller, body }) => ({
    import: await beginImport(c.env, c.var.db, { userId: caller.userId, ...body }),
  }));

  serve(app, getCall, async ({ c, caller, params }) => ({ import: await getImport(c.var.db, { userId: caller.userId, id: params.id }) }));

  serve(app, putImportPart, async ({ c, caller, params }) => {
    await withReservedMemory(PASSING_BYTES, () => putPart(c.env, c.var.db, { userId: caller.userId, ...params, body: c.req.raw.body }));
    return OK;
  });

  serve(app, finishImportUpload, async ({ c, caller, params }) => ({
    import: await finishUpload(c.env, c.var.db, { userId: caller.userId, id: params.id }),
  }));

  serve(app, startCall, async ({ c, caller, params }) => {
    await startImport(c.env, c.var.db, { userId: caller.userId, id: params.id });
    return OK;
  });

  serve(app, cancelCall, async ({ c, caller, params }) => {
    await cancelImport(c.env, c.var.db, { userId: caller.userId, id: params.id });
    return OK;
  });

  serve(app, getImportReport, async ({ c, caller, params }) => {
    const text = await writeReport(c.var.db, { userId: caller.userId, id: params.id });
    return new Response(text, {
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "content-disposition": `attachment; ${fileNames("Import report.txt")}`,
        "cache-control": "no-store",
      },
    });
  });
}

const OK = { ok: true } as const;
