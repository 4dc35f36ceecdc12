import { newestCode } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { enter, messagesOf } from "./fixtures/api.ts";
import { answered, chatIdOf, lastTurn, send } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

test("Google is connected, a mail is found, drafted and sent once it is approved, and everything is disconnected", async ({
  page,
  allowConsole,
}) => {
  allowConsole(/connection-status|auth\/fresh/);
  const email = await enter(page);
  await page.goto("/?settings=tools");
  const card = page.getByRole("group", { name: "Google" });
  const notices = page.getByRole("region", { name: "Notifications" });
  const connect = card.getByRole("button", { name: "Connect", exact: true });
  const asked = "**/api/gmail/connection-status";
  const begun = "**/api/auth/fresh";
  await expect(connect).toBeVisible();
  await page.route(begun, (route) => route.abort());
  await connect.click();
  await expect(notices.getByText("Failed to initiate Google connection")).toBeVisible();
  await expect(notices.getByText("Connection Error", { exact: true })).toBeVisible();
  await page.unroute(begun);
  // A session that is over: signing in leads back here.
  const refused = { status: 401, json: { error: "Please sign in.", code: "UNAUTHENTICATED" } };
  await page.route(asked, (route) => route.fulfill(refused));
  await page.reload();
  await expect(card.getByRole("alert")).toHaveText(/^Failed to check connection status\s*Please sign in\.$/);
  const login = page.waitForRequest((request) => request.url().endsWith("/auth/login?returnUrl=%2F%3Fsettings%3Dtools"));
  await card.getByRole("button", { name: "Sign in" }).click();
  await login;
  // Whoever is signed in after all comes back.
  await page.unroute(asked);
  await expect(page).toHaveURL("/?settings=tools");
  await page.reload();

  // What Google grants wants a fresh sign-in, before the page is left for it.
  const stale = { status: 403, json: { error: "Sign in again.", code: "FRESH_SIGN_IN_REQUIRED" } };
  await page.route(begun, (route) => route.fulfill(stale), { times: 1 });
  await connect.click();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await again.getByRole("button", { name: "Mail me a code" }).click();
  const code = await until("a code", () => newestCode(new URL(page.url()).origin, email));
  await again.getByRole("textbox", { name: "Code" }).fill(code);
  await page.getByLabel("See and download all your Google Drive files").uncheck();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(notices.getByText("Google connected")).toBeVisible();
  await expect(page).toHaveURL(/\/\?settings=tools$/);
  await expect(card.getByText("Connected", { exact: true })).toBeVisible();
  await expect(card.getByText("ines.okafor@example.com, mail")).toBeVisible();
  await expect(card.getByText("Not granted, or not all of it: Drive.")).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Select tools" }).click();
  await page.getByRole("option", { name: /Gmail/ }).click();
  await page.keyboard.press("Escape");
  const letter = { to: ["marta@papeterie-linde.example"], subject: "Two rolls", body: "Please send them." };
  const rounds = [
    `call gmailSearch {"query":"from:marta"}`,
    `call gmailDraft ${JSON.stringify(letter)}`,
    `call gmailSend ${JSON.stringify(letter)}`,
    "say It is on its way.",
  ];
  await send(page, rounds.join("\nthen\n"));
  await page.waitForURL("**/c/*");
  const waiting = lastTurn(page).getByRole("region", { name: "Send by Gmail" });
  await expect(waiting.getByText("marta@papeterie-linde.example")).toBeVisible({ timeout: 20_000 });
  await expect(waiting.getByRole("checkbox")).toHaveCount(0);
  await waiting.getByRole("button", { name: "Edit" }).click();
  await waiting.getByLabel("Body").fill("Please send them on Monday.");
  await waiting.getByRole("button", { name: "Approve", exact: true }).click();
  await answered(page);
  await expect(lastTurn(page).getByText("It is on its way.")).toBeVisible();
  const calls = (await messagesOf(page, chatIdOf(page))).at(-1)?.tool_calls;
  expect(calls?.map(({ tool, status }) => `${tool} ${status}`)).toEqual(["gmailSearch done", "gmailDraft done", "gmailSend done"]);
  expect(calls?.[0]?.output).toContain("Invoice 2041 for the poster paper");

  await page.goto("/?settings=tools");
  await page.route(asked, (route) => (route.request().method() === "DELETE" ? route.fulfill({ status: 502, json: {} }) : route.continue()));
  await card.getByRole("button", { name: "Disconnect" }).click();
  await expect(notices.getByText("Failed to disconnect Google")).toBeVisible();
  await expect(notices.getByText("Disconnection Error")).toBeVisible();
  await page.unroute(asked);
  await card.getByRole("button", { name: "Disconnect" }).click();
  await expect(notices.getByText("Google disconnected")).toBeVisible();
  await expect(connect).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Select tools" }).click();
  await expect(page.getByRole("option", { name: /Email/ })).toBeVisible();
  // What is not connected leads to Google at once, and back to this page.
  await page.getByRole("option", { name: /Gmail/ }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(notices.getByText("Google connected")).toBeVisible();
  await expect(page).toHaveURL("/");
  await page.getByRole("button", { name: "Select tools" }).click();
  const gmail = page.getByRole("option", { name: /Gmail/ });
  await expect(gmail).not.toContainText("Not connected");
  await gmail.click();
  await expect(gmail).toHaveAttribute("aria-selected", "true");
  await page.getByRole("option", { name: /Drive/ }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/");
  await page.getByRole("button", { name: "Select tools" }).click();
  await expect(page.getByRole("option", { name: /Drive/ })).not.toContainText("Not connected");
});
