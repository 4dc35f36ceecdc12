import { ABOUT_LINE, ABOUT_TEXT } from "#shared/about.ts";
import { APP_NAME } from "#shared/app.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";
import type { PagePart } from "./page.ts";
import { COPY_SCRIPT, PAGE_STYLE } from "./page-style.ts";
import type { Env } from "#worker/platform/env.ts";

/** Addresses of the faces, where this build has them; that of formulas is loaded with the first one. */
export type Faces = { sans: string | null; serif: string | null; math: string | null };

const NONE: Faces = { sans: null, serif: null, math: null };

let known: Faces | null = null;

/** How a reader stands to the chat: its members have it in their list already. */
export type Audience = "member" | "reader";

type FrameProps = {
  chatId: string;
  faces: Faces;
  audience: Audience | null;
  /** The address of the login page with the way back; null for who has signed in. */
  login: string | null;
};

/** The whole document, without a standing around a notice alone, and its Content-Security-Policy, which names its one style and its one script by their hashes. */
export async function frame(
  { title, head, style, body }: PagePart,
  { chatId, faces, audience, login }: FrameProps,
): Promise<{ html: string; policy: string }> {
  const styles = `${fontFaces(faces)}${PAGE_STYLE}${style}`;
  const script = audience === null ? "" : `<script>${COPY_SCRIPT}</script>`;
  const main =
    audience === null
      ? `<main class="column alone" id="chat"><h1>${body}</h1><a class="button" href="/">Open ${APP_NAME}</a></main>`
      : `<main class="column" id="chat">${body}</main>${foot(chatId, audience)}`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
${head}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${styles}</style>
</head>
<body>
<a class="skip" href="#chat">Skip to the chat</a>
<header class="column bar"><a class="wordmark" href="/">${APP_NAME}</a>${login === null ? "" : forVisitors(login)}</header>
${main}
${script}
</body>
</html>`;
  return { html, policy: await policyOf(styles, audience === null ? null : COPY_SCRIPT) };
}

/** What a visitor sees of the product: what it is, and the way in. Opens without a script. */
function forVisitors(login: string): string {
  return `<nav aria-label="Product"><button class="plain" type="button" popovertarget="about">About</button><a class="plain" href="${escapeHtml(login)}">Login</a></nav>
<div class="about" id="about" popover role="dialog" aria-label="About ${APP_NAME}"><p class="line">${ABOUT_LINE}</p><p>${ABOUT_TEXT}</p><p><a href="/">Open ${APP_NAME}</a><a href="/changelog">Changelog</a></p></div>`;
}

/** Lucide's `link`. */
const LINK_ICON =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71"/><path d="M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71"/></svg>';

function foot(chatId: string, audience: Audience): string {
  const copy = `<button class="button quiet" type="button" data-copy hidden>${LINK_ICON}<span role="status">Copy link</span></button>`;
  const [words, action] =
    audience === "member"
      ? ["This chat is in your list.", `<a class="button" href="/c/${chatId}">Open the chat</a>`]
      : [
          "Your copy is private, and starts where this chat ends.",
          `<form method="post" action="/p/${chatId}/continue"><button class="button">Continue in my own copy</button></form>`,
        ];
  return `<footer class="foot"><div class="column"><p>${words}</p>${copy}${action}</div></footer>`;
}

function fontFaces({ sans, serif, math }: Faces): string {
  const face = (family: string, url: string | null, weights: string) =>
    url === null
      ? ""
      : `@font-face { font-family: "${family}"; font-weight: ${weights}; font-display: swap; src: url("${url}") format("woff2"); }\n`;
  return [
    face("Hanken Grotesk Variable", sans, "100 900"),
    face("Newsreader Variable", serif, "200 800"),
    face("STIX Two Math", math, "400"),
  ].join("");
}

async function policyOf(style: string, script: string | null): Promise<string> {
  return [
    "default-src 'none'",
    `style-src ${await hashSource(style)}`,
    ...(script === null ? [] : [`script-src ${await hashSource(script)}`]),
    "font-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

async function hashSource(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

/** Where this build keeps its faces: the application's document preloads them under names that change with their content. */
export async function pageFaces(env: Env, url: string): Promise<Faces> {
  if (known) return known;
  const document = await env.ASSETS.fetch(new URL("/index.html", url), { headers: { accept: "text/html" } });
  if (!document.ok) return NONE;
  const html = await document.text();
  const find = (name: string) => new RegExp(`href="(/[^"]*${name}[^"]*\\.woff2)"`).exec(html)?.[1] ?? null;
  known = { sans: find("hanken-grotesk"), serif: find("newsreader"), math: find("stix-two-math") };
  return known;
}
