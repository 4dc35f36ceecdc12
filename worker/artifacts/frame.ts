/**
 * The document that shows HTML and SVG of artifacts: its own policy gives it an origin of nobody's and lets nothing out, whatever runs in
 * it. It says that it is ready, takes one document from the page that shows it, and reports what goes wrong in it.
 *
 * No such policy knows of peer connections, whose servers are named by whoever opens one. Browsers that have connection allowlists
 * refuse them for it; for all others the window loses what opens them, and frames inside, which would have their own, are taken out
 * before anything runs in them.
 */
import type { Hono } from "hono";
import type { AppContext } from "../env.ts";

const PATH = "/artifact-frame";

const POLICY = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/** Nothing may be connected to: https://wicg.github.io/connection-allowlists/. */
const CONNECTIONS = "()";

const DOCUMENT = `<!doctype html>
<meta charset="utf-8">
<title>Preview</title>
<script>
(() => {
  const page = parent;
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) Object.defineProperty(window, name, { value: undefined });
  // Held here, whatever becomes of them there.
  const { apply } = Reflect;
  const { querySelectorAll: find } = Document.prototype;
  const { querySelectorAll: findIn } = DocumentFragment.prototype;
  const { remove, attachShadow } = Element.prototype;
  const Observer = MutationObserver;
  const { observe } = Observer.prototype;
  const keepFramesOut = (root, query) => {
    const look = () => {
      const frames = apply(query, root, ["iframe, frame, object, embed, fencedframe"]);
      for (let at = 0; at < frames.length; at += 1) apply(remove, frames[at], []);
    };
    apply(observe, new Observer(look), [root, { childList: true, subtree: true }]);
  };
  Object.defineProperty(Element.prototype, "attachShadow", {
    value(options) {
      const root = apply(attachShadow, this, [options]);
      keepFramesOut(root, findIn);
      return root;
    },
  });
  const notify = (type, message) => page.postMessage({ type, message: String(message).slice(0, 1000) }, "*");
  addEventListener("message", function take({ source, data }) {
    if (source !== page || typeof data?.source !== "string") return;
    removeEventListener("message", take);
    // Opening the document takes its listeners away: those of errors come after it.
    document.open();
    keepFramesOut(document, find);
    addEventListener("error", ({ message }) => notify("error", message || "Something could not be loaded."));
    addEventListener("unhandledrejection", ({ reason }) => notify("error", reason?.message ?? reason));
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      notify("error", "Blocked by the preview: " + violatedDirective + " " + blockedURI));
    document.write(data.source);
    document.close();
  });
  notify("ready", "");
})();
</script>
`;

/** Mounts the document that shows artifacts' previews. */
export function frameRoutes(app: Hono<AppContext>): void {
  app.get(PATH, () => {
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "connection-allowlist": CONNECTIONS,
      "referrer-policy": "no-referrer",
      "x-dns-prefetch-control": "off",
      "cache-control": "no-cache",
    };
    return new Response(DOCUMENT, { headers });
  });
}
