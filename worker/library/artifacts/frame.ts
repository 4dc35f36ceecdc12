/**
 * The document that shows HTML and SVG of artifacts: its own policy gives it an origin of nobody's and lets nothing out, whatever runs in
 * it. It says that it is ready, takes one document from the page that shows it, and reports what goes wrong in it.
 *
 * No such policy knows of connections that are opened ahead of a request, nor of peer connections: both go to a server that the document
 * names. Browsers that have connection allowlists refuse them for it. In all others scripts run once somebody agreed to it, and even then
 * without what opens such a connection: no script comes by an element that does, nor by a window in which one could be had.
 *
 * WebKit hides what went wrong in a script that has no address of its own from a document without an origin, and says 'Script error.'.
 * There the scripts of the document's markup get one, of data.
 */
import type { Hono } from "hono";
import type { AppContext } from "#worker/platform/env.ts";

const PATH = "/artifact-frame";

/** No secret, as whatever runs here may: an address of the form `javascript:`, which would open a new window in this one, cannot carry it. */
const NONCE = "preview";

/** Two, which both hold: nothing but what stands in the document itself, and no script without the nonce. */
const POLICIES = [
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' data:; worker-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'self'",
  `script-src 'nonce-${NONCE}'; script-src-attr 'unsafe-inline'`,
];

/** Nothing may be connected to: https://wicg.github.io/connection-allowlists/. */
const CONNECTIONS = "()";

const DOCUMENT = `<!doctype html>
<meta charset="utf-8">
<title>Preview</title>
<script nonce="${NONCE}">
(() => {
  const page = parent;
  // Held here, whatever becomes of them there.
  const { apply, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const getter = (type, name) => {
    let owner = type.prototype;
    // Browsers differ in which interface of a line of them has a property.
    while (!getOwnPropertyDescriptor(owner, name)) owner = getPrototypeOf(owner);
    return getOwnPropertyDescriptor(owner, name).get;
  };
  const { close, createDocumentFragment, createElement, createElementNS, execCommand, importNode, open, write } = Document.prototype;
  const { append, attachShadow, before, getAttribute, getAttributeNames, insertAdjacentElement, remove, replaceWith, setAttribute } = Element.prototype;
  const { appendChild } = Node.prototype;
  const { define } = CustomElementRegistry.prototype;
  const { createDocument } = DOMImplementation.prototype;
  const { parseFromString } = DOMParser.prototype;
  const { composedPath, preventDefault } = Event.prototype;
  const { dispatchEvent } = EventTarget.prototype;
  const { click } = HTMLElement.prototype;
  const { item } = NodeList.prototype;
  const { toLowerCase } = String.prototype;
  const { set: setMarkup } = getOwnPropertyDescriptor(Element.prototype, "innerHTML");
  const { get: getText, set: setText } = getOwnPropertyDescriptor(Node.prototype, "textContent");
  const getContent = getter(HTMLTemplateElement, "content");
  const getCurrentScript = getter(Document, "currentScript");
  const getFirstChild = getter(Node, "firstChild");
  const getHost = getter(ShadowRoot, "host");
  const getLocalName = getter(Element, "localName");
  const getNamespace = getter(Element, "namespaceURI");
  const getNodeType = getter(Node, "nodeType");
  const getParent = getter(Node, "parentNode");
  const getType = getter(Event, "type");
  const getSlot = getter(Element, "assignedSlot");
  const getSlotOfText = getter(Text, "assignedSlot");
  const getStart = getter(Range, "startContainer");
  const finders = { __proto__: null, 1: Element.prototype, 9: Document.prototype, 11: DocumentFragment.prototype };
  for (const type in finders) finders[type] = { __proto__: null, all: finders[type].querySelectorAll, empty: finders[type].replaceChildren };
  const replace = (target, name, value) => Object.defineProperty(target, name, { value, writable: false, configurable: false });
  const XHTML = "http://www.w3.org/1999/xhtml";
  /** No network, no scripts, and never seen by one. */
  const inert = document.implementation.createHTMLDocument("");

  // A browser that keeps to this document's list of connections refuses a peer's: before Chrome 156 as it is made, since then by failing as
  // soon as it is to begin, before it has any candidates.
  const measureConfinement = async () => {
    try {
      const peer = new RTCPeerConnection();
      const hasFailed = () => peer.iceConnectionState === "failed";
      peer.createDataChannel("");
      const isRefused = await new Promise((resolve, reject) => {
        peer.oniceconnectionstatechange = () => hasFailed() && resolve(true);
        peer.onicecandidate = () => resolve(hasFailed());
        setTimeout(resolve, 2000, false);
        peer.setLocalDescription().catch(reject);
      });
      peer.close();
      return isRefused;
    } catch (error) {
      return error.name === "NotAllowedError";
    }
  };
  const confinement = measureConfinement();

  const FORBIDDEN_ELEMENTS = { __proto__: null };
  for (const name of "link base iframe frame object embed fencedframe portal applet".split(" ")) FORBIDDEN_ELEMENTS[name] = true;
  const FORBIDDEN_SELECTOR = ownKeys(FORBIDDEN_ELEMENTS).join() + ", meta[http-equiv], meta:not([charset], [name=viewport i], [name=color-scheme i])";
  FORBIDDEN_ELEMENTS.meta = true;
  const isForbidden = (element) => FORBIDDEN_ELEMENTS[apply(getLocalName, element, [])] === true;

  const each = (root, selector, act) => {
    const found = apply(finders[apply(getNodeType, root, [])].all, root, [selector]);
    for (let at = 0, element; (element = apply(item, found, [at])); at += 1) act(element);
  };
  /** Goes into what templates hold too, which no selector finds. */
  const eachWithin = (root, selector, act) => {
    each(root, "template", (template) => {
      if (apply(getNamespace, template, []) === XHTML) eachWithin(apply(getContent, template, []), selector, act);
    });
    each(root, selector, act);
  };
  let isConfined = false;
  /** Firefox, since 153, connects for a link that the pointer is over. */
  const leadNowhere = (element) => {
    for (const name of ["href", "xlink:href"]) {
      const address = apply(getAttribute, element, [name]);
      if (address && address[0] !== "#") apply(setAttribute, element, [name, "#"]);
    }
  };
  const clean = (root) => {
    eachWithin(root, FORBIDDEN_SELECTOR, (element) => apply(remove, element, []));
    if (!isConfined) eachWithin(root, "[href], [*|href]", leadNowhere);
    return root;
  };
  const textOf = (value) => (value === null ? "" : "" + value);
  /**
   * Nodes of markup as they would stand in an element, parsed where nothing is loaded: in one of the same name, as a copy could tell of
   * itself.
   */
  const parse = (text, context) => {
    const isElement = apply(getNodeType, context, []) === 1;
    const holder = apply(createElementNS, inert, isElement ? [apply(getNamespace, context, []), apply(getLocalName, context, [])] : [XHTML, "body"]);
    apply(setMarkup, holder, [text]);
    const isTemplate = apply(getLocalName, holder, []) === "template" && apply(getNamespace, holder, []) === XHTML;
    const from = clean(isTemplate ? apply(getContent, holder, []) : holder);
    const nodes = apply(createDocumentFragment, inert, []);
    for (let node; (node = apply(getFirstChild, from, [])); ) apply(appendChild, nodes, [node]);
    return nodes;
  };
  /** Scripts that came by parsing do not run: each is made anew. */
  const revive = (root) => {
    eachWithin(root, "script", (old) => {
      const script = apply(createElementNS, document, [apply(getNamespace, old, []), "script"]);
      const names = apply(getAttributeNames, old, []);
      for (let at = 0; at < names.length; at += 1) apply(setAttribute, script, [names[at], apply(getAttribute, old, [names[at]])]);
      apply(setAttribute, script, ["nonce", "${NONCE}"]);
      apply(setText, script, [apply(getText, old, [])]);
      apply(replaceWith, old, [script]);
    });
    return root;
  };
  const parseToRun = (text, context) => revive(apply(importNode, document, [parse(text, context), true]));

  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "XSLTProcessor"]) replace(window, name, undefined);
  // Whatever takes markup, but what is replaced below.
  for (const type of [Node, Element, Document, DocumentFragment, ShadowRoot, HTMLTemplateElement, Range]) {
    for (const target of [type, type.prototype]) {
      for (const name of ownKeys(target)) {
        if (/html|unsafe$/i.test(String(name)) && !/^(innerHTML|outerHTML|insertAdjacentHTML|getHTML)$/.test(String(name))) replace(target, name, undefined);
      }
    }
  }
  const replaceSetter = (type, name, set) =>
    Object.defineProperty(type.prototype, name, { set, get: getter(type, name), enumerable: true, configurable: false });
  replaceSetter(Element, "innerHTML", function (value) {
    const nodes = parse(textOf(value), this);
    const isTemplate = apply(getLocalName, this, []) === "template" && apply(getNamespace, this, []) === XHTML;
    const target = isTemplate ? apply(getContent, this, []) : this;
    apply(finders[apply(getNodeType, target, [])].empty, target, [nodes]);
  });
  replaceSetter(ShadowRoot, "innerHTML", function (value) {
    apply(finders[11].empty, this, [parse(textOf(value), apply(getHost, this, []))]);
  });
  replaceSetter(Element, "outerHTML", function (value) {
    const text = textOf(value);
    const parent = apply(getParent, this, []);
    if (parent) apply(replaceWith, this, [parse(text, parent)]);
  });
  replace(Element.prototype, "insertAdjacentHTML", function (where, value) {
    const text = "" + value;
    const mark = apply(insertAdjacentElement, this, [where, apply(createElement, document, ["template"])]);
    if (mark) apply(replaceWith, mark, [parse(text, apply(getParent, mark, []))]);
  });
  replace(Range.prototype, "createContextualFragment", function (value) {
    const text = "" + value;
    const start = apply(getStart, this, []);
    const context = apply(getNodeType, start, []) === 3 ? apply(getParent, start, []) : start;
    const isRoot = !context || apply(getNodeType, context, []) !== 1 || apply(getLocalName, context, []) === "html";
    return parseToRun(text, isRoot ? inert : context);
  });
  replace(DOMParser.prototype, "parseFromString", function (text, type) {
    return clean(apply(parseFromString, this, [text, type]));
  });
  replace(DOMImplementation.prototype, "createDocument", function (namespace, name, type = null) {
    return clean(apply(createDocument, this, [namespace, name, type]));
  });
  // What is kept out becomes one that shows nothing; scripts get the word that lets them run.
  const made = (element) => {
    if (isForbidden(element)) return apply(createElement, document, ["template"]);
    if (apply(getLocalName, element, []) === "script") apply(setAttribute, element, ["nonce", "${NONCE}"]);
    return element;
  };
  replace(Document.prototype, "createElement", function (...given) {
    return made(apply(createElement, this, given));
  });
  replace(Document.prototype, "createElementNS", function (...given) {
    return made(apply(createElementNS, this, given));
  });
  replace(CustomElementRegistry.prototype, "define", function (name, type, options) {
    const base = options?.extends;
    if (base === undefined) return apply(define, this, [name, type]);
    const known = "" + base;
    if (FORBIDDEN_ELEMENTS[known] === true) throw new TypeError("Blocked by the preview: " + known);
    return apply(define, this, [name, type, { __proto__: null, extends: known }]);
  });
  replace(Document.prototype, "execCommand", function (name, ui, value) {
    const command = "" + name;
    return apply(toLowerCase, command, []) !== "inserthtml" && apply(execCommand, this, [command, ui, value]);
  });
  // Whose links are seen by the listener below.
  replace(Element.prototype, "attachShadow", function (options) {
    const { delegatesFocus = false, slotAssignment = "named" } = options;
    return apply(attachShadow, this, [{ __proto__: null, mode: "open", delegatesFocus, slotAssignment }]);
  });
  const writeHere = (...texts) => {
    let text = "";
    for (let at = 0; at < texts.length; at += 1) text += texts[at];
    const root = document.body || document.documentElement;
    const script = apply(getCurrentScript, document, []);
    const written = parseToRun(text, inert);
    if (script) apply(before, script, [written]);
    else apply(append, root, [written]);
  };
  for (const name of ["write", "writeln"]) replace(Document.prototype, name, writeHere);
  // Opened anew it is emptied, and keeps what listens.
  replace(Document.prototype, "open", function () {
    apply(finders[1].empty, document.body || document.documentElement, []);
    return document;
  });

  // Some browsers connect as a link is pressed, and some for a window of its own, before they ask whether it may lead anywhere.
  const PRESSES = { __proto__: null, click: true, auxclick: true, DOMActivate: true };
  const LINKS = { __proto__: null, a: true, area: true, use: true };
  const isLink = (node) =>
    apply(getNodeType, node, []) === 1 &&
    (LINKS[apply(getLocalName, node, [])] === true || apply(getNamespace, node, []) === "http://www.w3.org/1998/Math/MathML");
  const keepLinks = (event) => {
    const path = apply(composedPath, event, []);
    // The last two are the document and its window.
    for (let at = 0; at < path.length - 2; at += 1) {
      if (!isLink(path[at])) continue;
      apply(preventDefault, event, []);
      const address = apply(getType, event, []) === "click" && apply(getAttribute, path[at], ["href"]);
      if (address && address[0] === "#" && address !== "#") location.hash = address;
    }
  };
  /** Where an event at a node goes on to. */
  const next = (node) => {
    const type = apply(getNodeType, node, []);
    const slot = type === 1 ? apply(getSlot, node, []) : type === 3 ? apply(getSlotOfText, node, []) : null;
    if (slot) return slot;
    const above = apply(getParent, node, []);
    if (above || type !== 11) return above;
    try {
      return apply(getHost, node, []);
    } catch {
      return null;
    }
  };
  /** Whether a node stands in a link, and in this document. */
  const locate = (node) => {
    let inLink = false;
    let isHere = false;
    for (let at = node; at; at = next(at)) {
      inLink ||= isLink(at);
      isHere = at === document;
    }
    return { inLink, isHere };
  };
  // What scripts press needs not pass where it would be seen.
  replace(HTMLElement.prototype, "click", function () {
    const { inLink, isHere } = locate(this);
    if (!inLink || isHere) apply(click, this, []);
  });
  replace(EventTarget.prototype, "dispatchEvent", function (event) {
    let inLink = false;
    if (PRESSES[apply(getType, event, [])] === true) {
      try {
        inLink = locate(this).inLink;
      } catch {
        // Nothing that stands anywhere.
      }
    }
    return !inLink && apply(dispatchEvent, this, [event]);
  });
  const keepLinksFromConnecting = () => {
    for (const type of ["mousedown", "click", "auxclick", "DOMActivate"]) addEventListener(type, keepLinks, true);
    // What is dropped is put in as it came.
    addEventListener("drop", (event) => apply(preventDefault, event, []), true);
  };

  let hidesErrors = false;
  addEventListener("error", (event) => { hidesErrors = event.error === null; event.preventDefault(); }, { once: true });
  reportError("probe");
  const giveAddresses = (root, whenDone) => {
    let waiting = 0;
    const done = () => (waiting -= 1) || whenDone();
    for (const script of root.querySelectorAll("script:not([src], [href])")) {
      const type = script.type?.trim().toLowerCase() ?? "";
      if (!["", "module", "text/javascript", "application/javascript"].includes(type)) continue;
      // What a script in the markup does not obey, one with an address would.
      for (const name of ["defer", "integrity", "crossorigin", ...(type === "module" ? [] : ["async"])]) script.removeAttribute(name);
      script.async = false;
      const address = "data:text/javascript;charset=utf-8," + encodeURIComponent(script.textContent.toWellFormed());
      script.setAttribute(script instanceof HTMLScriptElement ? "src" : "href", address);
      script.textContent = "";
      waiting += 1;
      for (const end of ["load", "error"]) script.addEventListener(end, done, { once: true });
    }
    // What an attribute's script throws is heard as a promise's.
    for (const element of root.querySelectorAll("*")) {
      for (const attribute of element.attributes) {
        if (attribute.name.startsWith("on")) attribute.value = "try { " + attribute.value + "\\n} catch (error) { Promise.reject(error) }";
      }
    }
    return waiting > 0;
  };

  const notify = (type, message) => page.postMessage({ type, message: String(message).slice(0, 1000) }, "*");
  addEventListener("message", async function take({ source, data }) {
    if (source !== page || typeof data?.source !== "string") return;
    removeEventListener("message", take);
    isConfined = await confinement;
    const runs = isConfined || data.scripts === true;
    // Opening the document takes its listeners away: those of errors come after it.
    apply(open, document, []);
    addEventListener("error", ({ message, error }) => {
      const isHidden = hidesErrors && error === null;
      notify("error", isHidden ? "Something in it failed, and this browser does not say what." : message || "Something could not be loaded.");
    });
    addEventListener("unhandledrejection", ({ reason }) => notify("error", reason?.message ?? reason));
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      notify("error", "Blocked by the preview: " + violatedDirective + " " + blockedURI));
    keepLinksFromConnecting();
    const parsed = apply(parseFromString, new DOMParser(), [data.source, "text/html"]);
    for (const { localName, rel, href, src, data: file } of parsed.querySelectorAll("link[rel~=stylesheet i], iframe, object, embed"))
      notify("error", "Blocked by the preview: " + (rel || localName) + " " + (href || src || file || ""));
    clean(parsed);
    if (!runs && takeScriptsOut(parsed)) notify("asks", "");
    const still = '<meta http-equiv="Content-Security-Policy" content="script-src ' + "'none'" + '">';
    const doctype = parsed.compatMode === "BackCompat" ? "" : "<!doctype html>";
    apply(write, document, [doctype + "<html><head>" + (runs ? "" : still) + "</head><body></body></html>"]);
    const root = apply(importNode, document, [parsed.documentElement, true]);
    const finish = () => apply(close, document, []);
    if (runs) revive(root);
    const isWaiting = hidesErrors && runs && giveAddresses(root, finish);
    document.replaceChild(root, document.documentElement);
    if (!isWaiting) finish();
  });
  /** Answers whether there were any. */
  const takeScriptsOut = (root) => {
    let found = false;
    eachWithin(root, "*", (element) => {
      for (const name of element.getAttributeNames()) {
        if (!/^on/i.test(name)) continue;
        found = true;
        element.removeAttribute(name);
      }
      if (element.localName !== "script") return;
      found = true;
      element.remove();
    });
    return found;
  };
  notify("ready", "");
})();
</script>
`;

/** Mounts the document that shows artifacts' previews. */
export function frameRoutes(app: Hono<AppContext>): void {
  app.get(PATH, () => {
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICIES.join(", "),
      "connection-allowlist": CONNECTIONS,
      "referrer-policy": "no-referrer",
      "x-dns-prefetch-control": "off",
      "cache-control": "no-cache",
    };
    return new Response(DOCUMENT, { headers });
  });
}
