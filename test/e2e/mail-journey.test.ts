import { createTransport } from "nodemailer";
import * as z from "zod";
import type { Page } from "@playwright/test";
import { mailsTo } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { callApi, enter, makeChat, messagesOf } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

const Mails = z.object({
  address: z.string(),
  emails: z.array(z.object({ id: z.string(), direction: z.string(), to_addr: z.array(z.string()) })),
});

test("a chat is written to by mail, answers, asks by mail before it writes to somebody new, and shows all of it", async ({ page }) => {
  const owner = await enter(page);
  const marta = newAddress("marta");
  const inbox = (address: string) => mailsTo(process.env["E2E_URL"] ?? "", address);
  await callApi(page, { method: "PATCH", path: "/api/user", body: { triggered_tool_categories: ["email"] } });
  const chatId = await makeChat(page, "Proofs");
  const { address } = await mailsOf(page, chatId);
  const smtp = createTransport({ host: "127.0.0.1", port: Number(process.env["E2E_SMTP_PORT"]), secure: false, ignoreTLS: true });
  const file = { filename: "notes.txt", content: "The proof has four pages." };

  // Where the platform says nothing of who wrote it, the signature of the owner's domain does.
  const bare = address.replace("@", "+bare@");
  await smtp.sendMail({ from: owner, to: bare, subject: "Proof", text: "say The proof is fine.", attachments: [file] });
  const answer = await until("the answer", async () => (await inbox(owner)).find(({ subject }) => subject === "Re: Proof"));
  expect(answer.text).toMatch(/^The proof is fine\.\n\n-- \n/);
  const letter = { to: [marta], subject: "The proof", body: "Dear Marta, it is fine." };
  await smtp.sendMail({
    from: owner,
    to: answer.reply_to[0],
    subject: "Re: Proof",
    inReplyTo: answer.message_id,
    text: `call sendEmail ${JSON.stringify(letter)}\nthen\nsay Marta knows.`,
  });
  const question = await until("the question", async () =>
    (await inbox(owner)).find(({ subject }) => subject.startsWith("Waiting for you")),
  );
  expect(question.text).toContain(marta);
  expect(await inbox(marta)).toEqual([]);
  await smtp.sendMail({ from: owner, to: question.reply_to[0], subject: `Re: ${question.subject}`, text: "ok" });
  const sent = await until("the letter to the third person", async () => (await inbox(marta))[0]);
  expect(sent).toMatchObject({ subject: "The proof", text: "Dear Marta, it is fine.\n" });
  await expect.poll(async () => (await messagesOf(page, chatId)).at(-1)?.status).toBe("done");

  await page.goto(`/c/${chatId}`);
  const transcript = page.getByRole("main");
  await expect(transcript.getByText("Authenticated").first()).toBeVisible();
  await expect(transcript.getByRole("link", { name: /^notes\.txt/ })).toBeVisible();
  await expect(transcript.getByText(/^Marta knows\./)).toBeVisible();

  // The mail to the third person is waited for, and called off again.
  const out = (await mailsOf(page, chatId)).emails.find(({ to_addr: to }) => to.includes(marta));
  await page.goto(`/c/${chatId}?email=${out?.id}`);
  const dialog = page.getByRole("dialog", { name: "Emails" });
  await dialog.getByRole("button", { name: "Remind me" }).click();
  await expect(dialog.getByText("You are reminded if nobody answers by")).toBeVisible();
  await dialog.getByRole("button", { name: "Call off" }).click();
  await expect(dialog.getByLabel("Remind me if nobody answers by")).toBeVisible();

  // A stranger's mail waits with all else.
  await smtp.sendMail({ from: "Eve <eve@elsewhere.example>", to: address, subject: "Cheap pills", text: "Buy." });
  await page.goto("/approvals");
  const stranger = page.getByRole("region", { name: "Mail of unknown senders" });
  await expect(stranger).toContainText("A mail of an unknown sender. No model reads it until you allow it.");
  await expect(stranger).toContainText("Cheap pills");
  await expect(stranger).toContainText("eve@elsewhere.example");
  await expect(stranger.getByText("Buy.")).toBeVisible();
  // From every list.
  await expect(page.getByRole("tab", { name: "Inbox" })).toHaveAccessibleDescription(/waiting$/);
  for (const list of ["Chats", "Artifacts", "Inbox"]) {
    await page.getByRole("tab", { name: list }).click();
    await expect(page.getByRole("link", { name: "Waiting for you, 1" })).toBeVisible();
  }
  await expectAccessible(page);
  await expect(stranger.getByRole("button", { name: "Allow always" })).toBeVisible();
  await stranger.getByRole("button", { name: "Block" }).click();
  await expect(stranger).toHaveCount(0);
  await page.getByRole("button", { name: "Decided" }).click();
  await expect(page.getByRole("region", { name: "Decided" }).getByRole("listitem")).toContainText("Approved");
  await expect(smtp.sendMail({ from: "eve@elsewhere.example", to: address, text: "Again." })).rejects.toThrow(/550/);

  // An answer that may say what is the owner's alone waits for their word, here and in its chat.
  const ada = `ada-${crypto.randomUUID().slice(0, 8)}@elsewhere.example`;
  await smtp.sendMail({ from: `Ada <${ada}>`, to: address, subject: "A question", text: "say What I know of it." });
  await page.goto("/approvals");
  await stranger.getByRole("button", { name: "Allow with my data" }).click();
  const answers = page.getByRole("region", { name: "Answers by mail" });
  await expect(answers).toContainText(`to ${ada}`);
  await answers.getByRole("link").click();
  await expect(transcript.getByText("The answer waits for you")).toBeVisible();
  expect(await inbox(ada)).toEqual([]);
  await expectAccessible(page);
  await transcript.getByRole("button", { name: "Send the answer" }).click();
  await expect(transcript.getByText("The answer waits for you")).toHaveCount(0);
  const arrived = await until("the answer", async () => (await inbox(ada))[0]);
  expect(arrived.text).toContain("What I know of it.");
  await page.goto("/approvals");
  await expect(page.getByText("Nothing waits.")).toBeVisible();
  smtp.close();
});

async function mailsOf(page: Page, chatId: string) {
  return Mails.parse(await callApi(page, { method: "GET", path: `/api/chat/${chatId}/emails` }));
}
