const NUMBER = /^-\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** A line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quote).join(",")}\r\n`;
}

/** A text that a spreadsheet would take for a formula is kept a text; numbers stay numbers. */
function quote(cell: string): string {
  const safe = /^[=+@\0\t\r\n-]/.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
