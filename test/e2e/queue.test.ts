import type { Page } from "@playwright/test";
import { MessageQueue } from "#shared/entities/queued-message.ts";
import { callApi, enter, messagesOf } from "./fixtures/api.ts";
import { answered, ask, chatIdOf, composer, send, turns } from "./fixtures/chat.ts";
import { holdFirstRead } from "./fixtures/late-answer.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

/** A reply that goes on until it is stopped. */
const LONG = "speed 20\nbytes 20000";

function waiting(page: Page) {
  return page.getByRole("region", { name: "Queue" }).getByRole("listitem");
}

test("what is sent while a reply streams waits above the composer, outlives a reload, and is changed there", async ({ page }) => {
  await page.goto("/");
  await composer(page).fill(LONG);
  // The second click falls on Stop, which takes Send's place, and is not meant for it.
  await page.getByRole("button", { name: "Send", exact: true }).dblclick();
  await page.waitForURL("**/c/*");
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await send(page, "say one");
  await expect(waiting(page)).toHaveText([/say one/]);
  await composer(page).fill("say two");
  await page.getByRole("button", { name: "Add to queue" }).click();
  await expect(waiting(page)).toHaveText([/say one/, /say two/]);
  await expect(composer(page)).toHaveValue("");

  await page.reload();
  await expect(waiting(page)).toHaveText([/say one/, /say two/]);
  await page.getByRole("button", { name: "Move “say two”" }).press("ArrowUp");
  await expect(waiting(page)).toHaveText([/say two/, /say one/]);
  await waiting(page).last().getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit queued message" }).fill("say three");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(waiting(page)).toHaveText([/say two/, /say three/]);

  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Paused. The reply was stopped.")).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(turns(page)).toHaveCount(6);
  await answered(page);
  await expect(turns(page).nth(2)).toContainText("say two");
  await expect(turns(page).nth(3)).toContainText("two");
  await expect(turns(page).nth(4)).toContainText("say three");
  await expect(waiting(page)).toHaveCount(0);
});

test("a prompt with lines of three dashes runs step by step, or goes as one message", async ({ page }) => {
  await page.goto("/");
  await composer(page).fill("say one\n---\nsay two\n---\nsay three");
  await expect(page.getByText("Runs as 3 steps")).toBeVisible();
  await page.getByRole("button", { name: "Send as one message" }).click();
  await page.getByRole("button", { name: "Run as 3 steps" }).click();
  await composer(page).press("Enter");
  await page.waitForURL("**/c/*");
  await expect(turns(page)).toHaveCount(6);
  await answered(page);
  await expect(turns(page).nth(1)).toContainText("one");
  await expect(turns(page).nth(5)).toContainText("three");

  await composer(page).fill("say four\n---\nsay five");
  await page.getByRole("button", { name: "Send as one message" }).click();
  await composer(page).press("Enter");
  await expect(turns(page)).toHaveCount(8);
  await answered(page);
});

furtherTest("what is sent while another tab's message is being answered waits its turn by itself", async ({ page, allowConsole }) => {
  await enter(page);
  await page.routeWebSocket("**/api/live*", () => {});
  await page.goto("/");
  const id = await ask(page, "say one");
  const parent = (await messagesOf(page, id)).at(-1)?.id;
  const body = { id: crypto.randomUUID(), parent_id: parent, content: LONG };
  await callApi(page, { method: "POST", path: `/api/chat/${id}/messages`, body });

  allowConsole(/409/);
  const refused = page.waitForResponse((response) => response.status() === 409);
  await send(page, "say later");
  await refused;
  await expect(waiting(page)).toHaveText([/say later/]);
  await expect(composer(page)).toHaveValue("");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await callApi(page, { method: "POST", path: `/api/chat/${id}/stop` });
  await callApi(page, { method: "PATCH", path: `/api/chat/${id}/queue`, body: { paused: false } });
  await expect.poll(async () => (await messagesOf(page, id)).map(({ content }) => content).slice(4)).toEqual(["say later", "later"]);
});

furtherTest("what is sent without a connection while a reply streams goes out once there is one", async ({ page, allowConsole }) => {
  allowConsole(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK_CHANGED/);
  await enter(page);
  // All code that comes when the page is idle is here.
  const loaded = page.waitForEvent("requestfinished", (request) => /\/soon-.*\.js$/.test(request.url()));
  await page.goto("/");
  await page.waitForLoadState("networkidle");
  const taken = page.waitForResponse((answer) => answer.request().method() === "POST" && answer.url().endsWith("/messages"));
  await send(page, LONG);
  await page.waitForURL("**/c/*");
  const id = chatIdOf(page);
  // Stop is there before the server has the message.
  await taken;
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await loaded;
  await page.context().setOffline(true);
  await send(page, "say later");
  await expect(turns(page).last()).toContainText("Will be sent when you're back online");
  await expect(turns(page).last()).toContainText("say later");
  await expect(composer(page)).toHaveValue("");
  // Steps do not wait for it: they are back at once, with the reason.
  await send(page, "say one\n---\nsay two");
  await expect(page.getByRole("alert")).toContainText("Not sent, as you're offline.");
  await expect(composer(page)).toHaveValue("say one\n---\nsay two");
  await composer(page).fill("");
  await page.context().setOffline(false);
  await callApi(page, { method: "POST", path: `/api/chat/${id}/stop` });
  await expect.poll(async () => (await messagesOf(page, id)).map(({ content }) => content).slice(2)).toEqual(["say later", "later"]);
  await expect(turns(page)).toHaveCount(4);
});

furtherTest("a second message right behind the first one waits in the chat that the first one made", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await composer(page).fill(LONG);
  // In one breath: quicker than any key, before the page has come to rest at its new address.
  await composer(page).evaluate(async (field: HTMLTextAreaElement) => {
    const enterKey = () => field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    enterKey();
    await Promise.resolve();
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(field, "say one");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await Promise.resolve();
    enterKey();
  });
  await expect(turns(page).first()).toContainText("speed 20");
  await expect(waiting(page)).toHaveText([/say one/]);
});

furtherTest("what is added while the queue is read for the first time is shown, though that read knows nothing of it", async ({ page }) => {
  await enter(page);
  const added = page.waitForResponse((response) => response.request().method() === "POST" && response.url().endsWith("/queue"));
  const firstRead = await holdFirstRead(page, "**/api/chat/*/queue");
  void added.then(firstRead.tell);
  await page.goto("/");
  await composer(page).fill(LONG);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await firstRead.asked;
  await send(page, "say one");
  await expect(waiting(page)).toHaveText([/say one/]);
});

furtherTest("a change that arrived, and whose answer was lost, is not kept a second time", async ({ page, allowConsole }) => {
  allowConsole(/ERR_FAILED/);
  await enter(page);
  await page.goto("/");
  await send(page, LONG);
  await page.waitForURL("**/c/*");
  const path = `/api/chat/${chatIdOf(page)}/queue`;
  await send(page, "say one");
  await waiting(page).getByRole("button", { name: "Edit" }).click();
  const field = page.getByRole("textbox", { name: "Edit queued message" });
  await field.fill("say one and two");
  let isLost = false;
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== "PATCH" || isLost) return route.fallback();
    isLost = true;
    const { items } = MessageQueue.parse(await (await route.fetch()).json());
    await callApi(page, { method: "PATCH", path, body: { send_now: items[0]?.id } });
    return route.abort("failed");
  });
  await field.press("Enter");
  await expect(turns(page).nth(2)).toContainText("say one and two");
  await answered(page);
  await expect(composer(page)).toHaveValue("");
  expect(isLost).toBe(true);
});

furtherTest("a change of a message that is sent before it is saved is kept in the message box", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await send(page, LONG);
  await page.waitForURL("**/c/*");
  const path = `/api/chat/${chatIdOf(page)}/queue`;
  await send(page, "say one");
  await waiting(page).getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit queued message" }).fill("say one and two");
  const { items } = MessageQueue.parse(await callApi(page, { method: "GET", path }));
  await callApi(page, { method: "PATCH", path, body: { send_now: items[0]?.id } });
  await expect(composer(page)).toHaveValue("say one and two");
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("This message no longer waits");
  await expect(turns(page).nth(2)).toContainText("say one");
  await answered(page);
});
