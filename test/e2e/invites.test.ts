import type { Locator, Page } from "@playwright/test";
import { mailsTo } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { enter } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { modelButton, pickModel, sidebar } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const ORIGIN = process.env["E2E_URL"] ?? "";

async function openInvites(page: Page): Promise<Locator> {
  await page.goto("/");
  await sidebar(page).getByRole("button", { name: "Invites" }).click();
  return page.getByRole("dialog", { name: "Invites" });
}

/** The path in the newest mail to an address that signs in. */
function mailedLink(email: string): Promise<string> {
  return until("the sign-in mail", async () => (await mailsTo(ORIGIN, email))[0]?.text.match(/\/auth\?\S+/)?.[0]);
}

function toasts(page: Page): Locator {
  return page.getByRole("region", { name: "Notifications" });
}

/** What an invite's link opens. */
function arrival(page: Page): Locator {
  return page.getByRole("dialog", { name: "Invite", exact: true });
}

test("invites are made, labelled, copied, used and redeemed", async ({ page, newDevice, allowConsole }) => {
  allowConsole(/the server responded with a status of 404/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const [newcomer, boss] = [await newDevice(), await newDevice()];
  await enter(page, newAddress("lena"));

  // A member's own, in two tabs.
  const invites = await openInvites(page);
  await expect(invites).toContainText(/3 of 3 left in [A-Z]/);
  await expect(invites).toContainText("No unused invites yet. Generate one above!");
  const other = await page.context().newPage();
  const elsewhere = await openInvites(other);
  await expect(elsewhere).toContainText("3 of 3 left");
  await invites.getByRole("button", { name: "Generate" }).click();
  await expect(invites.getByRole("listitem")).toHaveCount(1);
  await expect(elsewhere.getByRole("listitem")).toHaveCount(1);
  await expect(elsewhere).toContainText("2 of 3 left");
  await invites.getByRole("button", { name: /^Label / }).click();
  await page.getByRole("textbox", { name: /^Whom / }).fill("Hanna Voss");
  await page.keyboard.press("Enter");
  await expect(invites.getByRole("listitem")).toContainText("Hanna Voss, made today");
  await expect(elsewhere.getByRole("listitem")).toContainText("Hanna Voss, made today");
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  // Colours take a moment to change.
  await expect(() => expectReadable(page)).toPass();
  await page.emulateMedia({ colorScheme: "light" });

  await page.evaluate(() => {
    const real = navigator.clipboard.writeText.bind(navigator.clipboard);
    let isFirst = true;
    navigator.clipboard.writeText = (text) => {
      if (!isFirst) return real(text);
      isFirst = false;
      return Promise.reject(new Error("refused"));
    };
  });
  await invites.getByRole("button", { name: /^Copy link of/ }).click();
  await expect(toasts(page)).toContainText("Failed to copy invite link");
  await invites.getByRole("button", { name: /^Copy link of/ }).click();
  await expect(invites.getByRole("button", { name: /^Copied link of/ })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(new RegExp(`^${ORIGIN}/\\?invite=[0-9A-Z]{12}$`));
  await expect(invites.getByRole("button", { name: /^Copy link of/ })).toBeVisible();
  for (const count of [2, 3]) {
    await invites.getByRole("button", { name: "Generate" }).click();
    await expect(invites.getByRole("listitem")).toHaveCount(count);
  }
  await expect(invites).toContainText("No invites remaining this month");
  await expect(invites.getByRole("button", { name: "Generate" })).toBeDisabled();
  await invites
    .getByRole("button", { name: /^Take / })
    .first()
    .click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Take back" }).click();
  await expect(invites).toContainText("1 of 3 left");
  await expect(invites.getByRole("listitem")).toHaveCount(2);

  // A newcomer follows the link, and signs up by the link of the mail.
  await newcomer.goto(link.slice(ORIGIN.length));
  await expect(arrival(newcomer)).toContainText("$5 of credits");
  expect(newcomer.url()).not.toContain("invite");
  await arrival(newcomer).getByRole("link", { name: "Sign up" }).click();
  const email = newAddress("hanna");
  await newcomer.getByRole("textbox", { name: "Email" }).fill(email);
  await newcomer.getByRole("button", { name: "Send code" }).click();
  await newcomer.goto(await mailedLink(email));
  await newcomer.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(arrival(newcomer)).toContainText("Welcome to Polylogue!");
  await expect(arrival(newcomer)).toContainText("$5 of credits");
  await expectAccessible(newcomer);
  await arrival(newcomer).getByRole("button", { name: "Close" }).first().click();
  await expect(invites.getByRole("listitem")).toHaveCount(1);

  // An administrator's options, and what they give an account that exists.
  await boss.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await enter(boss, "admin@example.com");
  const options = await openInvites(boss);
  await expect(options).toContainText("No limit");
  await options.getByRole("spinbutton", { name: "Initial credits" }).fill("-1");
  await options.getByRole("textbox", { name: "Team id" }).fill("press");
  await options.getByRole("button", { name: "Generate" }).click();
  await expect(options.getByRole("spinbutton", { name: "Initial credits" })).toHaveAccessibleDescription(/^A whole number from 0/);
  await expect(options.getByRole("textbox", { name: "Team id" })).toHaveAccessibleDescription(/^A team id is a UUID/);
  await expectAccessible(boss);
  await options.getByRole("textbox", { name: "Team id" }).fill(crypto.randomUUID());
  await options.getByRole("spinbutton", { name: "Initial credits" }).fill("20");
  await options.getByRole("button", { name: "Generate" }).click();
  await expect(options.getByRole("textbox", { name: "Team id" })).toHaveAccessibleDescription("There is no team of this id.");
  await options.getByRole("textbox", { name: "Team id" }).fill("");
  await options.getByRole("radio", { name: "Team plan" }).check({ force: true });
  const label = newAddress("press");
  await options.getByRole("textbox", { name: "Label" }).fill(label);
  await options.getByRole("button", { name: "Generate" }).click();
  const row = options.getByRole("listitem").filter({ hasText: label });
  await expect(row).toContainText("Team plan");
  await expect(row).toContainText("$20");
  await row.getByRole("button", { name: /^Copy link of/ }).click();
  await expect(row.getByRole("button", { name: /^Copied link of/ })).toBeVisible();
  const gift = (await boss.evaluate(() => navigator.clipboard.readText())).slice(ORIGIN.length);

  // Where a door is closed, it says which plans open it, and takes the code.
  await pickModel(newcomer, "claude opus 4.5");
  const door = newcomer.getByRole("dialog", { name: "Pro Model Access Required" });
  await expect(door).toContainText("Pro models come with the solo plan or the team plan.");
  await door.getByRole("textbox", { name: "Have an invite with a plan?" }).fill(gift.slice("/?invite=".length));
  await door.getByRole("button", { name: "Open" }).click();
  await expect(arrival(newcomer)).toContainText("Opens Pro models and teams of your own.");
  await arrival(newcomer).getByRole("button", { name: "Redeem" }).click();
  await expect(arrival(newcomer)).toContainText("The invite is redeemed.");
  await expect(arrival(newcomer)).toContainText("$25 of credits in your account");
  await expect(row).toHaveCount(0);
  await arrival(newcomer).getByRole("button", { name: "Close" }).first().click();
  await pickModel(newcomer, "claude opus 4.5");
  await expect(modelButton(newcomer)).toHaveAccessibleDescription(/Claude Opus 4\.5/);
  await other.goto(gift);
  await expect(arrival(other).getByRole("alert")).toHaveText("This invite is not valid, or was used already.");
});

furtherTest(
  "signing up by invitation asks for the code, and a phone's menu opens the invites",
  async ({ page, newDevice, allowConsole }) => {
    allowConsole(/the server responded with a status of 403/);
    await page.route("**/api/auth/session", async (route) => {
      const response = await route.fetch();
      const answer: { features: object } = await response.json();
      await route.fulfill({ json: { ...answer, features: { ...answer.features, signUpByInvite: true } } });
    });
    const sent: unknown[] = [];
    await page.route("**/api/auth/email/start", async (route) => {
      sent.push(route.request().postDataJSON());
      await route.fulfill({ json: { ok: true } });
    });
    await page.route("**/api/auth/email/verify", async (route) => {
      sent.push(route.request().postDataJSON());
      await route.fulfill({ status: 403, json: { error: "Signing up needs a valid invite.", code: "INVITE_REQUIRED" } });
    });
    await page.goto("/auth/login");
    const invite = page.getByRole("textbox", { name: "Invite code" });
    await expect(page.getByText("The code of an invite makes your account.")).toBeVisible();
    await invite.fill("KITA-2F7H-9MRD");
    await page.getByRole("textbox", { name: "Email" }).fill("kita@example.com");
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByRole("textbox", { name: "Code", exact: true }).fill("123456");
    await expect(invite).toHaveAccessibleDescription(/^Signing up needs a valid invite\. The code of the mail still holds\./);
    expect(sent).toEqual([
      { email: "kita@example.com", returnUrl: "/", invite: "KITA-2F7H-9MRD" },
      { email: "kita@example.com", code: "123456", invite: "KITA-2F7H-9MRD", keeps_nothing: false },
    ]);
    await expectAccessible(page);
    await page.unrouteAll({ behavior: "wait" });

    const phone = await newDevice();
    await phone.setViewportSize({ width: 390, height: 844 });
    await enter(phone);
    await phone.goto("/");
    await phone.getByRole("button", { name: "Open sidebar" }).click();
    await sidebar(phone).getByRole("button", { name: "Profile:" }).click();
    await phone.getByRole("menuitem", { name: "Invites" }).click();
    const dialog = phone.getByRole("dialog", { name: "Invites" });
    await dialog.getByRole("button", { name: "Generate" }).click();
    await expect(dialog.getByRole("listitem")).toHaveCount(1);
    await expectAccessible(phone);
  },
);
