import { type PointerEvent, type TouchEvent, useRef } from "react";

const LONG_PRESS_MS = 450;
/** A finger that moves further scrolls. */
const SLACK_PX = 8;

/** A long press on a touch screen, where nothing can hover; the click that ends it is swallowed. */
export function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const fired = useRef(false);
  const cancel = () => clearTimeout(timer.current);
  return {
    onPointerDown: (event: PointerEvent) => {
      fired.current = false;
      if (event.pointerType === "mouse") return;
      start.current = { x: event.clientX, y: event.clientY };
      timer.current = setTimeout(() => {
        fired.current = true;
        onLongPress();
      }, LONG_PRESS_MS);
    },
    onPointerMove: (event: PointerEvent) => {
      if (Math.hypot(event.clientX - start.current.x, event.clientY - start.current.y) > SLACK_PX) cancel();
    },
    onPointerUp: cancel,
    // Or else the finger's release is a press beside what has just opened, and closes it.
    onTouchEnd: (event: TouchEvent) => {
      if (fired.current) event.preventDefault();
      fired.current = false;
    },
    onPointerCancel: cancel,
    onContextMenu: (event: React.MouseEvent) => {
      if (fired.current || window.matchMedia("(pointer: coarse)").matches) event.preventDefault();
    },
    onClickCapture: (event: React.MouseEvent) => {
      if (!fired.current) return;
      event.preventDefault();
      event.stopPropagation();
      fired.current = false;
    },
  };
}
