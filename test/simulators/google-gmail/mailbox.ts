import { randomBytes } from "node:crypto";
import PostalMime from "postal-mime";
import { type LetterFile, THREADS } from "./letters.ts";

/** A message as the stand-in keeps it. */
export type StoredMessage = {
  id: string;
  threadId: string;
  labelIds: string[];
  at: number;
  from: string;
  to: string;
  cc: string;
  bcc: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  inReplyTo: string;
  references: string;
  files: LetterFile[];
  /** As it was given, where it was. */
  raw: string | null;
};

export type StoredDraft = { id: string; messageId: string };

/** One account's mail. */
export type Mailbox = { email: string; messages: StoredMessage[]; drafts: StoredDraft[] };

const HOUR_MS = 60 * 60_000;

function newId(): string {
  return randomBytes(8).toString("hex");
}

/** An account's mail as it begins. */
export function createMailbox(email: string): Mailbox {
  const messages = THREADS.flatMap(({ subject, letters }) => {
    const threadId = newId();
    const ids: string[] = [];
    return letters.map(({ from, hoursAgo, text = "", html = "", files = [], unread = false }, index) => {
      const messageId = `<${newId()}@mail.example>`;
      const references = ids.join(" ");
      const inReplyTo = ids.at(-1) ?? "";
      ids.push(messageId);
      const other = letters.find((letter) => letter.from !== null)?.from ?? email;
      return {
        id: index === 0 ? threadId : newId(),
        threadId,
        labelIds: from === null ? ["SENT"] : ["INBOX", ...(unread ? ["UNREAD"] : [])],
        at: Date.now() - hoursAgo * HOUR_MS,
        from: from ?? email,
        to: from === null ? other : email,
        cc: "",
        bcc: "",
        subject: index === 0 ? subject : `Re: ${subject}`,
        text,
        html,
        messageId,
        inReplyTo,
        references,
        files: [...files],
        raw: null,
      };
    });
  });
  return { email, messages, drafts: [] };
}

/** Reads a mail in the form that it is given to Gmail in; a sentence where Gmail would refuse it. */
export async function readRaw(
  mailbox: Mailbox,
  raw: string,
  threadId: string | undefined,
  label: "SENT" | "DRAFT",
): Promise<StoredMessage | string> {
  const source = Buffer.from(raw, "base64url").toString("utf8");
  if (/[+/]/.test(raw)) return "Invalid value for ByteString";
  if (/(?<!\r)\n/.test(source)) return "Lines must end with CRLF";
  const mail = await PostalMime.parse(source);
  const list = (people: typeof mail.to) => (people ?? []).map(({ address }) => address ?? "").join(", ");
  const [to, cc, bcc] = [list(mail.to), list(mail.cc), list(mail.bcc)];
  if (label === "SENT" && to + cc + bcc === "") return "Recipient address required";
  const { inReplyTo = "", references = "", subject = "" } = mail;
  const isSame = mailbox.messages.some(
    (one) => one.threadId === threadId && bare(one.subject) === bare(subject) && references.includes(one.messageId),
  );
  const id = newId();
  return {
    id,
    // Gmail keeps a mail in a thread only where its headers and its subject say so too.
    threadId: threadId !== undefined && isSame ? threadId : id,
    labelIds: [label],
    at: Date.now(),
    // An external sender is written over.
    from: mailbox.email,
    to,
    cc,
    bcc,
    subject,
    text: mail.text ?? "",
    html: mail.html ?? "",
    messageId: `<${newId()}@mail.gmail.example>`,
    inReplyTo,
    references,
    files: [],
    raw: source,
  };
}

function bare(subject: string): string {
  return subject.replace(/^(?:re:\s*)+/i, "").trim();
}

/** A message as the API returns it. */
export function describe(message: StoredMessage, format: string, only: readonly string[]) {
  const { id, threadId, labelIds, at, text, html, files } = message;
  const shown = text || html.replaceAll(/<style[\s\S]*?<\/style>|<[^>]*>/g, " ");
  const known = {
    id,
    threadId,
    labelIds,
    snippet: shown.replaceAll(/\s+/g, " ").trim().slice(0, 160),
    historyId: "100",
    internalDate: String(at),
  };
  const size = text.length + html.length;
  if (format === "minimal") return { ...known, sizeEstimate: size };
  const wanted = new Set(only.map((name) => name.toLowerCase()));
  const headers = headersOf(message).filter(({ name }) => format !== "metadata" || wanted.size === 0 || wanted.has(name.toLowerCase()));
  if (format === "metadata") return { ...known, sizeEstimate: size, payload: { mimeType: "multipart/mixed", headers } };
  return { ...known, sizeEstimate: size, payload: payloadOf(message, headers, files) };
}

function headersOf({ from, to, cc, subject, at, messageId, inReplyTo, references }: StoredMessage) {
  return [
    { name: "From", value: from },
    { name: "To", value: to },
    ...(cc === "" ? [] : [{ name: "Cc", value: cc }]),
    { name: "Subject", value: subject },
    { name: "Date", value: new Date(at).toUTCString() },
    { name: "Message-ID", value: messageId },
    ...(inReplyTo === "" ? [] : [{ name: "In-Reply-To", value: inReplyTo }]),
    ...(references === "" ? [] : [{ name: "References", value: references }]),
  ];
}

function payloadOf({ text, html }: StoredMessage, headers: { name: string; value: string }[], files: readonly LetterFile[]) {
  const body = (type: string, content: string, partId: string) => ({
    partId,
    mimeType: type,
    filename: "",
    headers: [{ name: "Content-Type", value: `${type}; charset="UTF-8"` }],
    body: { size: Buffer.byteLength(content), data: Buffer.from(content).toString("base64url") },
  });
  const bodies = [...(text === "" ? [] : [body("text/plain", text, "0")]), ...(html === "" ? [] : [body("text/html", html, "1")])];
  const [only] = bodies;
  if (files.length === 0 && bodies.length === 1 && only) return { ...only, partId: "", headers: [...headers, ...only.headers] };
  return {
    partId: "",
    mimeType: "multipart/mixed",
    filename: "",
    headers,
    body: { size: 0 },
    parts: [
      ...bodies,
      ...files.map(({ name, type, content }, index) => ({
        partId: String(index + 2),
        mimeType: type,
        filename: name,
        headers: [{ name: "Content-Disposition", value: `attachment; filename="${name}"` }],
        // Such an id is another one each time.
        body: { attachmentId: `ANG${randomBytes(6).toString("hex")}_${index}`, size: Buffer.byteLength(content, "latin1") },
      })),
    ],
  };
}
