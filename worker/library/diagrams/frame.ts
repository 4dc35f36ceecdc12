/**
 * The document that draws diagrams. Mermaid puts text from a chat into a page to measure it, as markup: only this document's policy lets it,
 * and that gives it an origin of nobody's, own scripts and nothing else.
 */
import type { Hono } from "hono";
import { DIAGRAM_FRAME, DIAGRAM_POLICIES } from "#shared/trusted-types.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";

const policyFor = (origin: string) =>
  [
    "sandbox allow-scripts",
    "default-src 'none'",
    // By its name: to WebKit 'self' is the document's own origin, which is nobody's here.
    `script-src ${origin}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    ["trusted-types", ...DIAGRAM_POLICIES].join(" "),
  ].join("; ");

/** Mounts the document, which runs the script that its page names: one of the product's own, whose name changes with each build. */
export function diagramFrameRoutes(app: Hono<AppContext>): void {
  app.get(DIAGRAM_FRAME, (c) => {
    const { origin } = new URL(c.req.url);
    const script = URL.parse(c.req.query("script") ?? "", origin);
    if (script?.origin !== origin || script.pathname === "/") throw new AppError("NOT_FOUND");
    const address = escapeHtml(script.pathname + script.search);
    const html = `<!doctype html><meta charset="utf-8"><title>Diagrams</title><script type="module" src="${address}"></script>`;
    return c.html(html, 200, {
      "content-security-policy": policyFor(origin),
      "referrer-policy": "no-referrer",
      // Its address names the build's script; without a network the one that is here draws.
      "cache-control": "private, max-age=31536000, immutable",
    });
  });
}
