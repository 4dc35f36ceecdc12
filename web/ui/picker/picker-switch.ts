import { useSyncExternalStore } from "react";
import { createListeners } from "#web/lib/store.ts";
import { closePickers, isCovered } from "#web/ui/dialog/layers.ts";

/** Whether one picker is open, for all who may open it: its button, its keys, a command, another part of the page. */
export type PickerSwitch = {
  open: () => void;
  close: () => void;
  /** What its keys and its button do; under what covers the page it does not open. */
  toggle: () => void;
  useIsOpen: () => boolean;
};

/** The switch of a picker that there is but one of on a page. */
export function createPickerSwitch(): PickerSwitch {
  let isOpen = false;
  const { notify, subscribe } = createListeners();
  const set = (next: boolean) => {
    if (isOpen === next) return;
    isOpen = next;
    notify();
  };
  return {
    open: () => set(true),
    close: () => set(false),
    toggle() {
      if (isOpen) return set(false);
      if (isCovered()) return;
      closePickers();
      set(true);
    },
    useIsOpen: () => useSyncExternalStore(subscribe, () => isOpen),
  };
}
