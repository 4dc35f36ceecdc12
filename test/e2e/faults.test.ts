import type { Page } from "@playwright/test";
import * as z from "zod/mini";
import { startChat } from "./fixtures/api.ts";
import {
  answered,
  ask,
  chatIdOf,
  composer,
  conversation,
  lastTurn,
  modelButton,
  pickModel,
  send,
  sidebar,
  turns,
} from "./fixtures/chat.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

/** Each class of failure: what is said in the turn, and the one action offered. */
const FAULTS = [
  { fault: "429", cause: /too many requests and refused/, action: /^Try again( in \d+ s)?$/ },
  { fault: "500", cause: /had an error of its own/, action: "Try again" },
  { fault: "502", cause: /is down or gave an invalid answer/, action: "Switch model" },
  { fault: "529", cause: /was overloaded and refused/, action: "Try again" },
  { fault: "401", cause: "This deployment's key for the models is missing or was refused. Tell its operator.", action: "Try again" },
  { fault: "402", cause: "This deployment's account with the models is used up. Tell its operator.", action: "Try again" },
  { fault: "403-moderation", cause: /The provider's moderation refused this message/, action: "Switch model" },
  { fault: "404", cause: "No provider offers this model for a request like this.", action: "Switch model" },
  { fault: "model_not_found", cause: /^Model \S+\/\S+ not found$/, action: "Switch model" },
  { fault: "context_length_exceeded", cause: "This chat is longer than the model can read.", action: "Switch model" },
  { fault: "413", cause: "This message is too large for the model.", action: "Edit message" },
  { fault: "cut-before", cause: /broke off|cannot be reached/, action: "Try again" },
  { fault: "empty", cause: "The model ended without an answer.", action: "Try again" },
] as const;

/** Failures after some text: the text stays, and where the answer may go on it does. */
const MIDWAY = [
  { fault: "cut", cause: /broke off\. 8 words are saved\.$/, action: "Continue" },
  { fault: "error-mid-stream", cause: /refused\. 8 words are saved\.$/, action: "Continue" },
  { fault: "content-filter", cause: "The provider's content filter ended this answer.", action: "Switch model" },
] as const;

const Sent = z.object({ model_id: z.string() });

async function failed(page: Page): Promise<void> {
  await expect(lastTurn(page).getByText(/did not answer$|could not finish$/)).toBeVisible({ timeout: 25_000 });
}

/** Asks each in a chat of its own, all at once, as the server tries again by itself for some seconds; returns the chats, of which the first is open. */
async function askAtOnce(page: Page, questions: readonly string[]): Promise<string[]> {
  await page.goto("/");
  const answer = page.waitForResponse((response) => response.url().endsWith("/messages") && response.request().method() === "POST");
  await send(page, questions[0] ?? "");
  // The first makes the visitor a guest.
  const asked = (await answer).request();
  const { model_id: model } = Sent.parse(asked.postDataJSON());
  await page.waitForURL("**/c/*");
  const others = await Promise.all(questions.slice(1).map((question) => startChat(page, question, model)));
  return [chatIdOf(page), ...others.map(({ chatId }) => chatId)];
}

/** Opens one of several chats from the list, by key, as its rows change places while answers end. */
async function open(page: Page, chatId: string): Promise<void> {
  await sidebar(page).locator(`a[href="/c/${chatId}"]`).press("Enter");
  await page.waitForURL(`**/c/${chatId}`);
}

test("an answer that failed says why in its place, with one way on, and the question stays", async ({ page }) => {
  const chats = await askAtOnce(
    page,
    FAULTS.map(({ fault }) => `A question about lanterns and ${fault}\nfault ${fault}`),
  );
  for (const [index, { fault, cause, action }] of FAULTS.entries()) {
    await test.step(fault, async () => {
      if (index > 0) await open(page, chats[index] ?? "");
      await expect(turns(page).first()).toContainText(`A question about lanterns and ${fault}`);
      await failed(page);
      await expect(lastTurn(page).getByText(cause)).toBeVisible();
      await expect(lastTurn(page).getByRole("button", { name: action, exact: true })).toBeVisible();
      await expect(composer(page)).toBeEnabled();
    });
  }
  await page.reload();
  const { fault, cause } = FAULTS[FAULTS.length - 1] ?? FAULTS[0];
  await expect(lastTurn(page).getByText(cause)).toBeVisible();
  await expect(turns(page).first()).toContainText(`A question about lanterns and ${fault}`);
  await expect(composer(page)).toBeEnabled();
});

furtherTest("an answer broken off keeps what was written, and one cut off at the model's limit can go on", async ({ page }) => {
  const questions = [...MIDWAY.map(({ fault }) => fault), "length"].map(
    (fault) => `A question about harbours and ${fault}\nfault ${fault}`,
  );
  const chats = await askAtOnce(page, questions);
  for (const [index, { fault, cause, action }] of MIDWAY.entries()) {
    if (index > 0) await open(page, chats[index] ?? "");
    await expect(turns(page).first()).toContainText(`harbours and ${fault}`);
    await expect(lastTurn(page).getByText(cause)).toBeVisible();
    await expect(lastTurn(page)).toContainText("I am the demo model");
    await expect(lastTurn(page).getByRole("button", { name: action, exact: true })).toBeVisible();
  }
  await open(page, chats.at(-1) ?? "");
  await expect(lastTurn(page).getByText("Cut off at the model's limit.")).toBeVisible();
  await expect(lastTurn(page).getByRole("button", { name: "Continue" })).toBeEnabled();
});

test("'Try again' gets the answer once the fault has passed", async ({ page }) => {
  await page.goto("/");
  // More often than the server tries by itself.
  await send(page, "say Answered after all\nand so on");
  await answered(page);
  await send(page, "A tale of markets\nfault 500 times 5");
  await failed(page);
  for (let presses = 0; presses < 5; presses += 1) {
    const again = lastTurn(page).getByRole("button", { name: "Try again", exact: true });
    const finished = lastTurn(page).getByText("this is your message number 2");
    await expect(again.or(finished).first()).toBeVisible({ timeout: 25_000 });
    if (await finished.isVisible()) break;
    await again.click();
    await expect(page.getByRole("button", { name: "Stop" })).toHaveCount(0, { timeout: 25_000 });
  }
  await answered(page);
  await expect(lastTurn(page)).toContainText("this is your message number 2");
  await expect(turns(page)).toHaveCount(4);
});

furtherTest("'Switch model' answers in the same place with another model", async ({ page }) => {
  await page.goto("/");
  await send(page, "Which canals are the longest\nfault 403-moderation times 1");
  await failed(page);
  await lastTurn(page).getByRole("button", { name: "Switch model", exact: true }).click();
  await page.getByRole("combobox", { name: "Search models" }).fill("mistral small");
  await page.getByRole("combobox", { name: "Search models" }).press("Enter");
  await answered(page);
  await expect(lastTurn(page)).toHaveAccessibleName(/^Mistral Small/);
  await expect(turns(page)).toHaveCount(2);
  await expect(modelButton(page)).toContainText("Mistral Small");
});

test("being offline is said after two seconds, and the message waits in its place and goes out on return", async ({
  page,
  context,
  allowConsole,
}) => {
  allowConsole(/ERR_INTERNET_DISCONNECTED|WebSocket connection/);
  await page.goto("/");
  await ask(page, "say Before the tunnel");
  await context.setOffline(true);
  await expect(page.getByText("You're offline.")).toBeVisible();
  await send(page, "say Sent from the tunnel");
  await expect(lastTurn(page)).toContainText("say Sent from the tunnel");
  await expect(lastTurn(page).getByText("Will be sent when you're back online")).toBeVisible();
  await expect(composer(page)).toHaveValue("");

  await context.setOffline(false);
  await expect(page.getByText("You're offline.")).toHaveCount(0);
  await expect(turns(page)).toHaveCount(4);
  await answered(page);
  await expect(lastTurn(page)).toContainText("Sent from the tunnel");
});

furtherTest("a part whose code fails to load leaves the chat usable, and a reload loads it", async ({ page, allowConsole }) => {
  allowConsole(/ERR_FAILED/);
  await page.goto("/");
  await ask(page, "say still here");
  let isLost = false;
  await page.route("**/assets/context-gauge-*.js", (route) => {
    if (isLost) return route.continue();
    isLost = true;
    return route.abort();
  });
  await page.reload();
  const notice = page.getByRole("region", { name: "Notifications" });
  await expect(notice).toContainText("Part of this page did not load");
  await expect(lastTurn(page)).toContainText("still here");
  await composer(page).fill("half a thought");
  await expectAccessible(page);
  const gauge = page.waitForEvent("requestfinished", (request) => /context-gauge-.*\.js$/.test(request.url()));
  await notice.getByRole("button", { name: "Reload" }).click();
  await gauge;
  await expect(lastTurn(page)).toContainText("still here");
  await expect(composer(page)).toHaveValue("half a thought");
  await expect(notice).not.toContainText("did not load");
});

test("code that does not come while nothing does is told of once the server answers again", async ({ page, allowConsole }) => {
  allowConsole(/ERR_FAILED/);
  await page.goto("/");
  await ask(page, "say still here");
  // The browser itself still has its network, as behind a hotspot that lets nothing through.
  let isCutOff = false;
  await page.route("**/api/auth/session", (route) => (isCutOff ? route.abort() : route.continue()));
  await page.route("**/assets/context-gauge-*.js", (route) => {
    isCutOff = true;
    return route.abort();
  });
  await page.reload();
  await expect(page.getByText("You're offline.")).toBeVisible();
  const notice = page.getByRole("region", { name: "Notifications" });
  await expect(notice).not.toContainText("did not load");
  isCutOff = false;
  await expect(notice).toContainText("Part of this page did not load");
  await expect(page.getByText("You're offline.")).toHaveCount(0);
});

test("a message queued offline survives closing the page", async ({ page, context, allowConsole }) => {
  allowConsole(/ERR_INTERNET_DISCONNECTED|WebSocket connection/);
  await page.goto("/");
  const chatId = await ask(page, "say Before the flight");
  await context.setOffline(true);
  await send(page, "say Written above the clouds");
  await expect(lastTurn(page).getByText("Will be sent when you're back online")).toBeVisible();
  await page.close();
  await context.setOffline(false);
  const later = await context.newPage();
  await later.goto(`/c/${chatId}`);
  await expect(turns(later)).toHaveCount(4);
  await answered(later);
  await expect(lastTurn(later)).toContainText("Written above the clouds");
});

furtherTest(
  "a visitor's first message whose answer is lost goes out by itself, as a chat that is theirs",
  async ({ page, allowConsole }) => {
    allowConsole(/ERR_FAILED|status of 409/);
    let lost = 0;
    await page.route("**/api/chat/*/messages", async (route) => {
      if (route.request().method() !== "POST" || lost > 0) return route.continue();
      lost += 1;
      // The server takes it, but neither answer nor cookie arrives.
      await fetch(route.request().url(), { method: "POST", headers: await route.request().allHeaders(), body: route.request().postData() });
      await route.abort();
    });
    await page.goto("/");
    await send(page, "say Not lost after all");
    await answered(page);
    expect(lost).toBe(1);
    await expect(turns(page)).toHaveCount(2);
    await expect(lastTurn(page)).toContainText("Not lost after all");
    await page.reload();
    await expect(lastTurn(page)).toContainText("Not lost after all");
  },
);

furtherTest(
  "a deployment without its database says so in the sidebar, the settings and the teams, and takes no feedback",
  async ({ page, allowConsole }) => {
    allowConsole(/the server responded with a status of 503/);
    const missing = { status: 503, json: { error: "Supabase is not configured", code: "DATABASE_NOT_CONFIGURED" } };
    await page.route("**/api/auth/session", (route) => route.fulfill(missing));
    await page.goto("/?settings=appearance");
    const settings = page.getByRole("dialog", { name: "Settings" });
    await expect(settings.getByRole("alert")).toContainText("Supabase is not configured");
    await settings.getByRole("tab", { name: "Teams" }).click();
    await expect(settings.getByRole("alert")).toContainText("Supabase is not configured");
    await page.keyboard.press("Escape");
    await expect(sidebar(page).getByRole("alert")).toContainText("Supabase is not configured");
    await sidebar(page).getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Send feedback" }).click();
    await expect(page.getByRole("dialog", { name: "Send feedback" }).getByRole("alert")).toHaveText(
      "Feedback is not supported in this deployment",
    );
    await expectAccessible(page);
  },
);

furtherTest(
  "a page that cannot learn whether somebody is signed in offers another try instead of an empty inbox",
  async ({ page, allowConsole }) => {
    allowConsole(/the server responded with a status of 500/);
    await page.route("**/api/auth/session", (route) =>
      route.fulfill({ status: 500, json: { error: "Something went wrong.", code: "INTERNAL" } }),
    );
    await page.goto("/schedules");
    const notice = sidebar(page).getByRole("alert");
    await expect(notice).toContainText("Chats could not be loaded");
    await expect(page.getByRole("main").getByRole("alert")).toContainText("The server cannot say who is here right now.");
    // Nor is it said that nobody has signed in.
    await expect(sidebar(page).getByText("Not known who is here")).toBeVisible();
    await expect(sidebar(page).getByText("Guest")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Login" })).toHaveCount(0);
    // While it is asked again there is no button, and the focus is not lost with it.
    const again = notice.getByRole("button", { name: "Try again" });
    await again.press("Enter");
    await expect(page.getByRole("tabpanel", { name: "Inbox" })).toBeFocused();
    await expect(again).toBeFocused();
    await page.unroute("**/api/auth/session");
    await again.press("Enter");
    await expect(sidebar(page).getByText("No unread, pinned, or recent chats")).toBeVisible();
    await expect(page.getByRole("tabpanel", { name: "Inbox" })).toBeFocused();
    await expect(sidebar(page).getByText("Guest")).toBeVisible();
    await expect(page.getByRole("region", { name: "Schedules" }).getByRole("link", { name: "Login" })).toBeVisible();
  },
);

test("a server that cannot take a message leaves it with Retry", async ({ page, allowConsole }) => {
  allowConsole(/the server responded with a status of 500/);
  await page.goto("/");
  await ask(page, "say All is well");
  await page.route("**/messages", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 500, json: { error: "Something went wrong on our side. Try again.", code: "INTERNAL" } })
      : route.fallback(),
  );
  await send(page, "say The one that failed");
  await expect(lastTurn(page).getByText(/^Not sent\./)).toBeVisible();
  await page.unroute("**/messages");
  await lastTurn(page).getByRole("button", { name: "Retry" }).click();
  await expect(turns(page)).toHaveCount(4);
  await answered(page);
  await expect(lastTurn(page)).toContainText("The one that failed");
});

furtherTest("a message too long says so, is not sent, and keeps its text", async ({ page }) => {
  await page.goto("/");
  await composer(page).fill("x".repeat(200_001));
  await expect(page.getByRole("alert")).toHaveText("This message has 200,001 characters. Shorten it to 200,000.");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
  await composer(page).press("Enter");
  await expect(page).toHaveURL((url) => url.pathname === "/");
  expect((await composer(page).inputValue()).length).toBe(200_001);
});

furtherTest("a guest at the day's limit is told, keeps the text, and is offered to sign in", async ({ page, allowConsole }) => {
  allowConsole(/the server responded with a status of 429/);
  const error = "Today's free messages are used up. Sign in to go on; your chats come with you.";
  await page.route("**/messages", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 429, json: { error, code: "GUEST_LIMIT" } }) : route.fallback(),
  );
  await page.goto("/");
  await send(page, "one message too many");
  await expect(page.getByRole("alert").getByText(error)).toBeVisible();
  await expect(page).toHaveURL((url) => url.pathname === "/");
  await expect(composer(page)).toHaveValue("one message too many");
  await expect(sidebar(page).getByText("Your inbox is empty")).toBeVisible();
  await page.getByRole("alert").getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/auth\/login/);
});

furtherTest("two tabs that send at once: one goes first, the other keeps its message", async ({ page, context, allowConsole }) => {
  allowConsole(/the server responded with a status of 409/);
  await page.goto("/");
  await ask(page, "say One turn at a time");
  const second = await context.newPage();
  await second.goto(`/c/${chatIdOf(page)}`);
  await expect(turns(second)).toHaveCount(2);
  await Promise.all([composer(page).fill("Longer talk from one\nspeed 60"), composer(second).fill("say Words from two")]);
  await Promise.all([composer(page).press("Enter"), composer(second).press("Enter")]);
  for (const text of ["Longer talk from one", "Words from two"]) {
    const found = async () => {
      // It may stand in the queue too, for as long as the other's answer is being written.
      const places = [page, second].flatMap((tab) => [conversation(tab), tab.getByRole("region", { name: "Queue" })]);
      const shown = await Promise.all(places.map((place) => place.getByText(text).count()));
      const typed = await Promise.all([page, second].map((tab) => composer(tab).inputValue()));
      return shown.some((count) => count > 0) || typed.some((value) => value.includes(text));
    };
    await expect.poll(found).toBe(true);
  }
});

furtherTest("a model that is gone is refused in plain words, with another one offered", async ({ page, allowConsole }) => {
  allowConsole(/the server responded with a status of 404/);
  await page.goto("/");
  await pickModel(page, "mistral small");
  await page.route("**/messages", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 404, json: { error: "Model mistralai/gone not found", code: "MODEL_NOT_FOUND" } })
      : route.fallback(),
  );
  await send(page, "to a model that is gone");
  await expect(page.getByRole("alert").getByText("Model mistralai/gone not found")).toBeVisible();
  await expect(composer(page)).toHaveValue("to a model that is gone");
  await page.getByRole("alert").getByRole("button", { name: "Switch model" }).click();
  await expect(page.getByRole("combobox", { name: "Search models" })).toBeFocused();
});
