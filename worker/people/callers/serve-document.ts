import type { Context } from "hono";
import { PAGE, SERVED } from "#shared/pages.ts";
import { type AppContext, configOf } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { isAdministratorNow } from "#worker/people/users/users.ts";
import { pagePolicy } from "#worker/platform/http/security-headers.ts";

/** A path whose last part has an ending is a file, as is what Vite names by an at sign while developing; every other is a page of the web application. */
const FILE = /\.[a-z0-9]+$|^\/@/i;

/** What a build leaves for its tools beside what it leaves for browsers. */
const HIDDEN = /\/\.(?!well-known\/)/;

/** What of the web application stands beside its pages; its page at any other address says that nothing is there. */
const BESIDE = /^\/(?:index\.html|auth(?:\/login)?)\/?$/;

/** The page of administration is there for administrators alone. */
async function isAdministration(c: Context<AppContext>): Promise<boolean> {
  const caller = c.req.path === "/admin" ? c.get("caller") : null;
  return caller !== null && isAdministratorNow(c.env, c.get("db"), caller);
}

/** Serves the files that pass the Worker, and the application's one document for every page: with 404 where there is none. */
export async function serveDocument(c: Context<AppContext>): Promise<Response> {
  if (c.req.method !== "GET" && c.req.method !== "HEAD") throw new AppError("METHOD_NOT_ALLOWED", { headers: { allow: "GET, HEAD" } });
  const isFile = FILE.test(c.req.path) && c.req.path !== "/index.html";
  if (isFile) {
    // While developing Vite names its modules by other endings.
    const isServed = !HIDDEN.test(c.req.path) && (SERVED.test(c.req.path) || !configOf(c.env).isProduction);
    const file = isServed ? await c.env.ASSETS.fetch(c.req.raw) : null;
    // The platform's word on what it lacks would be kept for as long as what it has: a year, though the next build may bring it.
    return file && file.status !== 404 ? file : c.text("Not found", 404, { "cache-control": "no-store" });
  }
  const document = await c.env.ASSETS.fetch(new URL("/index.html", c.req.url), { headers: { accept: "text/html" } });
  const html = await document.text();
  if (!document.ok) throw new AppError("INTERNAL", { cause: new Error(`index.html answered ${document.status}`) });
  const status = PAGE.test(c.req.path) || BESIDE.test(c.req.path) || (await isAdministration(c)) ? 200 : 404;
  // Always asked for again, so a new build is seen; its scripts have hashed names and stay.
  const policy = await pagePolicy(html, c.req.url);
  return c.html(html, status, { "cache-control": "no-cache", "content-security-policy": policy });
}
