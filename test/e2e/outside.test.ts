import { callApi, enter } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/test.ts";

test("the code agent is connected, a call is changed and approved, and both are followed in the chat to their end", async ({
  page,
  allowConsole,
}) => {
  // The service refuses the token, and nobody calls 911.
  allowConsole(/status of (400|502) .*(codegen\/connect|tool-calls)/);
  await enter(page);
  await page.goto("/?settings=tools");
  const settings = page.getByRole("dialog", { name: "Settings" });
  const codegen = settings.getByRole("group", { name: "Codegen" });
  await codegen.getByRole("checkbox", { name: "List it among the tools before it is connected" }).check();
  await expect(settings.getByRole("region", { name: "Codegen" })).toContainText("Needs sign-in");
  await codegen.getByRole("textbox", { name: "Organization ID" }).fill("123");
  await codegen.getByRole("button", { name: "Connect" }).click();
  await expect(codegen.getByRole("alert")).toHaveText("Please enter both Organization ID and Token");
  await codegen.getByLabel("Token").fill("wrong");
  await codegen.getByRole("button", { name: "Connect" }).click();
  const notices = page.getByRole("region", { name: "Notifications" });
  await expect(notices).toContainText("Connection Failed");
  await page.route("**/api/codegen/connect", (route) => route.fulfill({ status: 502, json: {} }), { times: 1 });
  await codegen.getByRole("button", { name: "Connect" }).click();
  await expect(notices).toContainText("Failed to connect Codegen");
  await codegen.getByLabel("Token").fill("cg-token");
  await codegen.getByRole("button", { name: "Connect" }).click();
  await expect(notices).toContainText("Codegen Connected");
  await expect(codegen).toContainText("Organization 123");
  await expect(settings.getByRole("region", { name: "Codegen" })).not.toContainText("Needs sign-in");
  const phone = settings.getByRole("group", { name: "Phone" });
  await phone.getByRole("combobox", { name: "From" }).selectOption("0:00");
  await expect(phone.getByRole("combobox", { name: "From" })).toHaveValue("0");
  await phone.getByRole("combobox", { name: "Until" }).selectOption("24:00");
  await expect(phone.getByRole("combobox", { name: "Until" })).toHaveValue("24");
  await expectAccessible(page);

  const chatId = crypto.randomUUID();
  const call = { phone_number: "+14155550123", task: "Ask whether the shop opens on Monday.\nsim hold", max_duration: 5 };
  const content = [
    `call blandCall ${JSON.stringify(call)}`,
    'call codegenCreateAgentRun {"prompt":"Mend the failing test"}',
    "then",
    "say Both are under way.",
  ].join("\n");
  const tools = {
    settings: {
      blandCall: { enabled: true, is_always_on_override: true },
      codegenCreateAgentRun: { enabled: true, is_always_on_override: true },
    },
  };
  await callApi(page, { method: "PUT", path: "/api/user/tool-settings", body: tools });
  await callApi(page, {
    method: "POST",
    path: `/api/chat/${chatId}/messages`,
    body: { id: crypto.randomUUID(), parent_id: null, content, model_id: "auto" },
  });
  await page.goto(`/c/${chatId}`);
  const card = page.getByRole("region", { name: "Call a number" });
  await expect(card).toContainText("$0.70 at $0.14 a minute");
  await card.getByRole("button", { name: "Edit" }).click();
  await card.getByRole("textbox", { name: "At most" }).fill("0.28");
  await expect(card.getByRole("textbox", { name: "Minutes" })).toHaveValue("2");
  await card.getByRole("textbox", { name: "Number" }).fill("911");
  await card.getByRole("button", { name: "Approve" }).click();
  await expect(card.getByRole("alert")).toContainText("emergency numbers are not called");
  await card.getByRole("textbox", { name: "Number" }).fill("+49 30 901820");
  await card.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("region", { name: "Start a code agent run" }).getByRole("button", { name: "Approve" }).click();

  await expect(page.getByText("On the phone, 2 min at most")).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  await page.getByRole("button", { name: "End call" }).click();
  await expect(page.getByText("Hung up")).toBeVisible();
  const conversation = page.getByRole("log", { name: "Conversation" });
  await expect(conversation.getByText("The call to +49 3090 1820 has ended: completed", { exact: false })).toBeVisible();
  await expect(page.getByText("Run finished")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("link", { name: "Mend the failing test" }).first()).toHaveAttribute("href", /github\.com/);

  // Outside of the hours a call waits for them by itself, until it is cancelled.
  const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const hour = Number(new Intl.DateTimeFormat("en", { timeZone: zone, hour: "2-digit", hourCycle: "h23" }).format(new Date()));
  const closed = hour < 12 ? { from_hour: 22, until_hour: 23 } : { from_hour: 0, until_hour: 1 };
  await callApi(page, { method: "PUT", path: "/api/user/call-settings", body: { ...closed, calls_per_day: 5 } });
  const late = crypto.randomUUID();
  await callApi(page, {
    method: "POST",
    path: `/api/chat/${late}/messages`,
    body: {
      id: crypto.randomUUID(),
      parent_id: null,
      content: `call blandCall ${JSON.stringify(call)}\nthen\nsay Later.`,
      model_id: "auto",
    },
  });
  await page.goto(`/c/${late}`);
  await expect(card).toContainText("It can wait until then by itself, or go out now.");
  await expect(card.getByRole("button", { name: "Call now" })).toBeVisible();
  await expectReadable(page);
  await card.getByRole("button", { name: /^Call (at|tomorrow at) \d\d?:00$/ }).click();
  await expect(page.getByText(/^Calls (at|tomorrow at) \d\d?:00$/)).toBeVisible();
  // It has called nobody yet.
  await expect(page.getByText("Call to +1 415 555 0123")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Cancel call" }).click();
  await expect(page.getByText("Call cancelled")).toBeVisible();
});
