import * as z from "zod/mini";
import { callApi, enter } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { chatIdOf, send } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

const Shared = z.object({ shareUrl: z.string() });
const Listed = z.object({ contexts: z.array(z.object({ id: z.string() })) });
const Chat = z.object({ chat: z.object({ context_ids: z.array(z.string()) }) });

test("knowledge is written, takes files that are read, joins a chat, and another account imports it by its link", async ({
  page,
  newDevice,
}) => {
  await enter(page);
  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search" }).fill("manage knowledge");
  await page.getByRole("option", { name: "Manage knowledge", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Manage knowledge" });
  await expect(dialog.getByText("You have no knowledge yet.")).toBeVisible();
  await dialog.getByRole("button", { name: "Create New Knowledge" }).click();

  // What is wrong is said at its field, and files wait until there is an entry.
  await dialog.getByRole("button", { name: "Create knowledge", exact: true }).click();
  await expect(dialog.getByText("Name cannot be empty.")).toBeVisible();
  await dialog.getByRole("button", { name: "Add file" }).click();
  await expect(page.getByText("Save knowledge entry first")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Company facts");
  await dialog.getByRole("textbox", { name: "Text" }).fill("Day rates: design 920 euros.");
  await dialog.getByRole("button", { name: "Create knowledge", exact: true }).click();

  // The dialog follows the reading of each file by itself.
  await expect(dialog.getByRole("heading", { name: "Edit knowledge" })).toBeVisible();
  await dialog.locator("input[type=file]").setInputFiles([
    { name: "holidays.md", mimeType: "text/markdown", buffer: Buffer.from("# Holidays\n\nThirty days a year.") },
    { name: "rates.csv", mimeType: "text/csv", buffer: Buffer.from("role,rate\ndesign,920\n") },
    { name: "plan.tiff", mimeType: "image/tiff", buffer: Buffer.from("II") },
  ]);
  await expect(dialog.getByText("File type not supported or doesn't match its extension")).toBeVisible();
  await expect(dialog.getByText("Synced")).toHaveCount(2);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  await page.emulateMedia({ colorScheme: "light" });
  await dialog.getByRole("button", { name: "Remove plan.tiff" }).click();
  await dialog.getByRole("button", { name: "Back to all knowledge" }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await expect(dialog.getByRole("listitem")).toContainText("holidays.md");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  // A chat takes it beside its tools, and keeps it.
  const { contexts } = Listed.parse(await callApi(page, { method: "GET", path: "/api/user-contexts" }));
  const id = contexts[0]?.id ?? "";
  await page.getByRole("button", { name: "Add knowledge" }).click();
  await page.getByRole("option", { name: /^Company facts/ }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("list", { name: "Knowledge" })).toContainText("Company facts");
  await send(page, "say hello");
  await page.waitForURL("**/c/*");
  await expect(page.getByRole("list", { name: "Knowledge" })).toContainText("Company facts");
  await expect
    .poll(async () => Chat.parse(await callApi(page, { method: "GET", path: `/api/chat/${chatIdOf(page)}` })).chat.context_ids)
    .toEqual([id]);

  // Whoever has the link sees what files there are, and imports them.
  const { shareUrl } = Shared.parse(await callApi(page, { method: "POST", path: `/api/user-contexts/${id}/share` }));
  const other = await newDevice();
  await enter(other);
  await other.goto(`/${new URL(shareUrl).search}`);
  const shared = other.getByRole("dialog", { name: "Company facts" });
  await expect(shared.getByRole("region", { name: "Files" })).toContainText("rates.csv");
  await shared.getByRole("button", { name: "Import" }).click();
  await expect(shared.getByRole("status")).toContainText("Imported: 2 of 2 files copied.");
});
