import { createListeners } from "#web/lib/store.ts";

type Tip = { label: string; shortcut: string | undefined; anchor: Element };

const DELAY_MS = 450;
/** After one tooltip closed, the next opens at once for this long. */
const WARM_MS = 300;

let current: Tip | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let closedAt = 0;
const { notify, subscribe } = createListeners();

function set(tip: Tip | null): void {
  if (current === tip) return;
  if (tip === null) closedAt = performance.now();
  current = tip;
  notify();
}

/** The one tooltip that may be open: pointers wait for it, keyboard focus does not. */
export const tooltips = {
  subscribe,
  read: (): Tip | null => current,
  open(tip: Tip, how: "hover" | "focus"): void {
    clearTimeout(timer);
    const warm = how === "focus" || current !== null || performance.now() - closedAt < WARM_MS;
    if (warm) set(tip);
    else timer = setTimeout(() => set(tip), DELAY_MS);
  },
  close(anchor?: Element): void {
    clearTimeout(timer);
    if (anchor === undefined || current?.anchor === anchor) set(null);
  },
};
