import { type Figure, median, worst } from "#test/bench/figure.ts";

/** A bench that ran: its figures, or why it could not be measured. */
export type Measured = { id: string; title: string; isBusy: boolean; figures: Figure[]; failure: string | null };

const HEAD = ["", "figure", "median", "worst", "target", "", "simulator alone"];

/** One table of all figures beside their targets; times are not compared where the machine was busy. */
export function benchTable(measured: Measured[]): string {
  const rows = measured.flatMap((bench) => [
    ...bench.figures.map((figure) => rowOf(bench, figure)),
    ...(bench.failure === null ? [] : [[bench.id, `${bench.title}: ${bench.failure}`, "", "", "", "FAILED", ""]]),
  ]);
  const table = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...table.map((row) => (row[5] === "FAILED" ? 0 : (row[column]?.length ?? 0)))));
  return table
    .map((row) =>
      row
        .map((cell, column) => ([0, 1, 5].includes(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
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

function rowOf({ id, isBusy }: Measured, figure: Figure): string[] {
  const sign = (figure.isLowerBetter ?? true) ? "<=" : ">=";
  return [
    id,
    figure.name,
    amount(median(figure.values), figure),
    amount(worst(figure), figure),
    figure.target === null ? "" : `${sign} ${figure.target} ${figure.unit}`,
    verdict(figure, isBusy),
    figure.base ? amount(median(figure.base), figure) : "",
  ];
}

function verdict(figure: Figure, isBusy: boolean): string {
  const met = isMet(figure, isBusy);
  if (met !== null) return met ? "met" : "NOT MET";
  return figure.target === null ? "" : "too busy";
}

function amount(value: number, { unit }: Figure): string {
  const digits = Number.isInteger(value) ? 0 : unit === "x" || unit === "$" ? 2 : 1;
  return `${value.toFixed(digits)} ${unit}`;
}
