import { bytesOf } from "../artifacts.ts";

const HOME = "/";

/**
 * Where signing in returns to: a path of this origin with its query and fragment, or `/`.
 * An absolute address of `origin` is reduced to its path; the login pages and the API are no places to return to.
 */
export function safeReturnUrl(value: string | null | undefined, origin: string): string {
  if (!value) return HOME;
  const path = value.startsWith(`${origin}/`) ? value.slice(origin.length) : value;
  // Browsers drop tabs and line breaks inside addresses and read a backslash as a slash: "/\t/evil" is "//evil".
  if (/[\p{Cc}\\]/u.test(path) || /^\/+%(?:09|0a|0d|2f|5c)/i.test(path)) return HOME;
  // A double slash anywhere in the path, as "/.//evil" resolves to "//evil".
  if (!path.startsWith("/") || /^[^?#]*\/\//.test(path)) return HOME;
  return /^\/(?:auth|api)(?:[/?#]|$)/.test(path) ? HOME : path;
}

/** Bytes of a longer address are more than some mail programs keep whole, or than a cookie holds beside what else it must (4,096). */
const SHORT_BYTES = 1_500;

/** The same for a way that bears no long address: one that is too long leads home. */
export function shortReturnUrl(value: string | null | undefined, origin: string): string {
  const path = safeReturnUrl(value, origin);
  return bytesOf(path) <= SHORT_BYTES ? path : HOME;
}
