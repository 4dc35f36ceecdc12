import type { Locator, Page } from "@playwright/test";
import { callApi, enter, startChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { composer, conversation } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

test.use({ timezoneId: "Europe/Lisbon" });

const settingsOf = (page: Page): Locator => page.getByRole("dialog", { name: "Settings" });
const ownPicture = (page: Page): Locator => page.getByRole("button", { name: /^Profile: / }).locator("img");

/** Waits until the server took a change of the person. */
async function saved(page: Page, change: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((response) => {
    const request = response.request();
    return response.url().includes("/api/user") && request.method() !== "GET" && !request.postData()?.includes("browser_time_zone");
  });
  await change();
  expect((await answer).ok()).toBe(true);
}

test("someone sets up their profile, what answers while they are away, and their time zone, and signs out everywhere", async ({
  page,
  context,
  newDevice,
  allowConsole,
}) => {
  // The last: what is still open where everyone is signed out.
  allowConsole(/status of 4(?:0[01]|13)|HTTP Authentication failed/);
  const email = await enter(page, newAddress("lena"));
  await callApi(page, { method: "POST", path: "/api/user-contexts", body: { name: "House rules" } });
  await page.goto("/");
  const other = await context.newPage();
  await other.goto("/");
  await expect(composer(other)).toBeVisible();
  // Before it is known who is here the settings open on what a visitor has.
  await expect(page.getByRole("button", { name: /^Profile: / })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+,");
  const settings = settingsOf(page);
  const time = settings.getByRole("button", { name: "My time zone" });
  await expect(time).toHaveText("Lisbon, Europe");
  await expectAccessible(page);

  // The picture: what is none is said, the section is moved by keys and by dragging, and survives a refusal.
  await settings.getByRole("button", { name: "Edit profile" }).click();
  await expect(settings.getByRole("button", { name: "Back to General" })).toBeFocused();
  const file = settings.getByLabel("Picture file");
  await file.setInputFiles({ name: "notes.png", mimeType: "image/png", buffer: Buffer.from("no picture at all") });
  await expect(settings.getByRole("alert")).toHaveText("This file is no picture that this browser can show.");
  await file.setInputFiles({ name: "drawing.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
  await expect(settings.getByRole("alert")).toHaveText("Choose a PNG, JPEG or WebP picture.");
  await file.setInputFiles({ name: "me.png", mimeType: "image/png", buffer: await page.screenshot() });
  const section = settings.getByRole("button", { name: "Section of the picture" });
  const placed = () => section.locator("img").evaluate((image) => image.style.transform + image.style.width);
  let before = await placed();
  const expectMoved = async () => {
    await expect.poll(placed).not.toBe(before);
    before = await placed();
  };
  await section.press("ArrowRight");
  await expectMoved();
  await section.press("+");
  await expectMoved();
  await settings.getByRole("slider", { name: "Zoom" }).fill("3");
  await expectMoved();
  const box = (await section.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(box.x + 120, box.y + 120);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 90, { steps: 3 });
  await page.mouse.up();
  await expectMoved();
  await expectAccessible(page);
  await page.route("**/api/user/picture", (route) =>
    route.fulfill({ status: 413, json: { error: "A profile picture may have up to 1 MB.", code: "PAYLOAD_TOO_LARGE" } }),
  );
  await settings.getByRole("button", { name: "Save picture" }).click();
  await expect(settings.getByRole("alert")).toHaveText("A profile picture may have up to 1 MB.");
  expect(await placed()).toBe(before);
  await page.unroute("**/api/user/picture");
  await saved(page, () => settings.getByRole("button", { name: "Save picture" }).click());
  await expect(settings.getByRole("button", { name: "Change picture" })).toBeVisible();
  const name = settings.getByRole("textbox", { name: "Name" });
  await expect(name).toHaveValue(/^lena/i);
  await expect(settings.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await name.fill("   ");
  await settings.getByRole("button", { name: "Save", exact: true }).click();
  await expect(name).toHaveAccessibleDescription("Name cannot be empty.");
  await name.fill("Lena Brandt");
  await saved(page, () => settings.getByRole("button", { name: "Save", exact: true }).click());
  await expect(settings.getByRole("button", { name: "Saved" })).toBeVisible();
  // Another tab follows at once.
  await expect(other.getByRole("button", { name: "Profile: Lena Brandt" })).toBeVisible();
  await expect(ownPicture(other)).toHaveJSProperty("naturalWidth", 300);
  await settings.getByRole("button", { name: "Back to General" }).click();
  await expect(settings.getByRole("button", { name: "Edit profile" })).toBeFocused();

  // What answers while they are away: each choice holds at once, and Autopilot takes two of them off the screen.
  const triggered = settings.getByRole("button", { name: "Triggered messages" });
  await expect(triggered).toContainText("Auto, No tools");
  await triggered.click();
  await settings.getByRole("button", { name: "Model", exact: true }).click();
  await page.getByRole("combobox", { name: "Search models" }).fill("llama 4 scout");
  await saved(page, () => page.getByRole("listbox", { name: "Models" }).getByRole("option").first().click());
  await saved(page, () => settings.getByRole("checkbox", { name: "Synthesis" }).click());
  await saved(
    page,
    async () => void (await settings.getByRole("combobox", { name: "Persona for triggered messages" }).selectOption("No persona")),
  );
  await settings.getByRole("button", { name: "Knowledge", exact: true }).click();
  await saved(page, () =>
    page
      .getByRole("listbox", { name: "Knowledge" })
      .getByRole("option", { name: /^House rules/ })
      .click(),
  );
  await page.keyboard.press("Escape");
  await saved(page, () => settings.getByRole("switch", { name: "Reply to all" }).click());
  await expect(settings.getByRole("checkbox", { name: "Synthesis" })).toBeChecked();
  const budget = settings.getByRole("textbox", { name: "Daily budget in US dollars" });
  await expect(budget).toHaveValue("1.00");
  await budget.fill("plenty");
  await budget.press("Enter");
  await expect(settings.getByRole("alert")).toHaveText("Give an amount in US dollars, such as 1.50.");
  await expect(budget).toHaveValue("plenty");
  await budget.fill("2000");
  await budget.press("Enter");
  await expect(settings.getByRole("alert")).toHaveText("The budget may be at most $1,000 a day.");
  await budget.fill("2,5");
  await saved(page, () => budget.press("Enter"));
  await expect(budget).toHaveValue("2.50");
  await expectAccessible(page);
  // All that can be set ends at one edge.
  const ends = await Promise.all(
    [
      budget,
      settings.getByRole("button", { name: "Model", exact: true }),
      settings.getByRole("button", { name: "Knowledge", exact: true }),
      settings.getByRole("combobox", { name: "Persona for triggered messages" }),
      settings.getByRole("switch", { name: "Reply to all" }),
    ].map((control) => control.evaluate((element) => Math.round(element.getBoundingClientRect().right))),
  );
  expect(new Set(ends).size).toBe(1);
  await saved(page, () => settings.getByRole("switch", { name: "Autopilot for triggered messages" }).click());
  await expect(settings.getByRole("button", { name: "Model", exact: true })).toHaveCount(0);
  await expect(settings.getByRole("checkbox")).toHaveCount(0);
  await page.reload();
  await expect(budget).toHaveValue("2.50");
  await expect(settings.getByRole("switch", { name: "Reply to all" })).toBeChecked();
  await expect(settings.getByRole("combobox", { name: "Persona for triggered messages" })).toHaveValue("");
  await expect(settings.getByRole("button", { name: "Knowledge", exact: true })).toHaveAccessibleDescription("House rules");
  await saved(page, () => settings.getByRole("switch", { name: "Autopilot for triggered messages" }).click());
  await expect(settings.getByRole("button", { name: "Model", exact: true })).toHaveText(/Llama 4 Scout/);
  await expect(settings.getByRole("checkbox", { name: "Synthesis" })).toBeChecked();
  await saved(page, () => settings.getByRole("button", { name: "Use the preferred model" }).click());
  await settings.getByRole("button", { name: "Back to General" }).click();
  await expect(triggered).toContainText("Auto, 1 tool");

  // Mails about what happens meanwhile: each switch holds at once.
  const notifications = settings.getByRole("button", { name: "Notifications" });
  await expect(notifications).toContainText("4 on");
  await notifications.click();
  await expect(settings.getByRole("switch", { name: "Approvals by mail" })).toBeChecked();
  await saved(page, () => settings.getByRole("switch", { name: "Finished replies by mail" }).click());
  await expect(settings.getByRole("switch", { name: "Finished replies by mail" })).toBeChecked();
  const days = settings.getByRole("textbox", { name: "Days that a call waits" });
  await expect(days).toHaveValue("7");
  await days.fill("0");
  await days.press("Enter");
  await expect(settings.getByText("Give a whole number of days from 1 to 90.")).toBeVisible();
  await days.fill("14");
  await saved(page, () => days.press("Enter"));
  await expectAccessible(page);
  await settings.getByRole("button", { name: "Back to General" }).click();
  await expect(notifications).toBeFocused();
  await expect(notifications).toContainText("5 on");

  // The time zone is found by place, kept, and given back to the device.
  await time.click();
  await page.getByRole("combobox", { name: "Search time zones" }).fill("tokyo");
  await saved(page, () => page.getByRole("listbox", { name: "Time zones" }).getByRole("option").first().click());
  await expect(time).toHaveText("Tokyo, Asia");
  await page.emulateMedia({ colorScheme: "dark" });
  // Colours take a moment to change.
  await expect(() => expectReadable(page)).toPass();
  await other.goto("/");
  await expect(other.getByRole("heading", { level: 1, name: /^Good \w+, Lena$/ })).toBeVisible();
  await other.goto("/?settings=general");
  await expect(settingsOf(other).getByRole("button", { name: "My time zone" })).toHaveText("Tokyo, Asia");
  await time.click();
  await page.getByRole("combobox", { name: "Search time zones" }).fill("this device");
  await saved(page, () => page.getByRole("listbox", { name: "Time zones" }).getByRole("option").first().click());
  await expect(time).toHaveText("Lisbon, Europe");

  // Everywhere means the other device too.
  const device = await newDevice();
  await enter(device, email);
  await device.goto("/");
  await expect(ownPicture(device)).toBeVisible();
  await settings.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("alertdialog", { name: "Sign out everywhere?" }).getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page.getByRole("main").getByRole("link", { name: "Login" })).toBeVisible();
  await expect(device.getByRole("region", { name: "Notifications" })).toContainText("You were signed out");
  await expect(device.getByRole("main").getByRole("link", { name: "Login" })).toBeVisible();
  await device.reload();
  await expect(device.getByRole("main").getByRole("link", { name: "Login" })).toBeVisible();
  await expect(device.getByRole("button", { name: /^Profile: / })).toHaveCount(0);
});

furtherTest(
  "home says what waits, leads to it, and offers the chats that were last left, and nothing moves as they come",
  async ({ page }) => {
    await enter(page);
    const prompt = { name: "Week in five lines", content: "Sum up my week." };
    await callApi(page, { method: "POST", path: "/api/template-messages", body: prompt });
    const chats = await Promise.all([startChat(page, "say Lanterns beside water"), startChat(page, "say Boats at noon")]);
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/api/chats?*", async (route) => {
      await mayAnswer;
      await route.continue();
    });
    await page.goto("/");
    // Who has signed in is known from the second page on.
    await expect(page.getByRole("button", { name: /^Profile: / })).toBeVisible();
    await page.reload();
    await expect(composer(page)).toBeFocused();
    const place = await composer(page).boundingBox();
    await composer(page).fill("typed before anything came");
    answer();
    const main = page.getByRole("main");
    await expect(main.getByText(/ and .+ have news\.$/)).toBeVisible();
    await expect(main.getByRole("region", { name: "Where you left off" })).toHaveCount(0);
    await composer(page).fill("");
    expect(await composer(page).boundingBox()).toEqual(place);
    // The pickers and the microphone came together, and pushed nothing that was in sight aside.
    await expect(page.getByRole("button", { name: "Switch persona" })).toBeVisible();
    await expect(page.locator("[data-pickers]")).toHaveCount(0);
    expect(await movedIn(page, "[data-composer]")).toEqual([]);
    await main.getByRole("paragraph").filter({ hasText: "have news." }).getByRole("link").click();
    await expect(conversation(page)).toContainText(/Lanterns beside water|Boats at noon/);
    await page.getByRole("link", { name: "New Chat" }).click();
    const left = main.getByRole("region", { name: "Where you left off" });
    await expect(left.getByRole("link")).toHaveCount(1);
    await expect(main.getByText(/ has news\.$/)).toBeVisible();
    expect(await composer(page).boundingBox()).toEqual(place);
    await expectAccessible(page);
    await main.getByRole("list", { name: "Prompts" }).getByRole("button", { name: prompt.name }).click();
    await expect(composer(page)).toHaveValue(prompt.content);
    await composer(page).fill("");
    await left.getByRole("link").click();
    await expect(page).toHaveURL((url) => chats.some(({ chatId }) => url.pathname === `/c/${chatId}`));
  },
);

furtherTest("what of the settings could not be loaded says so, and is asked for again", async ({ page, allowConsole }) => {
  allowConsole(/status of 500/);
  const PLACES = [
    { place: "triggered", path: "**/api/tool-categories", name: "Tools", said: "The tools could not be loaded." },
    { place: "triggered", path: "**/api/user-system-prompts", name: "Persona", said: "Your personas could not be loaded." },
    { place: "data", path: "**/api/imports", name: "Import chats", said: "How your import stands could not be loaded." },
    { place: "data", path: "**/api/account/export", name: "Export everything", said: "How your export stands could not be loaded." },
  ];
  await enter(page, newAddress("lena"));
  await callApi(page, { method: "PATCH", path: "/api/user", body: { triggered_autopilot_enabled: false } });
  for (const { path } of PLACES) {
    await page.route(path, (route) => route.fulfill({ status: 500, json: { error: "Something went wrong.", code: "INTERNAL" } }));
  }
  const memory = Promise.withResolvers<void>();
  await page.route("**/api/memories", async (route) => {
    await memory.promise;
    await route.fallback();
  });
  const settings = settingsOf(page);
  await page.goto("/?settings=memory");
  await expect(settings.getByText("Loading memory")).toBeAttached();
  memory.resolve();
  await expect(settings.getByText("Nothing is remembered yet.")).toBeVisible();
  await expect(settings.getByText("Loading memory")).toHaveCount(0);
  for (const place of ["triggered", "data"]) {
    await page.goto(`/?settings=${place}`);
    const parts = PLACES.filter((part) => part.place === place);
    for (const { said } of parts) await expect(settings.getByText(said)).toBeVisible();
    await expectAccessible(page);
    for (const { path, name, said } of parts) {
      await page.unroute(path);
      await settings.getByRole("button", { name: `Try again: ${name}` }).click();
      await expect(settings.getByText(said)).toHaveCount(0);
    }
  }
  await expect(settings.getByRole("button", { name: "Export", exact: true })).toBeVisible();
});

/** What moved within these elements since the page was loaded, by name or kind. */
function movedIn(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((within) => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    const entries: readonly (PerformanceEntry & { sources?: readonly { node: Node | null }[] })[] = observer.takeRecords();
    const nodes = entries.flatMap(({ sources = [] }) => sources.map(({ node }) => node));
    return nodes.flatMap((node) =>
      node instanceof Element && node.closest(within) ? [node.getAttribute("aria-label") ?? node.nodeName] : [],
    );
  }, selector);
}
