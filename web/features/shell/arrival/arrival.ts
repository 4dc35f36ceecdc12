import { GOOGLE_NOTICES } from "#shared/sign-in/google-notices.ts";
import { reportAuthError } from "#web/features/people/session/auth-error.ts";

/** Takes what another page put into the address, once, and removes it from there. Before the router reads the address. */
export function readArrival(): void {
  const url = new URL(window.location.href);
  const [authError = null, success = null, failure = null] = TAKEN.map((name) => url.searchParams.get(name));
  if (authError === null && success === null && failure === null) return;
  for (const name of TAKEN) url.searchParams.delete(name);
  window.history.replaceState(window.history.state, "", url);
  if (authError !== null) void notify(authError);
  if (success !== null || failure !== null) void notifyGoogle(success, failure);
}

const TAKEN = ["auth_error", ...GOOGLE_NOTICES];

async function notifyGoogle(success: string | null, failure: string | null): Promise<void> {
  const arrival = await import("#web/features/integrations/google/google-arrival.ts");
  arrival.notifyGoogle(success, failure);
}

async function notify(authError: string): Promise<void> {
  const { signInFailureText } = await import("#shared/sign-in/sign-in-failures.ts");
  const text = signInFailureText(authError);
  if (text !== null) reportAuthError({ text, asksOperator: authError === "blocked" });
}
