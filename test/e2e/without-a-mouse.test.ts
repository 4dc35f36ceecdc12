import type { Page } from "@playwright/test";
import { newestCode } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { enter, enterByMail } from "./fixtures/api.ts";
import { answered, ask, composer, lastTurn, modelButton, send, turns } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

// A long file and nearly the last: as one piece one worker would be at it alone while the other workers have nothing left.
test.describe.configure({ mode: "parallel" });

async function tabTo(page: Page, name: RegExp | string, key = "Tab"): Promise<void> {
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent?.trim() ?? "");
  for (let presses = 0; presses < 60; presses += 1) {
    const label = await focused();
    if (typeof name === "string" ? label === name : name.test(label)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The keyboard does not reach ${name}; it is at ${await focused()}.`);
}

test.describe("by keyboard alone", () => {
  test("by keyboard alone a person skips to the content, composes, picks a model, sends, stops, copies, regenerates and renames", async ({
    page,
  }) => {
    await page.goto("/");
    await expect(composer(page)).toBeFocused();
    await tabTo(page, "Skip to the conversation", "Shift+Tab");
    await expect(page.getByRole("link", { name: "Skip to the conversation" })).toBeInViewport();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to the message box" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(composer(page)).toBeFocused();

    await tabTo(page, /^Switch model/);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("combobox", { name: "Search models" })).toBeFocused();
    await page.keyboard.type("llama 4 scout");
    await page.keyboard.press("Enter");
    await expect(modelButton(page)).toBeFocused();
    await tabTo(page, "Message", "Shift+Tab");

    await page.keyboard.type("Tell me of lanterns");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("speed 40");
    await page.keyboard.press("Enter");
    await expect(lastTurn(page)).toContainText("I am the demo model");
    await tabTo(page, "Stop");
    await page.keyboard.press("Enter");
    await expect(lastTurn(page).getByText(/^Stopped\./)).toBeVisible();
    // The button that was pressed is gone: the focus is where one goes on.
    await expect(composer(page)).toBeFocused();

    await answered(page);
    await tabTo(page, "Regenerate", "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect(lastTurn(page).getByText("2/2", { exact: true })).toBeVisible();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await answered(page);
    await composer(page).focus();
    await tabTo(page, "Copy", "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("demo model");

    await tabTo(page, "Rename", "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: "Chat title" })).toBeFocused();
    await page.keyboard.type("Named by keys");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Named by keys" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("button", { name: "Rename" })).toBeFocused();
  });

  test("by keyboard alone a person signs in", async ({ page, baseURL }) => {
    const email = newAddress("keys");
    await page.goto("/");
    await expect(composer(page)).toBeFocused();
    await tabTo(page, "Login", "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: "Email" })).toBeFocused();
    await page.keyboard.type(email);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: "Code" })).toBeFocused();
    await page.keyboard.type(await until("the mailed code", () => newestCode(baseURL ?? "", email)));
    await expect(page.getByRole("button", { name: /^Profile: keys/ })).toBeVisible();
  });
});

test("the focus returns to what opened a menu, a dialog, a popover", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await ask(page, "say Focus comes back");
  const openers = [
    { opener: page.getByRole("button", { name: "Chat actions" }), opened: page.getByRole("menu") },
    { opener: page.getByRole("button", { name: /^Profile: / }), opened: page.getByRole("menu") },
    { opener: lastTurn(page).getByRole("button", { name: "Details" }), opened: page.getByRole("dialog", { name: "Details" }) },
    { opener: modelButton(page), opened: page.getByRole("dialog", { name: "Switch model" }) },
  ];
  for (const { opener, opened } of openers) {
    await opener.focus();
    await page.keyboard.press("Enter");
    await expect(opened).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(opened).toHaveCount(0);
    await expect(opener).toBeFocused();
  }
  await page.getByRole("button", { name: "Chat actions" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Chat actions" })).toBeFocused();
});

test("a screen reader hears 'Generating' and then the finished answer, once", async ({ page }) => {
  await page.addInitScript(() => {
    const announcements: string[] = [];
    Object.assign(window, { announcements });
    new MutationObserver(() => {
      for (const region of document.querySelectorAll("main output.sr-only")) {
        const text = region.textContent ?? "";
        // On a slow machine the conversation's code comes after the first message.
        if (text === "Loading the conversation") continue;
        if (text !== "" && announcements.at(-1) !== text) announcements.push(text);
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await page.goto("/");
  await ask(page, "say Heard **when** it is [`whole`](https://example.com)");
  await send(page, "say Heard a second time");
  await expect(turns(page)).toHaveCount(4);
  await answered(page);
  await expect(page.getByRole("log")).toHaveAttribute("aria-live", "off");
  await expect
    .poll(() => page.evaluate(() => ("announcements" in window ? window.announcements : null)))
    .toEqual(["Generating", "Heard when it is whole", "Generating", "Heard a second time"]);
  await expect(lastTurn(page).getByRole("heading", { level: 2 })).toBeAttached();
});

test("nothing scrolls sideways at 320 px, and at 200 % of 1280 px", async ({ page, allowConsole }) => {
  allowConsole(/the server responded with a status of 404/);
  const sizes = [
    { width: 320, height: 640 },
    { width: 640, height: 400 },
  ];
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  /** Each place is opened at the size at which the one before was left. */
  const expectFits = async (place: string, hasComposer = false) => {
    for (const size of sizes) {
      await page.setViewportSize(size);
      await expect.poll(overflow, `${place} at ${size.width} px`).toBe(0);
      if (hasComposer) await expect(composer(page)).toBeInViewport();
    }
    sizes.reverse();
  };
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/");
  await expect(composer(page)).toBeVisible();
  await expectFits("home", true);
  await ask(page, `Show me everything and a${"b".repeat(300)} word\nspeed 0`);
  await expectFits("chat", true);
  for (const path of ["/auth/login", "/changelog", "/no/such/page", "/api/docs"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectFits(path);
  }
  await enterByMail(page);
  for (const tab of ["general", "models", "appearance"]) {
    await page.goto(`/?settings=${tab}`);
    await expect(page.getByRole("tab", { selected: true }).first()).toBeVisible();
    await expectFits(tab);
  }
});

test("under reduced motion nothing moves, and layers still come and go", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  await send(page, "Tell me slowly\nspeed 30");
  await expect(lastTurn(page)).toContainText("demo");
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter((animation) => animation.playState === "running" && animation.effect instanceof KeyframeEffect)
        .flatMap((animation) => (animation.effect instanceof KeyframeEffect ? animation.effect.getKeyframes() : []))
        .flatMap((frame) =>
          Object.keys(frame).filter((property) =>
            ["transform", "translate", "scale", "rotate", "left", "top", "height"].includes(property),
          ),
        ),
    );
  expect(await moving()).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Open sidebar" }).click();
  expect(await moving()).toEqual([]);
  const drawer = page.getByRole("dialog", { name: "Chats" });
  await expect(drawer).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);
});
