import type { Page } from "@playwright/test";
import { enter, makeChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { answered, ask, composer, lastTurn, modelButton, send, sidebar } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

type Screen = { name: string; phoneOnly?: boolean; show: (page: Page, isPhone: boolean) => Promise<void> };

async function openSidebar(page: Page, isPhone: boolean): Promise<void> {
  if (isPhone) await page.getByRole("button", { name: "Open sidebar" }).click();
  await expect(sidebar(page)).toBeVisible();
}

const SCREENS: readonly Screen[] = [
  { name: "home", show: async (page) => expect(composer(page)).toBeVisible() },
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
  ...["General", "Models", "Appearance", "Tools"].map((tab) => ({
    name: `settings: ${tab}`,
    show: async (page: Page) => {
      await enter(page);
      await page.goto(`/?settings=${tab.toLowerCase()}`);
      await expect(page.getByRole("dialog", { name: "Settings" }).getByRole("tab", { name: tab })).toHaveAttribute("aria-selected", "true");
      if (tab === "Tools") await page.getByRole("button", { name: /^Web search/ }).click();
      if (tab === "Models") await expect(page.getByRole("checkbox").first()).toBeVisible();
    },
  })),
  {
    name: "the list of chats and its menu",
    show: async (page, isPhone) => {
      await enter(page);
      await makeChat(page, "A chat in the list");
      await page.goto("/");
      await openSidebar(page, isPhone);
      await expect(sidebar(page).getByRole("link", { name: "A chat in the list" })).toBeVisible();
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
  {
    name: "the question before deleting",
    show: async (page) => {
      await ask(page, "say Soon to be gone");
      await page.getByRole("button", { name: "Chat actions" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await expect(page.getByRole("alertdialog")).toBeVisible();
    },
  },
  {
    name: "the login page",
    show: async (page) => {
      await page.goto("/auth/login");
      await expect(page.getByRole("textbox", { name: "Email" })).toBeVisible();
    },
  },
  {
    name: "the code's step",
    show: async (page) => {
      await page.goto("/auth/login");
      await page.getByRole("textbox", { name: "Email" }).fill(newAddress());
      await page.getByRole("button", { name: "Send code" }).click();
      await page.getByRole("textbox", { name: "Code" }).fill("12");
      await expect(page.getByRole("button", { name: "Verify" })).toBeDisabled();
    },
  },
  {
    name: "the changelog",
    show: async (page) => {
      await page.goto("/changelog");
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    },
  },
  {
    name: "an unknown address",
    show: async (page) => {
      await page.goto("/no/such/page");
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    },
  },
  {
    name: "a chat that is not there",
    show: async (page) => {
      await page.goto("/c/not-an-id");
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    },
  },
  {
    name: "the API's description",
    show: async (page) => {
      await page.goto("/api/docs");
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    },
  },
];

// Looking at every element four times takes its time on a small machine.
test.describe.configure({ timeout: 120_000 });

for (const { name, show } of SCREENS) {
  test(`nothing stands in anyone's way in both themes, on phone and desktop: ${name}`, async ({ newDevice, allowConsole }) => {
    allowConsole(/the server responded with a status of 404/);
    for (const width of [390, 1280]) {
      const page = await newDevice({ viewport: { width, height: 844 }, colorScheme: "light", reducedMotion: "reduce" });
      await page.goto("/");
      await show(page, width === 390);
      await test.step(`${width} px, light`, () => expectAccessible(page));
      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toContain("dark");
      await test.step(`${width} px, dark`, () => expectReadable(page));
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
