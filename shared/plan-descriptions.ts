import { PLANS, type Plan } from "./plans.ts";

/** What a plan can open. */
export type Door = "proModels" | "teams";

const DOORS: Record<Door, string> = { proModels: "Pro models", teams: "teams of your own" };
const ORDER = ["proModels", "teams"] as const satisfies readonly Door[];
const OFFERED = ["solo", "team"] as const satisfies readonly Plan[];

/** What a plan opens, in a sentence: `Opens Pro models and teams of your own.` */
export function describePlan(plan: Plan): string {
  const opened = ORDER.filter((door) => PLANS[plan][door]).map((door) => DOORS[door]);
  return opened.length === 0 ? "Opens all but Pro models and teams of your own." : `Opens ${opened.join(" and ")}.`;
}

/** Which plans open a closed door, in a sentence: `Pro models come with the solo plan or the team plan.` */
export function describeRequiredPlans(door: Door): string {
  const plans = OFFERED.filter((plan) => PLANS[plan][door]).map((plan) => `the ${PLANS[plan].name.toLowerCase()}`);
  const what = DOORS[door];
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} come with ${plans.join(" or ")}.`;
}
