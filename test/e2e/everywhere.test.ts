import { callApi, enter, makeChat } from "./fixtures/api.ts";
import { ask, composer, conversation, modelButton, send, sidebar } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

test("/model opens the model selector and is not sent; the device's theme is followed by whoever never opened the settings", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  await expect(composer(page)).toBeFocused();
  const root = page.locator("html");
  await expect(root).toHaveAttribute("data-theme", "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(root).toHaveAttribute("data-theme", "dark");

  await send(page, "/model");
  const search = page.getByRole("combobox", { name: "Search models" });
  await expect(search).toBeFocused();
  await expect(composer(page)).toHaveValue("");
  await search.fill("gemini flash lite");
  await search.press("Enter");
  await expect(modelButton(page)).toContainText("Gemini 2.5 Flash");
  await expect(composer(page)).toBeFocused();
  await expect(page).toHaveURL("/");
});

test("the tab's title counts the chats with updates, whatever page is open", async ({ page }) => {
  await enter(page);
  const id = await makeChat(page, "Harbour lights");
  await makeChat(page, "Lighthouse keepers");
  await page.goto("/");
  await expect(page).toHaveTitle("Polylogue");
  await callApi(page, { method: "PATCH", path: `/api/chat/${id}`, body: { isRead: false } });
  await expect(page).toHaveTitle("(1) Polylogue");
  await sidebar(page).getByRole("link", { name: "Lighthouse keepers" }).click();
  await expect(page).toHaveTitle("(1) Lighthouse keepers · Polylogue");
  await callApi(page, { method: "PATCH", path: `/api/chat/${id}`, body: { isRead: true } });
  await expect(page).toHaveTitle("Lighthouse keepers · Polylogue");
});

furtherTest("a long conversation prints whole, with ink on paper in either theme", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/");
  await ask(page, "bytes 12000\nspeed 0");
  const ink = () =>
    conversation(page)
      .getByRole("article")
      .last()
      .evaluate((turn) => getComputedStyle(turn).color);
  const onScreen = await ink();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const dark = await ink();
  expect(dark).not.toBe(onScreen);
  const clipped = await conversation(page).evaluate((log) => {
    const { height } = log.getBoundingClientRect();
    const short: string[] = [];
    for (let box = log.parentElement; box; box = box.parentElement) {
      if (getComputedStyle(box).overflowY !== "visible" || box.getBoundingClientRect().height < height)
        short.push(box.outerHTML.slice(0, 80));
    }
    return { height, short };
  });
  expect(clipped.height).toBeGreaterThan(1_500);
  expect(clipped.short).toEqual([]);
  await expect(composer(page)).toBeHidden();
  await expect(sidebar(page)).toBeHidden();
});
