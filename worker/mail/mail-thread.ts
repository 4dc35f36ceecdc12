/** What puts a mail in its thread (RFC 5322, 3.6.4). */

/** Bytes of one header's value at the platform's send_email, and what it keeps of a subject. */
const HEADER_BYTES = 2_048;
const SUBJECT_LENGTH = 200;
/** The thread's first mail and so many of its newest are named. */
const NEWEST_KEPT = 20;

const MESSAGE_ID = /^[^<>\s@\p{Cc}]+@[^<>\s@\p{Cc}]+$/u;
/** `Re:` and what programs in other languages write for it, also numbered. */
const REPLY_PREFIX = /^(?:\s*(?:re|aw|antw|antwort|sv|vs|rv|ref|odp|ynt|回复|答复|返信)(?:\[\d+\])?\s*[:：])+\s*/iu;

/** The mail that is answered: message ids without angle brackets, the thread's first one first. */
export type Parent = { messageId: string | null; references: readonly string[] };

/** The message ids of a header such as `References`, without angle brackets. */
export function messageIdsIn(header: string): string[] {
  return header.split(/[\s<>,]+/).filter((id) => MESSAGE_ID.test(id));
}

/** The headers of an answer: `In-Reply-To`, and `References` with the first and the newest ids that a header has room for. */
export function threadHeaders({ messageId, references }: Parent): Record<string, string> {
  if (messageId === null || !isUsable(messageId)) return {};
  const [first, ...later] = [...new Set(references)].filter((id) => id !== messageId && isUsable(id));
  const kept = [...later.slice(1 - NEWEST_KEPT), messageId];
  const line = () => [...(first === undefined ? [] : [first]), ...kept].map((id) => `<${id}>`).join(" ");
  while (kept.length > 1 && new TextEncoder().encode(line()).length > HEADER_BYTES) kept.shift();
  return { "In-Reply-To": `<${messageId}>`, References: line() };
}

/** Two of them always fit into a header. */
function isUsable(id: string): boolean {
  return MESSAGE_ID.test(id) && new TextEncoder().encode(id).length <= HEADER_BYTES / 2 - 3;
}

/** The subject of an answer: one `Re: ` before what it was, on one line. */
export function replySubject(subject: string): string {
  return `Re: ${cleanSubject(subject).replace(REPLY_PREFIX, "") || "your mail"}`.slice(0, SUBJECT_LENGTH).toWellFormed();
}

/** A subject on one line, without what no header may hold. */
export function cleanSubject(subject: string): string {
  return subject
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, SUBJECT_LENGTH)
    .toWellFormed();
}
