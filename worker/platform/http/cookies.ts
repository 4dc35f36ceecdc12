import type { Context } from "hono";
import { generateCookie, getCookie } from "hono/cookie";
import type { AppContext } from "#worker/platform/env.ts";
import { isPlainLocalhost } from "./origin.ts";

/** A cookie of ours: its plain name gets the `__Host-` prefix wherever the connection is secure. */
export type CookieName = "session" | "google" | "unproven" | "gmail" | "continue" | "browser" | "known";

/** The value of one of our cookies in this request. */
export function readCookie(c: Context<AppContext>, name: CookieName): string | undefined {
  return getCookie(c, fullName(c, name));
}

/** Sets one of our cookies on whatever answer comes; `maxAge` in seconds, 0 clears it, and null leaves it until the browser is closed. */
export function writeCookie(c: Context<AppContext>, name: CookieName, { value, maxAge }: { value: string; maxAge: number | null }): void {
  const secure = !isPlainLocalhost(c.req.url);
  const attributes = { path: "/", httpOnly: true, sameSite: "Lax", secure, ...(maxAge !== null && { maxAge }) } as const;
  const line = generateCookie(fullName(c, name), value, attributes);
  c.set("cookies", [...c.get("cookies").filter((earlier) => !earlier.startsWith(`${fullName(c, name)}=`)), line]);
}

/** Makes the browser forget one of our cookies. */
export function clearCookie(c: Context<AppContext>, name: CookieName): void {
  writeCookie(c, name, { value: "", maxAge: 0 });
}

function fullName(c: Context<AppContext>, name: CookieName): string {
  // Ports share cookies: a bare "session" would meet those of other servers on this machine.
  return isPlainLocalhost(c.req.url) ? `polylogue-${name}` : `__Host-${name}`;
}
