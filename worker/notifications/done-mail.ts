import type { Mail } from "../clients/mailer.ts";
import { letter } from "../mail/letter.ts";
import { cleanSubject } from "../mail/subject.ts";
import { type DoneJob, jobInWords } from "./done-job.ts";
import { type DoneKind, NOTICE_SUBJECTS, noticeKindOf } from "./notice.ts";
import { unsubscribeHeaders } from "./unsubscribe-headers.ts";

const SAID_LENGTH = 500;

const MANY = {
  import: "imports and exports are done",
  index: "indexes are done",
  schedule: "of your schedules ran",
  share: "artifacts were shared with you",
} as const;

/** The mail about imports, indexes or schedules that ended, with the headers of one-click unsubscribing (RFC 8058). */
export function doneMail(
  jobs: readonly DoneJob[],
  { kind, to, origin, unsubscribeUrl }: { kind: DoneKind; to: string; origin: string; unsubscribeUrl: string },
): Mail & { headers: Record<string, string> } {
  const [first] = jobs;
  const isOne = jobs.length === 1 && first !== undefined;
  const paragraphs = jobs.map((job) => [`${jobInWords(job)}.`, job.said?.slice(0, SAID_LENGTH)].filter(Boolean).join(" "));
  const howOften = kind === "index" ? "one for each index that you start" : "at most one an hour";
  const mail = letter({
    to,
    subject: cleanSubject(isOne ? jobInWords(first) : `${jobs.length} ${MANY[kind]}`),
    paragraphs,
    button: { label: "Open it", url: `${origin}${first?.path ?? "/"}` },
    footnote: `You get mails about ${NOTICE_SUBJECTS[noticeKindOf(kind)]}: ${howOften}. Settings > General > Notifications changes that.`,
    link: { label: "Stop these mails", url: unsubscribeUrl },
  });
  return { ...mail, headers: unsubscribeHeaders(unsubscribeUrl) };
}
