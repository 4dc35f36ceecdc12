import type { Hono } from "hono";
import { exportLibrary as exporting, importLibrary as importing } from "#shared/contracts/library/library.ts";
import { LIBRARY_IMPORTS_PER_HOUR } from "#shared/limits.ts";
import type { AppContext } from "../env.ts";
import { countOrRefuse, hourly } from "../http/rate-limit.ts";
import { serve } from "../http/serve.ts";
import { hubOf } from "../user-hub/stub.ts";
import { exportLibrary } from "./export-library.ts";
import { importLibrary } from "./import-library.ts";

/** Mounts the export and the import of prompts and personas as one file. */
export function libraryRoutes(app: Hono<AppContext>): void {
  serve(app, exporting, ({ c, caller, query }) => exportLibrary(c.var.db, caller.userId, query.after));

  serve(app, importing, async ({ c, caller, body }) => {
    await countOrRefuse(c.env, `library-imports:${caller.userId}`, hourly(LIBRARY_IMPORTS_PER_HOUR), "RATE_LIMITED");
    const taken = await importLibrary(c.var.db, caller.userId, body);
    const hub = hubOf(c.env, caller.userId);
    c.executionCtx.waitUntil(Promise.all([hub.noteContentChanged("persona"), hub.noteContentChanged("prompt")]));
    return taken;
  });
}
