import { ChevronsUpDown } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { withIndexKeys } from "#web/lib/keyed.ts";
import { cx } from "#web/ui/cx.ts";
import "./diff.css";
import { type Hunk, type MarkedLine, markWords, type DiffSegment } from "./hunks.ts";

/** Lines that stay the same around a change; more of them are folded. */
const AROUND = 4;

type DiffLinesProps = {
  segments: readonly DiffSegment[];
  /** What stands above a hunk; nothing where none is wanted. */
  renderHead?: (hunk: Hunk) => ReactNode;
  /** The hunks that are shown as a side only, without colour: what was decided. */
  decided?: (hunk: Hunk) => "before" | "after" | null;
};

/** Two texts line by line: what went in red, what came in green, the changed words a step darker; long stretches that are the same are folded. */
export function DiffLines({ segments, renderHead, decided }: DiffLinesProps) {
  const starts = lineStarts(segments, decided);
  return (
    <div className="py-8 font-mono text-13 [overflow-wrap:anywhere]">
      {segments.map((piece, index) => {
        const from = starts[index] ?? 1;
        if (piece.kind === "same") {
          return (
            <SameLines key={`same ${from}`} lines={piece.lines} from={from} isFirst={index === 0} isLast={index === segments.length - 1} />
          );
        }
        const side = decided?.(piece) ?? null;
        return (
          <section
            key={`hunk ${piece.index}`}
            data-hunk={piece.index}
            tabIndex={-1}
            aria-label={`Change ${piece.index + 1}`}
            className="outline-none"
          >
            {renderHead?.(piece)}
            {side === null ? <HunkLines hunk={piece} from={from} /> : <PlainLines lines={piece[side]} from={from} />}
          </section>
        );
      })}
    </div>
  );
}

/** The number of each piece's first line. */
function lineStarts(segments: readonly DiffSegment[], decided: DiffLinesProps["decided"]): number[] {
  let line = 1;
  return segments.map((piece) => {
    const from = line;
    if (piece.kind === "same") line += piece.lines.length;
    else line += decided?.(piece) === "before" ? piece.before.length : piece.after.length;
    return from;
  });
}

function HunkLines({ hunk, from }: { hunk: Hunk; from: number }) {
  const marked = useMemo(() => markWords(hunk), [hunk]);
  return (
    <>
      {withIndexKeys(marked.before).map(({ key, part }) => (
        <Line key={`before ${key}`} number={from + Number(key)} line={part} tone="removed" />
      ))}
      {withIndexKeys(marked.after).map(({ key, part }) => (
        <Line key={`after ${key}`} number={from + Number(key)} line={part} tone="added" />
      ))}
    </>
  );
}

function SameLines({ lines, from, isFirst, isLast }: { lines: readonly string[]; from: number; isFirst: boolean; isLast: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  if (isOpen || lines.length <= head + tail + 3) return <PlainLines lines={lines} from={from} />;
  const hidden = lines.length - head - tail;
  return (
    <>
      <PlainLines lines={lines.slice(0, head)} from={from} />
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="my-4 flex h-32 w-full items-center gap-8 bg-s1 pl-14 font-sans text-12 text-ink2 hover:bg-s3 hover:text-ink touch:h-44"
      >
        <ChevronsUpDown aria-hidden className="size-14" />
        {`${hidden.toLocaleString("en")} unchanged lines`}
      </button>
      <PlainLines lines={tail === 0 ? [] : lines.slice(-tail)} from={from + lines.length - tail} />
    </>
  );
}

function PlainLines({ lines, from }: { lines: readonly string[]; from: number }) {
  return withIndexKeys(lines).map(({ key, part: text }) => (
    <Line key={key} number={from + Number(key)} line={[{ text, isChanged: false }]} tone="same" />
  ));
}

const TONE_CLASSES = { same: "", removed: "diff-removed", added: "diff-added" } as const;
const names = { same: "", removed: "Removed: ", added: "Added: " } as const;

function Line({ number, line, tone }: { number: number; line: MarkedLine; tone: keyof typeof TONE_CLASSES }) {
  return (
    <div className={cx("flex min-h-20", TONE_CLASSES[tone])}>
      <span aria-hidden className="w-44 shrink-0 pr-14 text-right tabular-nums select-none">
        {number}
      </span>
      <span className="min-w-0 flex-1 pr-16 whitespace-pre-wrap">
        {tone !== "same" && <span className="sr-only">{names[tone]}</span>}
        {withIndexKeys(line).map(({ key, part: { text, isChanged } }) => (isChanged ? <mark key={key}>{text}</mark> : text))}
      </span>
    </div>
  );
}
