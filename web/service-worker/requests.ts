/** What the service worker has to do with a request: nothing, with most. */
export type Kind = "document" | "asset" | "other";

/** The pages that the application draws (worker/http/documents.ts), whichever document answers; public pages and calls are the server's alone. */
const PAGE = /^\/(?:new|approvals|schedules|artifacts(?:\/[^/]+)?|c\/[^/]+)?\/?$/;
/** Files with a hash in their name, which never change. */
const ASSET = /^\/assets\/[^/]+$/;

type Asked = { url: string; method: string; mode: string };

/** Sorts a request by its address, the origin being the service worker's own. */
export function kindOf({ url, method, mode }: Asked, origin: string): Kind {
  const { origin: asked, pathname } = new URL(url);
  if (asked !== origin || method !== "GET") return "other";
  if (mode === "navigate") return PAGE.test(pathname) ? "document" : "other";
  return ASSET.test(pathname) ? "asset" : "other";
}
