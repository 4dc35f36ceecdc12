import { createStore, useStore } from "#web/lib/store.ts";
import { useSession } from "./use-session.ts";

/** What failed; `asksOperator` where only whoever runs the deployment can help. */
type Failure = { text: string; asksOperator: boolean };

const failure = createStore<Failure | null>(null);

/** Keeps the text of a failed Google sign-in until its form was closed. */
export function reportAuthError(shown: Failure): void {
  failure.set(shown);
}

/** The form was closed: its failure is over. */
export function clearAuthError(): void {
  failure.set(null);
}

/** The text of a failed Google sign-in, with whom to ask where that helps; or null. */
export function useAuthError(): string | null {
  const { features } = useSession();
  const shown = useStore(failure);
  if (!shown?.asksOperator) return shown?.text ?? null;
  const operator = features?.operatorEmail;
  return `${shown.text} ${operator ? `Write to ${operator} about it.` : "Ask whoever runs this site about it."}`;
}
