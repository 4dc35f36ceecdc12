import type { Table, PhrasingContent, TableCell } from "mdast";
import { Check, Minus, X } from "lucide-react";
import { type ReactNode, use } from "react";
import { directionOf } from "#shared/markdown/direction.ts";
import { inlineText } from "#shared/markdown/inline-text.ts";
import { withIndexKeys } from "#web/lib/keyed.ts";
import { Inline } from "#web/features/library/markdown/inline.tsx";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { ComparedModelsContext } from "./sub-answers.ts";

const MARKS = {
  says: { icon: Check, word: "says so", tone: "text-accent" },
  denies: { icon: X, word: "denies it", tone: "text-danger" },
  silent: { icon: Minus, word: "silent", tone: "text-ink2" },
} as const satisfies Record<Stance, unknown>;

const LEGEND: readonly Stance[] = ["says", "denies", "silent"];

/** Where each model of a synthesis stands, by marks below the models' tiles; a table of anything else as it is. */
export function StanceTable({ node, plain }: { node: Table; plain: ReactNode }) {
  const comparedModels = use(ComparedModelsContext);
  const table = readStances(
    node,
    comparedModels.map(({ name }) => name),
  );
  if (!table) return plain;
  const modelOf = (name: string) => comparedModels.find((leg) => isSameName(leg.name, name))?.modelId ?? null;
  return (
    <>
      <table dir={directionOf(node)} className="w-full border-collapse text-14 wrap-break-word">
        <thead>
          <tr className="h-32 border-b border-line-strong">
            <th scope="col" className="text-left text-13 font-normal text-ink2 rtl:text-right">
              {table.head}
            </th>
            {withIndexKeys(table.names).map(({ key, part: name }) => {
              const modelId = modelOf(name);
              return (
                <th key={key} scope="col" title={name} className="w-56 max-[520px]:w-40">
                  <span className="flex justify-center">
                    {modelId === null ? (
                      <span className="text-12 font-normal text-ink2">{name}</span>
                    ) : (
                      <>
                        <ModelTile id={modelId} name={name} />
                        <span className="sr-only">{name}</span>
                      </>
                    )}
                  </span>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {withIndexKeys(table.rows).map(({ key, part: row }) =>
            row.kind === "group" ? (
              <tr key={key} className="h-32 border-b border-line">
                <th
                  scope="colgroup"
                  colSpan={table.names.length + 1}
                  className="pt-8 text-left text-13 font-medium text-ink2 rtl:text-right"
                >
                  {row.title}
                </th>
              </tr>
            ) : (
              <tr key={key} className="h-32 border-b border-line">
                <td className="py-4 pe-12">
                  <Inline nodes={row.nodes} />
                </td>
                {withIndexKeys(row.stances).map(({ key: cell, part: stance }) => (
                  <td key={cell}>{stance && <Mark stance={stance} />}</td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
      <p aria-hidden className="mt-8 flex justify-end gap-16 text-12 text-ink2">
        {LEGEND.map((stance) => {
          const { icon: Icon, word } = MARKS[stance];
          return (
            <span key={stance} className="flex items-center gap-4">
              <Icon className="size-14" />
              {word}
            </span>
          );
        })}
      </p>
    </>
  );
}

function Mark({ stance }: { stance: Stance }) {
  const { icon: Icon, word, tone } = MARKS[stance];
  return (
    <span className={`flex justify-center ${tone}`}>
      <Icon aria-hidden className="size-16" />
      <span className="sr-only">{word}</span>
    </span>
  );
}

type Stance = "says" | "denies" | "silent";

type StanceRow =
  | { kind: "group"; title: string }
  /** Null where the cell is still to come. */
  | { kind: "point"; nodes: readonly PhrasingContent[]; stances: readonly (Stance | null)[] };

type Stances = { head: string; names: readonly string[]; rows: readonly StanceRow[] };

const STANCE_OF: ReadonlyMap<string, Stance> = new Map([
  ["✓", "says"],
  ["✔", "says"],
  ["yes", "says"],
  ["✗", "denies"],
  ["✘", "denies"],
  ["×", "denies"],
  ["no", "denies"],
  ["–", "silent"],
  ["—", "silent"],
  ["-", "silent"],
]);

/** A table whose cells, except the first of each row, say where each of these models stands; null for any other. */
export function readStances({ children: [head, ...body] }: Table, models: readonly string[]): Stances | null {
  const [corner, ...names] = (head?.children ?? []).map(inlineText);
  if (corner === undefined || names.filter((name) => models.some((model) => isSameName(model, name))).length < 2) return null;
  const rows: StanceRow[] = [];
  for (const { children } of body) {
    const [first, ...cells] = children;
    const row = first && readRow(first, cells, names.length);
    if (!row) return null;
    rows.push(row);
  }
  const isMarked = rows.some((row) => row.kind === "point" && row.stances.some((stance) => stance !== null));
  return isMarked ? { head: corner, names, rows } : null;
}

/** True where a table's column is headed by this model's name. */
function isSameName(model: string, heading: string): boolean {
  return model.trim().toLowerCase() === heading.trim().toLowerCase();
}

function readRow(first: TableCell, cells: readonly TableCell[], count: number): StanceRow | null {
  const marks = cells.slice(0, count).map((cell) => inlineText(cell).trim().replaceAll("\ufe0f", "").toLowerCase());
  const [only] = first.children;
  if (first.children.length === 1 && only?.type === "strong" && marks.every((mark) => mark === "")) {
    return { kind: "group", title: inlineText(first) };
  }
  if (marks.some((mark) => mark !== "" && !STANCE_OF.has(mark))) return null;
  return {
    kind: "point",
    nodes: first.children,
    stances: Array.from({ length: count }, (_, index) => STANCE_OF.get(marks[index] ?? "") ?? null),
  };
}
