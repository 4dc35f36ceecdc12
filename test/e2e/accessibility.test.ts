import type { Page } from "@playwright/test";
import { enter, makeChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { answered, ask, composer, lastTurn, modelButton, send, sidebar } from "./fixtures/chat.ts";
import { isLong } from "./fixtures/long.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

/** `path` is where it is shown, home unless given. */
type Screen = { name: string; path?: string; show: (page: Page, isPhone: boolean) => Promise<void> };

/** Screens that one browser visits one after another. */
type Journey = { name: string; hasAccount?: boolean; screens: readonly Screen[] };

async function openSidebar(page: Page, isPhone: boolean): Promise<void> {
  if (isPhone) await page.getByRole("button", { name: "Open sidebar" }).click();
  await expect(sidebar(page)).toBeVisible();
}

/** Takes away all but the first ten of what a long page repeats, as looking at each element takes its time. */
async function shorten(page: Page, selector: string): Promise<void> {
  await page.locator(selector).evaluateAll((elements) => {
    for (const element of elements.slice(10)) element.remove();
  });
}

const JOURNEYS: readonly Journey[] = [
  {
    name: "what a visitor opens",
    screens: [
      { name: "home", show: async (page) => expect(composer(page)).toBeVisible() },
      {
        name: "the tool picker",
        show: async (page) => {
          await page.getByRole("button", { name: "Select tools" }).click();
          await expect(page.getByRole("listbox", { name: "Tools" }).getByRole("option").first()).toBeVisible();
        },
      },
      {
        name: "the model selector",
        show: async (page) => {
          await modelButton(page).click();
          await expect(page.getByRole("option").first()).toBeVisible();
        },
      },
      {
        name: "the model selector without matches",
        show: async (page) => {
          await modelButton(page).click();
          await page.getByRole("combobox", { name: "Search models" }).fill("no such model");
          await expect(page.getByText("No models match your search.")).toBeVisible();
        },
      },
      {
        name: "the Pro dialog",
        show: async (page) => {
          await modelButton(page).click();
          await page.getByRole("combobox", { name: "Search models" }).fill("opus 4.5");
          await page.getByRole("option").first().click();
          await expect(page.getByRole("dialog", { name: "Pro Model Access Required" })).toBeVisible();
        },
      },
      {
        name: "the profile's menu",
        show: async (page, isPhone) => {
          await openSidebar(page, isPhone);
          await sidebar(page).getByRole("button", { name: "More" }).click();
          await expect(page.getByRole("menuitem", { name: "Settings" })).toBeVisible();
        },
      },
    ],
  },
  {
    name: "answers",
    screens: [
      {
        name: "the search palette",
        show: async (page) => {
          await ask(page, "say A lantern");
          await page.keyboard.press("ControlOrMeta+k");
          await page.getByRole("combobox", { name: "Search", exact: true }).fill("lantern");
          await expect(page.getByRole("option").locator("mark").first()).toBeVisible();
        },
      },
      {
        name: "a rich answer",
        show: async (page) => {
          await ask(page, "Show me everything\nthink Quietly, first\nspeed 0");
          await expect(lastTurn(page).getByRole("img", { name: /^Diagram: / })).toBeVisible();
          await expect(lastTurn(page).locator("math").first()).toBeVisible();
        },
      },
      {
        name: "a failed answer",
        show: async (page) => {
          await send(page, "hello there\nfault 403-moderation");
          await expect(lastTurn(page).getByText(/did not answer$/)).toBeVisible();
        },
      },
    ],
  },
  {
    name: "what is done with answers",
    screens: [
      {
        name: "a stopped answer with versions",
        show: async (page) => {
          await ask(page, "say A first version");
          await lastTurn(page).getByRole("button", { name: "Regenerate", exact: true }).click();
          await expect(lastTurn(page).getByText("2/2", { exact: true })).toBeVisible();
          await answered(page);
        },
      },
      {
        name: "an answer with tools",
        show: async (page) => {
          await ask(page, 'call parallelWebSearch {"objective":"Sourdough","search_queries":["sourdough"]}\nthen\nsay Overnight [1].');
          await lastTurn(page)
            .getByRole("button", { name: /^Searched the web/ })
            .click();
          await expect(lastTurn(page).getByLabel("Output", { exact: true })).toBeVisible();
        },
      },
      {
        name: "the question before deleting",
        show: async (page) => {
          await ask(page, "say Soon to be gone");
          await page.getByRole("button", { name: "Chat actions" }).click();
          await page.getByRole("menuitem", { name: "Delete" }).click();
          await expect(page.getByRole("alertdialog")).toBeVisible();
          // The menu fades behind it.
          await expect(page.getByRole("menu", { includeHidden: true })).toHaveCount(0);
        },
      },
    ],
  },
  {
    name: "what an account has",
    hasAccount: true,
    screens: [
      ...["General", "Models", "Appearance", "Tools"].map((tab) => ({
        name: `settings: ${tab}`,
        path: `/?settings=${tab.toLowerCase()}`,
        show: async (page: Page) => {
          await expect(page.getByRole("dialog", { name: "Settings" }).getByRole("tab", { name: tab })).toHaveAttribute(
            "aria-selected",
            "true",
          );
          if (tab === "Tools") await page.getByRole("button", { name: /^Web search/ }).click();
          if (tab === "Models") await expect(page.getByRole("checkbox").first()).toBeVisible();
        },
      })),
      {
        name: "the list of chats and its menu",
        show: async (page, isPhone) => {
          await makeChat(page, "A chat in the list");
          await page.reload();
          await openSidebar(page, isPhone);
          await expect(sidebar(page).getByRole("link", { name: "A chat in the list" })).toBeVisible();
        },
      },
    ],
  },
  {
    name: "pages of their own",
    screens: [
      {
        name: "the login page",
        path: "/auth/login",
        show: async (page) => {
          await expect(page.getByRole("textbox", { name: "Email" })).toBeVisible();
        },
      },
      {
        name: "the code's step",
        path: "/auth/login",
        show: async (page) => {
          await page.getByRole("textbox", { name: "Email" }).fill(newAddress());
          await page.getByRole("button", { name: "Send code" }).click();
          await page.getByRole("textbox", { name: "Code" }).fill("12");
          await expect(page.getByRole("button", { name: "Verify" })).toBeDisabled();
        },
      },
      {
        name: "the changelog",
        path: "/changelog",
        show: async (page) => {
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
          await shorten(page, "main li");
        },
      },
      {
        name: "an unknown address",
        path: "/no/such/page",
        show: async (page) => {
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        },
      },
      {
        name: "a chat that is not there",
        path: "/c/not-an-id",
        show: async (page) => {
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        },
      },
      {
        name: "the API's description",
        path: "/api/docs",
        show: async (page) => {
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
          await shorten(page, "article");
        },
      },
    ],
  },
];

/** How a screen is looked at: in turn on a phone and on a desktop, each in a theme of its own, and by `npm run test:long` on both in both. */
const WIDTHS = [
  { width: 390, themes: ["light", "dark"] },
  { width: 1280, themes: ["dark", "light"] },
] as const;

// Looking at every element of some screens takes its time on a small machine.
test.describe.configure({ timeout: 300_000 });

for (const { name: journey, hasAccount = false, screens } of JOURNEYS) {
  test(`nothing stands in anyone's way on phone or desktop, in light or dark: ${journey}`, async ({ newDevice, allowConsole }) => {
    allowConsole(/the server responded with a status of 404/);
    for (const [turn, { width, themes }] of WIDTHS.entries()) {
      const [theme, other] = themes;
      const page = await newDevice({ viewport: { width, height: 844 } });
      if (hasAccount) await enter(page);
      for (const { name, path = "/", show } of screens.filter((_, n) => isLong || n % WIDTHS.length === turn)) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
        await page.goto(path);
        await show(page, width === 390);
        await test.step(`${name}, ${width} px, ${theme}`, () => expectAccessible(page));
        if (!isLong) continue;
        await page.emulateMedia({ colorScheme: other, reducedMotion: "reduce" });
        await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toContain(other);
        await test.step(`${name}, ${width} px, ${other}`, () => expectReadable(page));
      }
    }
  });
}

test("what breaks a rule is named, in the structure and in the colours", async ({ page }) => {
  await page.setContent(
    `<html lang="en"><title>Pale</title><main><h1>Pale</h1><svg role="img"></svg><p style="color:#ccc">pale</p></main>`,
  );
  await expect(expectAccessible(page)).rejects.toThrow(/svg-img-alt: .*svg/);
  await expect(expectReadable(page)).rejects.toThrow(/color-contrast: .*: p/);
});
