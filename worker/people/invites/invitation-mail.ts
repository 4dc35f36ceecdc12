import { APP_NAME } from "#shared/app.ts";
import type { Invite } from "#shared/entities/invite.ts";
import { showInviteCode } from "#shared/sign-in/invite-code.ts";
import { planOf } from "#shared/plans.ts";
import type { Mail } from "#worker/platform/clients/mailer.ts";
import { letter, nameInMail } from "#worker/platform/letters/letter.ts";

export type Shared = "a chat" | "an artifact";

type Invitation = { to: string; name: string; from: string; url: string; invite: Invite | null; what: Shared };

/** The mail that invites an address to what is shared with it, with the invite that goes along. It says nothing of its content: the words in it are ours alone. */
export function invitationMail({ to, name, from, url, invite, what }: Invitation): Mail {
  const noun = what.replace(/^an? /, "");
  const who = nameInMail({ name, email: from });
  return letter({
    to,
    subject: `${who} shared ${what} with you`,
    paragraphs: [
      `${who} shared ${what} with you on ${APP_NAME}.`,
      ...(invite
        ? [`An invite comes with it, which opens one account${describeGift(invite)}. Its code is ${showInviteCode(invite.code)}.`]
        : []),
      `Sign in with this address, ${to}, and the ${noun} is in your list.`,
    ],
    button: { label: `Open the ${noun}`, url },
    footnote: "If you do not know who this is, ignore this mail: nothing happens without you.",
  });
}

const PLAN_NAMES = { none: null, solo: "the solo plan", team: "the team plan" } as const;

function describeGift(invite: Invite): string {
  const { initial_credits: credits, auto_activate: isActive } = invite;
  const plan = PLAN_NAMES[planOf(invite)];
  const gifts = [
    ...(plan === null ? [] : [isActive ? plan : `${plan}, once it is approved`]),
    ...(credits > 0 ? [`$${Number.isInteger(credits) ? credits : credits.toFixed(2)} of credits`] : []),
  ];
  return gifts.length > 0 ? ` with ${gifts.join(" and ")}` : "";
}
