import { type RefObject, useEffect, useRef } from "react";
import { isTouchDevice } from "#web/lib/is-touch-device.ts";
import { isPrintable } from "./composer-keys.ts";

/** Focuses the composer when a chat opens, and when someone starts typing with nothing focused. A touch keyboard is not opened unasked. */
export function useComposerFocus(ref: RefObject<HTMLTextAreaElement | null>, chatKey: string): void {
  const shownFor = useRef<string | null>(null);
  useEffect(() => {
    if (shownFor.current === chatKey) return;
    shownFor.current = chatKey;
    if (!isTouchDevice() && isNothingFocused()) ref.current?.focus({ preventScroll: true });
  }, [ref, chatKey]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && isPrintable(event) && isNothingFocused()) ref.current?.focus({ preventScroll: true });
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [ref]);
}

function isNothingFocused(): boolean {
  const focused = document.activeElement;
  return (focused === null || focused === document.body) && document.querySelector("[role=dialog]") === null;
}
