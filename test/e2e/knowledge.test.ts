import * as z from "zod/mini";
import { callApi, enter } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { ask, chatIdOf, composer, lastTurn } from "./fixtures/chat.ts";
import { pdfOfPages } from "../support/office-files.ts";
import { expect, test } from "./fixtures/test.ts";

const Made = z.object({ id: z.string() });
const Shared = z.object({ shareUrl: z.string() });
const Listed = z.object({ contexts: z.array(z.object({ id: z.string() })) });
const Chat = z.object({ chat: z.object({ context_ids: z.array(z.string()) }) });

test("knowledge is written, takes files that are read, joins a chat, and another account imports it by its link", async ({
  page,
  newDevice,
}) => {
  await enter(page);
  const body = { title: "Studio handbook", content: "Holidays are in summer." };
  const { id: handbook } = Made.parse(await callApi(page, { method: "POST", path: "/api/artifacts", body }));
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
    { name: "rules.pdf", mimeType: "application/pdf", buffer: Buffer.from(pdfOfPages(["House rules.", "A ferret sleeps in a crate."])) },
  ]);
  await expect(dialog.getByText("File type not supported or doesn't match its extension")).toBeVisible();
  await expect(dialog.getByText("Synced")).toHaveCount(3);

  // Artifacts are found by their title or text, and what is added is offered no more.
  const artifacts = dialog.getByRole("region", { name: "Artifacts" });
  await artifacts.getByRole("searchbox", { name: "Search artifacts" }).fill("hand");
  await artifacts.getByRole("button", { name: "Add Studio handbook" }).click();
  await expect(artifacts.getByRole("button", { name: "Remove Studio handbook" })).toBeVisible();
  await expect(artifacts.getByRole("button", { name: /^Add / })).toHaveCount(0);
  await expect(artifacts.getByText("Pending")).toHaveCount(0);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  await page.emulateMedia({ colorScheme: "light" });
  await dialog.getByRole("button", { name: "Remove plan.tiff" }).click();
  await dialog.getByRole("button", { name: "Back to all knowledge" }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await expect(dialog.getByRole("listitem")).toContainText("holidays.md");
  await expect(dialog.getByRole("listitem")).toContainText("Studio handbook");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  // A chat takes it beside its tools, and keeps it.
  const { contexts } = Listed.parse(await callApi(page, { method: "GET", path: "/api/user-contexts" }));
  const id = contexts[0]?.id ?? "";
  await composer(page).pressSequentially("ask @comp");
  await expect(page.getByRole("option", { name: /^Company facts/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove Company facts" }).click();
  await expect(composer(page)).toHaveValue("ask ");
  await page.getByRole("button", { name: "Add knowledge" }).click();
  await page.getByRole("option", { name: /^Company facts/ }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("list", { name: "Knowledge" })).toContainText("Company facts");
  await ask(page, "say Sources [1] [2] [3] [4] [5] [6].");
  await expect(page.getByRole("list", { name: "Knowledge" })).toContainText("Company facts");
  await expect
    .poll(async () => Chat.parse(await callApi(page, { method: "GET", path: `/api/chat/${chatIdOf(page)}` })).chat.context_ids)
    .toEqual([id]);

  // A source opens what it cites, marked, and leads to the file at its page.
  await lastTurn(page)
    .getByRole("button", { name: /^Source \d+: rules.pdf, page 2/ })
    .click();
  const passage = page.getByRole("dialog", { name: "rules.pdf" });
  await expect(passage.locator("mark")).toContainText("A ferret sleeps in a crate.");
  await expect(passage.getByRole("link", { name: "Open the file at page 2" })).toHaveAttribute("href", /#page=2$/);
  await page.keyboard.press("Escape");
  await expect(passage).toHaveCount(0);

  // What went along is in the answer's receipt: what is wrong there is corrected in the entry, and the next answer has it.
  await lastTurn(page).getByRole("button", { name: "Details" }).click();
  const receipt = page.getByRole("region", { name: "Knowledge" });
  await receipt.getByRole("button", { name: "Wrong: Company facts", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Edit knowledge" })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Text" }).fill("Day rates: design 950 euros.");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog.getByRole("listitem").filter({ hasText: "design 950 euros" })).toBeVisible();
  await page.keyboard.press("Escape");
  await ask(page, "show request");
  await expect(lastTurn(page)).toContainText("design 950 euros");

  // What a chat comes to, and an artifact, become knowledge.
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name: "Summarize" }).click();
  await page.getByRole("dialog", { name: "Summary" }).getByRole("button", { name: "Save as knowledge" }).click();
  await expect(dialog.getByRole("heading", { name: "New knowledge" })).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: "Text" })).not.toHaveValue("");
  await dialog.getByRole("textbox", { name: "Name" }).fill("What we said");
  await dialog.getByRole("button", { name: "Create knowledge", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Edit knowledge" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.goto(`/artifacts/${handbook}`);
  await page.getByRole("button", { name: "Artifact actions" }).click();
  await page.getByRole("menuitem", { name: "Save as knowledge" }).click();
  await expect(dialog.getByRole("button", { name: "Remove Studio handbook" })).toBeVisible();

  // Whoever has the link sees what files there are, and imports them.
  const { shareUrl } = Shared.parse(await callApi(page, { method: "POST", path: `/api/user-contexts/${id}/share` }));
  const other = await newDevice();
  await enter(other);
  await other.goto(`/${new URL(shareUrl).search}`);
  const shared = other.getByRole("dialog", { name: "Company facts" });
  await expect(shared.getByRole("region", { name: "Files" })).toContainText("rates.csv");
  await shared.getByRole("button", { name: "Import" }).click();
  await expect(shared.getByRole("status")).toContainText("Imported: 3 of 3 files copied.");
});
