import { Search } from "lucide-react";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { Model } from "#shared/entities/model.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { hotkeyText } from "#web/lib/hotkeys.ts";
import { cx } from "#web/ui/cx.ts";
import { Kbd } from "#web/ui/kbd.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { ListNotice } from "./list-notice.tsx";
import type { ListStatus } from "./list-status.ts";
import { ModelOption } from "./model-option.tsx";
import { ModelRow } from "./model-row.tsx";
import { barrierOf } from "./selector-models.ts";
import { useModelListbox } from "./use-model-listbox.ts";

/** Rows are kept this far beyond the edges: catalogues of a few dozen are wholly there, those of hundreds stay light. */
const BUFFER_PX = 5_000;

type ModelListProps = {
  models: readonly Model[];
  status: ListStatus;
  selectedId: string;
  isTouch: boolean;
  /** The element with an option's details; only the highlighted one is described by it. */
  cardId?: string;
  onRetry: () => void;
  onActive?: (model: Model | null) => void;
  onPick: (model: Model) => void;
  onClose: () => void;
};

/** The search field and the list of models: a combobox that keeps the focus, and the listbox it steers. */
export function ModelList({ models, status, selectedId, isTouch, cardId, onRetry, onActive, onPick, onClose }: ModelListProps) {
  const { user } = useSession();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<VirtualizerHandle>(null);
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const box = useModelListbox({
    models,
    selectedId,
    onPick,
    onClose,
    onMove: (index) => rows.current?.scrollToIndex(index, { align: "nearest" }),
    // Keys show the details as they do on desktop; a finger asks for them.
    onStep: (model) => setUnfolded(model.id),
  });
  const { matches, active, activeIndex } = box;

  const clear = () => {
    box.search("");
    input.current?.focus();
  };
  useLayoutEffect(() => {
    if (!isTouch) input.current?.focus({ preventScroll: true });
  }, [isTouch]);
  useLayoutEffect(() => {
    const selected = models.findIndex((model) => model.id === selectedId);
    if (selected > 0) rows.current?.scrollToIndex(selected, { align: "center" });
    // Only when the list appears: later the person scrolls.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [models.length]);
  useLayoutEffect(() => onActive?.(active), [active, onActive]);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className={cx("relative shrink-0", isTouch ? "px-20 pt-8 pb-12" : "border-b border-line")}>
        <Search
          aria-hidden
          className={cx("pointer-events-none absolute text-ink2", isTouch ? "top-21 left-34 size-18" : "top-14 left-14 size-16")}
        />
        <input
          ref={input}
          role="combobox"
          aria-label="Search models"
          aria-autocomplete="list"
          aria-expanded={matches.length > 0}
          aria-controls={matches.length > 0 ? listId : undefined}
          aria-activedescendant={active ? optionId(listId, active) : undefined}
          placeholder="Search models..."
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="done"
          value={box.query}
          onChange={(event) => box.search(event.target.value)}
          onKeyDown={box.onKeyDown}
          className={
            isTouch ? cx(fieldClass, "h-44 pl-42 text-16") : "h-44 w-full bg-transparent pr-64 pl-38 text-14 text-ink outline-none"
          }
        />
        {!isTouch && (
          <span aria-hidden className="pointer-events-none absolute top-12 right-14">
            <Kbd>{hotkeyText("switchModel")}</Kbd>
          </span>
        )}
      </div>
      <ListNotice status={status} count={models.length} matches={matches.length} onRetry={onRetry} onClear={clear} />
      <div
        ref={scroller}
        className={cx("min-h-0 flex-1 overflow-y-auto overscroll-contain", isTouch ? "px-8 pb-[calc(8px+var(--safe-bottom))]" : "p-6")}
      >
        {matches.length > 0 && (
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          <div id={listId} role="listbox" aria-label="Models">
            <Virtualizer ref={rows} scrollRef={scroller} bufferSize={BUFFER_PX} itemSize={isTouch ? 56 : 36} keepMounted={[activeIndex]}>
              {matches.map((model, index) => {
                const option = {
                  id: optionId(listId, model),
                  model,
                  position: { index, count: matches.length },
                  isActive: index === activeIndex,
                  isSelected: model.id === selectedId,
                  barrier: barrierOf(model, user),
                  onHover: () => box.highlight(model),
                  onPick: () => onPick(model),
                };
                const isUnfolded = model.id === unfolded;
                return isTouch ? (
                  <ModelRow key={model.id} {...option} isUnfolded={isUnfolded} onUnfold={() => setUnfolded(isUnfolded ? null : model.id)} />
                ) : (
                  <ModelOption key={model.id} {...option} isTouch={false} describedBy={option.isActive ? cardId : undefined} />
                );
              })}
            </Virtualizer>
          </div>
        )}
      </div>
    </div>
  );
}

function optionId(listId: string, model: Model): string {
  return `${listId}-${model.id}`;
}
