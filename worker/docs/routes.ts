import type { Hono } from "hono";
import type { AppContext, Env } from "../env.ts";
import { buildOpenApi, type OpenApi } from "./openapi.ts";
import { docsPage } from "./page.ts";

let built: OpenApi | null = null;

/** The document of this build, made once an isolate. */
function openApi(env: Env): OpenApi {
  built ??= buildOpenApi(env.VERSION ?? "development");
  return built;
}

/** Mounts the API's description, for machines and for people. */
export function docsRoutes(app: Hono<AppContext>): void {
  app.get("/api/openapi.json", (c) => c.json(openApi(c.env)));

  app.get("/api/docs", (c) => {
    // Nothing but its own inline style: no script, no request to anywhere.
    c.header(
      "content-security-policy",
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    return c.html(docsPage(openApi(c.env)));
  });
}
