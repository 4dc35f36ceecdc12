/**
 * The document that shows HTML and SVG of artifacts: its own policy gives it an origin of nobody's and lets nothing out, whatever runs in
 * it. It says that it is ready, takes one document from the page that shows it, and reports what goes wrong in it.
 *
 * No such policy knows of peer connections, whose servers are named by whoever opens one. Browsers that have connection allowlists
 * refuse them for it; for all others the window loses what opens them, and no frame inside, whose window would have it again, lives long
 * enough to run anything: each root of the document is watched, and there is no way to a root that is not. So what makes one by parsing
 * is gone, and the document's own markup declares none.
 *
 * WebKit hides what went wrong in a script that has no address of its own from a document without an origin, and says 'Script error.'.
 * There the scripts of the document's markup get one, of data.
 */
import type { Hono } from "hono";
import type { AppContext } from "../env.ts";

const PATH = "/artifact-frame";

const POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' data:; worker-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/** Nothing may be connected to: https://wicg.github.io/connection-allowlists/. */
const CONNECTIONS = "()";

const DOCUMENT = `<!doctype html>
<meta charset="utf-8">
<title>Preview</title>
<script>
(() => {
  const page = parent;
  // Held here, whatever becomes of them there.
  const { apply, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const { createRange, querySelector, write } = Document.prototype;
  const { querySelector: querySelectorIn } = DocumentFragment.prototype;
  const { append, attachShadow, before, remove } = Element.prototype;
  const { createContextualFragment, selectNodeContents } = Range.prototype;
  const { parseFromString } = DOMParser.prototype;
  const { get: currentScript } = getOwnPropertyDescriptor(Document.prototype, "currentScript");
  const Observer = MutationObserver;
  const { observe } = Observer.prototype;
  const replace = (target, name, value) => Object.defineProperty(target, name, { value, writable: false, configurable: false });

  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) replace(window, name, undefined);
  for (const type of [Node, Element, Document, DocumentFragment, ShadowRoot, HTMLTemplateElement, Range]) {
    for (const target of [type, type.prototype]) {
      for (const name of ownKeys(target)) if (/unsafe$/i.test(String(name))) replace(target, name, undefined);
    }
  }
  const keepFramesOut = (root, find) => {
    const look = () => {
      for (let frame; (frame = apply(find, root, ["iframe, frame, object, embed, fencedframe"])); ) apply(remove, frame, []);
    };
    apply(observe, new Observer(look), [root, { __proto__: null, childList: true, subtree: true }]);
  };
  replace(Element.prototype, "attachShadow", function (options) {
    const { mode, delegatesFocus = false, slotAssignment = "named" } = options;
    // A copy of a root would be one that nobody watches.
    const root = apply(attachShadow, this, [{ __proto__: null, mode, delegatesFocus, slotAssignment, clonable: false }]);
    keepFramesOut(root, querySelectorIn);
    return root;
  });
  // Some browsers took a third argument, with which it made such roots.
  replace(DOMParser.prototype, "parseFromString", function (text, type) {
    return apply(parseFromString, this, [text, type]);
  });
  // What scripts write is parsed by itself, as all other markup of theirs is.
  const writeHere = (...texts) => {
    let text = "";
    for (let at = 0; at < texts.length; at += 1) text += texts[at];
    const range = apply(createRange, document, []);
    apply(selectNodeContents, range, [document.body || document.documentElement]);
    const written = apply(createContextualFragment, range, [text]);
    const script = apply(currentScript, document, []);
    if (script) apply(before, script, [written]);
    else apply(append, document.body || document.documentElement, [written]);
  };
  for (const name of ["write", "writeln"]) replace(Document.prototype, name, writeHere);

  let hidesErrors = false;
  addEventListener("error", (event) => { hidesErrors = event.error === null; event.preventDefault(); }, { once: true });
  reportError("probe");
  const withAddresses = (markup) => {
    const parsed = new DOMParser().parseFromString(markup, "text/html");
    for (const script of parsed.querySelectorAll("script:not([src], [href])")) {
      const type = script.type?.trim().toLowerCase() ?? "";
      if (!["", "module", "text/javascript", "application/javascript"].includes(type)) continue;
      // What a script in the markup does not obey, one with an address would.
      for (const name of ["defer", "integrity", "crossorigin", ...(type === "module" ? [] : ["async"])]) script.removeAttribute(name);
      const address = "data:text/javascript;charset=utf-8," + encodeURIComponent(script.textContent.toWellFormed());
      script.setAttribute(script instanceof HTMLScriptElement ? "src" : "href", address);
      script.textContent = "";
    }
    // What an attribute's script throws is heard as a promise's.
    for (const element of parsed.querySelectorAll("*")) {
      for (const attribute of element.attributes) {
        if (attribute.name.startsWith("on")) attribute.value = "try { " + attribute.value + "\\n} catch (error) { Promise.reject(error) }";
      }
    }
    return (parsed.doctype ? new XMLSerializer().serializeToString(parsed.doctype) : "") + parsed.documentElement.outerHTML;
  };

  const notify = (type, message) => page.postMessage({ type, message: String(message).slice(0, 1000) }, "*");
  addEventListener("message", function take({ source, data }) {
    if (source !== page || typeof data?.source !== "string") return;
    removeEventListener("message", take);
    // Opening the document takes its listeners away: those of errors come after it.
    document.open();
    keepFramesOut(document, querySelector);
    addEventListener("error", ({ message, error }) => {
      const isHidden = hidesErrors && error === null;
      notify("error", isHidden ? "Something in it failed, and this browser does not say what." : message || "Something could not be loaded.");
    });
    addEventListener("unhandledrejection", ({ reason }) => notify("error", reason?.message ?? reason));
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      notify("error", "Blocked by the preview: " + violatedDirective + " " + blockedURI));
    const markup = hidesErrors ? withAddresses(data.source) : data.source;
    apply(write, document, [markup.replaceAll(/shadowrootmode/gi, "$&_")]);
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
