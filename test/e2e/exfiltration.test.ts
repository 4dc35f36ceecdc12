import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { callApi, enter, messagesOf, startChat } from "./fixtures/api.ts";
import { conversation, sidebar, turns } from "./fixtures/chat.ts";
import { HOSTILE_ANSWERS } from "./fixtures/hostile-answers.ts";
import { expect, test } from "./fixtures/test.ts";
import { until } from "../support/until.ts";

const ANSWERS_A_MESSAGE = 50;
const HOSTILE_NAME = `<img src=//evil.test/n onerror="window.__ran=1"><script>window.__ran=1</script>`;

test("five hundred hostile answers, a name and a title reach no other host and run nothing", async ({ page, baseURL, allowConsole }) => {
  // A diagram's label is parsed in a sandboxed frame, whose policy stops what it would run.
  allowConsole(/inline event handler violates/);
  expect(HOSTILE_ANSWERS).toHaveLength(500);
  const own = new URL(baseURL ?? "").host;
  const externalUrls: string[] = [];
  // What would leave is noted and goes nowhere.
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
  page.on("dialog", (dialog) => externalUrls.push(`dialog: ${dialog.message()}`));

  await enter(page);
  await callApi(page, { method: "PATCH", path: "/api/user", body: { display_name: HOSTILE_NAME.slice(0, 100) } });
  let chatId = "";
  for (let from = 0; from < HOSTILE_ANSWERS.length; from += ANSWERS_A_MESSAGE) {
    const content = `speed 0\nsay ${HOSTILE_ANSWERS.slice(from, from + ANSWERS_A_MESSAGE).join("\n\n")}`;
    if (chatId === "") ({ chatId } = await startChat(page, content));
    else {
      const parent_id = (await messagesOf(page, chatId)).at(-1)?.id;
      const body = { id: crypto.randomUUID(), parent_id, content };
      await callApi(page, { method: "POST", path: `/api/chat/${chatId}/messages`, body });
    }
    await until("the answer", async () => (await messagesOf(page, chatId)).at(-1)?.status === "done");
  }
  await callApi(page, { method: "PATCH", path: `/api/chat/${chatId}`, body: { title: HOSTILE_NAME } });

  await page.goto(`/c/${chatId}`);
  const messages = (2 * HOSTILE_ANSWERS.length) / ANSWERS_A_MESSAGE;
  await expect(turns(page)).toHaveCount(messages);
  for (let n = messages - 1; n >= 0; n -= 1) await turns(page).nth(n).scrollIntoViewIfNeeded();
  await expect(conversation(page).getByText("item", { exact: true }).first()).toBeVisible();
  await expect(sidebar(page).getByText(HOSTILE_NAME.slice(0, 30)).first()).toBeVisible();
  await page.waitForLoadState("networkidle");

  const shown = await conversation(page).evaluate((log) => ({
    // A drawn diagram is an image of our own making, out of a frame without an origin.
    loading: Array.from(
      log.querySelectorAll("img:not([src^='blob:']), video, audio, object, embed, link, script, form, base, meta, use, image"),
      (element) => element.outerHTML,
    ),
    frames: Array.from(log.querySelectorAll("iframe"), (frame) => frame.getAttribute("sandbox")),
    handlers: Array.from(log.querySelectorAll("*")).filter((e) => e.getAttributeNames().some((name) => name.startsWith("on"))).length,
    links: Array.from(log.querySelectorAll("a[href]"), (a) => a.getAttribute("href") ?? "").filter(
      (href) => !/^(https?:|mailto:|tel:|#)/i.test(href),
    ),
    styles: Array.from(log.querySelectorAll("[style]"), (e) => e.getAttribute("style") ?? "").filter((style) => /url\(/i.test(style)),
  }));
  expect(shown.loading).toEqual([]);
  expect(shown.frames.filter((sandbox) => sandbox === null || sandbox.includes("allow-same-origin"))).toEqual([]);
  expect(shown.handlers).toBe(0);
  expect(shown.links).toEqual([]);
  expect(shown.styles).toEqual([]);
  expect(await page.evaluate(() => Reflect.get(window, "__ran"))).toBeUndefined();
  expect(externalUrls).toEqual([]);
});

test("the page's policy stops what the markup would let through", async ({ page, allowConsole }) => {
  allowConsole(/Content.Security.Policy|evil\.test|inline|requires 'TrustedHTML'/i);
  const externalUrls: string[] = [];
  await page.context().route(/evil\.test/, (route) => {
    externalUrls.push(route.request().url());
    return route.abort();
  });
  await page.goto("/");
  const reported = page.waitForRequest((request) => new URL(request.url()).pathname === "/policy-reports");
  const fetched = await page.evaluate(async () => {
    const violations = new Set<string>();
    Reflect.set(window, "violations", violations);
    document.addEventListener("securitypolicyviolation", (event) => violations.add(event.effectiveDirective));
    const markup = `<img src="https://evil.test/i" onerror="window.__ran=1"><iframe src="https://evil.test/f"></iframe><object data="https://evil.test/o"></object>`;
    let code: unknown = "window.__ran=2";
    const insert = (text: string) => document.body.insertAdjacentHTML("beforeend", text);
    try {
      insert(markup);
    } catch {
      // Text is no markup; what follows is what would hold if it were.
      const factory: unknown = Reflect.get(window, "trustedTypes");
      const asGiven = (text: string) => text;
      const rules = { createHTML: asGiven, createScript: asGiven, createScriptURL: asGiven };
      const createPolicy: unknown = Reflect.get(Object(factory), "createPolicy");
      // Of the page's own names one that it has not used yet.
      const policy: unknown = typeof createPolicy === "function" && Reflect.apply(createPolicy, factory, ["character-references", rules]);
      const createHTML: unknown = Reflect.get(Object(policy), "createHTML");
      if (typeof createHTML === "function") insert(Reflect.apply(createHTML, policy, [markup]));
      const createScript: unknown = Reflect.get(Object(policy), "createScript");
      if (typeof createScript === "function") code = Reflect.apply(createScript, policy, [code]);
    }
    const script = document.createElement("script");
    Reflect.set(script, "textContent", code);
    document.body.append(script);
    return fetch("https://evil.test/x").then(
      () => "fetched",
      () => "stopped",
    );
  });
  const stopped = () => page.evaluate(() => Array.from<string>(Reflect.get(window, "violations")));
  await expect
    .poll(stopped)
    .toEqual(expect.arrayContaining(["connect-src", "frame-src", "img-src", "object-src", "require-trusted-types-for", "script-src-elem"]));
  expect(fetched).toBe("stopped");
  expect((await (await reported).response())?.status()).toBe(204);
  expect(await page.evaluate(() => Reflect.get(window, "__ran"))).toBeUndefined();
  expect(externalUrls).toEqual([]);
});

test("the build holds no secret, no file of variables and nothing of the simulators", () => {
  const builds = readdirSync("dist").map((name) => ({ name, at: statSync(join("dist", name)).mtimeMs }));
  const newest = builds.toSorted((a, b) => b.at - a.at)[0]?.name ?? "";
  const files = readdirSync(join("dist", newest), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const read = (part: string) =>
    files
      .filter(({ name, parentPath }) => join(parentPath, name).includes(join(newest, part)) && /\.(js|mjs|html|css|json)$/.test(name))
      .map(({ name, parentPath }) => readFileSync(join(parentPath, name), "utf8"))
      .join("\n");
  const [client, worker] = [read("client"), read("polylogue")];
  expect(files.map(({ name }) => name).filter((name) => name.startsWith(".dev.vars") || name.startsWith(".env"))).toEqual([]);
  expect(worker.includes("OPENROUTER_API_KEY")).toBe(true);
  const secrets = Object.entries(process.env).flatMap(([name, value]) =>
    /KEY|SECRET|TOKEN|PASSWORD/.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  );
  expect(secrets.filter((secret) => client.includes(secret) || worker.includes(secret))).toHaveLength(0);
  const forbidden = /\bsk-or-[\w-]{8,}|x-sim-fault|\/control\/requests|BEGIN (RSA |EC )?PRIVATE KEY/g;
  expect([...(client + worker).matchAll(forbidden)].map(([found]) => found)).toEqual([]);
  expect([...client.matchAll(/SESSION_SECRET|GOOGLE_CLIENT_SECRET/g)].map(([found]) => found)).toEqual([]);
});
