import { type RefObject, useCallback, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { Model } from "#shared/entities/model.ts";
import { ModelCard } from "./model-card.tsx";
import { ModelList } from "./model-list.tsx";
import type { ListStatus } from "./list-status.ts";
import { LIST_HEIGHT, LIST_WIDTH, type PopupPlace, placePopup } from "./popup-place.ts";

export type ModelDropdownProps = {
  /** The button it belongs to. */
  anchor: HTMLElement;
  models: readonly Model[];
  status: ListStatus;
  selectedId: string;
  /** Asks for the list again. */
  onRetry: () => void;
  onPick: (model: Model) => void;
  onClose: () => void;
};

/** The selector on desktop: 300 by 320 px above what its button belongs to, the highlighted model's card at its right. */
export function ModelDropdown({ anchor, models, status, selectedId, onRetry, onPick, onClose }: ModelDropdownProps) {
  const cardId = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<PopupPlace | null>(null);
  const [active, setActive] = useState<Model | null>(null);
  const onActive = useCallback((model: Model | null) => setActive(model), []);

  useLayoutEffect(() => {
    const owner = anchor.closest("[data-composer]") ?? anchor;
    const update = () => {
      const viewport = { width: document.documentElement.clientWidth, height: window.innerHeight };
      setPlace(placePopup(anchor.getBoundingClientRect(), owner.getBoundingClientRect(), viewport));
    };
    update();
    // The composer grows with its text and moves with the window.
    const sizes = new ResizeObserver(update);
    sizes.observe(owner);
    window.addEventListener("resize", update);
    return () => {
      sizes.disconnect();
      window.removeEventListener("resize", update);
    };
  }, [anchor]);

  useFocusReturn(popup, anchor);
  useCloseOutside(popup, anchor, onClose);
  if (!place) return null;
  return createPortal(
    // Not modal and beside its button: the tag would bring a behaviour of its own.
    <div
      ref={popup}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="dialog"
      aria-label="Switch model"
      data-print="hide"
      style={{ left: place.left, top: place.top, height: LIST_HEIGHT }}
      className="fixed z-50 flex gap-8 transition-[opacity,transform] duration-180 ease-out starting:translate-y-4 starting:opacity-0"
    >
      <div
        style={{ width: LIST_WIDTH, height: LIST_HEIGHT }}
        className="flex flex-col overflow-hidden rounded-14 border border-line bg-pop text-ink shadow-overlay"
      >
        <ModelList
          models={models}
          status={status}
          selectedId={selectedId}
          isTouch={false}
          cardId={cardId}
          onActive={onActive}
          onRetry={onRetry}
          onPick={onPick}
          onClose={onClose}
        />
      </div>
      {active && (
        <div className={place.opens === "above" ? "self-end" : "self-start"}>
          <ModelCard id={cardId} model={active} />
        </div>
      )}
    </div>,
    document.body,
  );
}

/** Closes on Escape, and on a press or a focus elsewhere; the button's own press is its own business: it toggles. */
function useCloseOutside(popup: RefObject<HTMLElement | null>, anchor: HTMLElement, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const onElsewhere = (event: Event) => {
      const { target } = event;
      // Its own field takes the focus a moment before the reference is set.
      if (!(target instanceof Node) || !popup.current) return;
      if (!popup.current.contains(target) && !anchor.contains(target)) close();
    };
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && close();
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onElsewhere, true);
    document.addEventListener("focusin", onElsewhere);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onElsewhere, true);
      document.removeEventListener("focusin", onElsewhere);
    };
  }, [popup, anchor]);
}

/** Gives the focus back to where it was (its button when it was nowhere), unless the person has already moved on. */
function useFocusReturn(popup: RefObject<HTMLElement | null>, anchor: HTMLElement): void {
  const [opener] = useState(() => {
    const { activeElement } = document;
    return activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : anchor;
  });
  useLayoutEffect(() => {
    const box = popup;
    return () => {
      const isOurs = box.current?.contains(document.activeElement) || document.activeElement === document.body;
      if (isOurs) opener.focus({ preventScroll: true });
    };
  }, [popup, opener]);
}
