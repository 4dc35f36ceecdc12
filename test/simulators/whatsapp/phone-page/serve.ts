import { readFileSync, readdirSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type { Handler } from "../../simulator.ts";

const FOLDER = join(import.meta.dirname, "browser");

/** In the order in which their rules apply. */
const STYLES = ["page", "list", "conversation", "bubble", "composer", "sheets", "narrow"];

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<title>Phone</title>
<link rel="icon" href="data:,">
${STYLES.map((name) => `<link rel="stylesheet" href="/dev/phone/page/${name}.css">`).join("\n")}
<script type="module" src="/dev/phone/page/main.ts"></script>
</head>
<body></body>
</html>
`;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; base-uri 'none'";

/** The phone's page and what it loads; its scripts are stripped of their types as they are asked for. */
export function phonePage(): Record<string, Handler> {
  const files = readdirSync(FOLDER).map((name): [string, Handler] => [
    `GET /dev/phone/page/${name}`,
    ({ response }) => sendFile(response, name),
  ]);
  const page: Handler = ({ response }) => send(response, "text/html; charset=utf-8", PAGE);
  return { "GET /dev/phone": page, "GET /dev/phone/": page, ...Object.fromEntries(files) };
}

function sendFile(response: ServerResponse, name: string): void {
  const source = readFileSync(join(FOLDER, name), "utf8");
  if (name.endsWith(".css")) send(response, "text/css; charset=utf-8", source);
  else send(response, "text/javascript; charset=utf-8", stripTypeScriptTypes(source));
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": POLICY,
  });
  response.end(body);
}
