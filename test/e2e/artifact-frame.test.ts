import type { Page } from "@playwright/test";
import * as z from "zod/mini";
import { callApi, enter } from "./fixtures/api.ts";
import { composer } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";
import { askFrame, LOUD_WAYS, quietDocuments, showDocuments } from "./fixtures/hostile-documents.ts";
import { listen } from "../support/listener.ts";

const EVIL = "https://evil.test/";

/** Each tried twice; what runs says so in its own title. */
const DOCUMENTS = LOUD_WAYS.flatMap((way, place) =>
  Array.from({ length: 2 }, (_, n) => `<!doctype html><p>Document ${place}</p>${way(`${EVIL}${place}/${n}`)}`),
);

/** As a browser that knows no allowlists of connections. */
function withoutAllowlist(page: Page): Promise<unknown> {
  return page.context().route("**/artifact-frame", async (route) => {
    const answer = await route.fetch();
    const headers = Object.entries(answer.headers()).filter(([name]) => name !== "connection-allowlist");
    await route.fulfill({ response: answer, headers: Object.fromEntries(headers) });
  });
}

test("hostile documents reach no other host, no cookie and no page of ours", async ({ page, baseURL, allowConsole }) => {
  allowConsole(/./);
  const own = new URL(baseURL ?? "").host;
  const externalUrls: string[] = [];
  await page.context().route(
    (url) => url.host !== own && /^(https?|wss?):$/.test(url.protocol),
    (route) => {
      externalUrls.push(route.request().url());
      return route.abort();
    },
  );
  page.on("websocket", (socket) => {
    if (new URL(socket.url()).host !== own) externalUrls.push(socket.url());
  });
  const listener = await listen(externalUrls, "this machine");
  page.context().on("page", (opened) => externalUrls.push(`opened ${opened.url()}`));
  await enter(page);
  await page.goto("/");
  const address = page.url();

  const crashed: string[] = [];
  page.on("crash", () => crashed.push("crashed"));
  const quiet = quietDocuments(listener.port);
  expect(await page.evaluate(showDocuments, { documents: [...quiet, ...DOCUMENTS], scripts: false })).toBeGreaterThanOrEqual(
    DOCUMENTS.length + quiet.length,
  );

  // What a document can learn of the page around it is nothing, and what goes wrong in it is told.
  // Each of these is a document that comes after all others: what they set going has begun by then.
  for (let n = 0; n < 5; n += 1) expect(await page.evaluate(askFrame, false)).toContain("null refused refused refused");
  expect(page.url()).toBe(address);
  expect(externalUrls).toEqual([]);

  // In a browser without connection allowlists as well.
  await withoutAllowlist(page);
  expect(await page.evaluate(askFrame, false)).toBe("asks ");
  await page.evaluate(showDocuments, { documents: quiet, scripts: true });
  for (let n = 0; n < 5; n += 1) expect(await page.evaluate(askFrame, true)).toContain("null refused refused refused");
  expect([...externalUrls, ...crashed]).toEqual([]);
  // What a page could say in this way would have been heard.
  await page.evaluate((port) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${port}` }] });
    peer.createDataChannel("x");
    void peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  }, listener.port);
  await expect.poll(() => externalUrls).toContain("this machine: a datagram");
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

test("a page whose scripts the browser cannot hold is shown without them, and asks once before they run", async ({ page }) => {
  await withoutAllowlist(page);
  await enter(page);
  const content = (text: string) =>
    `\`\`\`html\n<p onclick="say(1)">Still ${text}</p><script>document.body.append("It runs");</script>\n\`\`\``;
  const body = { title: "Page", content: content("one") };
  const { id } = z.object({ id: z.string() }).parse(await callApi(page, { method: "POST", path: "/api/artifacts", body }));
  await page.goto(`/artifacts/${id}`);
  const preview = page.getByRole("region", { name: "Preview" });
  const shown = preview.frameLocator("iframe").locator("body");
  const question = preview.getByRole("status").filter({ hasText: "could send what the page shows" });
  await expect(question).toBeVisible();
  await expect(shown).toHaveText("Still one");
  await question.getByRole("button", { name: "Run scripts" }).click();
  await expect(shown).toContainText("It runs");
  await expect(question).toHaveCount(0);
  // Not again for another version, nor when it is come back to; for another page it is.
  await callApi(page, { method: "PUT", path: `/api/artifacts/${id}/content`, body: { content: content("two"), base_version: 1 } });
  await expect(shown).toContainText("Still two");
  await expect(shown).toContainText("It runs");
  await page.reload();
  await expect(question).toBeVisible();
  // One without scripts has nothing to ask for.
  await callApi(page, {
    method: "PUT",
    path: `/api/artifacts/${id}/content`,
    body: { content: "```html\n<p>Plain</p>\n```", base_version: 2 },
  });
  await expect(shown).toHaveText("Plain");
  await expect(question).toHaveCount(0);
  await page.context().unrouteAll();
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
