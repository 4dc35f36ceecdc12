import { APP_NAME } from "#shared/app.ts";
import type { Mail } from "../clients/mailer.ts";
import { letter, nameInMail } from "../mail/letter.ts";

/** The mail that invites an address to a shared chat. It says nothing of the chat: the words in it are ours alone. */
export function invitationMail({ to, name, from, url }: { to: string; name: string; from: string; url: string }): Mail {
  const who = nameInMail({ name, email: from });
  return letter({
    to,
    subject: `${who} shared a chat with you`,
    paragraphs: [`${who} shared a chat with you on ${APP_NAME}.`, `Sign in with this address, ${to}, and the chat is in your list.`],
    button: { label: "Open the chat", url },
    footnote: "If you do not know who this is, ignore this mail: nothing happens without you.",
  });
}
