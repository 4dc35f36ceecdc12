import * as z from "zod/mini";
import { Id } from "./ids.ts";

/** Budgets of a month of UTC in US dollars, null for none: of all of a team, which only warns, and of each member. */
export const TeamBudgets = z.object({ team: z.nullable(z.number()), each: z.nullable(z.number()) });
export type TeamBudgets = z.infer<typeof TeamBudgets>;

const amounts = { cost: z.number(), calls: z.number(), tokens: z.number() };

/** What a member spent in a team; `budget` is their own, null where that of each member holds. */
export const MemberUsage = z.object({ user_id: Id, name: z.string(), isFormer: z.boolean(), budget: z.nullable(z.number()), ...amounts });
export type MemberUsage = z.infer<typeof MemberUsage>;

/** What a team's chats cost in a month of UTC, in US dollars; never what was said in them. */
export const TeamUsage = z.object({
  month: z.string(),
  /** True where today is counted. */
  withToday: z.boolean(),
  budgets: TeamBudgets,
  total: z.object(amounts),
  /** The costliest first, then by name; who was in the team and spent something in that month too. */
  members: z.array(MemberUsage),
  /** The costliest first. */
  models: z.array(z.object({ model_id: z.string(), ...amounts })),
  /** The newest first. */
  days: z.array(z.object({ day: z.string(), ...amounts })),
});
export type TeamUsage = z.infer<typeof TeamUsage>;

/** What a member spent this month of UTC in a team, and their budget there. */
export const OwnTeamUsage = z.object({
  team_id: Id,
  name: z.string(),
  spent: z.number(),
  budget: z.nullable(z.number()),
  /** For an admin of a team with a budget of its own: what all of it spent this month up to yesterday. */
  team: z.nullable(z.object({ spent: z.number(), budget: z.number() })),
});
export type OwnTeamUsage = z.infer<typeof OwnTeamUsage>;
