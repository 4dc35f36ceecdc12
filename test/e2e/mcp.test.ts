import * as z from "zod/mini";
import { ToolCategory } from "#shared/entities/tool-category.ts";
import { callApi, enter, messagesOf } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { answered, chatIdOf, lastTurn, send } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

const server = () => `${process.env["E2E_MCP"]}`;
const Categories = z.object({ categories: z.array(ToolCategory) });

test("a server is connected, its tools are called or not as its person says, and it may start anew", async ({ page, allowConsole }) => {
  // One server registers nobody, and one save fails.
  allowConsole(/status of (400 .*sign-in|500 .*mcp-connections)/);
  await enter(page);
  await page.goto("/?settings=tools");
  await page.getByRole("button", { name: "Add connection" }).click();
  const form = page.getByRole("form", { name: "Add connection" });
  await expect(form.getByLabel("Name", { exact: true })).toBeFocused();
  // The pane scrolls; the dialog around it, with its tabs and the way out, cannot.
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.evaluate((dialog) => dialog.scrollTo(0, 300));
  await expect.poll(() => settings.evaluate((dialog) => dialog.scrollTop)).toBe(0);
  await form.getByRole("button", { name: "Add connection" }).click();
  await expect(form.getByText("The name is required.")).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  await page.emulateMedia({ colorScheme: "light" });
  await form.getByRole("button", { name: "Cancel" }).click();
  const add = page.getByRole("button", { name: "Add connection" });
  await expect(add).toBeFocused();
  await add.press("Enter");
  await form.getByLabel("Name", { exact: true }).fill("Everything");
  await form.getByLabel("Server URL").fill(`${server()}/everything/mcp`);
  await form.getByRole("button", { name: "Test", exact: true }).click();
  await expect(form.getByText(/^Connected, \d+ tools found$/)).toBeVisible({ timeout: 20_000 });
  await expectAccessible(page);
  await form.getByRole("button", { name: "Add connection" }).click();
  await expect(page.getByRole("button", { name: "Edit Everything" })).toBeVisible({ timeout: 20_000 });
  await page.keyboard.press("Escape");

  const found = Categories.parse(await callApi(page, { method: "GET", path: "/api/tool-categories" }));
  const category = found.categories.find(({ isDynamic }) => isDynamic);
  const id = (name: string) => `${category?.id}_${name}`;
  await page.getByRole("button", { name: "Select tools" }).click();
  await page.getByRole("option", { name: /Everything/ }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Select tools" })).toHaveText("1 tool");

  const calls = [
    ["echo", { message: "one" }],
    ["get-sum", { a: 2, b: 3 }],
    ["get-tiny-image", {}],
    ["get-structured-content", { location: "New York" }],
    ["get-env", {}],
  ] as const;
  await send(page, `${calls.map(([name, input]) => `call ${id(name)} ${JSON.stringify(input)}`).join("\n")}\nthen\nsay All done.`);
  await page.waitForURL("**/c/*");
  const turn = lastTurn(page);
  const approve = turn.getByRole("button", { name: "Approve", exact: true });
  for (const left of [5, 4, 3, 2]) {
    await expect(approve).toHaveCount(left);
    await approve.first().click();
  }
  await expect(approve).toHaveCount(1);
  await turn.getByRole("button", { name: "Discard", exact: true }).click();
  await answered(page);
  const reply = (await messagesOf(page, chatIdOf(page))).at(-1);
  expect(reply?.tool_calls.map(({ status }) => status)).toEqual(["done", "done", "done", "done", "discarded"]);
  await expect(turn.getByRole("list", { name: "Images" }).getByRole("img")).toHaveCount(1);

  await fetch(`${server()}/control/restart`, { method: "POST" });
  await send(page, `call ${id("echo")} {"message":"two"}\nthen\nsay Still there.`);
  await lastTurn(page).getByRole("button", { name: "Approve", exact: true }).click();
  await expect(lastTurn(page).getByText("Still there.")).toBeVisible({ timeout: 20_000 });
  expect((await messagesOf(page, chatIdOf(page))).at(-1)?.tool_calls[0]?.output).toContain("Echo: two");

  // One that cannot be reached says so while it is tried and once it is saved, and what was typed stays.
  await page.goto("/?settings=tools");
  await add.click();
  await form.getByLabel("Name", { exact: true }).fill("Far away");
  await form.getByLabel("Server URL").fill("http://127.0.0.1:9/mcp");
  await form.getByLabel("Description").fill("Not there yet");
  await form.getByRole("button", { name: "Test", exact: true }).click();
  await expect(form.getByText("Failed to connect to MCP server: The server could not be reached.")).toBeVisible();
  await expect(form.getByLabel("Description")).toHaveValue("Not there yet");
  await page.route("**/api/mcp-connections", (route) => route.fulfill({ status: 500, json: { error: "Not today.", code: "INTERNAL" } }), {
    times: 1,
  });
  await form.getByRole("button", { name: "Add connection" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Failed to create connectionNot today.");
  await expect(form.getByLabel("Server URL")).toHaveValue("http://127.0.0.1:9/mcp");
  await form.getByRole("button", { name: "Add connection" }).click();
  const far = page.getByRole("region", { name: "Connection Far away" });
  await expect(far).toContainText("Failed to connect to MCP server");
  await expect(far).toContainText("The server could not be reached.");
  await far.getByRole("button", { name: "Edit Far away" }).click();
  await expect(page.getByRole("form", { name: "Edit Far away" }).getByLabel("Description")).toHaveValue("Not there yet");
  await page.getByRole("form", { name: "Edit Far away" }).getByRole("button", { name: "Cancel" }).click();

  // One that registers nobody takes the client that its person registered there.
  await add.click();
  await form.getByLabel("Name", { exact: true }).fill("Guild");
  await form.getByLabel("Server URL").fill(`${server()}/guild/mcp`);
  await form.getByRole("combobox", { name: "Access" }).selectOption("Sign in at the server");
  await form.getByRole("button", { name: "Add connection" }).click();
  const guild = page.getByRole("region", { name: "Connection Guild" });
  await guild.getByRole("button", { name: "Sign in" }).click();
  const edit = page.getByRole("form", { name: "Edit Guild" });
  await expect(edit.getByRole("alert")).toContainText("This server registers no apps by itself.");
  await expect(edit.getByLabel("Client ID")).toBeFocused();
  await expect(edit.getByText("/api/mcp-connections/callback", { exact: false })).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  await page.emulateMedia({ colorScheme: "light" });
  await edit.getByLabel("Client ID").fill("guild-basic");
  await edit.getByLabel("Client secret").fill("basic secret");
  await edit.getByRole("button", { name: "Save" }).click();
  await guild.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("MCP server connected")).toBeVisible();
  await expect(guild).toContainText("1 tool");
  await guild.getByRole("button", { name: "Edit Guild" }).click();
  await expect(edit.getByLabel("Client ID")).toHaveValue("guild-basic");
  await expect(edit.getByLabel("Client secret")).toHaveValue("");
  await expect(edit.getByLabel("Client secret")).toHaveAttribute("placeholder", "Kept; type to change it");
});
