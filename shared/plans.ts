/** What each plan opens: the one table that the server enforces and that users are shown where a door is closed. */
export const PLANS = {
  none: { name: "Free", proModels: false, teams: false },
  solo: { name: "Solo plan", proModels: true, teams: false },
  team: { name: "Team plan", proModels: true, teams: true },
} as const satisfies Record<string, { name: string; proModels: boolean; teams: boolean }>;

export type Plan = keyof typeof PLANS;

/** A person's plan; the team plan includes the other. */
export function planOf({ team_plan: hasTeam, solo_plan: hasSolo }: { team_plan: boolean; solo_plan: boolean }): Plan {
  if (hasTeam) return "team";
  return hasSolo ? "solo" : "none";
}

/** Invites of an account in a calendar month of UTC; accounts whose plan came by an invite have none. */
export const INVITES_A_MONTH = 3;
