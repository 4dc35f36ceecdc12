/** The login page, with the way back to `current` (a path of this site with its query); the login page itself is no place to return to. */
export function loginUrl(current: string): string {
  const back = safeReturnUrl(current);
  return back === "/" || back.startsWith("/auth") ? "/auth/login" : `/auth/login?returnUrl=${encodeURIComponent(back)}`;
}

/** A path of this site, or `/` for anything else: other sites, scripts, and what browsers read as such. */
export function safeReturnUrl(given: string | null): string {
  if (given === null || !given.startsWith("/")) return "/";
  try {
    const base = "https://site.invalid";
    const url = new URL(given, base);
    return url.origin === base && !/^\/[/\\]/.test(given) ? url.pathname + url.search + url.hash : "/";
  } catch {
    return "/";
  }
}
