import type { Page } from "@playwright/test";
import { mailsTo } from "../support/mailbox.ts";
import { awaitCodeAt, newPhoneNumber } from "../support/phones.ts";
import { until } from "../support/until.ts";
import { callApi, enter } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { sidebar } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

test("someone links a number, writes from it in text, voice and pictures, approves by a button, sees all of it, and unlinks it", async ({
  page,
  newDevice,
  allowConsole,
}) => {
  allowConsole(/status of 40[03]/);
  const number = newPhoneNumber();
  const shown = number.replace(/^\+1(\d{3})(\d{3})/, "+1 $1 $2 ");
  await enter(page);
  await callApi(page, { method: "PATCH", path: "/api/user", body: { triggered_tool_categories: ["email"] } });
  const dialog = page.getByRole("dialog", { name: "Set up WhatsApp" });
  const field = dialog.getByRole("textbox", { name: "Phone number" });
  // On a phone, too, the number is what is asked for.
  const desk = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/?setup=whatsapp");
  await expect(field).toBeFocused();
  await page.setViewportSize(desk);
  await page.goto("/");
  await page.getByRole("button", { name: /^Profile/ }).click();
  await page.getByRole("menuitem", { name: "WhatsApp setup" }).click();
  const send = dialog.getByRole("button", { name: "Send code" });
  await expect(field).toBeFocused();
  await send.click();
  await expect(dialog.getByRole("alert")).toHaveText("Enter your phone number.");
  await dialog.getByRole("button", { name: "Country: US +1" }).click();
  const search = page.getByRole("combobox", { name: "Search countries" });
  await search.fill("Atlantis");
  await expect(page.getByText("No country found.")).toBeVisible();
  await search.fill("+351");
  await search.press("Enter");
  await expect(dialog.getByRole("button", { name: "Country: PT +351" })).toBeVisible();
  await field.fill("12");
  await send.click();
  await expect(dialog.getByRole("alert")).toHaveText("Enter a whole number, in its international form.");
  await expectAccessible(page);
  // A plus names the country.
  await field.fill(number);
  await expect(dialog.getByRole("button", { name: "Country: US +1" })).toBeVisible();

  const notices = page.getByRole("region", { name: "Notifications" });
  await page.request.post("/dev/phone/fault", { data: { number, fault: 131026 } });
  await send.click();
  await expect(notices).toContainText("Failed to send code");
  await expect(notices).toContainText("This number does not use WhatsApp.");

  // A sign-in that is too old is proven again without leaving.
  await page.route(
    "**/api/whatsapp/setup/start",
    (route) => route.fulfill({ status: 403, json: { error: "Sign in again.", code: "FRESH_SIGN_IN_REQUIRED" } }),
    { times: 1 },
  );
  await send.click();
  await page.getByRole("dialog", { name: "Sign in again" }).getByRole("button", { name: "Cancel" }).click();
  await expect(field).toHaveValue(number);
  await send.click();
  const code = dialog.getByRole("textbox", { name: "Code" });
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("placeholder", "6-digit code");
  await expect(dialog.getByText(/^A new code can be sent in 0:5\d$/)).toBeVisible();
  const verify = dialog.getByRole("button", { name: "Verify" });
  await code.fill("123");
  await expect(verify).toBeDisabled();

  const phone = await newDevice();
  await phone.goto(`/dev/phone?number=${encodeURIComponent(number)}`);
  const log = phone.getByRole("log", { name: "Messages" });
  await expect(log.getByText(/^\d{6} is your verification code/)).toBeVisible();
  const right = await awaitCodeAt(process.env["E2E_URL"] ?? "", number);
  await code.fill(right.replace(/^./, (digit) => String((Number(digit) + 1) % 10)));
  await expect(notices).toContainText("Verification failed");
  // What waits for its code is there again on another visit, and another may be sent.
  await page.reload();
  await expect(dialog.getByRole("button", { name: "Send a new code" })).toBeVisible();
  await code.fill(right);
  await expect(dialog.getByText("Verified")).toBeVisible();
  await expect(dialog).toHaveCount(0);

  await write(phone, "say **Hello** from _here_.");
  const theirs = log.locator(".theirs");
  await phone.getByRole("button", { name: "Voice note" }).click();
  await phone.getByRole("button", { name: /^Say something/ }).click();
  await phone.getByRole("textbox", { name: "What it says" }).fill("say I heard you.");
  await phone.getByRole("button", { name: "Send voice note" }).click();
  await phone.getByRole("textbox", { name: "Message" }).fill("say A fine picture.");
  await phone.getByRole("button", { name: "Attach" }).click();
  await phone.getByRole("button", { name: /^Sample picture/ }).click();
  // What comes while an answer is written waits its turn.
  await expect(theirs.filter({ hasText: "Hello from here." }).locator("strong")).toHaveText("Hello");
  await expect(theirs.filter({ hasText: "I heard you." })).toBeVisible();
  await expect(theirs.filter({ hasText: "A fine picture." })).toBeVisible();
  await expect(log.locator(".own .ticks").first()).toHaveAttribute("aria-label", "Read");
  const marta = newAddress("marta");
  const letter = { to: [marta], subject: "The proof", body: "Dear Marta, it is fine." };
  await write(phone, `call sendEmail ${JSON.stringify(letter)}\nthen\nsay Marta knows.`);
  await phone.getByRole("button", { name: "Approve" }).click();
  await expect(theirs.filter({ hasText: "Marta knows." })).toBeVisible();
  await until("the letter", async () => (await mailsTo(process.env["E2E_URL"] ?? "", marta))[0]);

  await page.goto("/");
  await sidebar(page).getByRole("link", { name: /Hello/ }).first().click();
  const transcript = page.getByRole("main");
  await expect(transcript.getByText("Marta knows.", { exact: true })).toBeVisible();
  await expect(transcript.getByText("Voice note", { exact: true })).toBeVisible();
  await expect(transcript.getByText(shown).first()).toBeVisible();
  await expect(transcript.getByText(/^Triggered by WhatsApp, \$0\.\d+$/).first()).toBeVisible();
  await expect(transcript.getByText("Read on WhatsApp").first()).toBeVisible();
  await expect(transcript.getByRole("img", { name: /^picture/ })).toBeVisible();
  await expect
    .poll(() => transcript.locator("audio").evaluate((audio) => audio instanceof HTMLAudioElement && audio.duration > 0.5))
    .toBe(true);

  await page.goto("/?setup=whatsapp");
  await expect(dialog.getByText(shown)).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Open WhatsApp" })).toHaveAttribute("href", "https://wa.me/15550001111");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Unlink" }).click();
  const question = page.getByRole("alertdialog", { name: "Unlink this number?" });
  await expect(question).toContainText(shown);
  await question.getByRole("button", { name: "Unlink" }).click();
  await expect(field).toBeVisible();
  await write(phone, "Is anybody there?");
  await expect(theirs.filter({ hasText: "This number is not linked to an account" })).toBeVisible();
});

async function write(phone: Page, text: string): Promise<void> {
  await phone.getByRole("textbox", { name: "Message" }).fill(text);
  await phone.getByRole("button", { name: "Send", exact: true }).click();
}
