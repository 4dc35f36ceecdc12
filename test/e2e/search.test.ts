import { callApi, enter, messagesOf, startChat } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { answered, ask, chatIdOf, composer, conversation, send, sidebar } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

test("a message far up, in a branch left behind, is found and landed on, and Back returns", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  const chatId = await ask(page, "say The heron nests by the crème weir");
  await callApi(page, { method: "PATCH", path: `/api/chat/${chatId}`, body: { title: "Birds of the river" } });
  for (let turn = 1; turn <= 4; turn += 1) {
    await send(page, `lines 60\nspeed 0\nturn ${turn}`);
    await answered(page);
  }
  // The branch with the heron is left: another first answer becomes the shown path.
  const [question] = await messagesOf(page, chatId);
  const body = { id: crypto.randomUUID(), content: "say Nothing of the sort", model_id: "openai/gpt-5-mini" };
  await callApi(page, { method: "POST", path: `/api/chat/${chatId}/messages/${question?.id}/edit`, body });
  await page.goto("/");

  await page.keyboard.press("ControlOrMeta+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  const field = dialog.getByRole("combobox", { name: "Search" });
  await expect(field).toBeFocused();
  await expect(dialog.getByRole("option", { name: /Birds of the river/ })).toBeVisible();
  // A model is named as everywhere else.
  await field.fill("nothing sort");
  await expect(dialog.getByRole("option", { name: /GPT-5 mini: Nothing of the sort/ })).toBeVisible();
  await field.fill("from:me heron creme");
  const found = dialog.getByRole("option", { name: /Birds of the river/ });
  await expect(found.locator("mark")).toHaveText(["heron", "crème"]);
  await expect(found).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page);

  await field.press("Enter");
  await expect(dialog).toBeHidden();
  const landed = conversation(page).getByRole("article").filter({ hasText: "say The heron nests by the crème weir" });
  await expect(landed).toBeInViewport();
  expect(chatIdOf(page)).toBe(chatId);
  await page.goBack();
  await expect(page).toHaveURL("/");
  await expect(composer(page)).toBeVisible();
});

test("the palette works by keys alone: filters become chips, actions are done, Escape and Back close it", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await ask(page, "say A lantern");
  await sidebar(page).getByRole("button", { name: "Search" }).hover();
  await expect(page.locator('[aria-hidden][data-print="hide"]', { hasText: /^Search/ })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  const field = dialog.getByRole("combobox", { name: "Search" });
  await field.pressSequentially("is:pinned lantern");
  await expect(field).toHaveValue("lantern");
  await expect(dialog.getByRole("button", { name: "Pinned" })).toHaveAttribute("aria-pressed", "true");
  await expect(dialog.getByText("No results found.").first()).toBeVisible();
  await field.press("Home");
  await field.press("Backspace");
  await expect(dialog.getByRole("button", { name: "Pinned" })).toHaveAttribute("aria-pressed", "false");
  await expect(dialog.getByRole("option", { name: /lantern/ }).first()).toBeVisible();

  // What was written as a filter goes with the text it was written in; what was pressed stays.
  const todos = dialog.getByRole("button", { name: "Todos" });
  const shared = dialog.getByRole("button", { name: "Shared" });
  await shared.click();
  await field.press("Home");
  await field.pressSequentially("is:pinned in:todos ");
  await expect(dialog.getByRole("button", { name: "Pinned" })).toHaveAttribute("aria-pressed", "true");
  await expect(todos).toHaveAttribute("aria-pressed", "true");
  await field.press("ControlOrMeta+a");
  await field.pressSequentially("boats");
  await expect(field).toHaveValue("boats");
  await expect(dialog.getByRole("button", { name: "Pinned" })).toHaveAttribute("aria-pressed", "false");
  await expect(todos).toHaveAttribute("aria-pressed", "false");
  await expect(shared).toHaveAttribute("aria-pressed", "true");
  await field.press("Escape");
  await expect(dialog).toBeHidden();

  await page.keyboard.press("ControlOrMeta+k");
  await field.fill("boats at night");
  const begin = dialog.getByRole("option", { name: "New chat about “boats at night”" });
  await field.press("ArrowUp");
  await expect(begin).toHaveAttribute("aria-selected", "true");
  await field.press("Enter");
  await expect(page).toHaveURL("/");
  await expect(composer(page)).toHaveValue("boats at night");

  // Neither opens under the other.
  const models = page.getByRole("dialog", { name: "Switch model" });
  await page.keyboard.press("ControlOrMeta+Shift+P");
  await expect(models).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(field).toBeFocused();
  await expect(models).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+Shift+P");
  await field.pressSequentially("boats");
  await expect(field).toHaveValue("boats");
  await expect(models).toHaveCount(0);
  await field.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Select tools" }).click();
  const tools = page.getByRole("dialog", { name: "Select tools" });
  await expect(tools).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(field).toBeFocused();
  await expect(tools).toHaveCount(0);
  await field.press("Escape");
  await expect(dialog).toBeHidden();

  await page.keyboard.press("ControlOrMeta+k");
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL("/");
});

furtherTest("what was found in a chat goes from the open palette as the chat is deleted elsewhere", async ({ page }) => {
  await enter(page);
  const { chatId } = await startChat(page, "say A lost bunting");
  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  await dialog.getByRole("combobox", { name: "Search" }).fill("from:me bunting");
  await expect(dialog.locator("mark")).toHaveText("bunting");
  // Nothing but the word that the chat is gone can take it away.
  await page.route("**/api/search?**", (route) => route.abort());
  await callApi(page, { method: "DELETE", path: `/api/chat/${chatId}` });
  await expect(dialog.locator("mark")).toHaveCount(0);
});

furtherTest("folders and tags are found, completed while they are typed, and opened from the palette", async ({ page }) => {
  await enter(page);
  const { chatId } = await startChat(page, "say A filed bunting");
  const [work, acme] = [crypto.randomUUID(), crypto.randomUUID()];
  await callApi(page, { method: "POST", path: "/api/folders", body: { id: work, name: "Client work" } });
  await callApi(page, { method: "POST", path: "/api/folders", body: { id: acme, name: "Acme", parent_id: work } });
  await callApi(page, { method: "POST", path: "/api/folders/chats", body: { chat_ids: [chatId], folder_id: acme } });
  await callApi(page, { method: "POST", path: "/api/tags/chats", body: { chat_ids: [chatId], add: ["To read"] } });
  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  const field = dialog.getByRole("combobox", { name: "Search" });
  await field.pressSequentially("in:cli");
  await expect(dialog.getByRole("option", { name: "Client work" })).toHaveAttribute("aria-selected", "true");
  // Nothing is said to be missing while a name is offered.
  await expect(dialog.getByRole("status")).toHaveText("0 chats found");
  await field.press("Enter");
  await expect(dialog.getByRole("button", { name: "Remove the filter In Client work" })).toBeVisible();
  await expect(field).toHaveValue("");
  await field.pressSequentially("tag:");
  await field.press("Enter");
  await expect(dialog.getByRole("button", { name: "Remove the filter Tag To read" })).toBeVisible();
  await field.pressSequentially("bunting");
  await expect(dialog.getByRole("option", { name: /filed bunting/ }).first()).toBeVisible();
  await field.press("ControlOrMeta+a");
  await field.pressSequentially("tag:never ");
  await expect(dialog.getByText("No results found. There is no tag called “never”.").first()).toBeVisible();
  await field.press("Backspace");
  await field.pressSequentially("acme");
  await dialog.getByRole("option", { name: "Acme in Client work" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("heading", { name: "Acme" })).toBeVisible();
});
