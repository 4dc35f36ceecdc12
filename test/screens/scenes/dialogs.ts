import { modelButton } from "../../e2e/fixtures/chat.ts";
import { chatAction, command } from "../open.ts";
import { fail, hold, scene } from "../scene.ts";

for (const [name, action, requests] of [
  ["share", "Share", /\/api\/chat\/[^/]+\/(shares|people)/],
  ["summary", "Summarize", /\/api\/generate-chat-summary/],
  ["todos", "Todo", /\/api\/chat\/[^/]+\/todo/],
] as const) {
  scene(`dialog-${name}`, (page, { sharedChat }) => chatAction(page, sharedChat, action));
  scene(`dialog-${name}-failing`, async (page, { sharedChat }) => {
    await fail(page, requests);
    await chatAction(page, sharedChat, action);
  });
  scene(
    `dialog-${name}-loading`,
    async (page, { sharedChat }) => {
      await hold(page, requests);
      await chatAction(page, sharedChat, action);
    },
    { isLoading: true },
  );
}
scene("dialog-publish", (page, { sharedChat }) => chatAction(page, sharedChat, "Publish"));
scene("dialog-export", (page, { sharedChat }) => chatAction(page, sharedChat, "Export"));
scene("dialog-emails", (page, { mailChat }) => chatAction(page, mailChat, "Emails"));
scene("dialog-emails-empty", (page, { chat }) => chatAction(page, chat, "Emails"));
scene("dialog-emails-failing", async (page, { mailChat }) => {
  await fail(page, /\/emails/);
  await chatAction(page, mailChat, "Emails");
});

for (const [name, label, requests] of [
  ["personas", "Manage Personas", /\/api\/user-system-prompts/],
  ["prompts", "Manage prompts", /\/api\/template-messages/],
  ["knowledge", "Manage knowledge", /\/api\/user-contexts/],
] as const) {
  scene(`dialog-${name}`, (page) => command(page, label));
  scene(`dialog-${name}-empty`, (page) => command(page, label), { as: "newcomer" });
  scene(`dialog-${name}-failing`, async (page) => {
    await fail(page, requests);
    await command(page, label);
  });
}

scene("models", async (page) => {
  await page.goto("/");
  await modelButton(page).click();
});
scene("models-failing", async (page) => {
  await fail(page, /\/api\/models/);
  await page.goto("/");
  await modelButton(page).click();
});
scene("models-none-found", async (page) => {
  await page.goto("/");
  await modelButton(page).click();
  await page.getByRole("combobox", { name: "Search models" }).fill("no such model");
});
scene("tools", async (page) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Select tools" }).click();
});
scene("personas-picker", async (page) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Switch persona" }).click();
});
scene("search", async (page) => {
  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
});
scene("search-found", async (page) => {
  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search" }).fill("lantern");
});
scene("search-nothing-found", async (page) => {
  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search" }).fill("xylophone quartet");
});
scene("search-failing", async (page) => {
  await fail(page, /\/api\/search/);
  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search" }).fill("battery");
  await page.getByRole("dialog").getByRole("button", { name: "Try again" }).waitFor();
});
