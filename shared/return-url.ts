const HOME = "/";

/**
 * Where signing in returns to: a path of this origin with its query and fragment, or `/`.
 * An absolute address of `origin` is reduced to its path; the login pages and the API are no places to return to.
 */
export function safeReturnUrl(value: string | null | undefined, origin: string): string {
  // Browsers drop tabs and line breaks inside addresses and read a backslash as a slash: "/\t/evil" is "//evil".
  if (!value || /[\p{Cc}\\]/u.test(value) || /^\/+%(?:09|0a|0d|2f|5c)/i.test(value)) return HOME;
  const isPath = value.startsWith("/") && !value.startsWith("//");
  if (!isPath && !value.startsWith(`${origin}/`)) return HOME;
  if (!URL.canParse(value, origin)) return HOME;
  const url = new URL(value, origin);
  if (url.origin !== origin || url.pathname.startsWith("//")) return HOME;
  if (/^\/(?:auth|api)(?:\/|$)/.test(url.pathname)) return HOME;
  return url.pathname + url.search + url.hash;
}
