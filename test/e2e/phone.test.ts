import type { Locator, Page } from "@playwright/test";
import { callApi, enter, enterByMail, makeChat, startChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { answered, ask, composer, conversation, lastTurn, modelButton, pickModel, send, sidebar, turns } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, contextOptions: { reducedMotion: "no-preference" } });

/** What can be pressed and is smaller than a finger, or typed into and would make the browser zoom, and a page wider than the screen. */
async function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const describe = (element: Element) => `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent?.trim() ?? ""}`;
    const shown = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const inText = (element: Element) => getComputedStyle(element).display === "inline";
    const reachable = (element: Element) => {
      const box = element.getBoundingClientRect();
      // A link to skip by stands outside until it has the focus.
      return box.width > 1 && box.height > 1 && box.right > 0 && getComputedStyle(element).pointerEvents !== "none";
    };
    const targets = Array.from(document.querySelectorAll("button, a[href], [role=tab], [role=menuitem], [role=option], summary"))
      .filter((element) => shown(element) && reachable(element) && !inText(element))
      .filter((element) => {
        const box = element.getBoundingClientRect();
        // A row's link fills the row; a narrow icon beside another may be 32 px wide when 44 px high.
        return box.height < 43.5 || box.width < 31.5;
      })
      .map(
        (element) =>
          `${describe(element)} (${Math.round(element.getBoundingClientRect().width)}x${Math.round(element.getBoundingClientRect().height)})`,
      );
    const fields = Array.from(document.querySelectorAll("input:not([type=radio], [type=checkbox]), textarea, select"))
      .filter((element) => shown(element) && Number.parseFloat(getComputedStyle(element).fontSize) < 16)
      .map((element) => `${describe(element)} under 16px`);
    const wide = document.documentElement.scrollWidth > window.innerWidth ? ["the page is wider than the screen"] : [];
    return [...targets, ...fields, ...wide];
  });
}

async function openDrawer(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Open sidebar" }).tap();
  await expect(sidebar(page)).toBeVisible();
}

test("the main job by touch: write, send, read, copy, and start anew", async ({ page }) => {
  await page.goto("/");
  await expect(composer(page)).toBeVisible();
  // No keyboard is opened unasked.
  await expect(composer(page)).not.toBeFocused();
  await composer(page).tap();
  await composer(page).fill("say Answered on the phone");
  await page.getByRole("button", { name: "Send", exact: true }).tap();
  await expect(page).toHaveURL(/\/c\//);
  await answered(page);
  await expect(lastTurn(page)).toContainText("Answered on the phone");
  // Nothing waits for a pointer that hovers.
  for (const name of ["Copy", "Regenerate", "Details"])
    await expect(lastTurn(page).getByRole("button", { name, exact: true })).toBeInViewport();
  // What can be done with one's own message comes with a tap on it, and goes with another.
  const edit = turns(page).first().getByRole("button", { name: "Edit" });
  const own = turns(page).first().getByText("say Answered on the phone");
  await expect(edit).not.toBeInViewport();
  await own.tap();
  await expect(edit).toBeInViewport();
  await own.tap();
  await expect(edit).not.toBeInViewport();
  const targets = await lastTurn(page)
    .getByRole("button")
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect()).map(({ left, right }) => ({ left, right })));
  expect(targets.length).toBeGreaterThan(3);
  for (const [index, { left, right }] of targets.entries()) {
    expect(right - left).toBeGreaterThanOrEqual(44);
    expect(left).toBeGreaterThanOrEqual(targets[index - 1]?.right ?? 0);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // A model's name stands whole beside all that a message can be given.
  await expect(page.getByRole("button", { name: "Voice input" })).toBeVisible();
  await pickModel(page, "GPT-5 nano");
  const chosen = modelButton(page).getByText("GPT-5 nano", { exact: true });
  await expect(chosen).toBeVisible();
  expect(await chosen.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // The next question stands whole at the top, its actions below it.
  await composer(page).fill("say Once more");
  await page.getByRole("button", { name: "Send", exact: true }).tap();
  await expect(turns(page)).toHaveCount(4);
  await answered(page);
  await expect(turns(page).nth(2)).toBeInViewport({ ratio: 1 });
  await page.getByRole("main").getByRole("link", { name: "New Chat" }).tap();
  await expect(page).toHaveURL((url) => url.pathname === "/");
});

furtherTest("Enter breaks the line, and the composer grows to ten lines and no further", async ({ page }) => {
  await page.goto("/");
  await composer(page).tap();
  await composer(page).pressSequentially("one");
  await page.keyboard.press("Enter");
  await composer(page).pressSequentially("two");
  await expect(composer(page)).toHaveValue("one\ntwo");
  await expect(page).toHaveURL((url) => url.pathname === "/");
  const height = async () => (await composer(page).boundingBox())?.height ?? 0;
  const two = await height();
  await composer(page).fill(Array.from({ length: 10 }, (_, line) => `line ${line}`).join("\n"));
  const ten = await height();
  expect(ten).toBeGreaterThan(two);
  await composer(page).fill(Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n"));
  expect(await height()).toBe(ten);
});

furtherTest("the chats are an edge drawer: a tap outside, Back and following a chat close it", async ({ page }) => {
  await enter(page);
  await makeChat(page, "Kept in the drawer");
  const opened = await makeChat(page, "Opened from the drawer");
  await page.goto("/");
  await openDrawer(page);
  const drawer = page.getByRole("dialog", { name: "Chats" });
  await expect.poll(async () => (await drawer.boundingBox())?.x).toBe(0);
  expect((await drawer.boundingBox())?.width).toBe(320);
  await page.touchscreen.tap(370, 400);
  await expect(drawer).toHaveCount(0);

  await openDrawer(page);
  await page.goBack();
  await expect(drawer).toHaveCount(0);
  await expect(page).toHaveURL((url) => url.pathname === "/");

  await openDrawer(page);
  await sidebar(page).getByRole("link", { name: "Opened from the drawer" }).tap();
  await expect(drawer).toHaveCount(0);
  await expect(page).toHaveURL(`/c/${opened}`);
  await page.goBack();
  await expect(page).toHaveURL((url) => url.pathname === "/");
});

test("a long press on a chat ticks it, taps tick others, and a single one can be renamed", async ({ page }) => {
  await enter(page);
  await makeChat(page, "Tapped after that");
  await makeChat(page, "Pressed for long");
  await page.goto("/");
  await openDrawer(page);
  const box = await sidebar(page).getByRole("link", { name: "Pressed for long" }).boundingBox();
  const point = { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 20 };
  const touch = await page.context().newCDPSession(page);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
  const bar = sidebar(page).getByRole("toolbar", { name: "Selected chats" });
  await expect(bar.getByText("1 selected")).toBeVisible();
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect(bar.getByText("1 selected")).toBeVisible();
  expect(await tooSmall(page), "the bar").toEqual([]);
  await expectAccessible(page);
  await sidebar(page).getByRole("link", { name: "Tapped after that" }).tap();
  await expect(bar.getByText("2 selected")).toBeVisible();
  await expect(page).toHaveURL((url) => url.pathname === "/");
  await sidebar(page).getByRole("link", { name: "Tapped after that" }).tap();
  await bar.getByRole("button", { name: "More actions" }).tap();
  await page.getByRole("menuitem", { name: "Rename" }).tap();
  const field = sidebar(page).getByRole("textbox", { name: "Chat title" });
  await field.fill("Named by thumb");
  await field.press("Enter");
  await expect(sidebar(page).getByRole("link", { name: "Named by thumb" })).toBeVisible();
  await bar.getByRole("button", { name: "Archive", exact: true }).tap();
  await expect(sidebar(page).getByRole("link", { name: "Named by thumb" })).toHaveCount(0);
  await expect(bar).toHaveCount(0);
});

furtherTest("the composer stays in sight when the keyboard takes half the screen", async ({ page }) => {
  await page.goto("/");
  await ask(page, "bytes 4000\nspeed 0");
  await composer(page).tap();
  // The viewport's meta tag has the keyboard shrink the layout, as a smaller window does.
  await expect(page.locator("meta[name=viewport]")).toHaveAttribute("content", /interactive-widget=resizes-content/);
  await page.setViewportSize({ width: 390, height: 440 });
  await expect(composer(page)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeInViewport({ ratio: 1 });
  await expect(conversation(page)).toBeInViewport();
  const bottom = await page.getByRole("button", { name: "Send", exact: true }).boundingBox();
  expect((bottom?.y ?? 0) + (bottom?.height ?? 0)).toBeLessThanOrEqual(440);
});

test("everything to press is as big as a finger, and nothing typed into makes the page zoom", async ({ page }) => {
  await page.addInitScript(() => {
    class Recognition extends EventTarget {
      start() {}
      stop() {}
      abort() {}
    }
    Object.assign(window, { SpeechRecognition: Recognition });
  });
  await page.goto("/");
  await expect(composer(page)).toBeVisible();
  expect(await tooSmall(page), "home").toEqual([]);
  await page.getByRole("button", { name: "Voice input" }).tap();
  await expect(page.getByRole("button", { name: "Done" })).toBeVisible();
  expect(await tooSmall(page), "listening").toEqual([]);
  await page.getByRole("button", { name: "Discard" }).tap();
  await ask(page, "Show me everything\nspeed 0");
  expect(await tooSmall(page), "an answer").toEqual([]);
  await send(page, "hello\nfault empty");
  await expect(lastTurn(page).getByRole("button", { name: "Try again" })).toBeVisible();
  expect(await tooSmall(page), "an error").toEqual([]);
  await modelButton(page).tap();
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await tooSmall(page), "the model drawer").toEqual([]);
  await page.goBack();
  await openDrawer(page);
  expect(await tooSmall(page), "the chats").toEqual([]);
  await page.goto("/auth/login");
  await expect(page.getByRole("textbox", { name: "Email" })).toBeVisible();
  expect(await tooSmall(page), "the login page").toEqual([]);
  await enterByMail(page);
  await page.goto("/?settings=models");
  await expect(page.getByRole("checkbox").first()).toBeVisible();
  expect(await tooSmall(page), "the settings").toEqual([]);
});

furtherTest("nothing lies under the camera or the home indicator", async ({ page }) => {
  const screen = await page.context().newCDPSession(page);
  await screen.send("Emulation.setSafeAreaInsetsOverride", { insets: { top: 47, bottom: 34 } });
  const top = async (name: string) => (await page.getByRole("link", { name }).first().boundingBox())?.y ?? 0;
  await page.goto("/changelog");
  expect(await top("Open the app")).toBeGreaterThanOrEqual(47);
  await page.goto("/");
  // The composer is there before anything listens to keys, its pickers are not.
  await expect(modelButton(page)).toBeVisible();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet).toBeVisible();
  expect((await sheet.boundingBox())?.y).toBeGreaterThanOrEqual(47);
  // The sheet stands on the bottom edge; what can be read in it ends above the indicator.
  const last = sheet.getByText("Select", { exact: true });
  await last.scrollIntoViewIfNeeded();
  const box = await last.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844 - 34);
});

furtherTest("on its side, nothing lies under the camera at an edge", async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  const screen = await page.context().newCDPSession(page);
  await screen.send("Emulation.setSafeAreaInsetsOverride", { insets: { left: 47, right: 47, bottom: 21 } });
  await page.goto("/");
  await expect(modelButton(page)).toBeVisible();
  const edges = await page.evaluate(() =>
    [...document.querySelectorAll("button, a, textarea")]
      .filter((element) => element.checkVisibility() && !element.className.includes("sr-only"))
      .map((element) => element.getBoundingClientRect())
      .flatMap(({ left, right }) => [left, window.innerWidth - right]),
  );
  expect(edges.length).toBeGreaterThan(8);
  expect(Math.min(...edges)).toBeGreaterThanOrEqual(47);
});

furtherTest("a keyboard that covers the page lifts the composer and what lies over it, and goes", async ({ page }) => {
  // As an iPhone has it: the page stays as high as it was, and less of it is seen.
  const coverBelow = (height: number) =>
    page.evaluate((seen) => {
      const view = window.visualViewport;
      if (!view) throw new Error("Nothing tells what is seen.");
      Object.defineProperty(view, "height", { configurable: true, get: () => seen });
      view.dispatchEvent(new Event("resize"));
    }, height);
  const bottomOf = async (place: Locator) => {
    const box = await place.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  await page.goto("/");
  await expect(modelButton(page)).toBeVisible();
  const before = await bottomOf(composer(page));
  expect(before).toBeGreaterThan(700);
  await coverBelow(508);
  await expect.poll(() => bottomOf(composer(page))).toBeLessThan(508);
  // No room is left for an indicator that the keyboard covers.
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--keyboard"))).toBe("336px");
  await modelButton(page).tap();
  const models = page.getByRole("dialog").last();
  await expect(models).toBeVisible();
  await expect.poll(() => bottomOf(models)).toBeLessThanOrEqual(508);
  await page.keyboard.press("Escape");
  await expect(models).toBeHidden();
  // A browser's own bar is no keyboard.
  await coverBelow(788);
  await expect.poll(() => bottomOf(composer(page))).toBe(before);
});

furtherTest(
  "in the dark, a share's address and state can be read whole, and the dialog steps back behind its question",
  async ({ page, allowConsole }) => {
    allowConsole(/the server responded with a status of 404/);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await enter(page);
    const { chatId } = await startChat(page, "| a | b |\n|---|---|\n\n```\nconst one = rows.reduce((sum, row) => sum + row.rent, 0);\n```");
    const share = { type: "user", email: "noor@nordlicht.example", permissionLevel: "viewer", invite: true };
    await callApi(page, { method: "POST", path: `/api/chat/${chatId}/share`, body: share });
    await page.goto(`/c/${chatId}`);
    await page.getByRole("button", { name: "Chat actions" }).tap();
    await page.getByRole("menuitem", { name: "Share" }).tap();
    const dialog = page.getByRole("dialog", { name: "Share chat" });
    for (const rowText of [share.email, "Invited, not signed up yet"]) {
      const isCut = await dialog.getByText(rowText).evaluate((element) => element.scrollWidth > element.clientWidth);
      expect(isCut, rowText).toBe(false);
    }
    expect(await tooSmall(page), "the share dialog").toEqual([]);
    await expectReadable(page);
    await dialog.getByRole("textbox", { name: "Email" }).fill("ines@nordlicht.example");
    await dialog.getByRole("button", { name: "Share", exact: true }).tap();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await expect(page.locator(".bg-scrim")).toHaveCount(2);
    await expectReadable(page);

    await callApi(page, { method: "PATCH", path: `/api/chat/${chatId}`, body: { public: true } });
    await page.goto(`/p/${chatId}`);
    const question = page.getByRole("article").first().locator(".text");
    expect((await question.boundingBox())?.x).toBeGreaterThanOrEqual(0);
    expect(await tooSmall(page), "the public page").toEqual([]);
    await expectReadable(page);
  },
);

test("home has the prompts used most, the way to all of them, and the chats last left in a sentence", async ({ page }) => {
  await enter(page);
  await makeChat(page, "City archive");
  await makeChat(page, "Lisbon office");
  for (const name of ["Second opinion, by three models", "Week in five lines", "Tender answer"])
    await callApi(page, { method: "POST", path: "/api/template-messages", body: { name, content: `say ${name}` } });
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Lisbon office" })).toBeInViewport();
  await expect(page.getByText("You left off in Lisbon office and City archive.")).toBeVisible();
  const prompts = page.getByRole("list", { name: "Prompts" });
  await expect(prompts.getByRole("button", { name: "Tender answer" })).toBeInViewport();
  expect(await tooSmall(page)).toEqual([]);
  await expectAccessible(page);
  await page.getByRole("button", { name: "More", exact: true }).tap();
  await page.getByRole("menuitem", { name: "Schedule this" }).tap();
  await expect(page.getByRole("dialog", { name: "New schedule" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More", exact: true }).tap();
  await page.getByRole("menuitem", { name: "Use a prompt" }).tap();
  const list = page.getByRole("listbox", { name: "Prompts" });
  await expect(list.getByRole("option").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(list).toHaveCount(0);
  await prompts.getByRole("button", { name: "Tender answer" }).tap();
  await expect(composer(page)).toHaveValue("say Tender answer");
});
