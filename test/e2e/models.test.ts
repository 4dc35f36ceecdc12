import * as z from "zod/mini";
import { enter } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { ask, composer, lastTurn, modelButton, pickModel } from "./fixtures/chat.ts";
import { modelOptions as options, modelSearch as search } from "./fixtures/models.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const Catalogue = z.looseObject({ models: z.array(z.looseObject({ id: z.string() })) });
const SHORTCUT = "ControlOrMeta+Shift+P";

test("the list opens above its button by click and shortcut, Auto first, the others by name; what is not in it says so", async ({
  page,
}) => {
  await page.goto("/");
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press(SHORTCUT);
  await expect(search(page)).toBeFocused();
  await expect(search(page)).toHaveAttribute("placeholder", "Search models...");
  await expect(options(page).first()).toHaveAccessibleName(/^Auto/);
  const [box, button] = await Promise.all([
    page.getByRole("dialog", { name: "Switch model" }).boundingBox(),
    modelButton(page).boundingBox(),
  ]);
  expect(box?.height).toBe(320);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
  await page.keyboard.press(SHORTCUT);
  await expect(search(page)).toHaveCount(0);
  await expect(composer(page)).toBeFocused();

  await modelButton(page).click();
  await expect(search(page)).toBeFocused();
  await expect(options(page).first()).toBeVisible();
  expect(await options(page).count()).toBeGreaterThan(60);
  const names = await options(page).evaluateAll((rows) =>
    rows.map((row) => {
      const name = row.querySelector("span > span > span");
      // One that is cut has its whole name for screen readers.
      return (name?.querySelector(".sr-only") ?? name)?.textContent ?? "";
    }),
  );
  expect(names[0]).toBe("Auto");
  const rest = await options(page).evaluateAll((rows) => rows.slice(1).map((row) => row.id.replace(/^[^-]*-/, "")));
  expect(new Set(rest).size).toBe(rest.length);
  const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  expect(names.slice(1)).toEqual(names.slice(1).toSorted(compare));
  expect(names.slice(1)).toEqual(expect.arrayContaining(["Autopilot", "Deep Research"]));
  await search(page).fill("no such model");
  await expect(page.getByText("No models match your search.")).toBeVisible();
  await expect(options(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Clear search" }).click();
  await expect(options(page).first()).toBeVisible();
  await search(page).fill("gemini 2.5 flash lite");
  await options(page).first().getByText("Turbo").locator("..").hover();
  await expect(page.getByText(/^Turbo model — high throughput via/).last()).toBeInViewport();

  await page.keyboard.press("Escape");
  await expect(search(page)).toHaveCount(0);
  await composer(page).hover();
  await modelButton(page).hover();
  await expect(page.getByText(/^Switch model/)).toBeVisible();
});

test("search narrows by name and maker, arrows move, Enter picks, and the next chat is asked of it", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press(SHORTCUT);
  await search(page).fill("mistral sma");
  await expect(options(page)).toHaveCount(1);
  await search(page).fill("llama-4");
  await expect(options(page)).toHaveCount(2);
  const second = (await options(page).nth(1).getAttribute("id")) ?? "";
  await page.keyboard.press("ArrowDown");
  await expect(search(page)).toHaveAttribute("aria-activedescendant", second);
  await page.keyboard.press("ArrowDown");
  await expect(search(page)).not.toHaveAttribute("aria-activedescendant", second);
  await page.keyboard.press("Enter");
  await expect(search(page)).toHaveCount(0);
  await expect(modelButton(page)).toContainText("Llama 4");
  await expect(composer(page)).toBeFocused();
  await ask(page, "Who are you\nspeed 0");
  await expect(lastTurn(page)).toHaveAccessibleName(/^Llama 4/);
  await page.reload();
  await expect(modelButton(page)).toContainText("Llama 4");
  // A new chat goes on with it, also another day.
  await page.goto("/");
  await expect(modelButton(page)).toContainText("Llama 4");
});

furtherTest("of thousands of models those in sight are drawn, and keys and a search reach all of them", async ({ page }) => {
  await page.route("**/api/models", async (route) => {
    const response = await route.fetch();
    const { models, ...rest } = Catalogue.parse(await response.json());
    const light = models.find(({ id }) => id.endsWith("llama-4-scout"));
    const many = Array.from({ length: 2_000 }, (_, at) => ({ ...light, id: `maker/number-${at}`, name: `Maker: Number ${at}` }));
    await route.fulfill({ response, json: { ...rest, models: [models[0], ...many] } });
  });
  await page.goto("/");
  await modelButton(page).click();
  await expect(options(page).first()).toBeVisible();
  expect(await options(page).count()).toBeLessThan(60);
  await expect(options(page).first()).toHaveAttribute("aria-setsize", "2002");
  await search(page).press("End");
  const last = options(page).filter({ hasText: "Number 1999" });
  await expect(last).toBeInViewport();
  await expect(search(page)).toHaveAttribute("aria-activedescendant", (await last.getAttribute("id")) ?? "");
  await search(page).fill("number 1234");
  await expect(options(page)).toHaveCount(1);
  await search(page).press("Enter");
  await expect(modelButton(page)).toContainText("Number 1234");
  await modelButton(page).click();
  await expect(options(page).filter({ hasText: "Number 1234" })).toBeInViewport();
});

furtherTest(
  "the detail card tells of a model under pointer and keyboard; a Pro model opens its dialog, and wanting it is said once",
  async ({ page }) => {
    await enter(page);
    await page.goto("/");
    await modelButton(page).click();
    await search(page).fill("claude opus 4");
    const costly = options(page).filter({ hasText: "Claude Opus 4.1" });
    await costly.hover();
    for (const fact of [
      "Vision",
      "Tools",
      "Reasoning",
      "200K tokens",
      "$15.00",
      "$75.00",
      "anthropic/claude-opus-4.1",
      "High cost model, will use credits quickly.",
    ]) {
      await expect(costly).toHaveAccessibleDescription(new RegExp(fact.replaceAll(/[.$]/g, "\\$&")));
    }
    await expect(costly.getByText("Pro", { exact: true })).toBeVisible();
    await search(page).fill("gemini 2.5 flash lite");
    const turbo = options(page).first();
    await expect(turbo).toHaveAccessibleDescription(/Turbo model — high throughput via Google/);
    await expect(turbo).not.toHaveAccessibleDescription(/High cost/);
    // Long descriptions end with a sentence.
    await search(page).fill("opus 4.6");
    await expect(options(page).first()).toHaveAccessibleDescription(/says where its evidence ends\.(?! Codebases)/);
    await page.keyboard.press("Escape");

    await pickModel(page, "claude opus 4.5");
    const dialog = page.getByRole("dialog", { name: "Pro Model Access Required" });
    await expect(dialog).toContainText("Claude Opus 4.5 is a Pro-only model on Polylogue.");
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const bodies: unknown[] = [];
    await page.route("**/api/feedback", async (route) => {
      bodies.push(route.request().postDataJSON());
      await mayAnswer;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "I want this model" }).click();
    await expect(dialog.getByRole("button", { name: "Submitting..." })).toBeVisible();
    answer();
    await expect(dialog.getByText("Thanks! We'll keep you updated")).toBeVisible();
    expect(bodies).toEqual([expect.objectContaining({ message: "I want access to anthropic/claude-opus-4.5" })]);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(modelButton(page)).toContainText("Auto");
    // It starts again with another model.
    await pickModel(page, "claude opus 4.1");
    await expect(dialog.getByRole("button", { name: "I want this model" })).toBeVisible();
    await page.keyboard.press("Escape");
    // And stays asked for the first.
    await pickModel(page, "claude opus 4.5");
    await expect(dialog.getByText("Thanks! We'll keep you updated")).toBeVisible();
  },
);

furtherTest("a guest is asked to sign in for a Pro model and for a costly one", async ({ page }) => {
  await page.goto("/");
  await pickModel(page, "claude opus 4.5");
  const pro = page.getByRole("dialog", { name: "Pro Model Access Required" });
  await expect(pro).toContainText("Please login to submit feedback");
  await page.keyboard.press("Escape");
  await pickModel(page, "claude sonnet 4.6");
  const signIn = page.getByRole("dialog", { name: "Sign in to use Claude Sonnet 4.6" });
  await expect(signIn).toBeVisible();
  await signIn.getByRole("link", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
});

furtherTest("the list stays while the aggregator is down, and an older one says so", async ({ page, request }) => {
  const control = new URL("/control", process.env["E2E_AGGREGATOR"]).href;
  await request.get("/api/models");
  try {
    await request.post(control, { data: { modelsFault: "503" } });
    await page.goto("/");
    await modelButton(page).click();
    await expect(options(page).first()).toBeVisible();
  } finally {
    await request.post(control, { data: { modelsFault: null } });
  }
  await page.route("**/api/models", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), stale: true } });
  });
  await page.reload();
  await modelButton(page).click();
  await expect(page.getByText("The models cannot be reached right now. This is the last known list.")).toBeVisible();
  await expect(options(page).first()).toBeVisible();
});

furtherTest(
  "a list on its way says so; one that cannot be loaded says where to look, and can be asked for again",
  async ({ page, allowConsole }) => {
    allowConsole(/the server responded with a status of 503|The models could not be loaded/);
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/api/models", async (route) => {
      await mayAnswer;
      await route.fulfill({ status: 503, json: { error: "Down.", code: "AGGREGATOR_UNAVAILABLE" } });
    });
    await page.goto("/");
    await modelButton(page).click();
    await expect(page.getByText("Loading models...")).toBeVisible();
    answer();
    await expect(page.getByText("No models found. Check console for errors.")).toBeVisible({ timeout: 20_000 });
    await page.unroute("**/api/models");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(options(page).first()).toBeVisible();
  },
);

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  furtherTest("on a phone the list of models is a drawer at the bottom, a tap picks, and details unfold in it", async ({ page }) => {
    await enter(page);
    await page.goto("/");
    await modelButton(page).tap();
    const drawer = page.getByRole("dialog", { name: "Switch model" });
    await expect(options(page).first()).toBeVisible();
    await expect
      .poll(async () => Math.round(((await drawer.boundingBox())?.y ?? 0) + ((await drawer.boundingBox())?.height ?? 0)))
      .toBe(844);
    await search(page).fill("llama 4 scout");
    await options(page).first().tap();
    await expect(drawer).toHaveCount(0);
    await expect(modelButton(page)).toContainText("Llama 4 Scout");

    // A button in each row unfolds what the card tells, and picks nothing.
    await modelButton(page).tap();
    const details = drawer.locator("[data-model-card]");
    await search(page).fill("claude opus 4");
    const info = drawer.locator('[data-unfolds="anthropic/claude-opus-4.1"]');
    await expect(info).toBeInViewport();
    expect(await info.boundingBox()).toMatchObject({ width: 44, height: 44 });
    await expect(details).toHaveCount(0);
    await info.tap();
    for (const fact of [
      /^An earlier flagship.+files\.$/,
      "Vision",
      "Tools",
      "Reasoning",
      "anthropic/claude-opus-4.1",
      "High cost model, will use credits quickly.",
    ]) {
      await expect(details.getByText(fact).first()).toBeVisible();
    }
    // The same words reach a screen reader with the option itself.
    await expect(options(page).filter({ hasText: "Claude Opus 4.1" })).toHaveAccessibleDescription(
      /Vision, Tools, Reasoning\. Id anthropic\/claude-opus-4\.1\. High cost model, will use credits quickly\.$/,
    );
    await expectAccessible(page);
    await info.tap();
    await expect(details).toHaveCount(0);
    // The last row's details come into view with it, and arrow keys bring them along.
    await search(page).fill("");
    await search(page).press("End");
    await expect(details.getByText("Id", { exact: true })).toBeInViewport();
    await expect(drawer).toBeVisible();
  });
});
