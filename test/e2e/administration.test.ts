import type { Locator, Page } from "@playwright/test";
import * as z from "zod/mini";
import { Invite } from "#shared/entities/invite.ts";
import { callApi, comeBackTo, enter } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

const ADMINISTRATOR = "admin@example.com";
const Made = z.object({ invite: Invite });
const Found = z.looseObject({ users: z.array(z.looseObject({ id: z.string() })) });
const Session = z.object({ user: z.object({ id: z.string() }) });

function toasts(page: Page): Locator {
  return page.getByRole("region", { name: "Notifications" });
}

/** A view of administration, as its navigation leads there. */
async function openView(page: Page, name: string): Promise<void> {
  const link = page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name });
  await link.click();
  await expect(link).toHaveAttribute("aria-current", "page");
}

/** Opens one act of a person's menu, by the keyboard. */
async function openUserAction(page: Page, { email, act }: { email: string; act: string }): Promise<void> {
  const button = page.getByRole("button", { name: `Acts on ${email}` });
  await button.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: act }).press("Enter");
}

test("an administrator finds people, acts upon them, decides what waits, and reads it all in the audit log", async ({
  page,
  newDevice,
  allowConsole,
}) => {
  // What is nobody else's address, and whoever is blocked.
  allowConsole(/the server responded with a status of (?:401|403|404)/);
  const [member, phone] = [await newDevice(), await newDevice({ viewport: { width: 390, height: 844 } })];
  const email = newAddress("hanna");
  const input = `Please add the model of ${email}`;
  await enter(member, email);
  await member.goto("/admin");
  await expect(member.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  await expect(member).toHaveTitle(/Not found/);
  await callApi(member, { method: "PATCH", path: "/api/user", body: { display_name: "Hanna Voss" } });
  await callApi(member, { method: "POST", path: "/api/feedback", body: { message: input } });

  await enter(page, ADMINISTRATOR);
  const { user: self } = Session.parse(await callApi(page, { method: "GET", path: "/api/auth/session" }));
  await callApi(page, { method: "PATCH", path: "/api/user", body: { display_name: "Lena Brandt" } });
  const options = { team_plan: true, auto_activate: false, sent_to: "Hanna" };
  const { invite } = Made.parse(await callApi(page, { method: "POST", path: "/api/invites", body: options }));
  await callApi(member, { method: "POST", path: `/api/invites/${invite.code}/redeem`, body: {} });

  // From the profile's menu.
  await page.goto("/");
  await page.getByRole("button", { name: /Lena Brandt/ }).click();
  await page.getByRole("menuitem", { name: "Administration" }).click();
  await expect(page).toHaveURL(/\/admin$/);
  await expect(page.getByRole("navigation", { name: "Administration" })).toBeVisible();
  await expect(page.getByText(/accounts?, .* here today/)).toBeVisible();
  await expect(page.getByRole("table", { name: "Users" })).toBeVisible();
  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: "Ledger as CSV" }).click();
  expect((await saved).suggestedFilename()).toBe("ledger.csv");
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  await page.emulateMedia({ colorScheme: "light" });

  // Somebody is found by the database.
  const search = page.getByRole("searchbox", { name: "Search users" });
  await search.fill("nobody-is-called-that");
  await expect(page.getByText("Nobody is found by this beginning of a name or an address.")).toBeVisible();
  await search.fill(email.toUpperCase());
  const row = page.getByRole("row", { name: new RegExp(email) });
  await expect(row).toContainText("None");
  await expect(row).toContainText("$10.00");

  // Credits, which take a reason.
  await openUserAction(page, { email, act: "Give credits" });
  const credits = page.getByRole("dialog", { name: "Give credits to Hanna Voss" });
  await credits.getByRole("textbox", { name: "US dollars" }).fill("0");
  await credits.getByRole("button", { name: "Give credits" }).click();
  await expect(credits.getByRole("textbox", { name: "US dollars" })).toHaveAccessibleDescription(/Enter an amount above \$0/);
  await expect(credits.getByRole("textbox", { name: "Reason" })).toHaveAccessibleDescription(/Say why\./);
  await credits.getByRole("textbox", { name: "US dollars" }).fill("20");
  await credits.getByRole("textbox", { name: "Reason" }).fill("Sorry for the outage");
  await credits.getByRole("textbox", { name: "Reason" }).press("Enter");
  await expect(toasts(page)).toContainText("$20.00 of credits given to Hanna Voss");
  await expect(row).toContainText("$30.00");

  // The plan that waits, and the feedback.
  await openView(page, "Plans that wait");
  const waiting = page.getByRole("listitem").filter({ hasText: email });
  await waiting.getByRole("button", { name: "Approve the plan of Hanna Voss" }).click();
  await expect(waiting).toHaveCount(0);
  await openView(page, "Feedback");
  const later = `Another thought of ${email}`;
  await expect(page.getByRole("listitem").filter({ hasText: input })).toBeVisible();
  await callApi(member, { method: "POST", path: "/api/feedback", body: { message: later } });
  await comeBackTo(page);
  await expect(page.getByRole("listitem").filter({ hasText: later })).toBeVisible();
  const message = page.getByRole("listitem").filter({ hasText: input });
  await message.getByRole("button", { name: "Mark as done: feedback of Hanna Voss" }).click();
  await expect(message).toHaveCount(0);
  await page.getByRole("tab", { name: "Done" }).click();
  await expect(message).toBeVisible();
  await openView(page, "Failed jobs");
  await expect(page.getByRole("tab", { name: "Dead letters" })).toBeVisible();
  await openView(page, "Spend");
  await page.getByRole("button", { name: "The month before" }).click({ clickCount: 2 });
  await expect(page.getByText("Nothing was spent on this month's closed days.").first()).toBeVisible();

  // Blocked: out at once, and told so at the door.
  await member.goto("/");
  await expect(member.getByRole("button", { name: /Hanna Voss/ })).toBeVisible();
  await openView(page, "Overview");
  await search.fill(email);
  await expect(row).toContainText("Team");
  await expect(page.getByRole("row")).toHaveCount(2);
  const { promise: mayFind, resolve: find } = Promise.withResolvers<void>();
  const beginning = email.slice(0, -1);
  await page.route(`**/api/admin/users?*q=${encodeURIComponent(beginning)}`, async (route) => {
    const response = await route.fetch();
    const { users, ...rest } = Found.parse(await response.json());
    await mayFind;
    const others = users.map((user) => ({ ...user, id: crypto.randomUUID(), email: "hana@example.com", display_name: "Hana Vos" }));
    await route.fulfill({ response, json: { ...rest, users: [...others, ...users] } });
  });
  await search.fill(beginning);
  await openUserAction(page, { email, act: "Block" });
  const block = page.getByRole("alertdialog", { name: "Block Hanna Voss?" });
  await expect(block).toBeVisible();
  // What the search finds a moment later takes nothing away that was opened before.
  find();
  await expect(page.getByRole("row", { includeHidden: true })).toHaveCount(3);
  await block.getByRole("textbox", { name: "Reason" }).fill("Spam to strangers");
  await block.getByRole("button", { name: "Block" }).click();
  await expect(row).toContainText("Blocked");
  await expect(member.getByRole("link", { name: "Login" })).toBeVisible();
  await member.goto("/auth/login?auth_error=blocked");
  await expect(member.getByText(/This account is blocked\. (?:Write to|Ask) /)).toBeVisible();

  // All of it is in the audit log, of this person alone too, and on a phone.
  await openUserAction(page, { email, act: "Audit log" });
  const entries = page.getByRole("region", { name: "Audit log of one subject" }).getByRole("listitem");
  await expect(entries).toHaveCount(3);
  await expect(entries.nth(0)).toContainText(/Lena Brandt\s*blocked Hanna Voss\s*Spam to strangers/);
  await expect(entries.nth(1)).toContainText("approved the plan Team of Hanna Voss");
  await expect(entries.nth(2)).toContainText("gave $20.00 of credits to Hanna Voss");
  await expectAccessible(page);

  // Deleted, by the address: nobody finds it any more, and the log keeps the acts without the name.
  await openView(page, "Overview");
  await expect(page.getByRole("region", { name: /^Security/ })).toContainText(/Accounts blocked\s*[1-9]\d* today/);
  await search.fill(email);
  await openUserAction(page, { email, act: "Delete account" });
  const deletion = page.getByRole("alertdialog", { name: "Delete the account of Hanna Voss?" });
  await deletion.getByRole("textbox", { name: "Reason" }).fill("Asked for it by mail");
  await deletion.getByRole("button", { name: "Delete account" }).click();
  const confirmation = deletion.getByRole("textbox", { name: `Type ${email} to confirm` });
  await expect(confirmation).toHaveAccessibleDescription("That is not this account's address.");
  await confirmation.fill(email);
  await confirmation.press("Enter");
  await expect(toasts(page)).toContainText("The account of Hanna Voss is being deleted");
  await expect(page.getByText("Nobody is found by this beginning of a name or an address.")).toBeVisible();

  await enter(phone, ADMINISTRATOR);
  await phone.goto("/admin");
  await phone.getByRole("searchbox", { name: "Search users" }).fill(self.id);
  // The views stand in one row, which scrolls.
  expect((await phone.getByRole("navigation", { name: "Administration" }).boundingBox())?.height).toBeLessThan(50);
  const card = phone.getByRole("list", { name: "Users" }).getByRole("listitem");
  await expect(card).toHaveCount(1);
  await expect(card).toContainText("administrator");
  await phone.getByRole("button", { name: `Acts on ${ADMINISTRATOR}` }).click();
  await expect(phone.getByRole("menuitem", { name: "Sign out everywhere" })).toBeVisible();
  await expect(phone.getByRole("menuitem", { name: "Block" })).toHaveCount(0);
  await phone.keyboard.press("Escape");
  await expectAccessible(phone);
  // Nothing that is there for screen readers alone makes the page longer than the window.
  await phone.setViewportSize({ width: 390, height: 300 });
  const size = await phone.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
  expect(size).toEqual([390, 300]);
});
