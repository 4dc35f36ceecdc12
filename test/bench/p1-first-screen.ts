import type { Page } from "@playwright/test";
import * as z from "zod";
import { filesAtStart, gzippedKib } from "./build-manifest.ts";
import type { Bench, Figure } from "./figure.ts";

type Loaded = { path: string; kind: string; wireBytes: number };

/** What the first screen costs: by the build's manifest, and as a browser really loads it. */
export const bench: Bench = {
  id: "P1",
  title: "First screen: JavaScript, CSS and requests",
  async measure({ build, serve, browser }) {
    const entry = await filesAtStart(build.client);
    const sizeOf = (files: string[]) => gzippedKib(build.client, files);
    const context = await (await browser()).newContext({ baseURL: (await serve()).origin });
    const page = await context.newPage();
    const home = await load(page, "/", "textarea[aria-label=Message]");
    const chatPath = await startChat(page);
    const chat = await load(page, chatPath, ":is(article, [role=article]) strong");
    await context.close();
    const scripts = (loaded: Loaded[]) => loaded.filter(({ kind }) => kind === "Script").map(({ path }) => path);
    const styles = (loaded: Loaded[]) => loaded.filter(({ kind }) => kind === "Stylesheet").map(({ path }) => path);
    const figures: [string, number, number | null][] = [
      ["/ JavaScript, gz, by the manifest", await sizeOf(entry.filter((path) => path.endsWith(".js"))), 160],
      ["/ CSS, gz, by the manifest", await sizeOf(entry.filter((path) => path.endsWith(".css"))), 22],
      ["/ JavaScript, gz, until ready", await sizeOf(scripts(home.ready)), 160],
      ["/ CSS, gz, until ready", await sizeOf(styles(home.ready)), 22],
      ["/ JavaScript, gz, when all is quiet", await sizeOf(scripts(home.quiet)), null],
      ["/ bytes on the wire until ready", home.ready.reduce((all, { wireBytes }) => all + wireBytes, 0) / 1024, null],
      ["/c/:id JavaScript, gz, until the answer shows", await sizeOf(scripts(chat.ready)), 210],
      ["/c/:id CSS, gz, until the answer shows", await sizeOf(styles(chat.ready)), 22],
      ["/c/:id JavaScript, gz, when all is quiet", await sizeOf(scripts(chat.quiet)), null],
    ];
    return [
      ...figures.map(([name, value, target]): Figure => ({ name, unit: "KiB", values: [value], target })),
      { name: "/ requests until ready", unit: "requests", values: [home.ready.length], target: 12, notes: paths(home.ready) },
      {
        name: "/c/:id requests until the answer shows",
        unit: "requests",
        values: [chat.ready.length],
        target: null,
        notes: paths(chat.ready),
      },
    ];
  },
};

function paths(loaded: Loaded[]): string[] {
  return loaded.map(({ path, kind }) => `${kind} ${path}`);
}

/** Opens an address with a cold cache; `ready` is what was asked for until `sign`, a selector, was there, by the page's own clock. */
async function load(page: Page, path: string, sign: string): Promise<{ ready: Loaded[]; quiet: Loaded[] }> {
  await page.addInitScript(awaitSign, sign);
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const loaded = new Map<string, Loaded>();
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    const url = new URL(response.url);
    if (url.protocol.startsWith("http")) loaded.set(requestId, { path: url.pathname, kind: type, wireBytes: 0 });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const known = loaded.get(requestId);
    if (known) known.wireBytes = encodedDataLength;
  });
  await page.goto(path, { waitUntil: "commit" });
  await page.locator(sign).first().waitFor();
  await page.waitForLoadState("networkidle");
  const early = new Set(z.array(z.string()).parse(await page.evaluate(EARLY)));
  const ready = [...loaded.values()].filter(({ path: file, kind }) => kind === "Document" || early.has(file));
  const quiet = [...loaded.values()];
  await session.detach();
  return { ready, quiet };
}

/** The paths that the page had asked for when the sign was there. */
const EARLY = `performance.getEntriesByType("resource").filter(({ startTime }) => startTime <= window.__signAt).map(({ name }) => new URL(name).pathname)`;

/** Runs in the page, before anything of its own: notes when the sign came, as the next frame may be many requests later, but no earlier than the first frame. */
function awaitSign(sign: string): void {
  const look = () => {
    if (document.querySelector(sign) === null) return;
    observer.disconnect();
    Object.assign(window, { __signAt: performance.now() });
  };
  const observer = new MutationObserver(look);
  requestAnimationFrame(() => {
    observer.observe(document, { childList: true, subtree: true });
    look();
  });
}

/** Makes a guest's chat with one answered message; returns its address. */
async function startChat(page: Page): Promise<string> {
  await page.getByRole("textbox", { name: "Message" }).fill("say A short answer with **bold** text and `code`.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForURL(/\/c\/[0-9a-f-]{36}$/);
  await page.getByRole("article").locator("strong").first().waitFor();
  return new URL(page.url()).pathname;
}
