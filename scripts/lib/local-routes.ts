import type { V4WorkerOptions } from "miniflare";

/** What the local server answers beside the product: the mailbox, the phone, and the handlers' address of earlier versions of the platform. */
const SCRIPT = `
export default {
  fetch(request, env) {
    const url = new URL(request.url);
    if (url.pathname.startsWith("/cdn-cgi/handler/")) {
      url.pathname = url.pathname.replace("/handler/", "/local/");
      return fetch(new Request(url, request));
    }
    if (url.pathname.startsWith("/dev/phone")) {
      if (!env.PHONE_URL) return new Response("WhatsApp is the real one here: there is no local phone.", { status: 404 });
      return fetch(new Request(env.PHONE_URL + url.pathname + url.search, request));
    }
    if (!env.MAILBOX_URL) return new Response("Mail goes out for real here: there is no local mailbox.", { status: 404 });
    return fetch(new Request(env.MAILBOX_URL + url.pathname + url.search, request));
  },
};
`;

/** A port that leads straight to a Worker, by its name. */
type DirectSocket = { port: number; serviceName: string | undefined };

/** The simulators that have pages. */
export type LocalPages = { mailboxUrl?: string | undefined; phoneUrl?: string | undefined };

/** The Worker that answers the local server's own routes; its code is never part of the product's bundle. */
export function localRoutes({ mailboxUrl, phoneUrl }: LocalPages, direct?: DirectSocket): V4WorkerOptions {
  return {
    name: "local-routes",
    modules: true,
    script: SCRIPT,
    compatibilityDate: "2026-10-01",
    routes: ["*/dev/mailbox*", "*/dev/phone*", "*/cdn-cgi/handler/*"],
    // A socket of this one, as one of a Worker with assets leads through the platform's stand-ins again.
    ...(direct && { unsafeDirectSockets: [{ host: "127.0.0.1", ...direct }] }),
    bindings: { ...(mailboxUrl && { MAILBOX_URL: mailboxUrl }), ...(phoneUrl && { PHONE_URL: phoneUrl }) },
  };
}
