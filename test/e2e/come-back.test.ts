import type { Page } from "@playwright/test";
import { markdownOfLength } from "../simulators/aggregator/bytes.ts";
import { enter, messagesOf } from "./fixtures/api.ts";
import { answered, ask, chatIdOf, composer, conversation, copied, lastTurn, send, sidebar, turns } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

/** Characters of an answer that takes a few seconds at the given tokens a second. */
const LENGTH = 6_000;
/** Characters of an answer that goes on until it is stopped, however slow the machine is. */
const ENDLESS = 100_000;

async function shownLength(page: Page): Promise<number> {
  return (await lastTurn(page).innerText()).length;
}

/** Sees the latest answer at several lengths while it is still being written. */
async function growing(page: Page, steps = 5): Promise<void> {
  const seen = new Set<number>();
  await expect
    .poll(
      async () => {
        seen.add(await shownLength(page));
        return seen.size;
      },
      { intervals: [40] },
    )
    .toBeGreaterThan(steps);
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
}

/** The same, or false where the answer is whole before that. */
async function isSeenGrowing(page: Page, steps: number): Promise<boolean> {
  const finished = lastTurn(page).getByRole("button", { name: "Regenerate", exact: true, disabled: false });
  for (const seen = new Set<number>(); seen.size <= steps; seen.add(await shownLength(page))) {
    if ((await finished.count()) > 0) return false;
  }
  return true;
}

test("an answer goes on over a reload and when its tab is closed, and is whole on coming back", async ({ page, context }) => {
  let hasGrown = false;
  // Slower where the machine is too slow to be back before the answer is whole.
  for (const speed of [250, 40]) {
    await page.goto("/");
    await send(page, `bytes ${LENGTH}\nspeed ${speed}`);
    await page.waitForURL("**/c/*");
    if (!(await isSeenGrowing(page, 2))) continue;
    await page.reload();
    await expect(turns(page)).toHaveCount(2);
    hasGrown = await isSeenGrowing(page, 3);
    if (hasGrown) break;
  }
  expect(hasGrown).toBe(true);
  const [address, chatId] = [page.url(), chatIdOf(page)];
  await page.close();

  const later = await context.newPage();
  await expect.poll(async () => (await messagesOf(later, chatId)).at(-1)?.status, { timeout: 90_000 }).toBe("done");
  await later.goto(address);
  await answered(later);
  expect(await copied(later, lastTurn(later))).toBe(markdownOfLength(LENGTH));
});

test("two browsers of one person follow a reply token by token, one of them reloaded in the middle", async ({ page, newDevice }) => {
  const email = await enter(page);
  const other = await newDevice();
  await enter(other, email);
  await page.goto("/");
  const chatId = await ask(page, "say Begun on the first device");
  await other.goto(`/c/${chatId}`);
  await expect(conversation(other)).toContainText("Begun on the first device");

  await send(page, `bytes ${ENDLESS}\nspeed 250`);
  await expect(turns(other)).toHaveCount(4);
  await Promise.all([growing(page), growing(other)]);
  await other.reload();
  await expect(turns(other)).toHaveCount(4);
  await Promise.all([growing(page, 3), growing(other, 3)]);
  await page.getByRole("button", { name: "Stop" }).click();
  await Promise.all([answered(page), answered(other)]);

  const fullText = (await messagesOf(page, chatId)).at(-1)?.content ?? "";
  expect(fullText).toBe(markdownOfLength(ENDLESS).slice(0, fullText.length));
  expect(fullText.length).toBeGreaterThan(100);
  expect(await copied(page, lastTurn(page))).toBe(fullText);
  expect(await copied(other, lastTurn(other))).toBe(fullText);
  // What it cost comes to each in its own time.
  await expect.poll(async () => (await lastTurn(page).innerText()) === (await lastTurn(other).innerText())).toBe(true);
});

furtherTest("what began while a tab was still connecting shows there too", async ({ page, newDevice }) => {
  const email = await enter(page);
  const other = await newDevice();
  await enter(other, email);
  await page.goto("/");
  const chatId = await ask(page, "say Read before the line was open");
  const line = Promise.withResolvers<void>();
  await other.routeWebSocket(/\/api\/live/, async (socket) => {
    await line.promise;
    socket.connectToServer();
  });
  await other.route(/\/api\/chats\?/, async (route) => {
    await line.promise;
    await route.continue();
  });
  await other.goto(`/c/${chatId}`);
  await expect(turns(other)).toHaveCount(2);
  await ask(page, "say Said in between");
  line.resolve();
  await expect(lastTurn(other)).toContainText("Said in between");
});

furtherTest("what is sent in one tab shows in the other and in its list, and a new chat at the top of it", async ({ page, context }) => {
  await page.goto("/");
  const chatId = await ask(page, "say One and the same chat");
  const second = await context.newPage();
  await second.goto(`/c/${chatId}`);
  await expect(turns(second)).toHaveCount(2);

  await send(second, "say Seen in both tabs");
  await expect(turns(page)).toHaveCount(4);
  await expect(turns(page).nth(2)).toContainText("say Seen in both tabs");
  await expect(lastTurn(page)).toContainText("Seen in both tabs");
  await answered(page);
  await expect(sidebar(page).getByRole("link", { name: "One and the same chat" })).toHaveAccessibleDescription(/Seen in both tabs/);

  await sidebar(second).getByRole("link", { name: "New Chat" }).click();
  await expect(second).toHaveURL((url) => url.pathname === "/");
  await ask(second, "say Younger harbour conversation");
  const rows = sidebar(page).getByRole("listitem").getByRole("link");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toHaveAccessibleName("Younger harbour conversation");
});

furtherTest(
  "what came while a tab showed something else, or heard nothing, is seen before the next message goes out",
  async ({ page, context, allowConsole }) => {
    await enter(page);
    let isDeaf = false;
    await page.routeWebSocket("**/api/live*", (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        if (!isDeaf) socket.send(message);
      });
    });
    await page.goto("/");
    const chatId = await ask(page, "say Read before");
    const second = await context.newPage();
    await second.goto(`/c/${chatId}`);

    // Elsewhere in the application meanwhile.
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox").fill("waiting for you");
    await page.getByRole("option", { name: "Waiting for you", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Waiting for you", level: 1 })).toBeVisible();
    await ask(second, "say Came meanwhile");
    const row = sidebar(page).getByRole("link", { name: "Read before" });
    await expect(row).toHaveAccessibleDescription(/Came meanwhile/);
    await row.click();
    await expect(turns(page)).toHaveCount(4);
    await expect(lastTurn(page)).toContainText("Came meanwhile");
    await ask(page, "say Follows that");

    // In the chat, with a line that brings nothing.
    isDeaf = true;
    await expect(turns(second)).toHaveCount(6);
    await ask(second, "say Came unheard");
    allowConsole(/409/);
    await send(page, "say Written without it");
    await expect(page.getByRole("alert")).toContainText("This chat went on meanwhile. Read what came, then send your message.");
    await expect(composer(page)).toHaveValue("say Written without it");
    await expect(lastTurn(page)).toContainText("Came unheard");
    expect(await messagesOf(page, chatId)).toHaveLength(8);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await answered(page);
    await expect(lastTurn(page)).toContainText("Written without it");
    const messages = await messagesOf(page, chatId);
    expect(messages.map(({ parent_id: parentId }) => parentId)).toEqual([null, ...messages.slice(0, -1).map(({ id }) => id)]);
    expect(messages.filter(({ sibling_ids: versions }) => versions.length > 1)).toEqual([]);
  },
);

test("Stop in one tab stops both, keeps what was written, and Continue goes on from there", async ({ page, context }) => {
  await page.goto("/");
  const chatId = await ask(page, "say A first answer");
  const second = await context.newPage();
  await second.goto(`/c/${chatId}`);
  await expect(turns(second)).toHaveCount(2);
  await send(page, "Tell me at length about copper lanterns\nspeed 25");
  await growing(second, 3);

  await second.getByRole("button", { name: "Stop" }).click();
  for (const tab of [page, second]) {
    await expect(tab.getByRole("button", { name: "Stop" })).toHaveCount(0);
    await expect(lastTurn(tab)).toContainText(/Stopped\. \d+ words? (is|are) saved\./);
    await expect(lastTurn(tab).getByRole("button", { name: "Continue" })).toBeEnabled();
  }
  const partial = (await messagesOf(page, chatId)).at(-1)?.content ?? "";
  expect(partial.length).toBeGreaterThan(10);
  expect(await copied(page, lastTurn(page))).toBe(partial);

  await lastTurn(page).getByRole("button", { name: "Continue" }).click();
  await expect(lastTurn(page).getByText(/^Stopped\./)).toHaveCount(0);
  await answered(page);
  const fullText = (await messagesOf(page, chatId)).at(-1)?.content ?? "";
  expect(fullText.startsWith(partial)).toBe(true);
  expect(fullText.length).toBeGreaterThan(partial.length);
  await expect.poll(() => copied(page, lastTurn(page))).toBe(fullText);
  await answered(second);
  await expect.poll(() => copied(second, lastTurn(second))).toBe(fullText);
  await expect(turns(second)).toHaveCount(4);
});
