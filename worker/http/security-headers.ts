import type { MiddlewareHandler } from "hono";
import type { AppContext } from "../env.ts";
import { TRUSTED_TYPES_POLICIES } from "#shared/trusted-types.ts";
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

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Adds what every answer carries, unless its route chose otherwise. */
export const securityHeaders: MiddlewareHandler<AppContext> = async (c, next) => {
  await next();
  // A socket's handshake cannot be rebuilt with further headers.
  if (c.res.status === 101) return;
  const isCall = c.req.path.startsWith("/api/");
  const wanted = { ...COMMON, ...(!isPlainLocalhost(c.req.url) && OVER_HTTPS), ...(isCall && OF_CALLS) };
  try {
    addMissing(c.res.headers, wanted);
  } catch {
    // What a file or an object answered has headers that cannot be changed.
    const { body, status, statusText } = c.res;
    const headers = new Headers(c.res.headers);
    addMissing(headers, wanted);
    c.res = undefined;
    c.res = new Response(body, { status, statusText, headers });
  }
};

function addMissing(headers: Headers, wanted: Record<string, string>): void {
  for (const [name, value] of Object.entries(wanted)) if (!headers.has(name)) headers.set(name, value);
}

let known: { html: string; hashes: string[] } | null = null;

/** The page's Content-Security-Policy: own scripts, and the inline ones of `html` by their hashes. */
export async function pagePolicy(html: string, host: string): Promise<string> {
  const hashes = known?.html === html ? known.hashes : await Promise.all(inlineScripts(html).map(hashSource));
  known = { html, hashes };
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashes].join(" "),
    // Diagrams and formulas carry their styles inline.
    "style-src 'self' 'unsafe-inline'",
    // No foreign image is ever loaded by itself: a model's answer could carry the chat's text in its address.
    "img-src 'self' blob: data:",
    "font-src 'self' data:",
    `connect-src 'self' ws://${host} wss://${host}`,
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // What the browser would run is made by these policies alone (web/lib/trusted-types.ts).
    "require-trusted-types-for 'script'",
    ["trusted-types", ...TRUSTED_TYPES_POLICIES].join(" "),
  ].join("; ");
}

/** The texts of a document's scripts without `src`. */
export function inlineScripts(html: string): string[] {
  return [...html.matchAll(INLINE_SCRIPT)].map((match) => match[1] ?? "");
}

async function hashSource(script: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
