import type { Page } from "@playwright/test";
import { chatAction, command } from "../open.ts";
import { change, fail, scene } from "../scene.ts";
import { stretched } from "../stretched.ts";
import { turns } from "../../e2e/fixtures/chat.ts";

// Dialogs, pickers and answers with names as long as they may be, and where what was pressed fails.

const PEOPLE = /\/api\/chat\/[^/]+\/(shares|people)/;

scene("dialog-share-long", async (page, { sharedChat }) => {
  await change(page, PEOPLE, stretched);
  await chatAction(page, sharedChat, "Share");
});
scene("dialog-share-refused", async (page, { sharedChat }) => {
  await chatAction(page, sharedChat, "Share");
  await fail(page, /\/api\/chat\/[^/]+\/share$/);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("somebody.with.a.long.address@lighting-and-wayfinding.example");
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
});
scene("dialog-publish-refused", async (page, { sharedChat }) => {
  await chatAction(page, sharedChat, "Publish");
  await fail(page, /\/api\/chat\/[^/]+$/);
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
});
scene("dialog-emails-long", async (page, { mailChat }) => {
  await change(page, /\/emails$/, stretched);
  await chatAction(page, mailChat, "Emails");
});

for (const [name, action, requests] of [
  ["folder", "Move to folder…", /\/api\/folders/],
  ["tags", "Tags…", /\/api\/folders/],
] as const) {
  const open = async (page: Page, chat: string) => {
    await page.goto(`/c/${chat}`);
    await page.getByRole("main").getByRole("button", { name: "Chat actions" }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  scene(`form-${name}-failing`, async (page, { chat }) => {
    await fail(page, requests);
    await open(page, chat);
  });
  scene(`form-${name}-long`, async (page, { chat }) => {
    await change(page, requests, stretched);
    await open(page, chat);
  });
}

scene("deeplinks-long", async (page) => {
  await change(page, /\/api\/(user-system-prompts|user-contexts|template-messages)/, stretched);
  await command(page, "Deeplink builder");
  await page
    .getByRole("dialog", { name: "Deeplink builder" })
    .getByRole("textbox", { name: "Prompt" })
    .fill("What does larch cost by the metre, and who sells it near the harbour? ".repeat(12));
});
scene("deeplinks-failing", async (page) => {
  await fail(page, /\/api\/(user-system-prompts|user-contexts|template-messages|models)/);
  await command(page, "Deeplink builder");
});
scene("schedule-form", async (page) => {
  await page.goto("/schedules");
  await page.getByRole("button", { name: "New schedule" }).click();
  await page.getByRole("dialog").waitFor();
});
scene("schedule-form-refused", async (page) => {
  await page.goto("/schedules");
  await page.getByRole("button", { name: "New schedule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Message" }).fill("Which ferries are late this morning?");
  await dialog.getByText("Name, budget and who answers").click();
  await fail(page, /\/api\/schedules/);
  await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
  await dialog.getByRole("alert").waitFor();
});
scene("schedules-long", async (page) => {
  await change(page, /\/api\/schedules/, stretched);
  await page.goto("/schedules");
});
scene("approvals-long", async (page) => {
  await change(page, /\/api\/approvals/, stretched);
  await page.goto("/approvals");
});

scene("chat-names-long", async (page, { chat }) => {
  await change(page, /\/api\/chat\/[^/]+(\?|$)/, stretched);
  await change(page, /\/api\/models/, stretched);
  await page.goto(`/c/${chat}`);
  await turns(page).nth(3).waitFor();
});
