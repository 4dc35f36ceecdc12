import { newestCode } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { enter } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

const codeFor = (email: string) => until(`the code mailed to ${email}`, () => newestCode(process.env["E2E_URL"] ?? "", email));

test("someone adds an address that they write from, and removes it", async ({ page, context, allowConsole }) => {
  allowConsole(/status of 4(?:00|03)/);
  await enter(page, `${crypto.randomUUID()}@nothing.example`);
  const other = newAddress("work");
  await page.goto("/");
  await page.getByRole("button", { name: /^Profile/ }).click();
  await page.getByRole("menuitem", { name: "Email setup" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings.getByRole("note")).toContainText("To avoid spoofing, you need to set up email DKIM or DMARC");
  const list = settings.getByRole("list", { name: "Your addresses" });
  await expect(list.getByRole("listitem")).toHaveCount(1);
  const address = settings.getByRole("textbox", { name: "Add an address" });
  const send = settings.getByRole("button", { name: "Send code" });
  await expect(send).toBeDisabled();
  await address.fill("not an address@");
  await send.click();
  const notices = page.getByRole("region", { name: "Notifications" });
  await expect(notices).toContainText("Failed to send code");
  await expect(notices).toContainText("Enter a valid email address.");
  await expectAccessible(page);

  await address.fill(other);
  await send.click();
  await expect(notices).toContainText("Verification code sent to your email.");
  const code = settings.getByRole("textbox", { name: "Verification code" });
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("placeholder", "6-digit code");
  const verify = settings.getByRole("button", { name: "Verify" });
  await code.fill("123");
  await expect(verify).toBeDisabled();
  const right = await codeFor(other);
  await code.fill(right.replace(/^./, (digit) => String((Number(digit) + 1) % 10)));
  await expect(notices).toContainText("Verification failed");
  // Back leads to the address, and what waits for its code stands in the list, on another page too.
  await settings.getByRole("button", { name: "Back", exact: true }).click();
  await expect(address).toHaveValue(other);
  const second = await context.newPage();
  await second.goto("/?settings=general");
  await second.getByRole("button", { name: "Additional emails" }).click();
  await second.getByRole("button", { name: `Enter the code for ${other}` }).click();
  await second.getByRole("textbox", { name: "Verification code" }).fill(right);
  await expect(second.getByRole("status").filter({ hasText: "Email verified successfully!" })).toBeVisible();
  await expect(second.getByRole("textbox", { name: "Add an address" })).toHaveValue("");
  await expect(list.getByRole("listitem").filter({ hasText: other })).toContainText("Verified");
  await expectAccessible(second);
  await second.close();

  await settings.getByRole("button", { name: `Remove ${other}` }).click();
  const question = page.getByRole("alertdialog", { name: "Remove this address?" });
  await expect(question).toContainText(other);
  await question.getByRole("button", { name: "Remove" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(1);

  // A sign-in that is too old is proven again without leaving.
  await page.route(
    "**/api/email/additional/start",
    (route) => route.fulfill({ status: 403, json: { error: "Sign in again.", code: "FRESH_SIGN_IN_REQUIRED" } }),
    { times: 2 },
  );
  const own = (await list.getByRole("listitem").first().textContent())?.match(/\S+@nothing\.example/)?.[0] ?? "";
  await address.fill(other);
  await send.click();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await expect(again).toContainText("What you were doing goes on afterwards.");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(again).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Failed to send code");
  await expect(address).toHaveValue(other);
  await send.click();
  await again.getByRole("button", { name: "Mail me a code" }).click();
  await again.getByRole("textbox", { name: "Code", exact: true }).fill(await codeFor(own));
  await expect(code).toBeVisible();
  await code.fill(await codeFor(other));
  await expect(list.getByRole("listitem").filter({ hasText: other })).toContainText("Verified");
});
