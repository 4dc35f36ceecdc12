import { createTransport } from "nodemailer";
import * as z from "zod";
import { callApi, enter, makeChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/test.ts";

const Address = z.object({ address: z.string() });

test("a chat's mails: its address, what came and went, what waits for a word about its sender, on a screen and on a phone", async ({
  page,
  newDevice,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const email = await enter(page);
  const chatId = await makeChat(page, "March invoice");
  const first = Address.parse(await callApi(page, { method: "GET", path: `/api/chat/${chatId}/emails` })).address;
  await page.goto(`/c/${chatId}`);
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name: "Emails" }).click();
  const dialog = page.getByRole("dialog", { name: "Emails" });
  await expect(dialog.getByText("No emails yet for this chat")).toBeVisible();
  await expectAccessible(page);

  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first);
  const question = page.getByRole("alertdialog", { name: "Make a new address?" });
  await dialog.getByRole("button", { name: "New address" }).click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog.getByText(first)).toBeVisible();
  await dialog.getByRole("button", { name: "New address" }).click();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Make a new address" }).click();
  await expect(dialog.getByText(first)).toHaveCount(0);
  const { address } = Address.parse(await callApi(page, { method: "GET", path: `/api/chat/${chatId}/emails` }));
  await expect(dialog.getByText(address)).toBeVisible();

  const smtp = createTransport({ host: "127.0.0.1", port: Number(process.env["E2E_SMTP_PORT"]), secure: false, ignoreTLS: true });
  // The first mail to this address does not go out.
  const marta = `fault-422-1+${crypto.randomUUID().slice(0, 8)}@oliveira.example`;
  const rui = "rui@figueiredo.example";
  await expect(smtp.sendMail({ from: marta, to: first, text: "To the old address." })).rejects.toThrow(/550/);
  await smtp.sendMail({
    from: { name: "Marta Oliveira", address: marta },
    to: address,
    cc: "accounts@oliveira.example",
    subject: "March invoice",
    text: "say It goes out this afternoon.\n\nOn Tue, Nov 3, 2026 at 10:00 AM Lena <lena@brandt.example> wrote:\n> What about March?\n",
    attachments: [{ filename: "invoice-031.csv", content: "line,euros\nhosting,120\n" }],
  });
  const unproven = address.replace("@", "+unproven@");
  await smtp.sendMail({
    from: { name: "Rui Figueiredo", address: rui },
    to: unproven,
    subject: "Hosting line",
    text: "Send it to me instead.",
  });
  smtp.close();

  const waiting = dialog.getByRole("region", { name: "Waiting for you" });
  await expect(waiting.getByRole("listitem")).toHaveCount(2);
  await expect(waiting.getByText(`Not proven to be from ${rui}`)).toBeVisible();
  // It is decided beside the letter.
  const reader = dialog.getByRole("article");
  await waiting.getByRole("button", { name: /Rui Figueiredo/ }).click();
  await expect(reader.getByText("Send it to me instead.")).toBeVisible();
  await expect(reader.getByRole("button", { name: "Block" })).toBeVisible();
  await expect(reader.getByRole("button", { name: "Allow always" })).toHaveCount(0);
  await waiting.getByRole("button", { name: /Marta Oliveira/ }).click();
  await expect(reader.getByText("say It goes out this afternoon.")).toBeVisible();
  await expect(reader.getByRole("button", { name: "Allow always" })).toBeVisible();
  await reader.getByRole("button", { name: "Allow once" }).click();
  const inChat = dialog.getByRole("region", { name: "In this chat" });
  await expect(inChat.getByRole("button")).toHaveText([
    /^Out: This chat.*Re: March invoice.*Not sent/,
    /^In: Marta Oliveira.*March invoice/,
  ]);
  await inChat.getByRole("button", { name: /Not sent/ }).click();
  await expect(reader).toContainText("It goes out this afternoon.");
  await reader.getByRole("button", { name: "Send again" }).click();
  await expect(dialog.getByText("Not sent")).toHaveCount(0);

  await inChat.getByRole("button", { name: /Marta Oliveira/ }).click();
  await expect(reader.getByRole("heading", { name: "March invoice" })).toBeVisible();
  await expect(reader).toContainText(marta);
  await expect(reader).toContainText("to this chat, cc accounts@oliveira.example");
  await expect(reader.getByText("DKIM pass")).toBeVisible();
  await expect(reader.getByText("invoice-031.csv")).toBeVisible();
  await expect(reader.getByText(/^Answered .+, charged <?\$0\.\d+$/)).toBeVisible();
  await expect(reader.getByRole("link", { name: /^Raw source/ })).toHaveAttribute("href", /\/raw$/);
  await reader.getByRole("button", { name: "Show earlier mails" }).click();
  await expect(reader.getByText("What about March?")).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);

  await reader.getByRole("link", { name: "Show in chat" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\?message=/);
  await expect(page.getByRole("main").getByText(/^Triggered by mail, <?\$0\.\d+$/)).toBeVisible();
  await page.getByRole("button", { name: "Copy the address of this chat" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  await page.getByRole("button", { name: "Emails, 3" }).click();
  await expect(inChat.getByRole("button")).toHaveCount(2);

  const phone = await newDevice({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await enter(phone, email);
  await phone.goto(`/c/${chatId}`);
  await phone.getByRole("button", { name: "Chat actions" }).click();
  await phone.getByRole("menuitem", { name: "Emails" }).click();
  const small = phone.getByRole("dialog", { name: "Emails" });
  await small.getByRole("button", { name: /^Out: This chat/ }).click();
  await expect(small.getByRole("heading", { name: "Re: March invoice" })).toBeVisible();
  await small.getByRole("button", { name: "Back to the emails" }).click();
  await expect(small.getByRole("region", { name: "In this chat" }).getByRole("button")).toHaveCount(2);
  await expect(small.getByRole("article")).toHaveCount(0);
  await expectAccessible(phone);
});
