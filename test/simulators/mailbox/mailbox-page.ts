import type { ServerResponse } from "node:http";
import { escapeHtml } from "../escape-html.ts";
import { sendPage } from "../page.ts";
import type { Mail } from "./mail.ts";

const STYLE = `
  header { margin-bottom: 24px; }
  ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 16px; }
  article { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: 16px 20px; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 12px; margin: 4px 0 12px; color: var(--quiet); font-size: 14px; }
  dd { margin: 0; overflow-wrap: anywhere; }
  pre { margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
  .code { display: inline-block; margin: 0 0 12px; padding: 6px 14px; border-radius: 8px; background: var(--ground); border: 1px solid var(--line); font: 600 26px/34px ui-monospace, monospace; letter-spacing: 0.12em; user-select: all; -webkit-user-select: all; cursor: copy; }
  summary { cursor: pointer; margin-top: 12px; font-size: 14px; color: var(--quiet); }
  iframe { width: 100%; height: 420px; border: 1px solid var(--line); border-radius: 8px; background: #fff; margin-top: 8px; }
`;

/** The first number of six digits in a mail: a sign-in code. */
export function codeIn(mail: Mail): string | null {
  return /(?<!\d)\d{6}(?!\d)/.exec(`${mail.subject}\n${mail.text}`)?.[0] ?? null;
}

function item(mail: Mail): string {
  const code = codeIn(mail);
  const html =
    mail.html === ""
      ? ""
      : `<details><summary>HTML version</summary><iframe sandbox="" referrerpolicy="no-referrer" title="HTML version of ${escapeHtml(mail.subject)}" srcdoc="${escapeHtml(mail.html)}"></iframe></details>`;
  return `<li><article>
<h2>${escapeHtml(mail.subject)}</h2>
<dl><dt>To</dt><dd>${escapeHtml(mail.to.join(", "))}</dd><dt>From</dt><dd>${escapeHtml(mail.from)}</dd><dt>At</dt><dd><time datetime="${escapeHtml(mail.at)}">${escapeHtml(mail.at.replace("T", " ").slice(0, 19))} UTC</time></dd></dl>
${code === null ? "" : `<p><span class="quiet">Code, one click selects it:</span><br><b class="code">${code}</b></p>`}
<pre>${withLinks(mail.text)}</pre>
${html}
</article></li>`;
}

function withLinks(text: string): string {
  return escapeHtml(text).replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
}

/** The mailbox as a page, newest first. */
export function sendMailboxPage(response: ServerResponse, mails: readonly Mail[], filter: string | null): void {
  const of = filter === null ? "" : ` to ${escapeHtml(filter)}`;
  const list =
    mails.length === 0
      ? `<p>No mail${of} yet. Ask for a sign-in code, then load this page again.</p>`
      : `<ol>\n${mails.map(item).join("\n")}\n</ol>`;
  sendPage(response, {
    title: "Mailbox",
    style: STYLE,
    body: `<header><h1>Mailbox</h1>
<p class="quiet">Mail that Polylogue sends on this computer ends here and goes nowhere else. ${mails.length} ${mails.length === 1 ? "mail" : "mails"}${of}. <a href="">Load again</a></p></header>
${list}`,
  });
}
