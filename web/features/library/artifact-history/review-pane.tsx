import { ArrowDown, ArrowUp, Check, Undo2, X } from "lucide-react";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { type Insertion, insertionsOf, locateInsertions } from "./open-insertions.ts";
import { compareTexts, decidedText, type Decision, type Hunk, hunksOf } from "./hunks.ts";
import { DiffLines } from "./diff-lines.tsx";
import { previewOf } from "#web/features/library/artifact-preview/preview-document.ts";
import { Preview } from "#web/features/library/artifact-preview/preview.tsx";
import "./diff.css";

const NAME = "artifact-brought";

type ReviewPreviewProps = {
  /** What the decisions come to. */
  text: string;
  /** What is marked in it. */
  insertions: readonly Insertion[];
};

/** How a text under review reads, with what the open changes bring marked in it. */
function ReviewPreview({ text, insertions }: ReviewPreviewProps) {
  const shown = useDeferredValue(text);
  const document = useMemo(() => previewOf(shown), [shown]);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = scroller.current;
    // Where a browser marks nothing, the lines beside it show all.
    if (!root || !("highlights" in CSS)) return undefined;
    const mark = () => CSS.highlights.set(NAME, new Highlight(...rangesOf(root, insertions)));
    mark();
    // What is drawn later: after a decision, or as a part comes into sight.
    const observer = new MutationObserver(mark);
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [insertions]);
  return (
    <div
      ref={scroller}
      // What scrolls must be reachable.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="Preview"
      className="min-h-0 min-w-0 flex-1 overflow-y-auto border-l border-line px-24 py-16 outline-none"
    >
      <Preview document={document} scroller={scroller} />
    </div>
  );
}

function rangesOf(root: Node, insertions: readonly Insertion[]): Range[] {
  const nodes: { node: Text; start: number }[] = [];
  let text = "";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const place = (offset: number) => nodes.findLast(({ start }) => start <= offset);
  return locateInsertions(text, insertions).flatMap(({ start, end }) => {
    const [first, last] = [place(start), place(end - 1)];
    if (!first || !last) return [];
    const range = document.createRange();
    range.setStart(first.node, start - first.start);
    range.setEnd(last.node, end - last.start);
    return [range];
  });
}

export type ReviewPaneProps = {
  before: string;
  after: string;
  /** Whose change it is: the bar's beginning. */
  title: ReactNode;
  /** What was decided before. */
  initial?: ReadonlyMap<number, Decision> | undefined;
  /** Called with each decision, with the text that it comes to where that changed; null for who may only look, and where only the end counts. */
  onChange: ((decided: Decided, how: { onError: () => void }) => void) | null;
  /** What was decided is being saved: nothing more is decided. */
  isSaving?: boolean;
  /** Called with the text once, when everything is decided and 'Done' was pressed. */
  onChosen?: (text: string) => void;
  /** Everything was decided, or all accepted. */
  onDone: () => void;
  labels?: ReviewLabels;
  /** Whether there is room for how the text reads beside what changed. */
  isWide: boolean;
};

/** Decisions by hunk, whether all have one, and their text where it is another than before. */
export type Decided = { decisions: ReadonlyMap<number, Decision>; isDone: boolean; text: string | null };

/** Longer texts, in characters, are not shown as they read: each decision would be waited for. */
const PREVIEWED = 200_000;

/** What the pane, its two ways to decide, and what was decided are called. */
export type ReviewLabels = Readonly<Record<"name" | "accept" | "accepted" | "acceptAll" | "reject" | "rejected" | "rejectAll", string>>;

const REVIEW_LABELS: ReviewLabels = {
  name: "Review",
  accept: "Accept",
  accepted: "Accepted",
  acceptAll: "Accept all",
  reject: "Reject",
  rejected: "Rejected",
  rejectAll: "Reject all",
};

/** A change shown against what was before, hunk by hunk, each to be accepted or rejected; what is rejected is saved at once. */
export function ReviewPane({
  before,
  after,
  title,
  initial,
  onChange,
  isSaving = false,
  onChosen,
  onDone,
  labels = REVIEW_LABELS,
  isWide,
}: ReviewPaneProps) {
  const segments = useMemo(() => compareTexts(before, after), [before, after]);
  const hunks = useMemo(() => hunksOf(segments), [segments]);
  const [decisions, setDecisions] = useState<ReadonlyMap<number, Decision>>(initial ?? new Map());
  const { pane, box, done, notePress, step } = useHunkFocus(hunks, decisions);
  const accepted = [...decisions.values()].filter((decision) => decision === "accepted").length;
  const open = hunks.length - decisions.size;
  const mayDecide = onChange !== null || onChosen !== undefined;

  const hasPreview = isWide && after.length <= PREVIEWED;
  const decided = useMemo(
    () => (hasPreview ? { text: decidedText(segments, decisions), insertions: insertionsOf(segments, decisions) } : null),
    [hasPreview, segments, decisions],
  );

  const decide = (next: ReadonlyMap<number, Decision>) => {
    if (isSaving) return;
    const former = decisions;
    setDecisions(next);
    const text = decidedText(segments, next);
    const isChanged = text !== decidedText(segments, former);
    onChange?.(
      { decisions: next, isDone: next.size === hunks.length, text: isChanged ? text : null },
      { onError: () => setDecisions(former) },
    );
  };
  const decideOne = (index: number, decision: Decision | null) => {
    const next = new Map(decisions);
    if (decision === null) next.delete(index);
    else next.set(index, decision);
    notePress(index);
    decide(next);
  };
  const decideAll = (decision: Decision) => decide(new Map(hunks.map(({ index }) => [index, decisions.get(index) ?? decision])));
  return (
    <section ref={pane} tabIndex={-1} aria-label={labels.name} className="flex outline-none min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-44 shrink-0 flex-wrap items-center gap-x-12 gap-y-4 border-y border-line bg-s2 px-16 py-4 desk:px-24">
        <p className="min-w-0 flex-1 text-13 text-ink2 max-desk:flex-none max-desk:basis-full">{title}</p>
        <span role="status" className="text-12 text-ink2 tabular-nums max-desk:mr-auto">
          {open === 0 ? "All decided" : `${accepted} ${labels.accepted.toLowerCase()}, ${open} open`}
        </span>
        {hunks.length > 1 && (
          <span className="flex max-desk:hidden">
            <IconButton size="sm" label="Previous change" icon={ArrowUp} onClick={() => step(-1)} />
            <IconButton size="sm" label="Next change" icon={ArrowDown} onClick={() => step(1)} />
          </span>
        )}
        {mayDecide && open > 0 && (
          <>
            <Button size="sm" variant="quiet" busy={isSaving} onClick={() => decideAll("rejected")}>
              {labels.rejectAll}
            </Button>
            <Button size="sm" variant="primary" busy={isSaving} onClick={() => decideAll("accepted")}>
              {labels.acceptAll}
            </Button>
          </>
        )}
        {(open === 0 || !mayDecide) && (
          <Button
            ref={done}
            size="sm"
            variant="primary"
            busy={isSaving}
            onClick={() => {
              onChosen?.(decidedText(segments, decisions));
              onDone();
            }}
          >
            Done
          </Button>
        )}
      </div>
      <div className="flex min-h-0 flex-1">
        <div ref={box} className="min-h-0 min-w-0 flex-1 overflow-y-auto">
          {hunks.length === 0 ? (
            <p className="px-24 py-16 text-14 text-ink2">Both texts are the same.</p>
          ) : (
            <DiffLines
              segments={segments}
              decided={({ index }) => {
                const decision = decisions.get(index);
                return decision === undefined ? null : decision === "accepted" ? "after" : "before";
              }}
              renderHead={({ index }) => (
                <HunkHead
                  name={`${index + 1}/${hunks.length}`}
                  decision={decisions.get(index) ?? null}
                  labels={labels}
                  onDecide={mayDecide ? (decision) => decideOne(index, decision) : null}
                />
              )}
            />
          )}
        </div>
        {decided && <ReviewPreview {...decided} />}
      </div>
    </section>
  );
}

/** Where the focus is: in the pane at first, after a decision at the next hunk without one, at last at the pane's end. */
function useHunkFocus(hunks: readonly Hunk[], decisions: ReadonlyMap<number, Decision>) {
  const at = useRef(-1);
  const box = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLElement>(null);
  const done = useRef<HTMLButtonElement>(null);
  /** The hunk whose button was pressed, and is gone by then. */
  const pressed = useRef<number | null>(null);
  // What it opened from is gone, too: whoever works by keys or ear goes on here.
  useEffect(() => pane.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (pressed.current === null) return;
    const { current: index } = pressed;
    pressed.current = null;
    const next = decisions.has(index)
      ? (hunks.find((hunk) => hunk.index > index && !decisions.has(hunk.index)) ?? hunks.find((hunk) => !decisions.has(hunk.index)))
      : hunks.find((hunk) => hunk.index === index);
    if (next) goTo(box.current, next.index, "nearest");
    else done.current?.focus();
  }, [decisions, hunks]);
  const step = (by: 1 | -1) => {
    at.current = (at.current + by + hunks.length) % hunks.length;
    goTo(box.current, hunks[at.current]?.index ?? 0, "center");
  };
  const notePress = (index: number) => {
    pressed.current = index;
  };
  return { pane, box, done, notePress, step };
}

function goTo(box: HTMLElement | null, index: number, block: "center" | "nearest"): void {
  const hunk = box?.querySelector<HTMLElement>(`[data-hunk="${index}"]`);
  hunk?.scrollIntoView({ block });
  hunk?.focus({ preventScroll: true });
}

type HunkHeadProps = {
  name: string;
  decision: Decision | null;
  labels: ReviewLabels;
  onDecide: ((decision: Decision | null) => void) | null;
};

function HunkHead({ name, decision, labels, onDecide }: HunkHeadProps) {
  return (
    <div className="flex h-40 items-center gap-8 pr-12 font-sans text-12 text-ink2 touch:h-48">
      <span className="w-44 shrink-0 pr-10 text-right tabular-nums">{name}</span>
      <span className="min-w-0 flex-1">
        {decision !== null && (
          <span className="inline-flex items-center gap-6">
            {decision === "accepted" ? <Check aria-hidden className="size-14" /> : <X aria-hidden className="size-14" />}
            {decision === "accepted" ? labels.accepted : labels.rejected}
          </span>
        )}
      </span>
      {onDecide && decision !== null && (
        <Button size="sm" variant="quiet" className="h-28!" onClick={() => onDecide(null)}>
          <Undo2 aria-hidden className="size-14" />
          Undo
        </Button>
      )}
      {onDecide && decision === null && (
        <>
          <Button size="sm" variant="quiet" className="h-28! touch:h-44!" onClick={() => onDecide("rejected")}>
            <X aria-hidden className="size-14" />
            {labels.reject}
          </Button>
          <Button size="sm" className="h-28! bg-accent-soft! text-accent-soft-ink! touch:h-44!" onClick={() => onDecide("accepted")}>
            <Check aria-hidden className="size-14" />
            {labels.accept}
          </Button>
        </>
      )}
    </div>
  );
}
