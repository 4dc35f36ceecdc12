import type { V4WorkerOptions } from "miniflare";

/** What the local server answers beside the product: the mailbox, and the handlers' address of earlier versions of the platform. */
const SCRIPT = `
export default {
  fetch(request, env) {
    const url = new URL(request.url);
    if (url.pathname.startsWith("/cdn-cgi/handler/")) {
      url.pathname = url.pathname.replace("/handler/", "/local/");
      return fetch(new Request(url, request));
    }
    if (!env.MAILBOX_URL) return new Response("Mail goes out for real here: there is no local mailbox.", { status: 404 });
    return fetch(new Request(env.MAILBOX_URL + url.pathname + url.search, request));
  },
};
`;

/** A port that leads straight to a Worker, by its name. */
type DirectSocket = { port: number; serviceName: string | undefined };

/** The Worker that answers the local server's own routes; its code is never part of the product's bundle. */
export function localRoutes(mailboxUrl: string | undefined, direct?: DirectSocket): V4WorkerOptions {
  return {
    name: "local-routes",
    modules: true,
    script: SCRIPT,
    compatibilityDate: "2026-10-01",
    routes: ["*/dev/mailbox*", "*/cdn-cgi/handler/*"],
    // A socket of this one, as one of a Worker with assets leads through the platform's stand-ins again.
    ...(direct && { unsafeDirectSockets: [{ host: "127.0.0.1", ...direct }] }),
    ...(mailboxUrl && { bindings: { MAILBOX_URL: mailboxUrl } }),
  };
}
