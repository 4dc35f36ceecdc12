import { type Figure, median, worst } from "#test/bench/figure.ts";

/** One table of figures beside their targets; times are not compared on a busy machine. */
export function benchTable(figures: Figure[], isBusy: boolean): string {
  const rows = figures.map((figure) => [
    figure.name,
    amount(median(figure.values), figure),
    amount(worst(figure), figure),
    figure.target === null ? "" : `${(figure.isLowerBetter ?? true) ? "<=" : ">="} ${amount(figure.target, figure)}`,
    verdict(figure, isBusy),
  ]);
  const table = [["figure", "median", "worst", "target", ""], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Whether a figure's median keeps its promise; null where there is none or the machine was too busy to tell. */
export function isMet(figure: Figure, isBusy: boolean): boolean | null {
  if (figure.target === null || (figure.isTime && isBusy)) return null;
  const middle = median(figure.values);
  return (figure.isLowerBetter ?? true) ? middle <= figure.target : middle >= figure.target;
}

function verdict(figure: Figure, isBusy: boolean): string {
  const met = isMet(figure, isBusy);
  if (met !== null) return met ? "met" : "NOT MET";
  return figure.target === null ? "" : "machine too busy to compare";
}

function amount(value: number, { unit }: Figure): string {
  return `${unit === "requests" ? value : value.toFixed(1)} ${unit}`;
}
