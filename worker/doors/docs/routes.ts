import type { Hono } from "hono";
import { type AppContext, configOf, type Env } from "#worker/platform/env.ts";
import type { OpenApi } from "./openapi.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const description = loadOnce(() => import("./openapi.ts"));
const pages = loadOnce(() => import("./page.ts"));

let built: OpenApi | null = null;

/** The document of this build, made once an isolate; what makes it is loaded when somebody asks. */
async function openApi(env: Env): Promise<OpenApi> {
  const { buildOpenApi } = await description();
  const { version, limits } = configOf(env);
  built ??= buildOpenApi({ version, perMinute: limits.turnsPerMinute, perHour: limits.perHour });
  return built;
}

/** Mounts the API's description, for machines and for people. */
export function docsRoutes(app: Hono<AppContext>): void {
  app.get("/api/openapi.json", async (c) => c.json(await openApi(c.env)));

  app.get("/api/docs", async (c) => {
    const { docsPage } = await pages();
    // Nothing but its own inline style: no script, no request to anywhere.
    c.header(
      "content-security-policy",
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    return c.html(docsPage(await openApi(c.env)));
  });
}
