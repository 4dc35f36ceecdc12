import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState, type ComponentProps, type Ref } from "react";
import { Search } from "lucide-react";
import { Kbd } from "#web/ui/kbd.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { cx } from "../cx.ts";
import type { PickerKind } from "./picker-kind.ts";
import { PickerOption } from "./picker-option.tsx";
import { type Steer, useSteering } from "./use-steering.ts";
import { CARD_WIDTH } from "./popup-place.ts";
import { usePickerList } from "./use-picker-list.ts";
import { rowsInView, scrollFor, startsOf, STEP_PX } from "./row-window.ts";

/** Lists up to this length are wholly there, for the browser's own search and for screen readers; longer ones only around what is seen. */
const UNWINDOWED_MAX = 100;
/** A heading's height, and the most that is seen of a list: in the drawer, and in a dropdown that is as high as its rows. In px. */
const HEADING_PX = 34;
const DRAWER_PX = 664;
const DROPDOWN_PX = 320;

/** What a notice above the list may say of it, and a way out of a search. */
export type ListCounts = { count: number; matches: number; onClear: () => void };

export type PickerListProps<T> = {
  kind: PickerKind<T>;
  items: readonly T[];
  selected: readonly string[];
  /** The list's accessible name. */
  listLabel: string;
  /** True where picking one leaves the others as they are. */
  isMultiple?: boolean;
  /** Without it the list itself takes the keys. */
  search?: SearchLabels;
  /** A field elsewhere that keeps the focus, gives the list its keys and has narrowed the items; a drawer has its own search instead. */
  steer?: Steer;
  /** Hears what is searched for, e.g. to offer what is not there yet. */
  onQuery?: (query: string) => void;
  /** Above the list, e.g. why it is empty. */
  renderNotice?: (counts: ListCounts) => ReactNode;
  /** Below the list. */
  footer?: ReactNode;
  onPick: (item: T) => void;
  onClose: () => void;
};

/** The search field, the list that it steers, and on desktop the highlighted item's card beside them. */
export function PickerList<T>(props: PickerListProps<T> & { isTouch: boolean }) {
  const { kind, items, selected, listLabel, isMultiple = false, search, steer, renderNotice, footer, isTouch, onPick, onClose } = props;
  const listId = useId();
  const cardId = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const { idOf, size } = kind;
  const selectedId = isMultiple ? null : (selected[0] ?? null);
  const box = usePickerList({
    kind,
    items,
    selectedId,
    hasFooter: footer !== undefined,
    narrowedBy: steer?.query,
    onPick,
    onClose,
    onMove: (index) => drawn.reveal(index, "nearest"),
    // Keys show the details as they do on desktop; a finger asks for them.
    onStep: (item) => drawn.unfold(idOf(item)),
  });
  const { matches, active, activeIndex } = box;
  const drawn = useDrawnRows({ kind, items, matches, selectedId, isTouch, list, scroller });
  const { rows, unfolded } = drawn;
  const optionId = (item: T) => `${listId}-${idOf(item)}`;
  const narrow = (query: string) => {
    props.onQuery?.(query);
    box.search(query);
  };
  useFirstFocus(!isTouch && steer === undefined, input, list);
  useSteering(steer, { listId, activeId: active === null ? null : optionId(active), onKey: box.onOuterKey });

  const draw = (row: PickerRow<T>) => {
    if (row.kind === "heading") return <Heading key={`group-${row.text}`} text={row.text} />;
    const { item, index } = row;
    const id = idOf(item);
    return (
      <PickerOption
        key={id}
        kind={kind}
        id={optionId(item)}
        item={item}
        position={{ index, count: matches.length }}
        isActive={index === activeIndex}
        isSelected={selected.includes(id)}
        isMultiple={isMultiple}
        isTouch={isTouch}
        isUnfolded={isTouch && id === unfolded}
        cardId={cardId}
        onHover={box.highlight}
        onPick={onPick}
        onUnfold={() => drawn.unfold(id === unfolded ? null : id)}
        onUnfolded={drawn.setUnfoldedPx}
      />
    );
  };
  return (
    <Frame kind={kind} active={active} cardId={cardId} isTouch={isTouch}>
      {search && (
        <PickerSearch
          {...search}
          ref={input}
          listId={matches.length > 0 ? listId : undefined}
          activeId={active === null ? undefined : optionId(active)}
          isTouch={isTouch}
          value={box.query}
          onSearch={narrow}
          onKeyDown={box.onSearchKey}
        />
      )}
      {renderNotice && (
        <Notice
          render={renderNotice}
          count={items.length}
          matches={matches.length}
          onClear={() => {
            narrow("");
            input.current?.focus();
          }}
        />
      )}
      <div
        ref={scroller}
        onScroll={drawn.window?.onScroll}
        className={cx("min-h-0 flex-1 overflow-y-auto overscroll-contain", !isTouch && size.height === undefined && "max-h-320")}
      >
        {rows.length > 0 && (
          <div
            ref={list}
            id={listId}
            // A list with pictures and second lines is no select element.
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
            role="listbox"
            aria-label={listLabel}
            {...(isMultiple && { "aria-multiselectable": true })}
            {...(!search &&
              !steer && {
                tabIndex: 0,
                "aria-activedescendant": active === null ? undefined : optionId(active),
                onKeyDown: box.onListKey,
              })}
            className={cx(
              "rounded-t-14 outline-offset-[-2px]",
              !isTouch ? "p-6" : footer === undefined ? "px-8 pb-[calc(8px+var(--safe-bottom))]" : "px-8 py-4",
            )}
          >
            {drawn.window ? (
              <RowWindow shown={drawn.window} rows={rows} activeRow={drawn.rowAt(activeIndex)} draw={draw} />
            ) : (
              rows.map(draw)
            )}
          </div>
        )}
      </div>
      {footer !== undefined && <div className={cx("border-t border-line", isTouch ? "mx-20 py-12" : "px-16 py-10")}>{footer}</div>}
    </Frame>
  );
}

type FrameProps<T> = { kind: PickerKind<T>; active: T | null; cardId: string; isTouch: boolean; children: ReactNode };

/** What holds search, list and footer: a drawer's whole height, or a box with the highlighted item's card beside it. */
function Frame<T>({ kind: { size, Details }, active, cardId, isTouch, children }: FrameProps<T>) {
  if (isTouch) return <div className="flex min-h-0 flex-1 flex-col">{children}</div>;
  return (
    <>
      <div
        style={{ width: size.width, height: size.height }}
        className="flex flex-col overflow-hidden rounded-14 border border-line bg-pop text-ink shadow-overlay"
      >
        {children}
      </div>
      {Details && active !== null && (
        <div
          id={cardId}
          style={{ width: size.card ?? CARD_WIDTH, minHeight: size.height }}
          className="flex flex-col rounded-14 border border-line bg-pop p-16 shadow-overlay"
        >
          <Details item={active} isTouch={false} />
        </div>
      )}
    </>
  );
}

function Notice({ render, ...counts }: ListCounts & { render: (counts: ListCounts) => ReactNode }) {
  return render(counts);
}

type RowWindowProps<T> = {
  shown: Pick<ReturnType<typeof useRowWindow>, "from" | "to" | "starts">;
  rows: readonly PickerRow<T>[];
  activeRow: number;
  draw: (row: PickerRow<T>) => ReactNode;
};

/** The rows in sight; the highlighted one too, as what has the focus points at it. */
function RowWindow<T>({ shown: { from, to, starts }, rows, activeRow, draw }: RowWindowProps<T>) {
  const apart = (isApart: boolean) =>
    isApart && (
      <div className="absolute inset-x-0" style={{ top: starts[activeRow] }}>
        {rows.slice(activeRow, activeRow + 1).map(draw)}
      </div>
    );
  return (
    <div className="relative" style={{ height: starts.at(-1) }}>
      {apart(activeRow !== -1 && activeRow < from)}
      <div className="absolute inset-x-0" style={{ top: starts[from] }}>
        {rows.slice(from, to).map(draw)}
      </div>
      {apart(activeRow >= to)}
    </div>
  );
}

/** Seen alone: each option under it is described by the same words. */
function Heading({ text }: { text: string }) {
  return (
    <div aria-hidden style={{ height: HEADING_PX }} className="flex items-end px-8 pb-4 text-12 font-medium text-ink3">
      {text}
    </div>
  );
}

/** Scrolls one box and nothing around it. */
function scrollWithin(scroller: HTMLElement, row: Element, align: "nearest" | "center"): void {
  const outer = scroller.getBoundingClientRect();
  const inner = row.getBoundingClientRect();
  const above = inner.top - outer.top;
  const below = inner.bottom - outer.bottom;
  if (align === "center") scroller.scrollTop += (above + below) / 2;
  else if (above < 0) scroller.scrollTop += above;
  else if (below > 0) scroller.scrollTop += below;
}

/** A line of the list: an option with its place among the options, or the heading of those that follow. */
type PickerRow<T> = { kind: "heading"; text: string } | { kind: "option"; item: T; index: number };

/** The lines of a list, a heading before the first option of each group. */
export function rowsOf<T>(items: readonly T[], groupOf: ((item: T) => string | null) | undefined): PickerRow<T>[] {
  let last: string | null = null;
  return items.flatMap((item, index): PickerRow<T>[] => {
    const option = { kind: "option", item, index } as const;
    const group = groupOf?.(item) ?? null;
    const isFirst = group !== last;
    last = group;
    return isFirst && group !== null ? [{ kind: "heading", text: group }, option] : [option];
  });
}

/** Gives the focus to what takes the keys: the search field, or the list itself. */
function useFirstFocus(isWanted: boolean, input: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (isWanted) (input.current ?? list.current)?.focus({ preventScroll: true });
  }, [isWanted, input, list]);
}

type DrawnOptions<T> = {
  kind: PickerKind<T>;
  items: readonly T[];
  matches: readonly T[];
  selectedId: string | null;
  isTouch: boolean;
  list: RefObject<HTMLElement | null>;
  scroller: RefObject<HTMLElement | null>;
};

/** The list's rows, all of them or those around what is seen, with the one that shows its details. */
function useDrawnRows<T>({ kind, items, matches, selectedId, isTouch, list, scroller }: DrawnOptions<T>) {
  const { idOf, groupOf, size, rowHeight } = kind;
  const [unfolded, unfold] = useState<string | null>(null);
  const [unfoldedPx, setUnfoldedPx] = useState(0);
  const rows = rowsOf(matches, groupOf);
  const rowAt = (index: number) => rows.findIndex((row) => row.kind === "option" && row.index === index);
  const rendersAll = items.length <= UNWINDOWED_MAX;
  const heightOf = (row: PickerRow<T>) => {
    if (row.kind === "heading") return HEADING_PX;
    return isTouch ? rowHeight.touch + (idOf(row.item) === unfolded ? unfoldedPx : 0) : rowHeight.desk;
  };
  const shown = useRowWindow({
    heights: rendersAll ? [] : rows.map(heightOf),
    first: rendersAll || selectedId === null ? 0 : rowAt(items.findIndex((item) => idOf(item) === selectedId)),
    view: isTouch ? DRAWER_PX : (size.height ?? DROPDOWN_PX),
    scroller,
  });
  const reveal = (index: number, align: "nearest" | "center") => {
    if (!rendersAll) return shown.reveal(rowAt(index), align);
    const row = list.current?.children[rowAt(index)];
    if (row && scroller.current) scrollWithin(scroller.current, row, align);
    return undefined;
  };
  useLayoutEffect(() => {
    const first = items.findIndex((item) => idOf(item) === selectedId);
    if (first > 0) reveal(first, "center");
    // Only when the list appears: later the person scrolls.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [items.length]);
  return { rows, rowAt, window: rendersAll ? null : shown, reveal, unfolded, unfold, setUnfoldedPx };
}

type Options = {
  /** Of each row in px. */
  heights: readonly number[];
  /** The row that stands in the middle at first. */
  first: number;
  /** The most of the list that is seen at once, in px. */
  view: number;
  scroller: RefObject<HTMLElement | null>;
};

/** Which rows of a long list are drawn. Those in sight are there with the first drawing already, as their heights are known. */
function useRowWindow({ heights, first, view, scroller }: Options) {
  const starts = startsOf(heights);
  const edgesOf = (row: number) => ({ start: starts[row] ?? 0, end: starts[row + 1] ?? 0 });
  const [top, setTop] = useState(() => (first > 0 ? scrollFor(edgesOf(first), { top: 0, view }, "center") : 0));
  const note = (scrollTop: number) => setTop(Math.round(scrollTop / STEP_PX) * STEP_PX);
  return {
    ...rowsInView(starts, top, view),
    starts,
    onScroll: () => note(scroller.current?.scrollTop ?? 0),
    /** Scrolls to a row; what is then in sight is drawn at once. */
    reveal: (row: number, align: "nearest" | "center") => {
      const box = scroller.current;
      if (!box) return;
      // What is above and below the rows, e.g. the list's padding, is shown with the first and the last one.
      const { start, end } = edgesOf(row);
      const around = box.scrollHeight - (starts.at(-1) ?? 0);
      box.scrollTo({
        top: scrollFor({ start, end: end + around }, { top: box.scrollTop, view: box.clientHeight }, align),
        behavior: "instant",
      });
      note(box.scrollTop);
    },
  };
}

type SearchLabels = {
  /** The field's accessible name. */
  label: string;
  placeholder: string;
  /** The keys that open the picker, as printed. */
  keys?: string;
};

type PickerSearchProps = SearchLabels & {
  ref: Ref<HTMLInputElement>;
  /** The list it steers; undefined while that is empty. */
  listId: string | undefined;
  activeId: string | undefined;
  isTouch: boolean;
  value: string;
  onSearch: (text: string) => void;
  onKeyDown: ComponentProps<"input">["onKeyDown"];
};

/** The field that narrows the list and keeps the focus. */
function PickerSearch({ ref, label, placeholder, keys, listId, activeId, isTouch, value, onSearch, onKeyDown }: PickerSearchProps) {
  return (
    <div className={cx("relative shrink-0", isTouch ? "px-20 pt-8 pb-12" : "border-b border-line")}>
      <Search
        aria-hidden
        className={cx("pointer-events-none absolute text-ink2", isTouch ? "top-21 left-34 size-18" : "top-14 left-14 size-16")}
      />
      <input
        ref={ref}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={listId !== undefined}
        aria-controls={listId}
        aria-activedescendant={activeId}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="done"
        value={value}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={onKeyDown}
        className={isTouch ? cx(fieldClass, "h-44 pl-42 text-16") : "h-44 w-full bg-transparent pr-64 pl-38 text-14 text-ink outline-none"}
      />
      {!isTouch && keys && (
        <span aria-hidden className="pointer-events-none absolute top-12 right-14">
          <Kbd>{keys}</Kbd>
        </span>
      )}
    </div>
  );
}
