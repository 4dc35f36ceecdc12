import type { ServerResponse } from "node:http";
import { escapeHtml } from "./escape-html.ts";

const STYLE = `
  :root { color-scheme: light dark; --text: #1d211f; --quiet: #5a625e; --ground: #f9f9f7; --sheet: #fff; --line: #dcdfda; --accent: #24633f; --on-accent: #fff; }
  @media (prefers-color-scheme: dark) { :root { --text: #e9ebe8; --quiet: #a3aaa5; --ground: #171917; --sheet: #1f2220; --line: #343835; --accent: #8fcfa8; --on-accent: #10251a; } }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 720px; margin: 0 auto; padding: 40px 20px 64px; }
  h1 { margin: 0 0 4px; font: 500 28px/34px Georgia, serif; }
  h2 { margin: 0; font: 600 17px/24px system-ui, sans-serif; overflow-wrap: anywhere; }
  p { margin: 0 0 16px; }
  .quiet { color: var(--quiet); font-size: 14px; }
  a { color: var(--accent); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  button, input { font: inherit; border-radius: 8px; padding: 10px 14px; min-height: 44px; border: 1px solid var(--line); background: var(--sheet); color: var(--text); width: 100%; }
  button { cursor: pointer; text-align: center; }
  button.main { background: var(--accent); color: var(--on-accent); border-color: transparent; font-weight: 600; }
`;

/** Answers with a whole HTML page; `body` is trusted markup, the title is escaped. Nothing but its own styles may load. */
export function sendPage(
  response: ServerResponse,
  { title, body, style = "", status = 200 }: { title: string; body: string; style?: string; status?: number },
): void {
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
  });
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`);
}
