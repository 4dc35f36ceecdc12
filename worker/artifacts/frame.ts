/**
 * The document that shows HTML and SVG of artifacts: its own policy gives it an origin of nobody's and lets nothing out, whatever runs in
 * it. It says that it is ready, takes one document from the page that shows it, and tells what goes wrong in that.
 */
import type { Hono } from "hono";
import type { AppContext } from "../env.ts";

const PATH = "/artifact-frame";

const POLICY = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

const DOCUMENT = `<!doctype html>
<meta charset="utf-8">
<title>Preview</title>
<script>
(() => {
  const page = parent;
  const tell = (type, message) => page.postMessage({ type, message: String(message).slice(0, 1000) }, "*");
  addEventListener("message", function take({ source, data }) {
    if (source !== page || typeof data?.source !== "string") return;
    removeEventListener("message", take);
    // Opening the document takes its listeners away: those of errors come after it.
    document.open();
    addEventListener("error", ({ message }) => tell("error", message || "Something could not be loaded."));
    addEventListener("unhandledrejection", ({ reason }) => tell("error", reason?.message ?? reason));
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      tell("error", "Blocked by the preview: " + violatedDirective + " " + blockedURI));
    document.write(data.source);
    document.close();
  });
  tell("ready", "");
})();
</script>
`;

/** Mounts the document that shows artifacts' previews. */
export function frameRoutes(app: Hono<AppContext>): void {
  app.get(PATH, () => {
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "referrer-policy": "no-referrer",
      "x-dns-prefetch-control": "off",
      "cache-control": "no-cache",
    };
    return new Response(DOCUMENT, { headers });
  });
}
