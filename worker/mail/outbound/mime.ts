/** A mail as one text that servers take (RFC 5322, 2045, 2047): headers that hold nothing but what they are for, lines that end with CRLF. */
import { toBase64 } from "#worker/platform/clients/data-url.ts";
import type { MailBody } from "./body/mail-body.ts";

type Mime = {
  from: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  subject: string;
  /** What puts it into its thread. */
  thread: Record<string, string>;
  body: MailBody;
};

/** Bytes of text in one encoded word: with its marks it has at most 75 characters. */
const WORD_BYTES = 45;
/** Characters in a line of base64. */
const LINE = 76;

/** Composes a mail of plain text and HTML that repeats it. */
export function composeMime({ from, to, cc, bcc, subject, thread, body }: Mime): string {
  const boundary = `part-${crypto.randomUUID()}`;
  const headers = {
    From: from,
    ...(to.length > 0 && { To: listed(to) }),
    ...(cc.length > 0 && { Cc: listed(cc) }),
    ...(bcc.length > 0 && { Bcc: listed(bcc) }),
    Subject: encodeWords(subject),
    ...thread,
    "MIME-Version": "1.0",
    "Content-Type": `multipart/alternative; boundary="${boundary}"`,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${bare(value)}`);
  const parts = [part("text/plain", body.text), part("text/html", body.html)].map((text) => `--${boundary}\r\n${text}`);
  return `${lines.join("\r\n")}\r\n\r\n${parts.join("\r\n")}\r\n--${boundary}--\r\n`;
}

function part(type: string, text: string): string {
  const encoded = toBase64(new TextEncoder().encode(text)).match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded.join("\r\n")}`;
}

/** Addresses, one a line. */
function listed(addresses: readonly string[]): string {
  return addresses.map(bare).join(",\r\n ");
}

/** A value on its own line: what would begin another header is none of it, but the folds that are made here. */
function bare(value: string): string {
  return value.replaceAll(/\r\n (?=\S)|[\p{Cc}\u2028\u2029]+/gu, (found) => (found === "\r\n " ? found : " "));
}

/** Text as a header may hold it: plain where it is ASCII, else in words of base64. */
function encodeWords(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  if (/^[\x20-\x7E]*$/.test(plain) && !plain.includes("=?") && plain.length <= LINE) return plain;
  const encoder = new TextEncoder();
  const words: string[] = [];
  let word = "";
  for (const character of plain) {
    if (encoder.encode(word + character).length > WORD_BYTES) {
      words.push(word);
      word = "";
    }
    word += character;
  }
  return [...words, word].map((one) => `=?UTF-8?B?${toBase64(encoder.encode(one))}?=`).join("\r\n ");
}
