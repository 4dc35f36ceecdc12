import { APP_NAME } from "#shared/app.ts";
import type { Mail } from "../clients/mailer.ts";
import { letter, nameInMail } from "../mail/letter.ts";
import { cleanSubject } from "../mail/subject.ts";
import { type ChatNoticeKind, NOTICE_SUBJECTS } from "./notice.ts";
import { unsubscribeHeaders } from "./unsubscribe-headers.ts";

const TITLE_LENGTH = 100;

/** What a mail is about; `title` is null where others wrote it, as the words in such a mail are ours alone. */
export type About = {
  kind: ChatNoticeKind;
  title: string | null;
  /** Who shared the chat. */
  sharer: { name: string; email: string } | null;
};

type Addressed = { to: string; chatUrl: string; unsubscribeUrl: string };

/** The mail about something that happened while its person was away, with the headers of one-click unsubscribing (RFC 8058). */
export function noticeMail(about: About, { to, chatUrl, unsubscribeUrl }: Addressed): Mail & { headers: Record<string, string> } {
  const { subject, said } = wordsOf(about);
  const mail = letter({
    to,
    subject: cleanSubject(subject),
    paragraphs: [said],
    button: { label: "Open the chat", url: chatUrl },
    footnote: `You get mails about ${NOTICE_SUBJECTS[about.kind]}: at most one an hour for each chat. Settings > General > Notifications changes that.`,
    link: { label: "Stop these mails", url: unsubscribeUrl },
  });
  return { ...mail, headers: unsubscribeHeaders(unsubscribeUrl) };
}

function wordsOf({ kind, title, sharer }: About): { subject: string; said: string } {
  const name = title?.slice(0, TITLE_LENGTH).trim();
  const where = name ? `\u2018${name}\u2019` : null;
  switch (kind) {
    case "reply":
      return {
        subject: where ? `A reply is ready in ${where}` : "A reply is ready in a shared chat",
        said: `The reply that you asked for in ${where ?? "a shared chat"} finished while you were away.`,
      };
    case "approval":
      return {
        subject: where ? `Waiting for you in ${where}` : "A shared chat waits for you",
        said: `A reply in ${where ?? "a shared chat"} wants to do something that needs your word. Nothing happens until you approve it.`,
      };
    case "share": {
      const who = sharer ? nameInMail(sharer) : "Somebody";
      return {
        subject: `${who} shared a chat with you`,
        said: `${who} shared a chat with you on ${APP_NAME}. It is in your list.`,
      };
    }
  }
}
