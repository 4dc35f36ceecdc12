import { APP_NAME } from "#shared/app.ts";
import { escapeHtml } from "./escape-html.ts";
import { hashSource } from "./security-headers.ts";

const STYLE = [
  ":root { color-scheme: light dark; --bg: #fbfaf8; --ink: #1c1b19; --accent: #256b48; --on-accent: #fff; }",
  "@media (prefers-color-scheme: dark) { :root { --bg: #171614; --ink: #ecebe8; --accent: #8fd0ae; --on-accent: #10241a; } }",
  "body { margin: 0; padding: 48px 20px; background: var(--bg); color: var(--ink); font: 16px/24px system-ui, sans-serif; }",
  "main { max-width: 480px; margin: 0 auto; }",
  "h1 { margin: 0 0 24px; font: 400 24px/32px Georgia, serif; text-wrap: balance; }",
  "button { padding: 10px 16px; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; cursor: pointer; }",
  "a { color: var(--accent); } form + p, h1 + p, p + form { margin: 24px 0 0; }",
  ":focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }",
].join("\n");

type SmallPage = {
  title: string;
  /** Its heading, plain text. */
  text: string;
  /** Markup between the heading and the way home. */
  body?: string;
  /** A script of ours that the page needs no word of. */
  script?: string;
};

/** A page of one sentence, whole without its script, and its Content-Security-Policy. */
export async function smallPage({ title, text, body = "", script }: SmallPage): Promise<{ html: string; policy: string }> {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(text)}</h1>
${body}
<p><a href="/">Open ${APP_NAME}</a></p>
</main>${script === undefined ? "" : `\n<script>${script}</script>`}
</body>
</html>`;
  const ofScript = script === undefined ? "" : `; script-src ${await hashSource(script)}`;
  const policy = `default-src 'none'; style-src ${await hashSource(STYLE)}${ofScript}; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
  return { html, policy };
}
