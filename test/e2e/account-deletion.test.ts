import { callApi, enter, makeChat } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { composer } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

test("someone deletes their account, and who reads a chat of theirs is told why it is gone", async ({ page, newDevice, allowConsole }) => {
  // What an open page still asks for is not there any more.
  allowConsole(/status of 40[14]/);
  const email = await enter(page);
  const other = await newDevice();
  const reader = await enter(other);
  const chatId = await makeChat(page, "The harbour plan");
  const share = { type: "user", email: reader, permissionLevel: "editor" };
  await callApi(page, { method: "POST", path: `/api/chat/${chatId}/share`, body: share });
  await Promise.all([page.goto("/?settings=data"), other.goto(`/c/${chatId}`)]);
  await expect(composer(other)).toBeVisible();

  const asked = "**/api/user/deletion";
  await page.route(asked, (route) => route.fulfill({ status: 404, json: { error: "There is nothing here.", code: "NOT_FOUND" } }));
  await page.getByRole("dialog", { name: "Settings" }).getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  const unread = dialog.getByRole("alert");
  await expect(unread).toContainText("What your account holds could not be loaded. There is nothing here.");
  await page.unroute(asked);
  await unread.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(dialog.getByText("1 chat, of which all shared with 1 person")).toBeVisible();
  await expect(dialog).toBeFocused();
  await expectAccessible(page);
  const confirm = dialog.getByRole("button", { name: "Delete account" });
  await dialog.getByRole("textbox", { name: `Type ${email} to confirm` }).fill("somebody@example.com");
  await expect(confirm).toBeDisabled();
  await dialog.getByRole("textbox", { name: `Type ${email} to confirm` }).fill(email);
  await confirm.click();
  await expect(page.getByRole("heading", { name: "Your account is being deleted" })).toBeVisible();
  await expect(page).toHaveURL(/\/goodbye$/);
  expect((await page.request.get("/api/user")).status()).toBe(401);
  await expect(other.getByText("This chat is gone: its owner deleted their account")).toBeVisible();
  await expect(other).not.toHaveURL(/\/c\//);
});
