import { enter } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { conversation, lastTurn, turns } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";
import { plainConversations, richConversation } from "../support/imports/chatgpt-export.ts";
import { zipOf } from "../support/imports/zip-of.ts";
import { png } from "../support/pictures.ts";

test("someone imports their chats from ChatGPT, reads them, and switches between the versions of an answer", async ({
  page,
  allowConsole,
}) => {
  await enter(page, newAddress("lena"));
  allowConsole(/status of 500/);
  await page.route("**/api/imports", (route) => route.fulfill({ status: 500, json: { error: "Out of order.", code: "INTERNAL" } }));
  await page.goto("/?settings=data");
  await page.getByRole("dialog", { name: "Settings" }).getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import chats" });
  await expect(dialog.getByRole("alert")).toContainText("could not be loaded");
  await page.unroute("**/api/imports");
  await dialog.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(dialog).toBeFocused();
  const file = dialog.getByLabel("Export file");
  await file.setInputFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from('{"name": "notes"}') });
  await expect(dialog.getByRole("alert")).toContainText("This is no export that can be imported");
  await dialog.getByRole("button", { name: "Import another file" }).click();

  const broken = { title: "Broken", mapping: 5, id: "broken" };
  const conversations = JSON.stringify([richConversation(), broken, ...plainConversations(2)]);
  const zip = await zipOf({ "conversations.json": conversations, "file-AbC123photo-holiday.png": png(2, 2) });
  await file.setInputFiles({ name: "chatgpt.zip", mimeType: "application/zip", buffer: Buffer.from(zip) });
  await expect(dialog.getByText("An export of ChatGPT")).toBeVisible();
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  const report = dialog.getByRole("region", { name: "Report of the import" });
  await expect(report.getByRole("row", { name: /^chats/ })).toHaveText(/chats\s*3\s*0\s*1/);
  await expect(report.getByText("It is not a conversation of ChatGPT.")).toBeVisible();
  await expectAccessible(page);

  await dialog.getByRole("button", { name: "Done" }).click();
  await page.goto("/");
  await page.getByRole("tab", { name: "Chats", exact: true }).click();
  await page.getByRole("link", { name: "Holiday picture", exact: true }).click();
  await expect(lastTurn(page).getByText("17.5 kilometres.")).toBeVisible();
  await turns(page).filter({ hasText: "It shows Lake Thun." }).getByRole("button", { name: "Next version" }).click();
  await expect(conversation(page).getByText("A lake between mountains.")).toBeVisible();
});
