import { safeReturnUrl } from "#shared/sign-in/return-url.ts";

/** The login page with the way back to a page of ours, and what to look at there. */
export function signInPath(page: string, parameters: readonly [name: string, value: string][], origin = window.location.origin): string {
  const url = new URL(safeReturnUrl(page, origin), origin);
  for (const [name, value] of parameters) url.searchParams.set(name, value);
  return `/auth/?returnUrl=${encodeURIComponent(url.pathname + url.search)}`;
}
