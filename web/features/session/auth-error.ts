import { useSyncExternalStore } from "react";

import { useSession } from "./use-session.ts";

/** What failed; `asksOperator` where only whoever runs the deployment can help. */
type Failure = { text: string; asksOperator: boolean };

let failure: Failure | null = null;
const listeners = new Set<() => void>();

function set(next: Failure | null): void {
  failure = next;
  for (const listener of listeners) listener();
}

/** Keeps the text of a failed Google sign-in until its form was closed. */
export function reportAuthError(told: Failure): void {
  set(told);
}

/** The form was closed: its failure is over. */
export function clearAuthError(): void {
  set(null);
}

/** The text of a failed Google sign-in, with whom to ask where that helps; or null. */
export function useAuthError(): string | null {
  const { features } = useSession();
  const told = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => failure,
  );
  if (!told?.asksOperator) return told?.text ?? null;
  const operator = features?.operatorEmail;
  return `${told.text} ${operator ? `Write to ${operator} about it.` : "Ask whoever runs this site about it."}`;
}
