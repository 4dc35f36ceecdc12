import { comeBackTo, enter } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/test.ts";

test("a key is made for another program, shown once, used, changed and revoked", async ({ page, request }) => {
  await enter(page);
  await page.goto("/?settings=keys");
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings.getByText("No program has a key.")).toBeVisible();
  await settings.getByRole("button", { name: "New key" }).click();
  const name = settings.getByRole("textbox", { name: "Name" });
  await expect(name).toBeFocused();
  await name.fill("Code editor");
  const scopes = settings.getByRole("checkbox");
  await expect(scopes).toHaveCount(6);
  await expect(settings.getByRole("checkbox", { checked: true })).toHaveCount(0);
  for (const scope of await scopes.all()) await scope.check();
  await settings.getByRole("checkbox", { name: "Save facts to memory" }).uncheck();
  const budget = settings.getByRole("textbox", { name: "Budget a month, in dollars" });
  await budget.fill("much");
  await expect(settings.getByRole("alert")).toContainText("Give an amount");
  await expect(settings.getByRole("button", { name: "Create key" })).toBeDisabled();
  await budget.fill("5");
  await expectAccessible(page);
  await settings.getByRole("button", { name: "Create key" }).click();

  await expect(settings.getByRole("heading", { name: "The key of Code editor" })).toBeVisible();
  const secret = await settings.getByLabel("Key", { exact: true }).innerText();
  await expect(settings.getByLabel("Configuration", { exact: true })).toContainText(`Bearer ${secret}`);
  const base = await settings.getByLabel("Base URL", { exact: true }).innerText();
  const models = await request.get(`${base}/models`, { headers: { authorization: `Bearer ${secret}` } });
  expect(await models.text()).toContain("openai/gpt-5-mini");
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  await settings.getByRole("button", { name: "Done" }).click();

  const row = settings.getByRole("list", { name: "Your keys" }).getByRole("listitem");
  await comeBackTo(page);
  await expect(row).toContainText("Last used");
  const list = async () => {
    const answer = await request.post("/mcp", {
      headers: { authorization: `Bearer ${secret}`, accept: "application/json, text/event-stream" },
      data: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
    });
    return { status: answer.status(), text: await answer.text() };
  };
  const listed = await list();
  expect(listed.status).toBe(200);
  expect(listed.text).toContain("search_chats");
  expect(listed.text).not.toContain("save_memory");

  await expect(row).toContainText(`…${secret.slice(-4)}`);
  await expect(row).toContainText("Chats, asking, artifacts, prompts, models · $0.00 of $5.00 this month");
  await row.getByRole("button", { name: "Edit Code editor" }).click();
  await settings.getByRole("textbox", { name: "Name" }).fill("Terminal");
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("Terminal");
  await row.getByRole("button", { name: "Revoke Terminal" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(settings.getByText("No program has a key.")).toBeVisible();
  expect((await list()).status).toBe(401);
});
