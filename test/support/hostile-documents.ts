/** A document that tries to reach an address, by one way or several. */
export type Way = (to: string) => string;

/** Ways out of a document that a request shows. */
export const LOUD_WAYS: readonly Way[] = [
  (to: string) => `<img src="${to}">`,
  (to: string) => `<link rel="stylesheet" href="${to}">`,
  (to: string) => `<link rel="prefetch" href="${to}">`,
  (to: string) => `<link rel="icon" href="${to}">`,
  (to: string) => `<script src="${to}"></script>`,
  (to: string) => `<script type="module">import("${to}")</script>`,
  (to: string) => `<script>fetch("${to}", { method: "POST", mode: "no-cors", body: document.body.outerHTML })</script>`,
  (to: string) => `<script>const x = new XMLHttpRequest(); x.open("GET", "${to}"); x.send()</script>`,
  (to: string) => `<script>navigator.sendBeacon("${to}", "x")</script>`,
  (to: string) => `<script>new WebSocket("${to.replace("https", "wss")}")</script>`,
  (to: string) => `<script>new EventSource("${to}")</script>`,
  (to: string) => `<script>location = "${to}"</script>`,
  (to: string) => `<script>top.location = "${to}"</script>`,
  (to: string) => `<script>open("${to}")</script>`,
  (to: string) => `<meta http-equiv="refresh" content="0;url=${to}">`,
  (to: string) => `<form action="${to}" method="post"><input name="a" value="b"></form><script>document.forms[0].submit()</script>`,
  (to: string) => `<a href="${to}" target="_blank">x</a><script>document.querySelector("a").click()</script>`,
  (to: string) => `<a href="${to}" target="_top">x</a><script>document.querySelector("a").click()</script>`,
  (to: string) => `<iframe src="${to}"></iframe>`,
  (to: string) => `<object data="${to}"></object><embed src="${to}">`,
  (to: string) => `<video src="${to}" poster="${to}" autoplay></video><audio src="${to}" autoplay></audio>`,
  (to: string) =>
    `<style>@import "${to}"; body { background: url("${to}") } @font-face { font-family: f; src: url("${to}") } p { font-family: f }</style><p>x</p>`,
  (to: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg"><image href="${to}"/><use href="${to}#a"/><foreignObject><img src="${to}"/></foreignObject></svg>`,
  (to: string) => `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('${to}')"><script>fetch("${to}")</script></svg>`,
  (to: string) => `<iframe srcdoc="<script>fetch('${to}')</script>"></iframe>`,
];

/** Ways that no request tells of: hints to a server, and peer connections, which ask one of their choice. */
export function quietDocuments(port: number): string[] {
  const call = `const p = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${port}" }] }); p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o));`;
  const inside = `<script>${call}</script>`.replaceAll('"', "&quot;");
  const frame = `<iframe srcdoc="${inside}"></iframe>`;
  // As a script's own text holds it.
  const told = (markup: string) => JSON.stringify(markup).replaceAll("</", String.raw`<\/`);
  const declared = (mode: string, more = "") => `<div><template shadowrootmode="${mode}"${more}>${frame}</template></div>`;
  const to = `http://127.0.0.1:${port}/`;
  return [
    `<script>${call}</script>`,
    `<script>${call.replace("RTC", "webkitRTC")}</script>`,
    `<iframe srcdoc="${inside}"></iframe>`,
    `<iframe src="javascript:${call.replaceAll('"', "&quot;")}"></iframe>`,
    `<iframe srcdoc="${inside}"></iframe><script>for (const end = Date.now() + 300; Date.now() < end;);</script>`,
    `<p></p><script>const root = document.querySelector("p").attachShadow({ mode: "closed" }); root.innerHTML = "<iframe></iframe>"; root.firstChild.srcdoc = ${JSON.stringify(`<script>${call}</script>`).replaceAll("</", String.raw`<\/`)};</script>`,
    `<script>document.querySelectorAll = Element.prototype.remove = Reflect.apply = () => []; document.body.innerHTML = '<iframe srcdoc="${inside}"></iframe>';</script>`,
    // Roots that come by parsing, in the document and by scripts, and copies of roots.
    declared("closed"),
    declared("open").replace("shadowrootmode", "ShadowRootMode"),
    declared("closed", " shadowrootclonable"),
    `<p></p><script>document.querySelector("p").setHTMLUnsafe(${told(declared("closed"))});</script>`,
    `<p></p><script>const r = document.querySelector("p").attachShadow({ mode: "open" }); r.setHTMLUnsafe(${told(declared("open"))});</script>`,
    `<script>const d = Document.parseHTMLUnsafe(${told(declared("closed"))}); document.documentElement.append(d.body.firstChild);</script>`,
    `<script>const d = new DOMParser().parseFromString(${told(declared("closed"))}, "text/html", { includeShadowRoots: true }); document.documentElement.append(d.body.firstChild);</script>`,
    `<script>document.write(${told(declared("open"))});</script>`,
    `<script>document.write("<div><template shadowroot");</script>mode="closed">${frame}</template></div>`,
    `<script>onload = () => { document.open(); document.write(${told(`<body>${declared("closed")}`)}); document.close(); };</script>`,
    `<p></p><script>const p = document.querySelector("p"); p.attachShadow({ mode: "open", clonable: true }).innerHTML = ${told(frame)}; document.body.append(p.cloneNode(true), document.importNode(p, true));</script>`,
    `<p></p><script>Object.prototype.clonable = true; const p = document.querySelector("p"); p.attachShadow({ mode: "closed" }).innerHTML = ${told(frame)}; document.body.append(p.cloneNode(true));</script>`,
    `<p></p><script>Object.prototype.attributes = false; Object.prototype.attributeOldValue = true; const p = document.querySelector("p"); try { p.attachShadow({ mode: "open" }); } catch {} p.shadowRoot.innerHTML = ${told(frame)};</script>`,
    `<script>Object.defineProperty(NodeList.prototype, "length", { get: () => 0 }); document.documentElement.insertAdjacentHTML("beforeend", ${told(frame)});</script>`,
    `<script>const d = document.implementation.createHTMLDocument(); const p = d.createElement("p"); p.attachShadow({ mode: "closed" }).innerHTML = ${told(frame)}; document.documentElement.append(p);</script>`,
    `<link rel="preconnect" href="${to}"><link rel="dns-prefetch" href="${to}">`,
    `<script type="speculationrules">{ "prefetch": [{ "source": "list", "urls": ["${to}"] }] }</script>`,
    `<a href="#x" ping="${to}">x</a><script>document.querySelector("a").click()</script>`,
  ];
}

const PRECONNECT = (to: string) => `<link rel="preconnect" href="${to}">`;

/** As a script's own text holds it. */
const told = (markup: string) => JSON.stringify(markup).replaceAll("</", String.raw`<\/`);
const script = (code: string) => `<p id="p">x</p><script>${code}</script>`;
/** What a script does with a link that it has. */
const use = (to: string) => `l.rel = "preconnect"; l.href = "${to}"; document.documentElement.append(l);`;
/** A picture with an element of HTML in it. */
const picture = (to: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"><g id="a"/><foreignObject><link xmlns="http://www.w3.org/1999/xhtml" rel="preconnect" href="${to}"/></foreignObject></svg>`)}`;

/** Ways to an element that opens a connection, or to a window or document in which one could be had, without a script. */
export const STILL_WAYS: readonly Way[] = [
  PRECONNECT,
  (to) => `<LiNk REL="x PreConnect" HREF="${to}">`,
  (to) => `<link rel="dns-prefetch" href="${to}"><link rel="modulepreload" href="${to}"><link rel="preload" as="image" href="${to}">`,
  (to) => `<svg><foreignObject>${PRECONNECT(to)}</foreignObject></svg>`,
  (to) => `<template>${PRECONNECT(to)}</template>`,
  // Parsed once, these hold no link.
  (to) => `<noscript><p title='</noscript>${PRECONNECT(to)}'></noscript>`,
  (to) => `<svg><style><p title='</style>${PRECONNECT(to)}'>`,
  (to) => `<math><mtext><table><mglyph><style><!--</style><img title='--&gt;${PRECONNECT(to)}'>`,
  (to) => `<meta http-equiv="Link" content="<${to}>; rel=preconnect"><base href="${to}"><a href="x">x</a>`,
  (to) => `<iframe srcdoc='${PRECONNECT(to)}'></iframe>`,
  (to) => `<iframe src="javascript:'<link rel=preconnect href=${to}>'"></iframe>`,
  (to) => `<frameset><frame src="javascript:'<link rel=preconnect href=${to}>'"></frameset>`,
  (to) => `<object data="data:text/html,${encodeURIComponent(PRECONNECT(to))}"></object>`,
  (to) => `<embed src="data:text/html,${encodeURIComponent(PRECONNECT(to))}">`,
  (to) => `<img src="${picture(to)}"><p style="background: url('${picture(to)}'); filter: url('${picture(to)}#a')">x</p>`,
  (to) => `<svg><use href="${picture(to)}#a"/></svg>`,
];

/** The same by scripts. */
export const SCRIPT_WAYS: readonly Way[] = [
  (to) => script(`l = document.createElement("link"); ${use(to)}`),
  (to) => script(`l = document.createElementNS("http://www.w3.org/1999/xhtml", "h:link"); ${use(to)}`),
  (to) => script(`l = new Document().createElementNS("http://www.w3.org/1999/xhtml", "link"); ${use(to)}`),
  (to) => script(`l = document.implementation.createDocument("http://www.w3.org/1999/xhtml", "link").documentElement; ${use(to)}`),
  (to) => script(`l = document.implementation.createHTMLDocument("").createElement("link"); ${use(to)}`),
  (to) => script(`p.innerHTML = ${told(PRECONNECT(to))};`),
  (to) => script(`p.outerHTML = ${told(PRECONNECT(to))};`),
  (to) => script(`p.insertAdjacentHTML("beforebegin", ${told(PRECONNECT(to))});`),
  (to) => script(`t = document.createElement("template"); t.innerHTML = ${told(PRECONNECT(to))}; document.body.append(t.content);`),
  (to) => `<template id="t"><template>${PRECONNECT(to)}</template></template>${script("p.append(t.content.firstChild.content);")}`,
  (to) =>
    `<template id="t">${PRECONNECT(to)}</template>${script("p.append(t.content.cloneNode(true), document.importNode(t.content, true));")}`,
  (to) => `<noscript id="t">${PRECONNECT(to)}</noscript>${script("p.innerHTML = t.textContent + t.innerHTML;")}`,
  (to) => script(`p.attachShadow({ mode: "closed" }).innerHTML = ${told(PRECONNECT(to))};`),
  (to) => script(`r = document.createRange(); r.selectNode(p); document.body.append(r.createContextualFragment(${told(PRECONNECT(to))}));`),
  (to) => script(`document.write(${told(PRECONNECT(to))});`),
  (to) => script(`document.write("<li"); document.writeln(${told(PRECONNECT(to).slice(3))});`),
  (to) => script(`onload = () => { document.open(); document.write(${told(PRECONNECT(to))}); document.close(); };`),
  (to) =>
    script(
      `d = document.implementation.createHTMLDocument(""); d.open(); d.write(${told(PRECONNECT(to))}); p.append(...d.querySelectorAll("link"));`,
    ),
  (to) =>
    script(`d = document.implementation.createHTMLDocument(""); d.body.innerHTML = ${told(PRECONNECT(to))}; p.append(d.body.firstChild);`),
  (to) => script(`d = new DOMParser().parseFromString(${told(PRECONNECT(to))}, "text/html"); p.append(d.querySelector("link"));`),
  (to) =>
    script(
      `d = new DOMParser().parseFromString('<a xmlns="http://www.w3.org/1999/xhtml"><link rel="preconnect" href="${to}"/></a>', "application/xhtml+xml"); p.append(document.importNode(d.documentElement, true));`,
    ),
  (to) =>
    script(
      `d = new DOMParser().parseFromString('<h:link xmlns:h="http://www.w3.org/1999/xhtml" rel="preconnect" href="${to}"/>', "text/xml"); p.append(d.documentElement);`,
    ),
  (to) => script(`p.setHTMLUnsafe(${told(PRECONNECT(to))});`),
  (to) => script(`p.setHTML(${told(PRECONNECT(to))}, { sanitizer: { elements: [{ name: "link", attributes: ["rel", "href"] }] } });`),
  (to) => script(`p.append(Document.parseHTMLUnsafe(${told(PRECONNECT(to))}).querySelector("link"));`),
  (to) =>
    script(
      `x = new XSLTProcessor(); x.importStylesheet(new DOMParser().parseFromString('<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><xsl:element name="link" namespace="http://www.w3.org/1999/xhtml"><xsl:attribute name="rel">preconnect</xsl:attribute><xsl:attribute name="href">${to}</xsl:attribute></xsl:element></xsl:template></xsl:stylesheet>', "text/xml")); p.append(x.transformToFragment(document, document));`,
    ),
  (to) =>
    `<body contenteditable>${script(`getSelection().selectAllChildren(p); document.execCommand("InsertHTML", false, ${told(PRECONNECT(to))});`)}`,
  (to) =>
    script(
      `customElements.define("x-l", class extends HTMLLinkElement {}, { extends: "link" }); l = new (customElements.get("x-l"))(); ${use(to)}`,
    ),
  (to) =>
    script(
      `n = 0; customElements.define("x-l", class extends HTMLLinkElement { constructor() { super(); l = this; } }, { get extends() { return n++ ? "link" : "p"; } }); document.createElement("link", { is: "x-l" }); ${use(to)}`,
    ),
  // An element that tells its own constructor what is taken out of it.
  (to) =>
    script(
      `r = new CustomElementRegistry(); r.define("x-l", class extends HTMLElement { constructor() { super(); new MutationObserver((all) => { for (const { removedNodes } of all) document.documentElement.append(...removedNodes); }).observe(this, { childList: true, subtree: true }); } }); l = document.createElement("x-l", { customElementRegistry: r }); p.append(l); l.innerHTML = ${told(PRECONNECT(to))};`,
    ),
  // With what the frame itself uses replaced.
  (to) =>
    script(
      `Reflect.apply = () => {}; NodeList.prototype.item = () => null; Element.prototype.remove = () => {}; Array.prototype[Symbol.iterator] = null; Object.prototype.link = false; p.innerHTML = ${told(PRECONNECT(to))};`,
    ),
  (to) =>
    script(`Object.defineProperty(Element.prototype, "localName", { get: () => "x" }); l = document.createElement("link"); ${use(to)}`),
  (to) =>
    script(
      `n = 0; p.innerHTML = { toString: () => (n++ ? ${told(PRECONNECT(to))} : "<b>") }; p.insertAdjacentHTML("afterend", { toString: () => ${told(PRECONNECT(to))} });`,
    ),
  // Other windows and documents.
  (to) => script(`location = "javascript:'<link rel=preconnect href=${to}>'";`),
  (to) => `<a href="javascript:'<link rel=preconnect href=${to}>'">x</a><script>document.querySelector("a").click()</script>`,
  (to) => script(`onload = () => setTimeout(() => open("javascript:'<link rel=preconnect href=${to}>'", "_self"));`),
  (to) => script(`location = "data:text/html,${encodeURIComponent(PRECONNECT(to))}";`),
  (to) => script(`location = URL.createObjectURL(new Blob([${told(PRECONNECT(to))}], { type: "text/html" }));`),
  (to) => script(`i = document.createElement("iframe"); i.srcdoc = ${told(PRECONNECT(to))}; document.body.append(i);`),
  // Scripts from elsewhere, which the nonce does not let in.
  (to) =>
    `<script nonce="preview" src="${to}"></script><script type="module">import "${to}"</script><svg><script href="${to}"></script></svg>`,
  (to) => script(`s = document.createElement("script"); s.nonce = "preview"; s.src = "${to}"; document.body.append(s);`),
  (to) => script(`new Worker("data:text/javascript," + encodeURIComponent("fetch('${to}')"));`),
  // Where it leads, and what it asks for.
  (to) => `<a href="${to}" download>x</a><a href="${to}">x</a><script>for (const a of document.querySelectorAll("a")) a.click()</script>`,
  (to) => script(`open("${to}", "_self");`),
  (to) =>
    script(
      `p.innerHTML = "<b>x</b>"; p.attachShadow({ mode: "closed" }).innerHTML = '<a href="${to}" target="_blank"><slot></slot></a>'; for (const type of ["click", "auxclick", "DOMActivate"]) p.firstChild.dispatchEvent(new MouseEvent(type, { bubbles: true }));`,
    ),
  (to) =>
    script(
      `a = Object.assign(document.createElement("a"), { href: "${to}", target: "_blank" }); a.click(); a.dispatchEvent(new MouseEvent("click"));`,
    ),
  (to) =>
    script(
      `p.attachShadow({ mode: "closed" }).innerHTML = '<a href="${to}" target="_blank"><b>x</b></a>'; p.shadowRoot.querySelector("b").dispatchEvent(new MouseEvent("click", { bubbles: true }));`,
    ),
  (to) =>
    `<svg><a href="${to}" target="_blank"/></svg>${script(`document.querySelector("a").dispatchEvent(new MouseEvent("click", { bubbles: true }));`)}`,
  (to) => `<meta charset="utf-8" id="m">${script(`m.httpEquiv = "refresh"; m.content = "0;url=${to}"; document.head.append(m);`)}`,
  (to) => script(`new WebTransport("${to.replace("http:", "https:")}");`),
  (to) => script(`new FontFace("x", "url(${to})").load(); document.body.style.cursor = "url(${to}), auto";`),
];

/** Shows documents in frames as the product does, from the page that this runs in; `scripts`: whether somebody let them run. */
export async function showDocuments({ documents, scripts }: { documents: string[]; scripts: boolean }): Promise<number> {
  const show = (source: string) =>
    new Promise<void>((resolve) => {
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", "allow-scripts");
      frame.src = "/artifact-frame";
      addEventListener("message", ({ source: from, data }) => {
        if (from !== frame.contentWindow || data?.type !== "ready") return;
        frame.contentWindow?.postMessage({ kind: "html", source, scripts }, "*");
        frame.contentWindow?.postMessage({ kind: "html", source: "<script>parent.secondWasTaken = true</script>" }, "*");
        resolve();
      });
      document.body.append(frame);
    });
  await Promise.all(documents.map(show));
  return document.querySelectorAll("iframe").length;
}

/** Shows one more, which comes after all before it, and says what it can learn of the page around it. */
export function askFrame(scripts: boolean): Promise<string> {
  return new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.src = "/artifact-frame";
    const source = `<script>
      const tried = (read) => { try { return String(read()); } catch { return "refused"; } };
      throw new Error([origin, tried(() => document.cookie), tried(() => localStorage.length), tried(() => parent.document.title)].join(" "));
    </script>`;
    addEventListener("message", ({ source: from, data }) => {
      if (from !== frame.contentWindow) return;
      if (data.type === "ready") frame.contentWindow?.postMessage({ source, scripts }, "*");
      else resolve(`${data.type} ${data.message}`);
    });
    document.body.append(frame);
  });
}
