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
