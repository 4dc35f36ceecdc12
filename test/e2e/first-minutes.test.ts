import type { Page, Request } from "@playwright/test";
import * as z from "zod";
import { mailsTo, newestCode } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import {
  answered,
  ask,
  chatIdOf,
  composer,
  conversation,
  lastTurn,
  modelButton,
  pickModel,
  send,
  sidebar,
  turns,
} from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("a newcomer is greeted and can type at once", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: /^Good (morning|afternoon|evening)$/ })).toBeVisible();
  await expect(page.getByText("One chat with every model, in one place.")).toBeVisible();
  await expect(page.getByText("The built-in demo model answers here.")).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
  await expect(sidebar(page).getByText("Your inbox is empty")).toBeVisible();
  await expect(sidebar(page).getByText("No unread, pinned, or recent chats")).toBeVisible();
});

for (const width of [1440, 768, 390]) {
  furtherTest(`what is typed before the code has come stays, in its place, and Enter sends it (${width} px)`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    const letCodeCome = await openWithoutCode(page);
    await composer(page).fill("say Typed early");
    await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(4, 9));
    // Its style has come.
    await expect(composer(page)).toHaveCSS("resize", "none");
    const before = await composer(page).boundingBox();
    letCodeCome();
    await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
    await expect(composer(page)).toHaveValue("say Typed early");
    await expect(composer(page)).toBeFocused();
    const selected = () => composer(page).evaluate((field: HTMLTextAreaElement) => [field.selectionStart, field.selectionEnd]);
    expect(await selected()).toEqual([4, 9]);
    expect(await composer(page).boundingBox()).toEqual(before);
    await page.keyboard.press("Enter");
    await expect(lastTurn(page)).toContainText("Typed early");
  });
}

furtherTest("no key is lost while the code takes the composer over", async ({ page }) => {
  const letCodeCome = await openWithoutCode(page);
  await expect(composer(page)).toHaveCSS("resize", "none");
  await composer(page).focus();
  await page.keyboard.type("say ");
  letCodeCome();
  // Until the pickers stand there and beyond: at least one key falls into each step of the hand-over.
  const isTaken = () => page.getByRole("button", { name: "Send", exact: true }).isVisible();
  let text = "";
  while (text.length < 40 || text.length % 40 !== 0 || !(await isTaken())) {
    const next = "abcdefghij"[text.length % 10] ?? "";
    await page.keyboard.press(next);
    text += next;
  }
  await expect(composer(page)).toHaveValue(`say ${text}`);
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(lastTurn(page)).toContainText(text);
});

furtherTest("a printable key pressed anywhere lands in the composer", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.keyboard.type("hello");
  await expect(composer(page)).toHaveValue("hello");
});

test("a guest picks a model by search, sends, sees the text stream, and gets a titled chat with an address", async ({ page }) => {
  await page.goto("/");
  await pickModel(page, "gemini flash lite");
  await expect(modelButton(page)).toContainText("Gemini 2.5 Flash");

  const answer = Promise.withResolvers<void>();
  await page.route("**/api/chat/*/messages", async (route) => {
    if (route.request().method() === "POST") await answer.promise;
    await route.fallback();
  });
  await send(page, "Compare lanterns and lighthouses\nspeed 40");
  // The message stands there before the server has answered anything.
  await expect(turns(page).first()).toContainText("Compare lanterns and lighthouses");
  await expect(composer(page)).toHaveValue("");
  answer.resolve();
  await expect(page).toHaveURL(/\/c\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();

  await expect(lastTurn(page)).toContainText("I am the demo model");
  const early = (await lastTurn(page).innerText()).length;
  await expect.poll(async () => (await lastTurn(page).innerText()).length).toBeGreaterThan(early);
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();

  await answered(page);
  await expect(lastTurn(page)).toHaveAccessibleName("Gemini 2.5 Flash Lite");
  await expect(lastTurn(page).getByRole("table")).toBeVisible();
  const title = page.getByRole("heading", { level: 1, name: "Compare lanterns lighthouses" });
  await expect(title).toBeVisible();
  await expect(sidebar(page).getByRole("link", { name: "Compare lanterns lighthouses" })).toHaveAttribute("aria-current", "page");
  await expect(page).toHaveTitle(/Compare lanterns lighthouses/);

  // What needs an account says why before it asks to sign in.
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name: "Publish" }).click();
  await expect(page.getByRole("dialog", { name: "Sign in to publish this chat" })).toContainText("names who published it");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const share = page.getByRole("dialog", { name: "Sign in to share this chat" });
  await expect(share).toContainText("who wrote what");
  const chatUrl = new URL(page.url()).pathname;
  await share.getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`/auth/login?returnUrl=${encodeURIComponent(chatUrl)}`);
});

/** A page that has asked for and been told nothing for so many milliseconds, and has all that it asked for, is at rest. */
const REST_MS = 500;

furtherTest(
  "between Enter and the first words nothing is asked for but the answer itself, in a new chat and in an open one",
  async ({ page }) => {
    await page.addInitScript(() => {
      const look = () => {
        const last = [...document.querySelectorAll("[role=log] article")].at(-1)?.textContent ?? "";
        const word = /(?:Copper|Tin) lanterns/.exec(last)?.[0];
        if (word !== undefined && !last.includes("say")) Object.assign(window, { [word]: Reflect.get(window, word) ?? Date.now() });
        requestAnimationFrame(look);
      };
      look();
    });
    const asked: { at: number; what: string }[] = [];
    const pending = new Set<Request>();
    let [lastAt, isLive] = [0, false];
    page.on("request", (request) => {
      pending.add(request);
      lastAt = Date.now();
      asked.push({ at: Date.now(), what: `${request.method()} ${new URL(request.url()).pathname.replace(/[0-9a-f-]{36}/, ":id")}` });
    });
    page.on("requestfinished", (request) => void pending.delete(request));
    page.on("requestfailed", (request) => void pending.delete(request));
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => {
        lastAt = Date.now();
        isLive ||= payload.includes('"hello"');
      });
    });
    const isAtRest = () => pending.size === 0 && Date.now() - lastAt > REST_MS;
    const has = (part: string) => asked.some(({ what }) => what.includes(`/${part}-`));
    await page.goto("/");
    for (const answerText of ["Copper lanterns", "Tin lanterns"]) {
      // A visitor has no socket; the guest that the first message makes of them is greeted by it, and reads again.
      await expect.poll(() => isAtRest() && (isLive || answerText === "Copper lanterns")).toBe(true);
      // As pasted: no key has fetched anything ahead, and the text alone brings what its answer needs.
      await composer(page).fill(`delay 1500\nsay ${answerText}`);
      await expect.poll(() => has("conversation") && has("reply-stream") && isAtRest()).toBe(true);
      const enteredAt = Date.now();
      await composer(page).press("Enter");
      await answered(page);
      const firstTextAt = z.number().parse(await page.evaluate((name) => Reflect.get(window, name), answerText));
      expect(firstTextAt - enteredAt).toBeGreaterThan(1_000);
      // The tab's icon is fetched by the browser, when it likes.
      const between = asked.filter(({ at, what }) => at >= enteredAt && at < firstTextAt && !what.includes("favicon"));
      expect(between.map(({ what }) => what)).toEqual(["POST /api/chat/:id/messages"]);
    }
    // Then the page becomes the guest's, with the chat in its list.
    await expect(sidebar(page).getByRole("link", { name: "Copper lanterns" })).toBeVisible();
  },
);

test("a finished answer shows its table, coloured code, formulas and diagram, where no text becomes markup or code", async ({
  page,
  allowConsole,
}) => {
  await page.goto("/");
  await ask(page, "Show me everything\nspeed 0");
  const answer = lastTurn(page);
  await expect(answer.getByRole("table").first()).toBeVisible();
  await expect(answer.locator("math").first()).toBeVisible();
  await expect(answer.getByRole("img", { name: /^Diagram: / })).toBeVisible();
  await expect(answer.getByRole("link", { name: "a link" })).toHaveAttribute("href", "https://example.com/about");
  await expect(answer.getByRole("checkbox").first()).toBeChecked();
  // Colour comes from a worker: at least two different inks within one block of code.
  const inks = () =>
    answer
      .locator("pre code")
      .first()
      .evaluate((code) => new Set(Array.from(code.querySelectorAll("span"), (span) => getComputedStyle(span).color)).size);
  await expect.poll(inks).toBeGreaterThan(1);
  // What was drawn was made by the product's own policies, and nothing else makes anything that the browser would run.
  allowConsole(/requires 'Trusted|TrustedTypePolicy/);
  const outcomes = await page.evaluate(() => {
    const outcomeOf = (attempt: () => void) => {
      try {
        attempt();
        return "done";
      } catch (error) {
        return error instanceof TypeError ? "refused" : String(error);
      }
    };
    const factory: unknown = Reflect.get(window, "trustedTypes");
    const createPolicy: unknown = Reflect.get(Object(factory), "createPolicy");
    return [
      outcomeOf(() => void (document.createElement("p").innerHTML = "<b>bold</b>")),
      outcomeOf(() => void new Worker("/assets/any.js")),
      ...["other", "default", "dompurify"].map((name) =>
        outcomeOf(() => void (typeof createPolicy === "function" && Reflect.apply(createPolicy, factory, [name, {}]))),
      ),
    ];
  });
  expect(outcomes).toEqual(["refused", "refused", "refused", "refused", "refused"]);
  await ask(page, "say Fish &amp; chips &copy; &notin; &ampfish; &semi;");
  await expect(lastTurn(page)).toContainText("Fish & chips © ∉ &ampfish; ;");
  // The transcript alone scrolls; the page never does.
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

furtherTest("a diagram moves nothing as it is drawn, and has the same height on each visit", async ({ page }) => {
  await page.goto("/");
  const chain = "ABCDEFGH".split("").join("-->");
  await send(page, `speed 0\nsay Look:\n\n\`\`\`mermaid\ngraph TD; ${chain}\n\`\`\`\n\nAfter it.`);
  const drawing = page.getByRole("img", { name: /^Diagram: / });
  const height = async () => Math.round((await page.getByRole("group", { name: "Diagram" }).boundingBox())?.height ?? 0);
  await expect(page.getByRole("group", { name: "Diagram" })).toBeVisible();
  expect(await height()).toBe(300);
  await answered(page);
  await expect(drawing).toBeVisible();
  expect(await height()).toBe(300);
  // Further up than anybody looks.
  await ask(page, "speed 0\nlines 60");
  await page.reload();
  await expect(page.getByRole("button", { name: "Regenerate", exact: true }).last()).toBeInViewport();
  await expect(drawing).toBeAttached();
  expect(await height()).toBe(300);
  await page.setViewportSize({ width: 1440, height: 2400 });
  await sidebar(page).getByRole("link", { name: "New Chat" }).click();
  await expect(drawing).toHaveCount(0);
  await page.goBack();
  await expect(drawing).toBeInViewport();
  expect(await height()).toBe(300);
  await page.getByRole("button", { name: "Enlarge diagram" }).click();
  expect(await height()).toBeGreaterThan(500);
});

test("what a model thought is folded away, and unfolds as markdown while it goes on and after", async ({ page }) => {
  await page.goto("/");
  await send(page, `speed 60\nthink **Plan:** weigh \`both\` sides. ${"More words to think. ".repeat(12)}\nsay Done with it.`);
  await page.waitForURL("**/c/*");
  const fold = lastTurn(page).getByRole("button", { name: /^(Thinking|Thought)/ });
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  // What nobody sees is not made.
  const panel = page.locator(`[id="${await fold.getAttribute("aria-controls")}"]`);
  await expect(panel).toBeEmpty();
  await fold.click();
  await expect(panel.locator("strong")).toHaveText("Plan:");
  await expect(panel.locator("code")).toHaveText("both");
  await answered(page);
  await expect(panel.locator("strong")).toHaveText("Plan:");
  await expect(panel).not.toContainText("**");
  await expect(panel).toContainText("weigh both sides. More words");
  await fold.click();
  await expect(panel).toBeEmpty();
});

test("the conversation is remembered from message to message", async ({ page }) => {
  await page.goto("/");
  await ask(page, "My cat is called Anemone\nspeed 0");
  await send(page, "what did I say so far\nspeed 0");
  await expect(turns(page)).toHaveCount(4);
  await answered(page);
  await expect(lastTurn(page)).toContainText("My cat is called Anemone");
});

test("signing in by mailed code from the Login link keeps the chat, its address and the draft", async ({ page, baseURL }) => {
  const email = newAddress("newcomer");
  await page.goto("/");
  const chatId = await ask(page, "say Kept through signing in");
  await composer(page).fill("a draft that must survive");

  await page.getByRole("main").getByRole("link", { name: "Login" }).click();
  const form = page.getByRole("dialog", { name: "Login" });
  await form.getByRole("textbox", { name: "Email" }).fill(email);
  await form.getByRole("button", { name: "Send code" }).click();
  const code = await until("the mailed code", () => newestCode(baseURL ?? "", email));
  await form.getByRole("textbox", { name: "Code" }).fill(code);

  await expect(form).toHaveCount(0);
  expect(chatIdOf(page)).toBe(chatId);
  await expect(page.getByRole("button", { name: /^Profile: newcomer/ })).toBeVisible();
  await expect(page.getByRole("link", { name: "Login" })).toHaveCount(0);
  await expect(conversation(page)).toContainText("Kept through signing in");
  await expect(composer(page)).toHaveValue("a draft that must survive");

  await page.reload();
  await expect(conversation(page)).toContainText("Kept through signing in");
  await expect(composer(page)).toHaveValue("a draft that must survive");
  await expect(sidebar(page).getByRole("link", { name: /Kept/ })).toBeVisible();
  expect(await mailsTo(baseURL ?? "", email)).toHaveLength(1);
});

furtherTest(
  "a draft of a new chat survives a full sign-in on the login page, and the person comes back to where they were",
  async ({ page, baseURL }) => {
    const email = newAddress("drafter");
    await page.goto("/");
    await composer(page).fill("typed before I was anybody");
    // One way in stands in sight; the menu's leads to a page of its own.
    await expect(page.getByText("Login", { exact: true })).toHaveCount(1);
    await sidebar(page).getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Login" }).click();
    await expect(page).toHaveURL(/\/auth\/login$/);
    await page.getByRole("textbox", { name: "Email" }).fill(email);
    await page.getByRole("textbox", { name: "Email" }).press("Enter");
    await page.getByRole("textbox", { name: "Code" }).fill(await until("the mailed code", () => newestCode(baseURL ?? "", email)));
    await expect(page).toHaveURL((url) => url.pathname === "/" && url.search === "");
    await expect(composer(page)).toHaveValue("typed before I was anybody");
    await expect(page.getByRole("heading", { level: 1, name: /^Good \w+, drafter/i })).toBeVisible();
  },
);

/** Opens home as a slow network shows it at first, its code held back; returns what lets the code come. */
async function openWithoutCode(page: Page): Promise<() => void> {
  let letCodeCome = () => {};
  const isWanted = new Promise<void>((resolve) => (letCodeCome = resolve));
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await isWanted;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  return () => letCodeCome();
}
