import { Info } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { cx } from "../cx.ts";
import type { PickerKind } from "./picker-kind.ts";

type PickerOptionProps<T> = {
  kind: PickerKind<T>;
  id: string;
  item: T;
  position: { index: number; count: number };
  isActive: boolean;
  isSelected: boolean;
  isMultiple: boolean;
  isTouch: boolean;
  isUnfolded: boolean;
  /** The element that shows more of the highlighted item. */
  cardId: string;
  onHover: (item: T) => void;
  onPick: (item: T) => void;
  onUnfold: () => void;
  /** How much higher its row became, in px. */
  onUnfolded: (height: number) => void;
};

/**
 * One item of the list. The keyboard reaches it through the field or the list, which keeps the focus.
 * A listbox holds options alone, so what unfolds below it is there for the finger; to screen readers each option is described by the same words.
 */
export function PickerOption<T>({
  kind,
  id,
  item,
  position,
  isActive,
  isSelected,
  isMultiple,
  isTouch,
  isUnfolded,
  cardId,
  onHover,
  onPick,
  onUnfold,
  onUnfolded,
}: PickerOptionProps<T>) {
  const { Row, Details, aboutOf, groupOf } = kind;
  const hasCard = Details !== undefined && !isTouch;
  const about = [groupOf?.(item), !hasCard && aboutOf?.(item)].filter(Boolean).join(". ");
  const option = (
    // The tag takes no picture and no second line; keys come through what has the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      tabIndex={-1}
      aria-label={kind.nameOf?.(item)}
      aria-selected={isSelected}
      aria-disabled={kind.isBarred?.(item) || undefined}
      aria-posinset={position.index + 1}
      aria-setsize={position.count}
      aria-describedby={[about && `${id}-about`, hasCard && isActive && cardId].filter(Boolean).join(" ") || undefined}
      data-highlighted={isActive || undefined}
      onPointerMove={() => onHover(item)}
      // What has the focus keeps it.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onPick(item)}
      className={cx(
        "cursor-default rounded-8 select-none",
        isTouch && isSelected && !isMultiple ? "bg-s4" : isActive && (isMultiple ? "bg-highlight touch:bg-transparent" : "bg-highlight"),
      )}
    >
      <Row item={item} isSelected={isSelected} isTouch={isTouch} />
    </div>
  );
  return (
    <div className={cx("relative rounded-8", isUnfolded && "bg-s1 dark:bg-s3")}>
      {option}
      {about && (
        <span id={`${id}-about`} hidden>
          {about}
        </span>
      )}
      {isTouch && Details && (
        <>
          <button
            type="button"
            aria-hidden
            tabIndex={-1}
            data-unfolds={kind.idOf(item)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={onUnfold}
            className={cx(
              "absolute top-6 right-0 flex size-44 items-center justify-center rounded-8 active:bg-s3",
              isUnfolded ? "text-accent" : "text-ink2",
            )}
          >
            <Info className="size-20" />
          </button>
          {isUnfolded && <Unfolded Details={Details} item={item} onUnfolded={onUnfolded} />}
        </>
      )}
    </div>
  );
}

type UnfoldedProps<T> = { Details: NonNullable<PickerKind<T>["Details"]>; item: T; onUnfolded: (height: number) => void };

function Unfolded<T>({ Details, item, onUnfolded }: UnfoldedProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => onUnfolded(box.current?.offsetHeight ?? 0), [onUnfolded]);
  useEffect(() => {
    // A frame later the list has grown by it.
    const frame = requestAnimationFrame(() => box.current?.scrollIntoView({ block: "nearest" }));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div ref={box} aria-hidden className="pr-12 pb-12 pl-54">
      <Details item={item} isTouch />
    </div>
  );
}
