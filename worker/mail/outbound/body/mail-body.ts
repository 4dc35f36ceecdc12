/** The body of a mail that a chat sends: an answer's markdown, and below it the mail that it answers. */
import type { Citation } from "#shared/entities/message.ts";
import { parseWithin, REQUEST_UNITS } from "#shared/markdown/bounded-document.ts";
import { TooMuchWork, WorkMeter } from "#shared/markdown/work-meter.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";
import { asWritten, toMailHtml } from "./mail-html.ts";
import { quoteLines, toMailText } from "./mail-text.ts";

/** UTF-16 units of an answer, and of the quoted original: a mail may have 5 MiB, and mail programs fold long ones away. */
const CONTENT_LENGTH = 200_000;
const QUOTE_LENGTH = 20_000;
/** UTF-16 units of the answer as HTML, beyond which it goes as it was written. */
const HTML_LENGTH = 1_000_000;
const CUT = "\n\n[The rest is left out.]";

/** The mail that is answered: who wrote it, when (ISO 8601), and its plain text. */
export type Original = { from: string; at: string; text: string };

/** What a mail says: markdown, the sources that it marks, a last line that says who sends it, and the mail that it answers. */
export type MailContent = { markdown: string; citations?: readonly Citation[]; signature?: string | null; original?: Original | null };

/** A mail's body, twice. */
export type MailBody = { text: string; html: string };

/** Makes both bodies; whatever is too much work or room goes as it was written. */
export function mailBody({ markdown, citations = [], signature = null, original = null }: MailContent): MailBody {
  const content = cut(plain(markdown), CONTENT_LENGTH);
  const answer = render(content, citations);
  const quoted = original && { head: headOf(original), text: cut(plain(original.text).trim(), QUOTE_LENGTH) };
  const text = [
    answer.text,
    ...(signature === null ? [] : [`-- \n${signature}`]),
    ...(quoted ? [`${quoted.head}\n\n${quoteLines(quoted.text)}`] : []),
  ].join("\n\n");
  const html = [
    answer.html,
    ...(signature === null ? [] : [`<p style="margin:1.5em 0 0;font-size:.9em;opacity:.75">${escapeHtml(signature)}</p>`]),
    ...(quoted ? [quoteHtml(quoted)] : []),
  ].join("\n");
  return { text: `${text}\n`, html: documentOf(html) };
}

function render(content: string, citations: readonly Citation[]): MailBody {
  const raw = { text: content, html: asWritten(content) };
  const nodes = parseWithin(content, new WorkMeter(REQUEST_UNITS));
  if (nodes === null) return raw;
  try {
    const made = { text: toMailText(nodes, citations), html: toMailHtml(nodes, citations) };
    return made.html.length > HTML_LENGTH || made.text.length > HTML_LENGTH ? raw : made;
  } catch (error) {
    if (error instanceof TooMuchWork) return raw;
    throw error;
  }
}

function quoteHtml({ head, text }: { head: string; text: string }): string {
  const lines = escapeHtml(text).replaceAll("\n", "<br>\n");
  return `<p dir="auto" style="margin:1.5em 0 .5em">${escapeHtml(head)}</p>
<blockquote type="cite" dir="auto" style="margin:0;padding:0 0 0 1em;border-left:1px solid #999999">${lines}</blockquote>`;
}

function documentOf(body: string): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></head>
<body style="margin:0;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:1.55">
${body}
</body></html>
`;
}

function headOf({ from, at }: Original): string {
  const when = new Date(at).toISOString();
  return `On ${when.slice(0, 10)} at ${when.slice(11, 16)} UTC, ${from.replaceAll(/\p{Cc}/gu, " ").slice(0, 320)} wrote:`;
}

/** Text as it may stand in a mail: no control characters but line ends and tabs, and whole characters alone. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/(?![\n\t])\p{Cc}/gu, "");
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed() + CUT;
}
