import { APP_NAME } from "#shared/app.ts";
import type { Invite } from "#shared/entities/invite.ts";
import { showInviteCode } from "#shared/invite-code.ts";
import { planOf } from "#shared/plans.ts";
import type { Mail } from "../clients/mailer.ts";
import { letter, nameInMail } from "../mail/letter.ts";

type Invitation = { to: string; name: string; from: string; url: string; invite: Invite | null };

/** The mail that invites an address to a shared chat, with the invite that goes along. It says nothing of the chat: the words in it are ours alone. */
export function invitationMail({ to, name, from, url, invite }: Invitation): Mail {
  const who = nameInMail({ name, email: from });
  return letter({
    to,
    subject: `${who} shared a chat with you`,
    paragraphs: [
      `${who} shared a chat with you on ${APP_NAME}.`,
      ...(invite
        ? [`An invite comes with it, which opens one account${giftWords(invite)}. Its code is ${showInviteCode(invite.code)}.`]
        : []),
      `Sign in with this address, ${to}, and the chat is in your list.`,
    ],
    button: { label: "Open the chat", url },
    footnote: "If you do not know who this is, ignore this mail: nothing happens without you.",
  });
}

const PLAN_WORDS = { none: null, solo: "the solo plan", team: "the team plan" } as const;

function giftWords(invite: Invite): string {
  const { initial_credits: credits, auto_activate: isActive } = invite;
  const plan = PLAN_WORDS[planOf(invite)];
  const gifts = [
    ...(plan === null ? [] : [isActive ? plan : `${plan}, once it is approved`]),
    ...(credits > 0 ? [`$${Number.isInteger(credits) ? credits : credits.toFixed(2)} of credits`] : []),
  ];
  return gifts.length > 0 ? ` with ${gifts.join(" and ")}` : "";
}
