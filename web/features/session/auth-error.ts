import { useSyncExternalStore } from "react";

let message: string | null = null;
const listeners = new Set<() => void>();

function set(next: string | null): void {
  message = next;
  for (const listener of listeners) listener();
}

/** Keeps the text of a failed Google sign-in until its form was closed. */
export function reportAuthError(text: string): void {
  set(text);
}

/** The form was closed: its failure is over. */
export function clearAuthError(): void {
  set(null);
}

/** The text of a failed Google sign-in, or null. */
export function useAuthError(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => message,
  );
}
