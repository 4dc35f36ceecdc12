import { composer, conversation, send, turns } from "../../e2e/fixtures/chat.ts";
import { expect, type Page } from "@playwright/test";
import { change, cutOff, fail, hold, scene } from "../scene.ts";
import { ASKED } from "../seed/answers.ts";
import { stretched } from "../stretched.ts";
import type { World } from "../world.ts";

const MESSAGES = /\/api\/chat\/[^/]+\/messages/;

scene("chat", async (page, { chat }) => {
  await page.goto(`/c/${chat}`);
  await turns(page).nth(3).waitFor();
});
scene("chat-top", async (page, { chat }) => {
  await page.goto(`/c/${chat}`);
  await turns(page).nth(3).waitFor();
  await turns(page).first().scrollIntoViewIfNeeded();
});
scene("chat-code", async (page, { codeChat }) => {
  await page.goto(`/c/${codeChat}`);
  await conversation(page).getByText("And a test with the numbers").waitFor();
  await conversation(page).getByRole("button", { name: "Source" }).waitFor();
});

/** Opens the chat with tables, and brings a part of it to the top. */
async function openTables(page: Page, { tablesChat }: World, part: string): Promise<void> {
  await page.goto(`/c/${tablesChat}`);
  await turns(page).nth(1).waitFor();
  const shown = conversation(page).locator(part).first();
  await expect
    .poll(() =>
      shown.evaluate(async (element) => {
        element.scrollIntoView({ behavior: "instant" });
        // A transcript that still settles takes it back.
        await new Promise((resolve) => setTimeout(resolve, 700));
        return Math.abs(element.getBoundingClientRect().top);
      }),
    )
    .toBeLessThan(200);
}
scene("chat-formula", (page, world) => openTables(page, world, "p:has(math)"));
scene("chat-wide-table", async (page, world) => {
  await openTables(page, world, "p:has(+ .table-frame)");
  await conversation(page)
    .locator(".table-frame > :first-child")
    .first()
    .evaluate((box) => box.scrollTo(40, 0));
});
scene("chat-stuck-head", (page, world) => openTables(page, world, "tr:nth-child(24)"));
scene("chat-compared", async (page, { comparedChat }) => {
  await page.goto(`/c/${comparedChat}`);
  await conversation(page).getByText("Where they stand").waitFor();
});
scene("chat-compared-end", async (page, { comparedChat }) => {
  await page.goto(`/c/${comparedChat}`);
  await conversation(page).getByText("The dispute about 25 years").scrollIntoViewIfNeeded();
});
scene("chat-checked", async (page, { checkedChat }) => {
  await page.goto(`/c/${checkedChat}`);
  await turns(page).nth(1).waitFor();
  await turns(page).first().scrollIntoViewIfNeeded();
});
scene("chat-phone", async (page, { phoneChat }) => {
  await page.goto(`/c/${phoneChat}`);
  await turns(page).nth(3).waitFor();
});
scene("chat-imported", async (page, { importedChat }) => {
  await page.goto(`/c/${importedChat}`);
  await turns(page).nth(1).waitFor();
});
scene("chat-long", async (page, { longChat }) => {
  await page.goto(`/c/${longChat}`);
  await turns(page).first().waitFor();
});
scene(
  "chat-loading",
  async (page, { chat }) => {
    await hold(page, MESSAGES);
    await page.goto(`/c/${chat}`);
    await composer(page).waitFor();
  },
  { isLoading: true },
);
scene("chat-failing", async (page, { chat }) => {
  await fail(page, MESSAGES);
  await page.goto(`/c/${chat}`);
});
scene("chat-no-network", async (page, { chat }) => {
  await cutOff(page, MESSAGES);
  await page.goto(`/c/${chat}`);
});
scene("chat-all-failing", async (page, { chat }) => {
  await fail(page, /\/api\/(?!auth)/);
  await page.goto(`/c/${chat}`);
});
scene("chat-lost", async (page) => void (await page.goto(`/c/${crypto.randomUUID()}`)));
scene("chat-failed-turn", async (page, { failedChat }) => {
  await page.goto(`/c/${failedChat}`);
  await turns(page).nth(1).waitFor();
});
scene("chat-send-failing", async (page, { chat }) => {
  await page.goto(`/c/${chat}`);
  await turns(page).nth(3).waitFor();
  await fail(page, MESSAGES);
  await send(page, "And what does larch cost by the metre?");
  await conversation(page).getByText("Not sent").waitFor();
});
scene("chat-offline", async (page, { chat }) => {
  await page.goto(`/c/${chat}`);
  await turns(page).nth(3).waitFor();
  await page.context().setOffline(true);
  for (const text of ["And what does larch cost by the metre?", "Then who sells it near the harbour?"]) await send(page, text);
  await conversation(page).getByText("Will be sent when you're back online").nth(1).waitFor();
});
scene("chat-writing", async (page) => {
  await page.goto("/");
  await send(page, "paragraph 3000\nspeed 1");
  await page.waitForURL("**/c/*");
  await page.getByRole("button", { name: "Stop" }).waitFor();
});
scene("chat-waiting", async (page, { waitingChat }) => {
  await page.goto(`/c/${waitingChat}`);
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
});
scene("chat-approval-edit", async (page, { waitingChat }) => {
  await page.goto(`/c/${waitingChat}`);
  await page.getByText("Edit", { exact: true }).first().click();
});
scene("chat-approval-failing", async (page, { waitingChat }) => {
  await page.goto(`/c/${waitingChat}`);
  await fail(page, /\/tool-calls\//);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
});

/** Opens the chat in which facts were remembered, with what a person would have written. */
async function openRemembered(page: Page, { memoryChat }: World): Promise<void> {
  await change(page, MESSAGES, (body) => ({
    ...body,
    messages: [body["messages"]].flat().map((message, n) => (n % 2 === 0 ? { ...Object(message), content: ASKED[n / 2] } : message)),
  }));
  await page.goto(`/c/${memoryChat}`);
  await turns(page).nth(3).getByRole("list", { name: "Memory" }).waitFor();
}
scene("memory-chat", openRemembered);
scene("memory-chat-long", async (page, world) => {
  await change(page, /\/api\/memories/, stretched);
  await openRemembered(page, world);
});
scene("memory-chat-failing", async (page, { memoryChat }) => {
  await fail(page, /\/api\/memories/);
  await page.goto(`/c/${memoryChat}`);
  await turns(page).nth(3).waitFor();
});
scene("chat-mail", async (page, { mailChat }) => {
  await page.goto(`/c/${mailChat}`);
  await turns(page).nth(3).waitFor();
});
scene("chat-shared", async (page, { sharedChat }) => {
  await page.goto(`/c/${sharedChat}`);
  await turns(page).nth(1).waitFor();
});
scene("chat-menu", async (page, { chat }) => {
  await page.goto(`/c/${chat}`);
  await page.getByRole("button", { name: "Chat actions" }).click();
});
scene("chat-edit-question", async (page, { chat }) => {
  await page.goto(`/c/${chat}`);
  const question = turns(page).nth(2);
  // A finger sees a question's actions once it has touched the question.
  if (await page.evaluate(() => matchMedia("(pointer: coarse)").matches)) await question.getByText("And in summer?").tap();
  else await question.hover();
  await question.getByRole("button", { name: "Edit" }).click();
});
