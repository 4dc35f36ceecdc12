import type { Page } from "@playwright/test";
import { callApi, enter, messagesOf } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { sidebar } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

test("what waits for a word stands in one place: edited, approved and discarded there, and gone from every tab", async ({
  page,
  context,
}) => {
  await enter(page);
  const [invoice, proofs] = [await ask(page, "March invoice"), await ask(page, "Second proof")];
  const other = await context.newPage();
  await Promise.all([page.goto("/"), other.goto("/approvals")]);
  const row = page.getByRole("link", { name: "Waiting for you, 2" });
  await expect(row).toBeVisible();
  await expect(page).toHaveTitle(/^\(2 waiting\) /);
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("waiting for");
  await page.getByRole("option", { name: "Waiting for you" }).click();
  await expect(page.getByRole("heading", { name: "Waiting for you", level: 1 })).toBeVisible();
  await expect(row).toHaveAttribute("aria-current", "page");
  await expect(page.getByText("Two calls from two chats. Nothing happens until you approve it.")).toBeVisible();
  const entries = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: "Approve" }) });
  await expect(entries).toHaveCount(2);
  const march = entries.last();
  await expect(march).toContainText("March invoice");
  await expect(march).toContainText("expires in 7 days");
  await expect(march).toContainText("Send email to marta@oliveira.example");
  await expect(march.getByText("March invoice. Dear Marta,")).toBeVisible();
  await march.getByRole("button", { name: "Show all" }).click();
  await expect(march.getByRole("term").filter({ hasText: "Subject" })).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);

  await march.getByRole("button", { name: "Edit" }).click();
  await march.getByRole("textbox", { name: "Subject" }).fill("April invoice");
  await march.getByRole("button", { name: "Approve" }).press("Enter");
  await expect(entries).toHaveCount(1);
  await expect(entries.getByRole("button", { name: "Approve" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Waiting for you, 1" })).toBeVisible();
  const made = page.getByRole("region", { name: "Just now" }).getByRole("listitem");
  await expect(made).toHaveText(/^ApprovedSend email to marta@oliveira\.example.*Open chat$/);
  const elsewhere = other.getByRole("listitem").filter({ has: other.getByRole("button", { name: "Approve" }) });
  await expect(elsewhere).toHaveCount(1);
  await expect(elsewhere).toContainText("Second proof");
  await expect(other).toHaveTitle(/^\(1 waiting\) /);
  await expect.poll(() => callOf(page, invoice)).toMatchObject({ approval: { decision: "approve" }, input: { subject: "April invoice" } });

  await elsewhere.getByRole("button", { name: "Discard" }).click();
  for (const tab of [page, other]) {
    await expect(tab.getByText("Nothing waits.", { exact: false })).toBeVisible();
    await expect(tab.getByRole("link", { name: /^Waiting for you/ })).toHaveCount(0);
    await expect(tab).not.toHaveTitle(/waiting\)/);
  }
  await expect.poll(() => callOf(page, proofs)).toMatchObject({ status: "discarded" });

  // What comes above a list that is seen from its top takes nothing of it away.
  await page.setViewportSize({ width: 1440, height: 420 });
  await page.goto("/");
  await page.mouse.move(900, 60);
  const heading = sidebar(page).getByRole("heading").first();
  await expect(heading).toBeInViewport({ ratio: 1 });
  await ask(page, "Third proof");
  await expect(page.getByRole("link", { name: "Waiting for you, 1" })).toBeVisible();
  await expect(heading).toBeInViewport({ ratio: 1 });
});

/** Starts a chat whose model wants to send a mail; answers the chat's id. */
async function ask(page: Page, subject: string): Promise<string> {
  const chatId = crypto.randomUUID();
  const mail = { to: ["marta@oliveira.example"], subject, body: "Dear Marta,\n\nplease close it as it is." };
  const content = `call sendEmail ${JSON.stringify(mail)}\nthen\nsay Done.`;
  const body = { id: crypto.randomUUID(), parent_id: null, content, model_id: "auto", tool_categories: ["email"] };
  await callApi(page, { method: "POST", path: `/api/chat/${chatId}/messages`, body });
  await expect.poll(async () => (await callOf(page, chatId))?.status).toBe("waiting");
  return chatId;
}

async function callOf(page: Page, chatId: string) {
  return (await messagesOf(page, chatId)).at(-1)?.tool_calls[0];
}
