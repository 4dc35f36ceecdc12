/** What a mail service keeps of a subject. */
const SUBJECT_LENGTH = 200;

/** `Re:` and what programs in other languages write for it, also numbered. */
const REPLY_PREFIX = /^(?:\s*(?:re|aw|antw|antwort|sv|vs|rv|ref|odp|ynt|回复|答复|返信)(?:\[\d+\])?\s*[:：])+\s*/iu;

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
