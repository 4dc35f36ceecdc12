import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import * as z from "zod/mini";
import { Team, TeamInvitation } from "#shared/entities/team.ts";
import { callApi, enter, startChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { answered, composer, conversation, sidebar } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const Review = z.nullable(z.object({ rejected: z.array(z.number()) }));
const Content = z.object({ artifact: z.object({ content: z.string(), version: z.number(), review: Review }) });
const TEXT = "## What it costs\n\nThe rent of two rooms is 21,600.\n\n| Item | Cost |\n|---|--:|\n| Rent | 21,600 |\n";

function source(page: Page): Locator {
  return page.getByRole("textbox", { name: "Artifact text" });
}

function preview(page: Page): Locator {
  return page.getByRole("region", { name: "Preview" });
}

async function read(page: Page, id: string): Promise<z.infer<typeof Content>["artifact"]> {
  return Content.parse(await callApi(page, { method: "GET", path: `/api/artifacts/${id}` })).artifact;
}

async function saved(page: Page): Promise<void> {
  await expect(page.getByRole("status").filter({ hasText: /^Saved$/ })).toBeVisible();
}

/** A picture of one pixel, as a paste or a drop hands it over. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** Hands a picture to the editor, pasted or dropped at a line. */
async function transferChat(page: Page, how: "paste" | "drop", name: string, at: Locator): Promise<void> {
  const box = await at.boundingBox();
  const files = await page.evaluateHandle(
    ([file, base64]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], file, { type: "image/png" }));
      return transfer;
    },
    [name, PIXEL] as const,
  );
  await at.evaluate(
    (target, [transfer, kind, x, y]) => {
      const both = { bubbles: true, cancelable: true };
      target.dispatchEvent(
        kind === "paste"
          ? new ClipboardEvent("paste", { ...both, clipboardData: transfer })
          : new DragEvent("drop", { ...both, dataTransfer: transfer, clientX: x, clientY: y }),
      );
    },
    [files, how, (box?.x ?? 0) + 9, (box?.y ?? 0) + 9] as const,
  );
  await expect(preview(page).getByRole("img", { name })).toBeVisible();
}

function line(page: Page, text: string): Locator {
  return page.locator(".cm-line").filter({ hasText: text });
}

async function makeArtifact(page: Page, title: string, content: string): Promise<string> {
  const made = await callApi(page, { method: "POST", path: "/api/artifacts", body: { title, content } });
  return z.object({ id: z.string() }).parse(made).id;
}

test("an artifact is written, illustrated, saved by itself, and nothing of it is lost without a connection or to others", async ({
  page,
  allowConsole,
}) => {
  allowConsole(/\/content\)$/);
  await enter(page);
  await page.goto("/");
  await sidebar(page).getByRole("tab", { name: "Artifacts" }).click();
  await expect(sidebar(page).getByText("No artifacts yet. Create your first one!")).toBeVisible();

  // Straight to its page, where the text is what one goes on with.
  await sidebar(page).getByRole("button", { name: "New Artifact" }).click();
  await expect(page).toHaveURL(/\/artifacts\/[0-9a-f-]{36}$/);
  const id = page.url().split("/").at(-1) ?? "";
  await expect(source(page)).toBeFocused();
  await page.keyboard.insertText(TEXT);
  await page.getByRole("textbox", { name: "Title" }).fill("Lisbon office");
  await page.getByRole("textbox", { name: "Title" }).press("Enter");
  await expect(preview(page).getByRole("heading", { name: "What it costs" })).toBeVisible();
  await expect(preview(page).getByRole("cell", { name: "21,600" })).toBeVisible();
  await saved(page);
  await expect.poll(async () => (await read(page, id)).content).toBe(TEXT);
  await expect(sidebar(page).getByRole("link", { name: "Lisbon office" })).toBeVisible();

  // Pictures become files of it: pasted where the caret is, dropped where they are let go.
  await page.getByRole("button", { name: "Artifact actions" }).click();
  await page.getByRole("menuitem", { name: "Outline" }).click();
  await page.getByRole("navigation", { name: "Outline" }).getByRole("button", { name: "What it costs" }).click();
  await expect(source(page)).toBeFocused();
  await transferChat(page, "paste", "plan.png", line(page, "## What it costs"));
  await transferChat(page, "drop", "desk.png", line(page, "The rent of"));
  const picture = (name: string) => `!\\[${name}\\]\\(/api/artifacts/${id}/files/[0-9a-f-]{36}\\)\n\n`;
  const illustrated = new RegExp(`^${picture("plan.png")}## What it costs\n\n${picture("desk.png")}The rent of two`);
  await expect.poll(async () => (await read(page, id)).content).toMatch(illustrated);

  // Found and replaced by the keyboard, and Tab leads out of the editor.
  await source(page).click();
  await page.keyboard.press("ControlOrMeta+f");
  await page.keyboard.type("two rooms");
  await expect(page.locator(".cm-searchMatch")).toHaveCount(1);
  await page.getByRole("textbox", { name: "Replace" }).fill("three rooms");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Replace all" }).click();
  await page.keyboard.press("Escape");
  await expect(source(page)).toBeFocused();
  await expect(preview(page).getByText("The rent of three rooms is 21,600.")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(source(page)).not.toBeFocused();

  // Somebody else's change comes in while nobody types, without a reload.
  await saved(page);
  const others = async (from: string, to: string) => {
    const { content, version } = await read(page, id);
    const body = { content: content.replace(from, to), base_version: version, is_review: true };
    await callApi(page, { method: "PUT", path: `/api/artifacts/${id}/content`, body });
  };
  await others("is 21,600", "is 22,000");
  await expect(preview(page).getByText("The rent of three rooms is 22,000.")).toBeVisible();

  // What cannot be saved is kept through a reload; what others wrote in the same line meanwhile is not overwritten unseen.
  await page.route("**/content", (route) => route.abort());
  await line(page, "is 22,000.").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" And a deposit.");
  await expect(page.getByText("Offline, kept in this browser")).toBeVisible();
  await others("is 22,000", "is 23,000");
  await page.reload();
  await expect(preview(page).getByText("The rent of three rooms is 22,000. And a deposit.")).toBeVisible();
  await page.unroute("**/content");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  const conflict = page.getByRole("region", { name: "Conflict" });
  await expect(conflict.getByText("0 yours, 1 open")).toBeVisible();
  await expect(conflict.locator("mark").filter({ hasText: "23" })).toBeVisible();
  await expectAccessible(page);
  expect((await read(page, id)).content).toContain("is 23,000.");
  await conflict.getByRole("button", { name: "Take yours" }).click();
  await conflict.getByRole("button", { name: "Done" }).click();
  await saved(page);
  expect((await read(page, id)).content).toContain("is 22,000. And a deposit.");

  // On paper, all of it: also what is out of sight, and from the editor.
  const { content: short, version } = await read(page, id);
  const long = short + "\nA line of many.\n".repeat(1_300);
  await callApi(page, { method: "PUT", path: `/api/artifacts/${id}/content`, body: { content: long, base_version: version } });
  await page.getByRole("button", { name: "Side by side" }).click();
  await expect(preview(page).getByText("A line of many.").first()).toBeVisible();
  await page.getByRole("button", { name: "Editor" }).click();
  const paper = (await page.pdf()).toString("latin1");
  expect(paper.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(20);
});

furtherTest(
  "artifacts come from files, show what they are made of, begin a chat, and are gone where nobody wants them",
  async ({ page, allowConsole }) => {
    allowConsole(/missing is not defined/);
    await enter(page);
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(/\/api\/artifacts\?/, async (route) => {
      await gate;
      await route.continue();
    });
    await page.goto("/artifacts");
    await sidebar(page).getByRole("tab", { name: "Artifacts" }).click();
    await expect(sidebar(page).locator("[data-skeleton]")).toHaveCount(5);
    letGo();
    await expect(page.getByRole("main").getByText("No artifacts yet. Create your first one!")).toBeVisible();
    await page.unroute(/\/api\/artifacts\?/);
    await page.getByRole("main").getByRole("button", { name: "Upload" }).click();
    const dialog = page.getByRole("dialog", { name: "Upload artifacts" });
    const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await dialog
      .getByLabel("Files to upload")
      .setInputFiles([
        file("Costs.md", "```csv\nItem,Cost\nRent,900\nDesk,1200\n```\n"),
        file("Notes.txt", "# Notes\n\nSome **words**."),
        file("picture.png", "x"),
        file("long.md", "x".repeat(1_100_000)),
      ]);
    await expect(page.getByText("2 files uploaded successfully, 2 failed").first()).toBeVisible();
    await expect(dialog.getByText("Invalid file type. Allowed: .md, .markdown, .mdx, .txt")).toBeVisible();
    await expect(dialog.getByText("File too large. Maximum file size is 1MB")).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("main").getByText("Notes Some words.")).toBeVisible();
    await expectAccessible(page);

    // What goes wrong in a document that runs is told, and is handed to a model in one press.
    for (const { title, content, error } of [
      { title: "Clock", content: "```html\n<p>Noon</p><script>missing()</script>\n```\n", error: /missing is not defined/ },
      { title: "Flow", content: "```mermaid\ngraph TD\n  A[Ask -->\n```\n", error: /Parse error on line/ },
    ]) {
      const id = await makeArtifact(page, title, content);
      await page.goto(`/artifacts/${id}`);
      await expect(page.getByRole("alert").filter({ hasText: error })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Ask a model to mend it" }).click();
      await expect(composer(page)).toHaveValue(error);
      await expect(composer(page)).toHaveValue(new RegExp(`/artifacts/${id}`));
      await expect(page.getByText(`${title}.md`)).toBeVisible();
    }
    const flow = await makeArtifact(page, "Flow that works", "```mermaid\ngraph TD\n  A[Ask] --> B[Keep]\n```\n");
    await page.goto(`/artifacts/${flow}`);
    await expect(page.getByRole("img", { name: /^Diagram: / })).toBeVisible();

    // The list takes what is asked of it.
    await page.goto("/artifacts");
    const list = page.getByRole("main").getByRole("list", { name: "Artifacts" });
    await page.getByRole("combobox", { name: "Order" }).selectOption({ label: "Title" });
    await expect(list.getByRole("heading")).toHaveText(["Clock", "Costs", "Flow", "Flow that works", "Notes"]);
    await page.getByRole("combobox", { name: "Show" }).selectOption({ label: "Pinned" });
    await expect(page.getByText("No artifacts match.")).toBeVisible();
    await page.getByRole("combobox", { name: "Show" }).selectOption({ label: "Yours" });
    await page.getByRole("searchbox", { name: "Search artifacts" }).fill("flow");
    await expect(list.getByRole("heading")).toHaveText(["Flow", "Flow that works"]);
    await page.getByRole("searchbox", { name: "Search artifacts" }).fill("");

    // A table of comma-separated values sorts and filters.
    await page.getByRole("main").getByRole("link", { name: "Costs" }).click();
    await page.getByRole("button", { name: "Cost", exact: true }).click();
    await page.getByRole("button", { name: "Cost", exact: true }).click();
    await expect(page.getByRole("columnheader", { name: "Cost" })).toHaveAttribute("aria-sort", "descending");
    await expect(page.getByRole("row").nth(1)).toContainText("Desk");
    await page.getByRole("searchbox", { name: "Filter rows" }).fill("rent");
    await expect(page.getByText("1 of 2 rows")).toBeVisible();

    // A chat begins with it attached.
    await page.getByRole("button", { name: "Artifact actions" }).click();
    await page.getByRole("menuitem", { name: "Open in a chat" }).click();
    await expect(composer(page)).toBeVisible();
    await expect(page.getByText("Costs.md")).toBeVisible();

    // On a phone each thing is reached, too.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/artifacts");
    await page.getByRole("main").getByRole("link", { name: "Notes" }).click();
    await expect(preview(page).getByText("Some words.")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Versions" }).click();
    await page.getByRole("button", { name: "Version 1", exact: true }).click();
    await expect(page.getByRole("region", { name: "Comparison" }).getByText("1 change")).toBeVisible();
    await page.getByRole("button", { name: "Back to the text" }).click();
    await page.getByRole("button", { name: "Artifact actions" }).click();
    await page.getByRole("menuitem", { name: "Outline" }).click();
    await page.getByRole("navigation", { name: "Outline" }).getByRole("button", { name: "Notes" }).click();
    await expect(preview(page).getByRole("heading", { name: "Notes", level: 2 })).toBeInViewport();

    await callApi(page, { method: "PATCH", path: "/api/user", body: { artifacts_enabled: false } });
    await page.goto("/artifacts");
    await expect(page.getByRole("heading", { name: "Artifacts are switched off" })).toBeVisible();
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(sidebar(page).getByRole("tab", { name: "Chats" })).toBeVisible();
    await expect(sidebar(page).getByRole("tab", { name: "Artifacts" })).toHaveCount(0);
    await expect(sidebar(page).getByRole("button", { name: "New Artifact" })).toHaveCount(0);
  },
);

test("a document that was asked for in a chat is changed by hand and by a model at once, reviewed, shared, restored and taken away", async ({
  page,
  newDevice,
}) => {
  await enter(page);
  const before = "# Plan\n\nRent is 37,250.\n\nThe desks stay.\n\nThe offer of 3 November.\n";
  const made = await callApi(page, { method: "POST", path: "/api/teams", body: { name: "Studio" } });
  const { team } = z.object({ team: Team }).parse(made);
  const { chatId } = await startChat(page, `call createArtifact ${JSON.stringify({ title: "Plan", content: before })}\nthen\nsay Made.`);
  await page.goto(`/c/${chatId}`);
  await answered(page);
  await conversation(page).getByRole("link", { name: "Plan" }).click();
  await expect(page).toHaveURL(/\/artifacts\/[0-9a-f-]{36}$/);
  const id = page.url().split("/").at(-1) ?? "";

  // By hand, while the model writes elsewhere in it.
  await page.getByRole("button", { name: "Side by side" }).click();
  await line(page, "The desks stay.").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" All four.");
  const edits = [
    { old_text: "37,250", new_text: "38,040" },
    { old_text: "3 November", new_text: "10 November" },
  ];
  const change = await startChat(page, `call editArtifact ${JSON.stringify({ artifact_id: id, edits })}\nthen\nsay Both are new.`);
  const both = before.replace("37,250", "38,040").replace("stay.", "stay. All four.").replace("3 November", "10 November");
  await expect.poll(async () => (await read(page, id)).content).toBe(both);
  await expect(preview(page).getByText("The desks stay. All four.")).toBeVisible();
  await expect(preview(page).getByText("Rent is 38,040.")).toBeVisible();

  await page.goto(`/c/${change.chatId}`);
  await page.getByRole("button", { name: "2 added, 2 removed" }).click();
  await expect(page.getByRole("region", { name: "Changes" }).locator("mark").filter({ hasText: "38,040" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save as artifact" }).first().click();
  await expect(page.getByText("Saved as artifact")).toBeVisible();

  // Hunk by hunk, in the dark too.
  await page.getByRole("link", { name: "Review", exact: true }).click();
  const review = page.getByRole("region", { name: "Review", exact: true });
  await expect(review.getByText("0 accepted, 2 open")).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  await expect(review).toBeFocused();
  await review.getByRole("region", { name: "Change 2" }).getByRole("button", { name: "Reject" }).press("Enter");
  await expect(review.getByRole("region", { name: "Change 1" })).toBeFocused();
  const reviewed = both.replace("10 November", "3 November");
  await expect.poll(async () => await read(page, id)).toMatchObject({ content: reviewed, review: { rejected: [1] } });
  await page.reload();
  await expect(review.getByRole("region", { name: "Change 2" }).getByText("Rejected")).toBeVisible();
  await expect(review.getByText("0 accepted, 1 open")).toBeVisible();
  // Another version is looked at meanwhile; what was decided is still there.
  const versions = page.getByRole("region", { name: "Versions" });
  const comparison = page.getByRole("region", { name: "Comparison" });
  await page.getByRole("button", { name: "Versions" }).click();
  await versions.getByRole("button", { name: "Version 1", exact: true }).click();
  await comparison.getByRole("button", { name: "Back to the text" }).click();
  await expect(review.getByText("0 accepted, 1 open")).toBeVisible();
  await versions.getByRole("button", { name: "Close versions" }).click();
  await review.getByRole("region", { name: "Change 1" }).getByRole("button", { name: "Accept" }).press("Enter");
  await expect(review.getByText("All decided")).toBeVisible();
  await expectReadable(page);
  await expect(review.getByRole("button", { name: "Done" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(source(page)).toBeFocused();
  await expect(preview(page).getByText("Rent is 38,040.")).toBeVisible();
  await expect(preview(page).getByText("The offer of 3 November.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Review", exact: true })).toHaveCount(0);
  await page.emulateMedia({ colorScheme: "light" });

  // Shared with a team, whose member reads it and has no way to change it.
  const member = await newDevice({ colorScheme: "dark" });
  const address = await enter(member);
  const invited = await callApi(page, { method: "POST", path: "/api/teams/invitations/send", body: { teamId: team.id, email: address } });
  const { token } = z.object({ invitation: TeamInvitation }).parse(invited).invitation;
  await callApi(member, { method: "POST", path: `/api/teams/invitations/${token}`, body: {} });
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share artifact" });
  await dialog.getByRole("combobox", { name: "Team" }).selectOption({ label: "Studio" });
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await expect(dialog.getByRole("region", { name: "People with access" }).getByText("Studio")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  await member.goto("/artifacts");
  await expect(member.getByText(/^Shared by /).first()).toBeVisible();
  await Promise.all([member.waitForResponse("**/opened"), member.getByRole("main").getByRole("link", { name: "Plan" }).click()]);
  await expect(preview(member).getByText("Rent is 38,040.")).toBeVisible();
  await expect(member.getByRole("heading", { name: "Plan", exact: true }).first()).toBeVisible();
  await expect(member.getByRole("button", { name: "Share", exact: true })).toHaveCount(0);
  await expect(member.getByRole("textbox", { name: "Title" })).toHaveCount(0);
  await expectReadable(member);
  await member.goto("/artifacts");
  await expect(member.getByRole("main").getByRole("link", { name: "Plan" })).toBeVisible();

  // Undone from the chat, what others wrote since stays.
  await page.goto(`/c/${change.chatId}`);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("log").getByText("Undone")).toBeVisible();
  expect((await read(page, id)).content).toBe(before.replace("stay.", "stay. All four."));
  await conversation(page).getByRole("link", { name: "Plan" }).click();

  // Back to how it was, as a further version; the difference is in the history.
  await page.getByRole("button", { name: "Versions" }).click();
  await expect(versions.getByText("Current")).toBeVisible();
  await versions.getByRole("button", { name: "Version 1", exact: true }).click();
  await expect(comparison.getByText("1 change")).toBeVisible();
  await expectAccessible(page);
  await versions.getByRole("button", { name: "Restore Version 1", exact: true }).press("Enter");
  await expect(page.getByText("Version 1 is restored")).toBeVisible();
  await expect.poll(async () => (await read(page, id)).content).toBe(before);
  await expect(preview(page).getByText("Rent is 37,250.")).toBeVisible();
  await versions.getByRole("button", { name: "Close versions" }).click();

  // Who comes back is told so and sees what changed.
  await member.getByRole("main").getByRole("link", { name: "Plan" }).click();
  await member.getByRole("button", { name: "What changed since you last looked" }).click();
  await expect(member.getByRole("region", { name: "Comparison" }).locator("mark").filter({ hasText: "38,040" })).toBeVisible();
  await expectReadable(member);

  // Away as a Word document.
  await page.getByRole("button", { name: "Download" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Download as Word" }).click()]);
  expect(download.suggestedFilename()).toBe("Plan.docx");
  const files = unzipSync(readFileSync(await download.path()));
  expect(strFromU8(files["word/document.xml"] ?? new Uint8Array())).toContain("Rent is 37,250.");

  // And as a page that needs nothing else.
  await page.getByRole("button", { name: "Download" }).click();
  const [taken] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Download as HTML" }).click()]);
  expect(taken.suggestedFilename()).toBe("Plan.html");
  expect(readFileSync(await taken.path(), "utf8")).toMatch(/^<!doctype html>.*<title>Plan<\/title>.*<p>Rent is 37,250\.<\/p>/is);
});
