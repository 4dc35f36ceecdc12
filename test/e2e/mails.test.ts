import { listMails } from "#shared/contracts/chat/mails.ts";
import type { Page } from "@playwright/test";
import type { Mail } from "#shared/entities/mail.ts";
import { enter, messagesOf, startChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/test.ts";

const ADDRESS = "k7w2harbour4qmx@in.polylogue.example";
const RENEWED = "p4m8linden7rwk@in.polylogue.example";

test("a chat's mails: its address, what came and went, what waits for a word about its sender, on a screen and on a phone", async ({
  page,
  newDevice,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const email = await enter(page);
  const { chatId } = await startChat(page, "say March it is.");
  const turnId = (await messagesOf(page, chatId))[0]?.id ?? "";
  const mails = await serveMails(page, chatId, []);
  await page.goto(`/c/${chatId}`);
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name: "Emails" }).click();
  const dialog = page.getByRole("dialog", { name: "Emails" });
  await expect(dialog.getByText("No emails yet for this chat")).toBeVisible();
  await expectAccessible(page);

  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ADDRESS);
  await expect(dialog.getByRole("button", { name: "Copy", exact: true })).toBeVisible();
  page.once("dialog", (question) => void question.dismiss());
  await dialog.getByRole("button", { name: "New address" }).click();
  await expect(dialog.getByText(ADDRESS)).toBeVisible();
  page.once("dialog", (question) => void question.accept());
  await dialog.getByRole("button", { name: "New address" }).click();
  await expect(dialog.getByText(RENEWED)).toBeVisible();

  mails.push(...samples(chatId, turnId));
  await page.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name: "Emails" }).click();
  const inChat = dialog.getByRole("region", { name: "In this chat" });
  await expect(inChat.getByRole("button")).toHaveText([/^Out: This chat.*Re: March invoice/, /^In: Marta Oliveira.*March invoice/]);
  const reader = dialog.getByRole("article");
  await expect(reader).toContainText("It goes out this afternoon.");
  await expect(reader.getByText("Not sent")).toBeVisible();
  await reader.getByRole("button", { name: "Send again" }).click();
  await expect(dialog.getByText("Not sent")).toHaveCount(0);
  await inChat.getByRole("button", { name: /Marta Oliveira/ }).click();
  await expect(reader.getByRole("heading", { name: "March invoice" })).toBeVisible();
  await expect(reader).toContainText("marta@oliveira.example");
  await expect(reader).toContainText("to this chat, cc accounts@oliveira.example");
  await expect(reader.getByText("DMARC pass")).toBeVisible();
  await expect(reader.getByText("as the tax office already has our copy.")).toBeVisible();
  await expect(reader.getByText("invoice-031.pdf")).toBeVisible();
  await expect(reader.getByRole("link", { name: /^Raw source/ })).toHaveAttribute("href", /\/raw$/);
  await reader.getByRole("button", { name: "Show earlier mails" }).click();
  await expect(reader.getByText("What about March?")).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);

  const waiting = dialog.getByRole("region", { name: "Waiting for you" });
  await expect(waiting.getByText("Not proven to be from rui@figueiredo.example")).toBeVisible();
  await expect(waiting.getByRole("button", { name: "Allow always" })).toHaveCount(0);
  await waiting.getByRole("button", { name: "Allow once" }).click();
  await expect(waiting).toHaveCount(0);
  await expect(inChat.getByRole("button")).toHaveCount(3);

  await reader.getByRole("link", { name: "Show in chat" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\?message=/);

  const phone = await newDevice({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await enter(phone, email);
  const onPhone = await serveMails(phone, chatId, samples(chatId, turnId));
  await phone.goto(`/c/${chatId}?email=${onPhone[1]?.id}`);
  const small = phone.getByRole("dialog", { name: "Emails" });
  await expect(small.getByRole("heading", { name: "Re: March invoice" })).toBeVisible();
  await small.getByRole("button", { name: "Back to the emails" }).click();
  await expect(small.getByRole("region", { name: "In this chat" }).getByRole("button")).toHaveCount(2);
  await expect(small.getByRole("article")).toHaveCount(0);
  await expectAccessible(phone);
});

/** Answers as the server does about these mails of a chat, which the test changes. */
async function serveMails(page: Page, chatId: string, mails: Mail[]): Promise<Mail[]> {
  let address = ADDRESS;
  await page.route(`**/api/chat/${chatId}/emails**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const id = pathname.split("/")[5];
    if (pathname.endsWith("/emails")) {
      const emails = mails.map((mail) => ({ ...mail, quoted_body: null }));
      return route.fulfill({ json: listMails.response?.parse({ address, emails, nextCursor: null }) });
    }
    if (pathname.endsWith("/address")) {
      address = RENEWED;
      return route.fulfill({ json: { address } });
    }
    const mail = mails.find((held) => held.id === id);
    if (mail && pathname.endsWith("/sender")) mail.state = "received";
    if (mail && pathname.endsWith("/send")) mail.state = "sent";
    return mail
      ? route.fulfill({ json: { email: mail, reminder: null } })
      : route.fulfill({ status: 404, json: { error: "Not found.", code: "NOT_FOUND" } });
  });
  return mails;
}

function samples(chatId: string, turnId: string): Mail[] {
  const mail: Mail = {
    id: crypto.randomUUID(),
    chat_id: chatId,
    direction: "in",
    state: "received",
    from_addr: "marta@oliveira.example",
    from_name: "Marta Oliveira",
    to_addr: [ADDRESS],
    cc_addr: ["accounts@oliveira.example"],
    subject: "March invoice",
    text_body: "Dear Lena,\n\nfor March I would rather leave it as it is, as the tax office already has our copy.\n\nBest regards,\nMarta",
    is_cut: false,
    quoted_body: "What about March?",
    authentication: { result: "pass", by: "dmarc" },
    attachments: [
      {
        id: crypto.randomUUID(),
        name: "invoice-031.pdf",
        type: "application/pdf",
        size: 184_000,
        kind: "pdf",
        url: "/api/x",
        unread: null,
      },
    ],
    message_id: "a@oliveira.example",
    in_reply_to: null,
    turn_id: turnId,
    has_raw: true,
    raw_size: 210_000,
    note: null,
    created_at: "2026-11-20T08:47:00.000Z",
  };
  const plain = { cc_addr: [], quoted_body: null, attachments: [], has_raw: false };
  return [
    {
      ...mail,
      ...plain,
      id: crypto.randomUUID(),
      state: "quarantined",
      from_addr: "rui@figueiredo.example",
      from_name: "Rui Figueiredo",
      subject: "Re: March invoice, hosting line",
      text_body: "Send it to me instead.",
      authentication: { result: "none", by: null },
      turn_id: null,
      created_at: "2026-11-20T10:00:00.000Z",
    },
    {
      ...mail,
      ...plain,
      id: crypto.randomUUID(),
      direction: "out",
      state: "failed",
      from_addr: ADDRESS,
      from_name: "",
      to_addr: ["marta@oliveira.example"],
      subject: "Re: March invoice",
      text_body: "It goes out this afternoon.",
      authentication: null,
      created_at: "2026-11-20T09:12:00.000Z",
    },
    mail,
  ];
}
