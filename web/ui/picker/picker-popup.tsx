import { type ReactNode, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { usePickerLayer } from "#web/ui/dialog/layers.ts";
import { type PopupPlace, placePopup, placeScrolling } from "./popup-place.ts";

type PickerPopupProps = {
  /** The button it belongs to. */
  anchor: HTMLElement;
  /** What it stands clear of: above it, so the draft in a composer stays visible. Null for its button, which it opens below. */
  owner: Element | null;
  label: string;
  /** How wide it gets with all that opens in it, in px. */
  width: number;
  /** Its height in px; as high as its content unless given. */
  height: number | undefined;
  /** True for a list alone that is as high as its rows: it scrolls in the room that there is. */
  isScrolling: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** Where a picker's list stands on desktop: above what its button belongs to. It takes the focus and gives it back. */
export function PickerPopup({ anchor, owner, label, width, height, isScrolling, onClose, children }: PickerPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<PopupPlace | null>(null);

  useLayoutEffect(() => {
    const box = popup.current;
    if (!box) return undefined;
    const update = () => {
      const viewport = { width: document.documentElement.clientWidth, height: window.innerHeight };
      const size = { width, height: box.offsetHeight };
      const around = { owner: (owner ?? anchor).getBoundingClientRect(), viewport, size };
      const button = anchor.getBoundingClientRect();
      setPlace(
        isScrolling && owner ? placeScrolling(button, around) : placePopup(button, { ...around, prefers: owner ? "above" : "below" }),
      );
    };
    update();
    // The composer grows with its text and moves with the window, a list with its rows.
    const sizes = new ResizeObserver(update);
    sizes.observe(owner ?? anchor);
    sizes.observe(box);
    window.addEventListener("resize", update);
    return () => {
      sizes.disconnect();
      window.removeEventListener("resize", update);
    };
  }, [anchor, owner, width, isScrolling]);

  usePickerLayer(true, onClose);
  useFocusReturn(popup, anchor);
  useCloseOutside(popup, anchor, onClose);
  return createPortal(
    // Not modal and beside its button: the tag would bring a behaviour of its own.
    <div
      ref={popup}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="dialog"
      aria-label={label}
      data-print="hide"
      // Drawn once before it is placed, as its height is not known sooner; what is hidden would take no focus.
      style={place ? { left: place.left, top: place.top, height, maxHeight: place.maxHeight } : { left: 0, top: 0, height, opacity: 0 }}
      className={`fixed z-50 flex gap-8 transition-[opacity,transform] duration-180 ease-out starting:translate-y-4 starting:opacity-0 ${
        place?.maxHeight !== undefined ? "items-stretch" : place?.opens === "below" ? "items-start" : "items-end"
      }`}
    >
      {children}
    </div>,
    document.body,
  );
}

/** True where Tab would leave the popup, which lies at the end of the page: the focus goes on from its button instead. */
function isLeaving(popup: HTMLElement | null, isBackwards: boolean): boolean {
  const stops = [...(popup?.querySelectorAll<HTMLElement>("input, button, a[href], [tabindex]") ?? [])].filter(
    (element) => element.tabIndex >= 0 && element.checkVisibility(),
  );
  return document.activeElement === stops.at(isBackwards ? 0 : -1);
}

/** Closes on Escape, where Tab would leave it, and on a press or a focus elsewhere; the button's own press is its own business: it toggles. */
function useCloseOutside(popup: RefObject<HTMLElement | null>, anchor: HTMLElement, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const onElsewhere = (event: Event) => {
      const { target } = event;
      // Its own field takes the focus a moment before the reference is set.
      if (!(target instanceof Node) || !popup.current) return;
      if (!popup.current.contains(target) && !anchor.contains(target)) close();
    };
    const onKey = (event: KeyboardEvent) => {
      const isLast = event.key === "Tab" && !event.defaultPrevented && isLeaving(popup.current, event.shiftKey);
      if (isLast) event.preventDefault();
      if (isLast || event.key === "Escape") close();
    };
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
