import { type ReactNode, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { Kbd } from "#web/ui/kbd.tsx";
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
const tooltips = {
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

type TooltipProps = {
  label: string;
  shortcut?: string | undefined;
  children: ReactNode;
  className?: string;
};

/** A hint for the control inside it. It repeats or adds to the control's name, so it is hidden from the accessibility tree. */
export function Tooltip({ label, shortcut, children, className }: TooltipProps) {
  const ref = useRef<HTMLSpanElement>(null);
  const open = (how: "hover" | "focus") => {
    const anchor = ref.current?.firstElementChild;
    if (anchor) tooltips.open({ label, shortcut, anchor }, how);
  };
  const close = () => tooltips.close();
  useEffect(() => {
    const anchor = ref.current?.firstElementChild;
    return () => tooltips.close(anchor ?? undefined);
  }, []);
  return (
    <span
      role="presentation"
      ref={ref}
      className={className ?? "contents"}
      onPointerEnter={(event) => event.pointerType === "mouse" && open("hover")}
      onPointerOver={(event) => event.pointerType === "mouse" && !tooltips.read() && open("hover")}
      onPointerOut={(event) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onPointerDown={close}
      onKeyDown={close}
      onFocus={(event) => event.target.matches(":focus-visible") && open("focus")}
      onBlur={close}
    >
      {children}
    </span>
  );
}

/** Where the open tooltip is drawn; once, in the shell. */
export function TooltipLayer() {
  const tip = useSyncExternalStore(tooltips.subscribe, tooltips.read);
  const ref = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null);

  useLayoutEffect(() => {
    const box = ref.current;
    if (!tip || !box) return setPlace(null);
    const anchor = tip.anchor.getBoundingClientRect();
    const { width, height } = box.getBoundingClientRect();
    const above = anchor.top - height - 6;
    const left = Math.min(Math.max(8, anchor.left + anchor.width / 2 - width / 2), window.innerWidth - width - 8);
    return setPlace({ left, top: above < 8 ? anchor.bottom + 6 : above });
  }, [tip]);

  useEffect(() => {
    if (!tip) return;
    const close = () => tooltips.close();
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && close();
    window.addEventListener("keydown", onKey, { capture: true });
    window.addEventListener("scroll", close, { capture: true, passive: true });
    return () => {
      window.removeEventListener("keydown", onKey, { capture: true });
      window.removeEventListener("scroll", close, { capture: true });
    };
  }, [tip]);

  if (!tip) return null;
  return createPortal(
    <div
      ref={ref}
      aria-hidden
      data-print="hide"
      className="pointer-events-none fixed z-60 flex max-w-320 items-center gap-8 rounded-8 border border-line bg-pop px-8 py-4 text-12 text-ink shadow-composer"
      style={{ left: place?.left ?? 0, top: place?.top ?? 0, visibility: place ? "visible" : "hidden" }}
    >
      {tip.label}
      {tip.shortcut && <Kbd>{tip.shortcut}</Kbd>}
    </div>,
    document.body,
  );
}
