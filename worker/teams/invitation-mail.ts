import { APP_NAME } from "#shared/app.ts";
import type { Mail } from "../clients/mailer.ts";
import { isPlainName, letter, nameInMail } from "../mail/letter.ts";

type Invitation = { to: string; name: string; from: string; team: string; url: string };

/** The mail that invites an address to a team; a team's name that could pose as anything else is left to the page. */
export function teamInvitationMail({ to, name, from, team, url }: Invitation): Mail {
  const who = nameInMail({ name, email: from });
  const named = isPlainName(team) ? `the team ${team.trim()}` : "a team";
  return letter({
    to,
    subject: `${who} invited you to ${named}`,
    paragraphs: [`${who} invited you to ${named} on ${APP_NAME}.`, `Accept with this address, ${to}. The invitation is open for 7 days.`],
    button: { label: "See the invitation", url },
    footnote: "If you do not know who this is, ignore this mail: nothing happens without you.",
  });
}
