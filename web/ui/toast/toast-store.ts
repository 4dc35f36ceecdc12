import { createListeners } from "#web/lib/store.ts";

export type ToastTone = "default" | "success" | "warning" | "danger";

export type ToastOptions = {
  title: string;
  description?: string;
  tone?: ToastTone;
  action?: { label: string; onClick: () => void };
  /** Milliseconds; `null` stays until closed. */
  duration?: number | null;
};

export type Toast = ToastOptions & { id: number };

const SHOWN_AT_ONCE = 3;
let toasts: Toast[] = [];
let next = 1;
const { notify, subscribe } = createListeners();

function set(list: Toast[]): void {
  toasts = list;
  notify();
}

export const toastStore = {
  subscribe,
  read: (): Toast[] => toasts,
  /** Adds one and returns its id; the same title and description again only renews it. */
  add(options: ToastOptions): number {
    const id = next++;
    const others = toasts.filter((toast) => toast.title !== options.title || toast.description !== options.description);
    set([...others, { ...options, id }].slice(-SHOWN_AT_ONCE));
    return id;
  },
  remove(id: number): void {
    set(toasts.filter((toast) => toast.id !== id));
  },
};
