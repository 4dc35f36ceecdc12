import type { Locator, Page } from "@playwright/test";
import { Shares } from "#shared/entities/share.ts";
import type { Team } from "#shared/entities/team.ts";
import { mailsTo, newestCode } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { callApi, enter, enterByMail, startChat } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { answered, ask, composer, conversation, send, sidebar, turns } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { holdFirstRead } from "./fixtures/late-answer.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

async function openAction(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

async function shareWith(page: Page, { email, level }: { email: string; level: "Viewer" | "Editor" }): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Share chat" });
  await dialog.getByRole("textbox", { name: "Email" }).fill(email);
  await dialog.getByRole("combobox", { name: "May", exact: true }).selectOption(level);
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
}

test("an editor finds the chat, writes into it under their name, and loses it at once when the access is taken back", async ({
  page,
  newDevice,
}) => {
  await enter(page);
  const other = await newDevice();
  const email = await enter(other);
  await page.goto("/");
  await ask(page, "say The harbour plan");
  await other.goto("/");
  const firstRead = await holdFirstRead(page, "**/api/chat/*/shares");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await firstRead.asked;
  await shareWith(page, { email, level: "Editor" });
  const dialog = page.getByRole("dialog", { name: "Share chat" });
  const shared = dialog.getByRole("listitem").filter({ hasText: email });
  await expect(shared).toBeVisible();
  // What was read before the share comes after it, and knows nothing of it.
  await firstRead.tell();
  await expectAccessible(page);
  await expect(shared).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();

  await sidebar(other).getByRole("link", { name: "The harbour plan" }).click();
  await expect(conversation(other)).toContainText("The harbour plan");
  const name = email.split("@")[0] ?? "";
  await expect(page.getByRole("list", { name: "Here now" }).getByRole("listitem")).toHaveText([new RegExp(name)]);
  await composer(other).pressSequentially("say Seen");
  await expect(page.getByText(`${name} is typing…`)).toBeVisible();
  await send(other, "say Seen by both");
  await expect(turns(page)).toHaveCount(4);
  // At once, not when the word of it lapses.
  await expect(page.getByText(/is typing/)).toHaveCount(0, { timeout: 4_000 });
  await answered(other);
  await expect(turns(page).nth(2)).toHaveAccessibleName(name);
  await expectAtSide(page, "The harbour plan", "right");
  await expectAtSide(page, "say Seen by both", "left");
  await expectAtSide(other, "say Seen by both", "right");
  const sender = turns(page).nth(2).getByText(name, { exact: true }).last();
  await expect(sender).toBeVisible();
  expect(await colourOf(sender)).not.toBe(await colourOf(turns(page).nth(2).getByText("say Seen by both")));
  await expect(turns(page).nth(3)).toContainText("Seen by both");

  // What reads the owner's own is theirs to switch on, and says so.
  await composerTools(other).click();
  const barred = other.getByRole("option", { name: "Schedules" });
  await expect(barred).toHaveAttribute("aria-disabled", "true");
  await expect(barred).toContainText("Only the owner of this chat can switch this on, as it would read what is theirs.");
  await expectAccessible(other);
  await barred.click({ force: true });
  await expect(barred).toHaveAttribute("aria-selected", "false");
  await other.getByRole("option", { name: "Synthesis" }).click();
  await expect(composerTools(other)).toHaveText("1 tool");
  await other.keyboard.press("Escape");
  await composerTools(page).click();
  await page.getByRole("option", { name: "Schedules" }).click();
  await expect(page.getByRole("option", { name: "Schedules" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Share", exact: true }).click();
  await dialog.getByRole("button", { name: /^Remove / }).click();
  await expect(dialog.getByText("Access removed")).toBeVisible();
  await expect(other).toHaveURL("/");
  await expect(other.getByRole("region", { name: "Notifications" })).toContainText("This chat is no longer shared with you");
  await expect(sidebar(other).getByRole("link", { name: "The harbour plan" })).toHaveCount(0);
});

const composerTools = (page: Page) => page.getByRole("button", { name: "Select tools" });

async function colourOf(locator: Locator): Promise<string> {
  return locator.evaluate((element) => getComputedStyle(element).color);
}

/** Expects that a message touches this side of the conversation and keeps away from the other. */
async function expectAtSide(page: Page, text: string, side: "left" | "right"): Promise<void> {
  const turn = turns(page).filter({ hasText: text }).first();
  const [bubble, whole] = await Promise.all([turn.getByText(text).last().boundingBox(), turn.boundingBox()]);
  if (!bubble || !whole) throw new Error(`the message “${text}” is not there`);
  const [left, right] = [bubble.x - whole.x, whole.x + whole.width - bubble.x - bubble.width];
  expect(side === "left" ? right - left : left - right, `${text}: ${left} px from the left, ${right} px from the right`).toBeGreaterThan(
    100,
  );
}

furtherTest("a title that another person's replaces a moment later says so to the one who lost it", async ({ page, newDevice }) => {
  await enter(page);
  const other = await newDevice();
  const email = await enter(other);
  const { chatId } = await startChat(page, "say Whose name it is");
  await callApi(page, { method: "POST", path: `/api/chat/${chatId}/share`, body: { type: "user", email, permissionLevel: "editor" } });
  await page.goto(`/c/${chatId}`);
  await answered(page);
  await page.getByRole("heading", { level: 1 }).hover();
  await page.getByRole("main").getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Chat title" }).fill("The ferry by Ines");
  const taken = page.waitForResponse((response) => response.request().postData()?.includes("The ferry by Ines") ?? false);
  await page.keyboard.press("Enter");
  await taken;
  await callApi(other, { method: "PATCH", path: `/api/chat/${chatId}`, body: { title: "The ferry by Noor" } });
  await expect(page.getByRole("heading", { level: 1, name: "The ferry by Noor" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText(
    "“The ferry by Ines” was renamed to “The ferry by Noor” elsewhere.",
  );
});

furtherTest("what was written offline in a chat whose share was taken back is offered again", async ({ page, newDevice, allowConsole }) => {
  // Without a network, code that would be fetched ahead does not come.
  allowConsole(/ERR_INTERNET_DISCONNECTED|WebSocket connection|status of 404|^uncaught: $/);
  await enter(page);
  const other = await newDevice();
  const email = await enter(other);
  const { chatId } = await startChat(page, "say The ferry plan");
  const share = { type: "user", email, permissionLevel: "editor" };
  const shares = Shares.parse(await callApi(page, { method: "POST", path: `/api/chat/${chatId}/share`, body: share }));
  await other.goto(`/c/${chatId}`);
  await answered(other);
  // All code that comes when the page is idle is here.
  await other.waitForLoadState("networkidle");
  await other.context().setOffline(true);
  await send(other, "say Written on the ferry");
  await expect(turns(other).last()).toContainText("Will be sent when you're back online");
  await sidebar(other).getByRole("link", { name: "New Chat" }).click();
  await composer(other).fill("A thought of its own");
  await callApi(page, { method: "DELETE", path: `/api/chat/${chatId}/shares/${shares.userShares[0]?.id}` });
  await other.context().setOffline(false);
  await expect(composer(other)).toHaveValue("say Written on the ferry\n\nA thought of its own");
  await expect(other.getByRole("region", { name: "Notifications" })).toContainText("A message was not sent");
});

test("a viewer reads along, has no composer, and goes on in a copy of their own", async ({ page, newDevice }) => {
  await enter(page);
  const other = await newDevice();
  const email = await enter(other);
  await page.goto("/");
  const chatId = await ask(page, "say Only to be read");
  await openAction(page, "Share");
  await shareWith(page, { email, level: "Viewer" });
  await expect(page.getByRole("dialog", { name: "Share chat" }).getByRole("listitem").filter({ hasText: email })).toBeVisible();
  await other.goto(`/c/${chatId}`);
  await expect(conversation(other)).toContainText("Only to be read");
  await expect(composer(other)).toHaveCount(0);
  await expect(other.getByRole("button", { name: "Regenerate" })).toHaveCount(0);
  await other.getByRole("button", { name: "Share", exact: true }).click();
  const who = other.getByRole("dialog", { name: "Share chat" });
  await expect(who.getByRole("listitem")).toHaveText([/Owner$/, /\(you\).*Viewer$/]);
  await expect(who.getByRole("textbox")).toHaveCount(0);
  await expect(who.getByRole("combobox")).toHaveCount(0);
  await who.getByRole("button", { name: "Done" }).click();
  await other.getByRole("button", { name: "Continue in my own copy" }).click();
  await expect(composer(other)).toBeVisible();
  expect(new URL(other.url()).pathname).not.toBe(`/c/${chatId}`);
  await expect(conversation(other)).toContainText("Only to be read");
});

furtherTest(
  "an address without an account is invited by mail, and finds the chat on signing up",
  async ({ page, newDevice, allowConsole }) => {
    allowConsole(/the server responded with a status of 404/);
    await enter(page);
    await page.goto("/");
    await ask(page, "say Waiting for Noor");
    await openAction(page, "Share");
    const email = newAddress();
    await shareWith(page, { email, level: "Viewer" });
    const question = page.getByRole("alertdialog", { name: "Not on Polylogue yet" });
    await expect(question).toContainText(email);
    await question.getByRole("button", { name: "Send Invite" }).click();
    const invites = page.getByRole("dialog", { name: "Invites" });
    await expect(invites.getByRole("textbox", { name: "Email" })).toHaveValue(email);
    await invites.getByRole("button", { name: "Send invite" }).click();
    const row = page.getByRole("dialog", { name: "Share chat" }).getByRole("listitem").filter({ hasText: email });
    await expect(row).toContainText("Invited, not signed up yet");
    // Asked for again, it is mailed again.
    await shareWith(page, { email, level: "Viewer" });
    await expect(question).toContainText("once more");
    await question.getByRole("button", { name: "Send Invite" }).click();
    // With the invite that was made for it before.
    await expect(invites).toContainText("is for this address and goes along");
    await invites.getByRole("button", { name: "Send invite" }).click();
    const mails = await until("both mails", async () => {
      const sent = await mailsTo(process.env["E2E_URL"] ?? "", email);
      return sent.length === 2 ? sent : null;
    });
    const codes = mails.map(({ text }) => text.match(/%3Finvite%3D([0-9A-Z]{12})/)?.[1]);
    expect(codes[0]).toBeDefined();
    expect(codes[0]).toBe(codes[1]);
    const other = await newDevice();
    await enterByMail(other, email);
    await other.goto("/");
    await expect(sidebar(other).getByRole("link", { name: "Waiting for Noor" })).toBeVisible();
  },
);

test("a published chat reads well without scripts, for anyone, until it is unpublished", async ({ page, browser, allowConsole }) => {
  allowConsole(/the server responded with a status of 404/);
  await enter(page);
  await page.goto("/");
  const chatId = await ask(page, "say Everyone may **read** this, $x^2$");
  await openAction(page, "Publish");
  const dialog = page.getByRole("dialog", { name: /^Publish/ });
  await expect(dialog).toContainText("Later messages will appear there too.");
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  const link = await dialog.getByRole("textbox", { name: "Public link" }).inputValue();
  expect(new URL(link).pathname).toBe(`/p/${chatId}`);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await dialog.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(dialog.getByRole("button", { name: "Copied", exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await expect(dialog.getByRole("button", { name: "Copy", exact: true })).toBeVisible();

  const visitor = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env["E2E_URL"] ?? "" });
  const reader = await visitor.newPage();
  const mathFace = reader.waitForResponse(/stix-two-math.*\.woff2$/);
  await reader.goto(`/p/${chatId}`);
  await expect(reader.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(reader.getByRole("article").last().locator("math")).toBeVisible();
  expect((await mathFace).ok()).toBe(true);
  await expect(reader.getByRole("article").last().locator("strong")).toHaveText("read");
  await expect(reader.getByRole("button")).toHaveText(["About", "Continue in my own copy"]);
  await reader.getByRole("button", { name: "About" }).click();
  const about = reader.getByRole("dialog", { name: "About Polylogue" });
  await expect(about).toContainText("One chat with every model.");
  await about.press("Escape");
  await expect(about).toBeHidden();
  await reader.getByRole("link", { name: "Login" }).click();
  await expect(reader).toHaveURL(`/auth/login?returnUrl=${encodeURIComponent(`/p/${chatId}`)}`);
  await reader.goto(`/p/${chatId}`);
  await expect(reader.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  await expect(reader.locator('meta[property="og:title"]')).toHaveAttribute("content", /./);
  await expect(reader.locator('meta[property="og:description"]')).toHaveAttribute("content", "Everyone may read this, x^2");
  await dialog.getByRole("button", { name: "Unpublish" }).click();
  await expect(dialog.getByRole("button", { name: "Publish", exact: true })).toBeVisible();
  expect((await reader.goto(`/p/${chatId}`))?.status()).toBe(404);
  await visitor.close();
});

furtherTest("a reader of a published chat signs in on the way to a copy of their own", async ({ page, newDevice, allowConsole }) => {
  await enter(page);
  const { chatId } = await startChat(page, "say Go on from here");
  await callApi(page, { method: "PATCH", path: `/api/chat/${chatId}`, body: { public: true } });
  const reader = await newDevice();
  await until("the answer on the page", async () => {
    await reader.goto(`/p/${chatId}`);
    return (await reader.getByRole("article").last().textContent())?.includes("Go on from here");
  });
  await expectAccessible(reader);
  await reader.getByRole("button", { name: "Continue in my own copy" }).click();
  await expect(reader).toHaveURL(`/auth/login?returnUrl=${encodeURIComponent(`/p/${chatId}/continue`)}`);
  const email = newAddress();
  await reader.getByRole("textbox", { name: "Email" }).fill(email);
  await reader.getByRole("button", { name: "Send code" }).click();
  const code = await until("the code", () => newestCode(process.env["E2E_URL"] ?? "", email));
  let asked = 0;
  await reader.route("**/p/*/continue", async (route) => {
    asked += 1;
    // The page left behind has time to ask once more, which would break this off.
    await until("another request", () => asked > 1, 1_000).catch(() => undefined);
    await route.continue().catch(() => undefined);
  });
  await reader.getByRole("textbox", { name: "Code" }).fill(code);
  await reader.waitForURL("**/c/*");
  expect(asked).toBe(1);
  expect(new URL(reader.url()).pathname).not.toBe(`/c/${chatId}`);
  await expect(turns(reader)).toHaveCount(2);
  await expect(conversation(reader)).toContainText("Go on from here");
  await expect(composer(reader)).toBeVisible();

  // The chat itself is closed to whoever reads its public page.
  allowConsole(/404/);
  await reader.goto(`/c/${chatId}?share_context=gone`);
  await expect(reader.getByRole("alertdialog", { name: "Error" })).toContainText("Shared knowledge not found");
});

furtherTest("a team is shared with by its name, gets another level, and a removal is undone", async ({ page }) => {
  // Teams are made elsewhere; what the server makes of them is tried there, and here what a person sees of them.
  const team: Team = {
    id: crypto.randomUUID(),
    name: "Nordlicht Studio",
    description: null,
    user_role: "member",
    created_by: crypto.randomUUID(),
    created_at: "2026-03-04T09:41:00.000Z",
    memberCount: 6,
    members_restricted: false,
    content_admin_only: false,
  };
  const shares: Shares = { creator: { displayName: "Lena", email: "lena@example.com" }, userShares: [], teamShares: [] };
  const asked: unknown[] = [];
  const isTyped = Promise.withResolvers<void>();
  await page.route("**/api/user/teams", async (route) => {
    await isTyped.promise;
    await route.fulfill({ json: { teams: [team] } });
  });
  await page.route(/\/api\/chat\/[^/]+\/(?:share|shares|team-shares\/.*)$/, (route) => {
    const request = route.request();
    if (request.method() === "DELETE") shares.teamShares = [];
    if (request.method() === "POST") {
      asked.push(request.postDataJSON());
      const { permissionLevel } = request.postDataJSON();
      shares.teamShares = [
        { id: crypto.randomUUID(), teamId: team.id, teamName: team.name, permissionLevel, sharedAt: new Date().toISOString() },
      ];
    }
    return route.fulfill({ json: request.method() === "DELETE" ? { ok: true } : shares });
  });
  await enter(page);
  const { chatId } = await startChat(page, "say For all of us");
  await page.goto(`/c/${chatId}`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share chat" });
  // The teams come while an address is typed, which goes on.
  const address = dialog.getByRole("textbox", { name: "Email" });
  await address.pressSequentially("anneke@");
  isTyped.resolve();
  await expect(dialog.getByRole("tab", { name: "By team" })).toBeVisible();
  await expect(address).toBeFocused();
  await expect(address).toHaveValue("anneke@");
  await dialog.getByRole("tab", { name: "By team" }).click();
  await dialog.getByRole("combobox", { name: "Team", exact: true }).selectOption(team.name);
  await dialog.getByRole("combobox", { name: "May", exact: true }).selectOption("Editor");
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  const row = dialog.getByRole("listitem").filter({ hasText: team.name });
  await expect(row).toContainText("6 members");
  await expect(dialog).toContainText("1 person, 1 team");
  await expectAccessible(page);
  await row.getByRole("combobox", { name: `What ${team.name} may` }).selectOption("Viewer");
  await expect(row.getByRole("combobox")).toHaveValue("viewer");
  await row.getByRole("button", { name: `Remove ${team.name}` }).click();
  await expect(row).toContainText("Access removed");
  await row.getByRole("button", { name: /^Undo/ }).click();
  await expect(row.getByRole("combobox")).toHaveValue("viewer");
  expect(asked).toEqual(["editor", "viewer", "viewer"].map((permissionLevel) => ({ type: "team", teamId: team.id, permissionLevel })));
});
