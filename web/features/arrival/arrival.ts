import { reportAuthError } from "#web/features/session/auth-error.ts";

/** Takes what another page put into the address, once, and removes it from there. Before the router reads the address. */
export function readArrival(): void {
  const url = new URL(window.location.href);
  const authError = url.searchParams.get("auth_error");
  if (authError === null) return;
  url.searchParams.delete("auth_error");
  window.history.replaceState(window.history.state, "", url);
  void notify(authError);
}

async function notify(authError: string): Promise<void> {
  const { signInFailureText } = await import("#shared/sign-in/sign-in-failures.ts");
  const text = signInFailureText(authError);
  if (text !== null) reportAuthError({ text, asksOperator: authError === "blocked" });
}
