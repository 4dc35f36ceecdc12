import { X } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { ApiError } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { type Toast, type ToastOptions, toastStore } from "./toast-store.ts";

const DEFAULT_MS = 5_000;
/** With something to press or to read, people need longer. */
const LONG_MS = 9_000;

/** Shows a notice below the header, where it covers no composer, and returns its id. */
export function toast(options: ToastOptions): number {
  return toastStore.add(options);
}

/** Says what was not done, with the server's reason where it gave one. */
export function toastFailure(title: string, error: unknown): void {
  toast({ title, description: error instanceof ApiError ? error.message : "", tone: "danger" });
}

/** The region in which toasts appear; once, in the shell, so it exists before the first notice. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  return (
    <section
      aria-label="Notifications"
      data-print="hide"
      className="pointer-events-none fixed top-[calc(60px+var(--safe-top))] right-16 left-16 z-50 flex flex-col items-center gap-8 desk:left-auto desk:w-360 desk:items-stretch"
    >
      <ol aria-live="polite" aria-relevant="additions text" className="contents">
        {toasts.map((item) => (
          <ToastCard key={item.id} item={item} />
        ))}
      </ol>
    </section>
  );
}

const dots = { default: "", success: "bg-accent", warning: "bg-signal", danger: "bg-danger" } as const;

function ToastCard({ item }: { item: Toast }) {
  const [held, setHeld] = useState(false);
  const tone = item.tone ?? "default";
  const duration = item.duration === undefined ? (item.action || item.description ? LONG_MS : DEFAULT_MS) : item.duration;
  useEffect(() => {
    if (held || duration === null) return;
    const timer = setTimeout(() => toastStore.remove(item.id), duration);
    return () => clearTimeout(timer);
  }, [held, duration, item.id]);
  return (
    <li className="pointer-events-auto flex w-full max-w-480 items-start gap-10 rounded-14 border border-line bg-pop py-12 pr-8 pl-16 text-ink shadow-overlay transition-[opacity,transform] duration-180 ease-out starting:-translate-y-4 starting:opacity-0">
      <div
        role={tone === "danger" ? "alert" : "presentation"}
        className="contents"
        onPointerOver={() => setHeld(true)}
        onPointerOut={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {tone !== "default" && <span aria-hidden className={cx("mt-7 size-7 shrink-0 rounded-full touch:mt-15", dots[tone])} />}
        <div className="min-w-0 flex-1 py-1 touch:py-9">
          <p className="text-14 font-medium break-words">{item.title}</p>
          {item.description && <p className="mt-2 text-13 break-words text-ink2">{item.description}</p>}
        </div>
        {item.action && (
          <Button
            size="sm"
            className="-my-4"
            onClick={() => {
              item.action?.onClick();
              toastStore.remove(item.id);
            }}
          >
            {item.action.label}
          </Button>
        )}
        <IconButton size="sm" label="Dismiss" icon={X} tooltip={false} className="-my-3" onClick={() => toastStore.remove(item.id)} />
      </div>
    </li>
  );
}
