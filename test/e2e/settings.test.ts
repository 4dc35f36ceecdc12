import type { Locator, Page } from "@playwright/test";
import { enter } from "./fixtures/api.ts";
import { composer, modelButton } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function openMenu(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^(Profile: |More$)/ }).click();
}

async function openSettings(page: Page): Promise<Locator> {
  await openMenu(page);
  await page.getByRole("menuitem", { name: "Settings" }).click();
  return page.getByRole("dialog", { name: "Settings" });
}

function theme(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.documentElement.dataset["theme"]);
}

function paper(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.querySelector("main")?.parentElement ?? document.body).backgroundColor);
}

test.describe("theme", () => {
  test("Light, Dark and System show at once, in every tab, are kept, and are right before anything is painted", async ({
    page,
    context,
  }) => {
    await enter(page);
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto("/");
    expect(await theme(page)).toBe("light");
    const light = await paper(page);
    const other = await context.newPage();
    await other.goto("/");
    const settings = await openSettings(page);
    await settings.getByRole("tab", { name: "Appearance" }).click();
    await expect(settings.getByRole("radio", { name: "System" })).toBeChecked();
    await settings.getByRole("radio", { name: "Dark" }).check({ force: true });
    await expect.poll(() => theme(page)).toBe("dark");
    await expect.poll(() => theme(other)).toBe("dark");
    await other.close();
    expect(await paper(page)).not.toBe(light);

    // The theme when the parser met <body>, before any script of the app ran and anything was painted.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.body) return;
        observer.disconnect();
        document.documentElement.dataset["firstTheme"] = document.documentElement.dataset["theme"];
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset["firstTheme"])).toBe("dark");
    await expect(page.getByRole("dialog", { name: "Settings" }).getByRole("radio", { name: "Dark" })).toBeChecked();

    await page.getByRole("radio", { name: "System" }).check({ force: true });
    await expect.poll(() => theme(page)).toBe("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => theme(page)).toBe("dark");
    await page.getByRole("radio", { name: "Light" }).check({ force: true });
    await expect.poll(() => theme(page)).toBe("light");
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset["firstTheme"])).toBe("light");
  });
});

test("settings are a layer: the shortcut opens them, one pane takes another's place, Escape and Back lead to where one was", async ({
  page,
}) => {
  await enter(page);
  await page.goto("/changelog");
  await page.goto("/");
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press("ControlOrMeta+,");
  await expect(settings).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(settings).toHaveCount(0);
  await expect(composer(page)).toBeFocused();

  await openSettings(page);
  await expect(settings.getByRole("tabpanel", { name: "General" })).toBeVisible();
  await page.evaluate(() => {
    const look = () => {
      const panes = Array.from(document.querySelectorAll("[role=dialog] [role=tabpanel]")).filter((pane) => pane.checkVisibility());
      const { mostPanes = "0" } = document.documentElement.dataset;
      document.documentElement.dataset["mostPanes"] = String(Math.max(Number(mostPanes), panes.length));
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  for (const name of ["Appearance", "General", "Models"]) {
    await settings.getByRole("tab", { name }).click();
    await expect(settings.getByRole("tabpanel", { name })).toBeVisible();
  }
  await expect(page.locator("html")).toHaveAttribute("data-most-panes", "1");
  await expect(settings.getByRole("searchbox", { name: "Search models" })).toBeVisible();
  await page.goBack();
  await expect(settings).toHaveCount(0);
  await expect(page).toHaveURL((url) => url.pathname === "/");
  await expect(composer(page)).toBeVisible();
});

test.describe("on a phone", () => {
  test.use(PHONE);

  furtherTest("on a phone the settings are a drawer, and Back closes it", async ({ page }) => {
    await enter(page);
    const code = Promise.withResolvers<void>();
    await page.route("**/assets/drawer-popup-*.js", async (route) => {
      await code.promise;
      await route.continue();
    });
    await page.goto("/");
    // The header's menu takes the place of a drawer that has yet to come.
    const opener = page.getByRole("button", { name: "Open sidebar", includeHidden: true });
    await opener.tap();
    await expect(opener).toHaveAttribute("aria-expanded", "true");
    await page.getByRole("button", { name: /^Profile: / }).tap();
    await expect(page.getByRole("menuitem", { name: "Settings" })).toBeVisible();
    await expect(opener).toHaveAttribute("aria-expanded", "false");
    code.resolve();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menuitem")).toHaveCount(0);
    await opener.tap();
    await page
      .getByRole("dialog", { name: "Chats" })
      .getByRole("button", { name: /^Profile: / })
      .tap();
    await page.getByRole("menuitem", { name: "Settings" }).tap();
    const drawer = page.getByRole("dialog", { name: "Settings" });
    await expect(drawer.getByRole("tablist", { name: "Settings" }).getByRole("tab")).toHaveCount(5);
    await expect
      .poll(async () => Math.round(((await drawer.boundingBox())?.y ?? 0) + ((await drawer.boundingBox())?.height ?? 0)))
      .toBe(844);
    await page.goBack();
    await expect(drawer).toHaveCount(0);
    await expect(composer(page)).toBeVisible();
    await expect(page.getByRole("dialog", { name: "Chats" })).toHaveCount(0);
  });
});

/** More days than the chart shows at first. */
const dayAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString().slice(0, 10);
const USAGE = {
  usage: Array.from({ length: 9 }, (_, day) => ({ key: dayAgo(day), label: "", cost: 0.01 * (day + 1), calls: 1 })),
  total: 0.45,
  credits: 4.55,
};

/** What each tab has that comes from the server, and how it is seen that it came. */
const LATE = [
  {
    tab: "usage",
    from: "**/api/usage?*",
    json: USAGE,
    there: (settings: Locator) => settings.getByRole("listitem").first(),
    below: () => null,
  },
  {
    tab: "tools",
    from: "**/api/user/tool-settings",
    json: { settings: {} },
    there: (settings: Locator) => settings.getByText("tools on").first(),
    below: (settings: Locator) => settings.getByRole("heading", { name: "Integrations" }),
  },
] as const;

for (const { tab, from, json, there, below } of LATE) {
  furtherTest(`nothing in the settings' ${tab} tab moves as its data arrives, on wide screens and on phones`, async ({ page }) => {
    await enter(page);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
      await page.route(from, async (route) => {
        await mayAnswer;
        await route.fulfill({ json });
      });
      const asked = page.waitForRequest(from);
      await page.goto(`/?settings=${tab}`);
      const settings = page.getByRole("dialog", { name: "Settings" });
      const panel = settings.getByRole("tabpanel");
      const next = below(settings);
      // What comes below by itself moves nothing: of a tab that has such, the height above it counts.
      const height = async () => {
        const box = await panel.locator("> *").first().boundingBox();
        return next ? ((await next.boundingBox())?.y ?? 0) - (box?.y ?? 0) : box?.height;
      };
      await asked;
      await expect(settings.getByRole("tabpanel")).toContainText(tab === "usage" ? "By model" : "In new chats");
      await expect(there(settings)).toHaveCount(0);
      if (next) await expect(next).toBeVisible();
      const before = await height();
      answer();
      await expect(there(settings)).toBeVisible();
      expect(await height()).toBe(before);
      await page.unroute(from);
    }
  });
}

furtherTest(
  "of what was spent each of the last thirty days is a bar, and of many models the first are shown, the rest on request",
  async ({ page }) => {
    await enter(page);
    await page.route("**/api/usage?*", (route) => route.fulfill({ json: USAGE }));
    await page.goto("/?settings=usage");
    const settings = page.getByRole("dialog", { name: "Settings" });
    const days = settings.getByRole("list", { name: "The last 30 days" });
    await expect(days.getByRole("listitem")).toHaveCount(9);
    await expect(days.getByRole("listitem").last()).toContainText("$0.01");
    await settings.getByRole("tab", { name: "By model" }).click();
    await expect(settings.getByRole("listitem")).toHaveCount(6);
    await settings.getByRole("button", { name: "Show 3 more" }).click();
    await expect(settings.getByRole("listitem")).toHaveCount(9);
    await settings.getByRole("button", { name: "Show fewer" }).click();
    await expect(settings.getByRole("listitem")).toHaveCount(6);
  },
);

furtherTest(
  "at exactly 768 px the settings are a dialog with its tabs at the side, one pixel less makes them a drawer",
  async ({ page }) => {
    await enter(page);
    await page.setViewportSize({ width: 768, height: 900 });
    await page.goto("/?settings=models");
    const settings = page.getByRole("dialog", { name: "Settings" });
    const tabs = settings.getByRole("tablist", { name: "Settings" });
    await expect(tabs).toHaveAttribute("aria-orientation", "vertical");
    await expect(settings.getByRole("checkbox").first()).toBeVisible();
    const [close, field] = [settings.getByRole("button", { name: "Close" }), settings.getByRole("searchbox", { name: "Search models" })];
    const [closeBox, fieldBox] = [await close.boundingBox(), await field.boundingBox()];
    expect((closeBox?.y ?? 0) + (closeBox?.height ?? 0)).toBeLessThanOrEqual(fieldBox?.y ?? 0);
    await page.setViewportSize({ width: 767, height: 900 });
    await expect(tabs).not.toHaveAttribute("aria-orientation", "vertical");
    await expect
      .poll(async () => Math.round(((await settings.boundingBox())?.y ?? 0) + ((await settings.boundingBox())?.height ?? 0)))
      .toBe(900);
    // The page's own list opens under neither.
    await page.keyboard.press("ControlOrMeta+Shift+P");
    await field.fill("gpt");
    await expect(settings.getByRole("checkbox", { name: /^GPT/ }).first()).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(1);
  },
);

furtherTest("on a tablet every row's words keep clear of what changes it", async ({ page }) => {
  await enter(page);
  await page.setViewportSize({ width: 768, height: 900 });
  await page.goto("/?settings=general");
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings.getByRole("button", { name: /^Preferred model/ })).toBeVisible();
  const labelBox = await settings.getByText("New chats start with your last one").boundingBox();
  // One line of them.
  expect(labelBox?.height).toBeLessThan(24);
  const covered = await settings.getByRole("tabpanel").evaluate((panel) => {
    // The foot stands over the rows below it.
    const rows = [...panel.querySelectorAll("*")].find((part) => getComputedStyle(part).overflowY === "auto") ?? panel;
    const controls = [...rows.querySelectorAll("button, input, select, [role=switch]")];
    const texts = [...rows.querySelectorAll("p, span")].filter((text) => text.childElementCount === 0 && text.textContent !== "");
    const cuts = (a: DOMRect, b: DOMRect) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return texts.flatMap((text) =>
      controls.some((control) => !control.contains(text) && cuts(text.getBoundingClientRect(), control.getBoundingClientRect()))
        ? [text.textContent]
        : [],
    );
  });
  expect(covered, "words under a control").toEqual([]);
});

furtherTest("a visitor's tab that is looked at again hears of a new version, once", async ({ page }) => {
  let version = "1";
  const answer = await (await page.request.get("/api/auth/session")).json();
  await page.route("**/api/auth/session", (route) => route.fulfill({ json: { ...answer, features: { ...answer.features, version } } }));
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeVisible();
  const lookAgain = async () => {
    // Who listens comes after the first screen.
    await expect(async () => {
      const asked = page.waitForResponse("**/api/auth/session", { timeout: 2_000 });
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await asked;
    }).toPass();
  };
  const notice = page.getByRole("region", { name: "Notifications" }).getByText("A new version is ready");
  await lookAgain();
  await expect(notice).toHaveCount(0);
  version = "2";
  await lookAgain();
  await expect(notice).toBeVisible();
  await lookAgain();
  await expect(notice).toHaveCount(1);
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(notice).toHaveCount(0);
});

async function openFeedback(page: Page): Promise<Locator> {
  await openMenu(page);
  await page.getByRole("menuitem", { name: "Send feedback" }).click();
  return page.getByRole("dialog", { name: "Send feedback" });
}

furtherTest(
  "feedback that is blank is not sent, a failure shows its reason and keeps the text, and sending thanks and closes",
  async ({ page, allowConsole }) => {
    allowConsole(/the server responded with a status of 503/);
    await enter(page);
    await page.goto("/");
    await page.route("**/api/feedback", (route) =>
      route.fulfill({ status: 503, json: { error: "Feedback is not supported in this deployment", code: "FEEDBACK_NOT_SUPPORTED" } }),
    );
    const dialog = await openFeedback(page);
    const send = dialog.getByRole("button", { name: "Send" });
    const field = dialog.getByRole("textbox", { name: "Feedback" });
    await expect(send).toBeDisabled();
    await field.fill("   ");
    await expect(send).toBeDisabled();
    await field.fill("I like the quiet.");
    await send.click();
    await expect(dialog.getByRole("alert")).toHaveText("Feedback is not supported in this deployment");
    await expect(field).toHaveValue("I like the quiet.");
    await page.unroute("**/api/feedback");
    await send.click();
    await expect(dialog.getByText("Thank you. We read every message.")).toBeVisible();
    await expect(dialog).toHaveCount(0);
  },
);

test.describe("around", () => {
  furtherTest("About names the product and its version, and leads to the changelog", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "About" }).click();
    const dialog = page.getByRole("dialog", { name: "About Polylogue" });
    await expect(dialog.getByText(/^[0-9a-f]{12}$/)).toBeVisible();
    await dialog.getByRole("link", { name: "Changelog" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Changelog" })).toBeVisible();
    await expect(page.getByRole("article").first()).toBeVisible();
    await page.getByRole("button", { name: "About" }).click();
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Login" }).click();
    await expect(page.getByRole("dialog", { name: "Login" }).getByRole("textbox", { name: "Email" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Open the app" }).click();
    await expect(composer(page)).toBeFocused();
    // Who has signed in needs neither.
    await enter(page);
    await page.goto("/changelog");
    await expect(page.getByRole("navigation", { name: "Product" }).getByRole("link")).toHaveText(["Open the app"]);
    await expect(page.getByRole("button", { name: "About" })).toHaveCount(0);
    // What an address or an import says is told here as anywhere.
    await page.goto("/changelog?gmail_success=true");
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Google connected");
  });

  test("a visitor has the theme, the shortcuts, the API's description and a way home, and is asked to log in for teams and feedback", async ({
    page,
    request,
    allowConsole,
  }) => {
    allowConsole(/status of 404/);
    await page.goto("/");
    await composer(page).press("?");
    await expect(composer(page)).toHaveValue("?");
    await composer(page).fill("");
    await expect(modelButton(page)).toBeVisible();
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press("?");
    const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect(shortcuts).toContainText("Switch model");
    await page.keyboard.press("Escape");
    await expect(shortcuts).toHaveCount(0);
    await expect(composer(page)).toHaveValue("");

    const settings = await openSettings(page);
    await expect(settings.getByRole("tab")).toHaveText(["Appearance", "Teams"]);
    await settings.getByRole("tab", { name: "Teams" }).click();
    await expect(settings.getByRole("tabpanel")).toContainText("Please log in to manage teams.");
    await page.keyboard.press("Escape");
    await expect(settings).toHaveCount(0);
    const feedback = await openFeedback(page);
    await expect(feedback).toContainText("Please login to submit feedback");
    await feedback.getByRole("link", { name: "Login" }).click();
    await expect(page).toHaveURL(/\/auth\/login/);

    const description = await request.get("/api/openapi.json");
    expect(await description.json()).toMatchObject({ openapi: expect.stringMatching(/^3\./) });
    await page.goto("/api/docs");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText("/api/chat/{id}/messages").first()).toBeVisible();
    await page.goto("/no/such/page");
    await expect(page.getByRole("heading", { level: 1, name: "There is nothing here" })).toBeVisible();
    await expect(page).toHaveTitle(/^Not found/);
    await page.getByRole("main").getByRole("link").last().click();
    await expect(composer(page)).toBeVisible();
  });
});
