import { onReauthenticationRequired } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { createStore } from "#web/lib/store.ts";
import { refreshSession, type SessionAnswer } from "./use-session.ts";

/** What waits until a person proved again who they are, or would not. */
export const pendingProof = createStore<{ answer: (isProven: boolean) => void; until: Promise<boolean> } | null>(null);

/** Asks whoever is here to prove again who they are; true once they have. All that asks meanwhile gets the same answer. */
export function proveAgain(): Promise<boolean> {
  const waiting = pendingProof.get();
  if (waiting) return waiting.until;
  let resolve: (isProven: boolean) => void;
  const until = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  const answer = (isProven: boolean) => {
    pendingProof.set(null);
    resolve(isProven);
  };
  pendingProof.set({ answer, until });
  return until;
}

/** From now on what is refused for a stale sign-in asks here, and goes on. */
export function followRefusals(): () => void {
  return onReauthenticationRequired(proveAgain);
}

/** True where whoever has just signed in, in another window, is the one who was asked. */
export async function isStillHere(userId: string | undefined): Promise<boolean> {
  await refreshSession();
  return queryClient.getQueryData<SessionAnswer>(keys.session)?.user?.id === userId;
}
