import type { BodyOf } from "#shared/contracts/endpoint.ts";
import type { createInvite } from "#shared/contracts/account/invites.ts";
import { INVITE_CREDITS_MAX } from "#shared/limits.ts";
import type { Plan } from "#shared/plans.ts";
import { isUuid } from "#shared/uuid.ts";

/** What an administrator has chosen for the next invite, as it stands in the fields. */
export type InviteOptions = { plan: Plan; credits: string; teamId: string; isActive: boolean };

export const NO_OPTIONS: InviteOptions = { plan: "none", credits: "", teamId: "", isActive: true };

export type OptionProblems = { credits?: string; teamId?: string };

type Options = Omit<BodyOf<typeof createInvite>, "sent_to">;

/** The options as they are sent, or what is wrong with them; an empty field is left to the server. */
export function readOptions({ plan, credits, teamId, isActive }: InviteOptions): { body: Options } | { problems: OptionProblems } {
  const amount = credits.trim();
  const team = teamId.trim().toLowerCase();
  const isAmount = amount === "" || (/^\d+$/.test(amount) && Number(amount) <= INVITE_CREDITS_MAX);
  const isTeam = team === "" || isUuid(team);
  if (!isAmount || !isTeam) {
    return {
      problems: {
        ...(!isAmount && { credits: `A whole number from 0 to ${INVITE_CREDITS_MAX}.` }),
        ...(!isTeam && { teamId: "A team id is a UUID, e.g. 0b6f4c2e-71d8-4a53-9e1c-5f20c8d7a914." }),
      },
    };
  }
  return {
    body: {
      auto_activate: isActive,
      team_plan: plan === "team",
      solo_plan: plan === "solo",
      ...(team !== "" && { team_id: team }),
      ...(amount !== "" && { initial_credits: Number(amount) }),
    },
  };
}
