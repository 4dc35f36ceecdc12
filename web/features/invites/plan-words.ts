import { PLANS, type Plan } from "#shared/plans.ts";

/** What a plan opens, in a sentence. */
export function planWords(plan: Plan): string {
  const opened = [...(PLANS[plan].proModels ? ["Pro models"] : []), ...(PLANS[plan].teams ? ["teams of your own"] : [])];
  return opened.length === 0 ? "Opens all but Pro models and teams of your own." : `Opens ${opened.join(" and ")}.`;
}
