import { safeReturnUrl } from "#shared/return-url.ts";

/** The login page, with the way back to `current` (a path of this site with its query); the login page itself is no place to return to. */
export function loginUrl(current: string): string {
  const back = safeReturnUrl(current, window.location.origin);
  return back === "/" ? "/auth/login" : `/auth/login?returnUrl=${encodeURIComponent(back)}`;
}
