import type { MiddlewareHandler } from "hono";
import type { AppContext } from "#worker/platform/env.ts";
import { PAGE_POLICIES } from "#shared/trusted-types.ts";
import { isLocalhost } from "#worker/platform/config/localhost.ts";
import { isPlainLocalhost } from "./origin.ts";

const COMMON = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), payment=(), usb=(), microphone=(self)",
  "cross-origin-opener-policy": "same-origin",
};

/** A year in seconds. */
const OVER_HTTPS = { "strict-transport-security": "max-age=31536000; includeSubDomains" };
const OF_CALLS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
};

/** Of whatever has no policy of its own, as files do. */
const OF_FILES = { "content-security-policy": "frame-ancestors 'none'" };

/** Where browsers report what a page's policy stopped. */
export const POLICY_REPORTS = "/policy-reports";

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Adds what every answer carries, unless its route chose otherwise. */
export const securityHeaders: MiddlewareHandler<AppContext> = async (c, next) => {
  await next();
  const isCall = /^\/(?:api\/|v1\/|mcp$)/.test(c.req.path);
  const wanted = { ...COMMON, ...(isOverHttps(c.req.url) && OVER_HTTPS), ...(isCall ? OF_CALLS : OF_FILES) };
  try {
    complete(c.res.headers, wanted);
  } catch {
    // What a file or an object answered has headers that cannot be changed.
    const { body, status, statusText, webSocket } = c.res;
    const headers = new Headers(c.res.headers);
    complete(headers, wanted);
    c.res = undefined;
    c.res = new Response(body, { status, statusText, headers, webSocket });
  }
};

function complete(headers: Headers, wanted: Record<string, string>): void {
  addMissing(headers, wanted);
  nameCharset(headers);
  reportViolations(headers);
}

/** Over plain http it would be ignored (RFC 6797), and this machine's other servers have no https to be held to. */
function isOverHttps(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" && !isLocalhost(hostname);
}

function addMissing(headers: Headers, wanted: Record<string, string>): void {
  for (const [name, value] of Object.entries(wanted)) if (!headers.has(name)) headers.set(name, value);
}

/** Says of text that it is UTF-8, where whatever answered left that to a guess. */
function nameCharset(headers: Headers): void {
  const type = headers.get("content-type") ?? "";
  if (/^text\/[^;]+$|[+/]xml$/i.test(type)) headers.set("content-type", `${type}; charset=utf-8`);
}

/** Has a page's violations reported; in a sandbox others' scripts make them, and whoever looks at those is told there. */
function reportViolations(headers: Headers): void {
  const policy = headers.get("content-security-policy") ?? "";
  if (headers.get("content-type")?.startsWith("text/html") !== true || /\bsandbox\b/.test(policy)) return;
  // Every browser knows this directive; beside the newer `report-to` it is passed over, and that reports later, where at all.
  headers.set("content-security-policy", `${policy}; report-uri ${POLICY_REPORTS}`);
}

let known: { html: string; hashes: string[] } | null = null;

/** The Content-Security-Policy of the page at an address: own scripts, the inline ones of `html` by their hashes, and its own sockets. */
export async function pagePolicy(html: string, url: string): Promise<string> {
  const hashes = known?.html === html ? known.hashes : await Promise.all(inlineScripts(html).map(hashSource));
  known = { html, hashes };
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashes].join(" "),
    // Diagrams and formulas carry their styles inline.
    "style-src 'self' 'unsafe-inline'",
    // No external image is ever loaded by itself: a model's answer could carry the chat's text in its address.
    "img-src 'self' blob: data:",
    "font-src 'self' data:",
    `connect-src 'self' ${isPlainLocalhost(url) ? "ws" : "wss"}://${new URL(url).host}`,
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // What the browser would run is made by these policies alone (web/lib/trusted-types.ts).
    "require-trusted-types-for 'script'",
    ["trusted-types", ...PAGE_POLICIES].join(" "),
  ].join("; ");
}

/** The texts of a document's scripts without `src`. */
export function inlineScripts(html: string): string[] {
  return [...html.matchAll(INLINE_SCRIPT)].map((match) => match[1] ?? "");
}

/** How a policy names an inline script or style. */
export async function hashSource(script: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
