/** An amount in US dollars as it is typed: `2`, `$2.50`, `2,5`; null for anything else. */
export function toDollars(text: string): number | null {
  const match = /^\$?\s*(\d{1,7}(?:[.,]\d{1,6})?)$/.exec(text.trim());
  return match?.[1] === undefined ? null : Number(match[1].replace(",", "."));
}

/** An amount for the field that it is changed in: `1.00`, and more decimals only where they are needed. */
export function dollarText(dollars: number): string {
  const text = String(dollars);
  return text.length > dollars.toFixed(2).length ? text : dollars.toFixed(2);
}

/** US dollars of one reply: four decimals, and what is smaller says so. */
export function formatCost(cost: number): string {
  if (cost === 0) return "$0";
  return cost < 0.0001 ? "<$0.0001" : `$${cost.toFixed(4)}`;
}

/** US dollars as they are shown: two decimals, then up to two further digits to dim, left out when they are zeros. */
export function splitCredits(dollars: number): { main: string; extra: string } {
  const sign = dollars < 0 ? "-" : "";
  const digits = Math.abs(dollars).toFixed(4);
  const extra = digits.slice(-2);
  return { main: `${sign}$${digits.slice(0, -2)}`, extra: extra === "00" ? "" : extra };
}
