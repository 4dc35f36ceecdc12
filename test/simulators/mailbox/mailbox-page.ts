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

/** Mails of one thread, by what their headers name; newest first, as the threads by their newest mail. */
export function threadsOf(mails: readonly Mail[]): Mail[][] {
  const threads: { ids: Set<string>; mails: Mail[] }[] = [];
  // Oldest first, so a mail finds what it answers.
  for (const mail of mails.toReversed()) {
    const named = new Set([mail.messageId, ...messageIdsOf(mail)]);
    const before = threads.find(({ ids }) => [...named].some((id) => ids.has(id)));
    const thread = before ?? { ids: new Set<string>(), mails: [] };
    if (!before) threads.push(thread);
    for (const id of named) thread.ids.add(id);
    thread.mails.unshift(mail);
  }
  const newest = ({ mails: [mail] }: { mails: Mail[] }) => (mail ? mails.indexOf(mail) : -1);
  return threads.toSorted((a, b) => newest(a) - newest(b)).map((thread) => thread.mails);
}

function messageIdsOf({ headers }: Mail): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    /^(?:in-reply-to|references)$/i.test(name) ? (value.match(/<[^<>\s]+>/g) ?? []) : [],
  );
}

function threadItem(mails: readonly Mail[]): string {
  const items = mails.map(item).join("\n");
  return mails.length === 1
    ? items
    : `<li><section><p class="quiet">A thread of ${mails.length} mails</p>\n<ol>\n${items}\n</ol></section></li>`;
}

function item(mail: Mail): string {
  const code = codeIn(mail);
  const html =
    mail.html === ""
      ? ""
      : `<details><summary>HTML version</summary><iframe sandbox="" referrerpolicy="no-referrer" title="HTML version of ${escapeHtml(mail.subject)}" srcdoc="${escapeHtml(mail.html)}"></iframe></details>`;
  return `<li><article>
<h2>${escapeHtml(mail.subject)}</h2>
<dl><dt>To</dt><dd>${escapeHtml(mail.to.join(", "))}</dd>${line("Cc", mail.cc.join(", "))}<dt>From</dt><dd>${escapeHtml(mail.from)}</dd><dt>At</dt><dd><time datetime="${escapeHtml(mail.at)}">${escapeHtml(mail.at.replace("T", " ").slice(0, 19))} UTC</time></dd>${line("Reply to", mail.replyTo.join(", "))}${line("Files", mail.attachments.map(({ filename, size }) => `${filename} (${size} bytes)`).join(", "))}</dl>
${code === null ? "" : `<p><span class="quiet">Code, one click selects it:</span><br><b class="code">${code}</b></p>`}
<pre>${withLinks(mail.text)}</pre>
${html}
${headersOf(mail)}
</article></li>`;
}

function line(name: string, value: string): string {
  return value === "" ? "" : `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`;
}

function headersOf({ messageId, headers }: Mail): string {
  const all = Object.entries({ "Message-ID": messageId, ...headers });
  return `<details><summary>Headers</summary><dl>${all.map(([name, value]) => line(escapeHtml(name), value)).join("")}</dl></details>`;
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
      : `<ol>\n${threadsOf(mails).map(threadItem).join("\n")}\n</ol>`;
  sendPage(response, {
    title: "Mailbox",
    style: STYLE,
    body: `<header><h1>Mailbox</h1>
<p class="quiet">Mail that Polylogue sends on this computer ends here and goes nowhere else. ${mails.length} ${mails.length === 1 ? "mail" : "mails"}${of}. <a href="">Load again</a></p></header>
${list}`,
  });
}
