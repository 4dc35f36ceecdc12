import { PAGE } from "#shared/pages.ts";

/** What the service worker has to do with a request: nothing, with most. */
export type Kind = "document" | "asset" | "other";

/** Files with a hash in their name, which never change. */
const ASSET = /^\/assets\/[^/]+$/;

type Asked = { url: string; method: string; mode: string };

/** Sorts a request by its address, the origin being the service worker's own; public pages, signing in and calls are the server's alone. */
export function kindOf({ url, method, mode }: Asked, origin: string): Kind {
  const { origin: asked, pathname } = new URL(url);
  if (asked !== origin || method !== "GET") return "other";
  if (mode === "navigate") return PAGE.test(pathname) ? "document" : "other";
  return ASSET.test(pathname) ? "asset" : "other";
}
