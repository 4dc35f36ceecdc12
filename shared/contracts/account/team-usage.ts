import * as z from "zod/mini";
import { Id } from "#shared/entities/ids.ts";
import { OwnTeamUsage, TeamUsage } from "#shared/entities/team-usage.ts";
import { TEAM_BUDGET_MAX } from "#shared/limits.ts";
import { Ok } from "./auth.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

const TeamParams = z.object({ id: Id });

const Month = z.string().check(z.regex(/^20\d{2}-(0[1-9]|1[0-2])$/, "Give a month such as 2026-11."));

/** US dollars a month; null takes the budget away. */
const Budget = z.nullable(
  z
    .number()
    .check(
      z.gte(0, "The budget cannot be below zero."),
      z.lte(TEAM_BUDGET_MAX, `The budget may be at most $${TEAM_BUDGET_MAX.toLocaleString("en")} a month.`),
    ),
);

export const getTeamUsage = endpoint("GET", "/api/teams/:id/usage", {
  summary: "What a team's chats cost in a month of UTC by member, model and day, up to yesterday, or with `today`; admins only",
  access: "account",
  params: TeamParams,
  query: z.object({ month: z.optional(Month), today: z.optional(z.literal("true")) }),
  response: z.object({ usage: TeamUsage }),
});

export const downloadTeamUsage = endpoint("GET", "/api/teams/:id/usage.csv", {
  summary: "What a team's chats cost in a month of UTC, a line for each day, member and model, as CSV; admins only",
  access: "account",
  params: TeamParams,
  query: z.object({ month: z.optional(Month) }),
});

export const updateTeamBudgets = endpoint("PATCH", "/api/teams/:id/budgets", {
  summary: "Set what each member, one member, or all of a team may spend a month, which last only warns; admins only",
  access: "account",
  params: TeamParams,
  body: z.partial(z.object({ team: Budget, each: Budget, member: z.object({ userId: Id, budget: Budget }) })),
  response: Ok,
});

export const listOwnTeamUsage = endpoint("GET", "/api/user/team-usage", {
  summary: "What the caller spent this month of UTC in each of their teams, and their budgets there",
  access: "account",
  response: z.object({ teams: z.array(OwnTeamUsage) }),
});
