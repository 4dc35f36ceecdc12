import { safeReturnUrl } from "#shared/sign-in/return-url.ts";

/** The new chat that a visitor's link is setting up: it is set up again once they have signed in. */
let carried: string | null = null;

/** Has the new chat's page be returned to by this address of it from signing in; null for what the page's own says. */
export function carryToLogin(path: string | null): void {
  carried = path;
}

/** Where signing in on a page leads back to. */
export function wayBack(current: string): string {
  return carried !== null && /^\/new(?:[?#]|$)/.test(current) ? carried : current;
}

/** The login page, with the way back to `current` (a path of this site with its query); the login page itself is no place to return to. */
export function loginUrl(current: string): string {
  const back = safeReturnUrl(wayBack(current), window.location.origin);
  return back === "/" ? "/auth/login" : `/auth/login?returnUrl=${encodeURIComponent(back)}`;
}
