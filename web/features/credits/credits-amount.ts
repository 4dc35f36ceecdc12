/** US dollars as they are shown: two decimals, then up to two further digits to dim, left out when they are zeros. */
export function splitCredits(dollars: number): { main: string; extra: string } {
  const sign = dollars < 0 ? "-" : "";
  const digits = Math.abs(dollars).toFixed(4);
  const extra = digits.slice(-2);
  return { main: `${sign}$${digits.slice(0, -2)}`, extra: extra === "00" ? "" : extra };
}
