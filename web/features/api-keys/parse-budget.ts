import { API_KEY_BUDGET_MAX } from "#shared/limits.ts";

/** A budget as it was typed: dollars, null for an empty field, undefined for what is no amount. */
export function parseBudget(text: string): number | null | undefined {
  const amount = text.trim().replace(/^\$\s*/, "");
  if (amount === "") return null;
  if (!/^\d{1,6}(?:[.,]\d{1,2})?$/.test(amount)) return undefined;
  const dollars = Number(amount.replace(",", "."));
  return dollars >= 0.01 && dollars <= API_KEY_BUDGET_MAX ? dollars : undefined;
}
