import { ArrowDown, ArrowUp, Search } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { counted } from "#web/lib/format.ts";
import { usePrinting } from "#web/lib/use-printing.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { chosenRows, type CsvOrder, numericColumns, readCsv } from "./csv.ts";

/** Rows drawn at once; further ones are a press away. */
const ROWS = 200;

/** A table of comma-separated values: sorted by a press on a head, filtered by a text. */
export default function CsvView({ source }: { source: string }) {
  const table = useMemo(() => readCsv(source), [source]);
  const [typed, setTyped] = useState("");
  const filter = useDeferredValue(typed);
  const [order, setOrder] = useState<CsvOrder>(null);
  const [limit, setLimit] = useState(ROWS);
  const isPrinting = usePrinting();
  const rows = useMemo(() => chosenRows(table, { filter, order }), [table, filter, order]);
  const isNumeric = useMemo(() => numericColumns(table), [table]);
  if (table.head.length === 0) return <p className="text-14 text-ink2">The table is empty.</p>;
  // By one press upwards, by the next downwards, by a third as it was.
  const press = (column: number) =>
    setOrder((held) =>
      held?.column !== column ? { column, isDescending: false } : held.isDescending ? null : { column, isDescending: true },
    );
  return (
    <div>
      <div className="flex flex-wrap items-center gap-12 print:hidden">
        <div className="relative min-w-200 flex-1">
          <Search aria-hidden className="pointer-events-none absolute top-1/2 left-12 size-16 -translate-y-1/2 text-ink3" />
          <input
            type="search"
            aria-label="Filter rows"
            placeholder="Filter rows..."
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className={`${fieldClass} h-36 pl-36! text-14 touch:h-44 touch:text-16`}
          />
        </div>
        <span role="status" className="text-13 text-ink2 tabular-nums">
          {rows.length === table.rows.length
            ? counted(rows.length, "row")
            : `${rows.length.toLocaleString("en")} of ${counted(table.rows.length, "row")}`}
          {table.leftOut > 0 &&
            `, the first ${table.head.length.toLocaleString("en")} of ${counted(table.head.length + table.leftOut, "column")}`}
        </span>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable */}
      <div tabIndex={0} role="region" aria-label="Table" className="mt-16 max-w-full overflow-x-auto">
        <table className="w-full border-collapse text-14">
          <thead>
            <tr>
              {table.head.map((name, column) => {
                const isChosen = order?.column === column;
                const Arrow = isChosen && order.isDescending ? ArrowDown : ArrowUp;
                return (
                  <th
                    // oxlint-disable-next-line react/no-array-index-key -- columns may have the same name
                    key={column}
                    scope="col"
                    aria-sort={isChosen ? (order.isDescending ? "descending" : "ascending") : "none"}
                    className="border-b border-line-strong p-0 text-left font-medium"
                  >
                    <button
                      type="button"
                      onClick={() => press(column)}
                      className={cx(
                        "flex h-36 w-full items-center gap-6 px-12 text-13 text-ink2 hover:text-ink touch:h-44",
                        isNumeric[column] && "justify-end",
                      )}
                    >
                      {name || `Column ${column + 1}`}
                      <Arrow aria-hidden className={cx("size-14", !isChosen && "opacity-0")} />
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, isPrinting ? rows.length : limit).map(({ at, cells }) => (
              <tr key={at}>
                {table.head.map((_, column) => (
                  <td
                    // oxlint-disable-next-line react/no-array-index-key -- as above
                    key={column}
                    className={cx(
                      "border-b border-line px-12 py-8 align-top",
                      isNumeric[column] && "text-right whitespace-nowrap tabular-nums",
                    )}
                  >
                    {cells[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > limit && (
        <Button size="sm" className="mt-12 print:hidden" onClick={() => setLimit(limit + 5 * ROWS)}>
          {`Show more of ${counted(rows.length, "row")}`}
        </Button>
      )}
    </div>
  );
}
