import type { BrowserContext, Page } from "@playwright/test";
import { newestCode } from "../support/mailbox.ts";
import { SESSION_COOKIE } from "../support/seed-account.ts";
import { until } from "../support/until.ts";
import { callApi, enter, messagesOf } from "./fixtures/api.ts";
import { answered, ask, chatIdOf, composer, conversation, send, sidebar, turns } from "./fixtures/chat.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

// Nor a context that another test left, whose service worker would stay.
test.use({ serviceWorkers: "allow", reuseContext: false });

/** Waits until the service worker has the page, with all that it keeps. */
async function installed(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
}

/** Names of what this browser's database holds of the accounts. */
function storedRecordNames(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open("offline");
        opening.addEventListener("error", () => reject(opening.error ?? new Error("No database.")));
        opening.addEventListener("success", () => {
          const asking = opening.result.transaction("kept").objectStore("kept").getAllKeys();
          asking.addEventListener("success", () => {
            opening.result.close();
            resolve(asking.result.map(String));
          });
        });
      }),
  );
}

/** Who the server takes this browser for. */
async function whoIsHere(context: BrowserContext): Promise<unknown> {
  const answer: { user: unknown } = await (await context.request.get("/api/auth/session")).json();
  return answer.user;
}

const mine = (page: Page) => conversation(page).getByRole("article", { name: "You" });

test("without a network the list and the chats opened last are there, and what is written goes out once", async ({
  page,
  context,
  allowConsole,
}) => {
  // A page that is left has the network for a moment, and its asking for the session's end may get out before the next page's.
  allowConsole(/ERR_INTERNET_DISCONNECTED|WebSocket|could not be loaded|a status of 401 .*\/api\/auth\/signout/);
  await enter(page);
  await page.goto("/");
  await installed(page);
  const chatId = await ask(page, "say Kept for later");
  const knowledgeId = crypto.randomUUID();
  const tides = { id: knowledgeId, name: "Tide tables", text_content: "High water at six." };
  await callApi(page, { method: "POST", path: "/api/user-contexts", body: tides });
  await callApi(page, { method: "PATCH", path: `/api/chat/${chatId}`, body: { context_ids: [knowledgeId] } });
  await callApi(page, { method: "POST", path: "/api/folders", body: { id: crypto.randomUUID(), name: "Harbour" } });
  await callApi(page, { method: "POST", path: "/api/tags/chats", body: { chat_ids: [chatId], add: ["spring"] } });
  const chips = page.getByRole("list", { name: "Knowledge" });
  const harbour = sidebar(page).getByRole("treeitem", { name: "Harbour", exact: true });
  await page.reload();
  await sidebar(page).getByRole("tab", { name: "Chats" }).click();
  await expect(chips).toContainText("Tide tables");
  await expect(harbour).toBeVisible();
  await expect(sidebar(page).getByText("spring", { exact: true })).toBeVisible();
  await expect.poll(async () => (await storedRecordNames(page)).filter((name) => name.includes(chatId))).toHaveLength(2);
  await expect.poll(async () => (await storedRecordNames(page)).filter((name) => /"folders"|"knowledge"/.test(name))).toHaveLength(2);

  await context.setOffline(true);
  await page.goto("/");
  await expect(composer(page)).toBeEditable();
  await expect(page.getByText("You're offline.")).toBeVisible();
  await expect(harbour).toBeVisible();
  await expect(sidebar(page).getByText("spring", { exact: true })).toBeVisible();
  await sidebar(page)
    .getByRole("link", { name: /Kept for later/ })
    .click();
  await expect(conversation(page)).toContainText("Kept for later");
  await expect(chips).toContainText("Tide tables");

  await send(page, "say The first");
  await send(page, "say The second");
  await expect(mine(page)).toHaveCount(3);
  await mine(page).last().getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edited text" }).fill("say The second, corrected");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await send(page, "say Never sent");
  await mine(page).last().getByRole("button", { name: "Discard" }).click();
  await page.reload();
  await expect(mine(page)).toHaveText([/Kept for later/, /The first/, /The second, corrected/]);
  await expect(conversation(page).getByText("Will be sent when you're back online")).toHaveCount(2);
  await page.goto("/");
  await send(page, "say Begun without a network");
  await page.waitForURL("**/c/*");
  const newChat = chatIdOf(page);
  // It has a row from which it is reached, after a reload too.
  const unsent = sidebar(page).locator(`[data-row="${newChat}"]`);
  await page.goto("/");
  await expect(unsent).toHaveAccessibleDescription(/say Begun without a network/);
  await unsent.click();
  await expect(mine(page)).toHaveText([/Begun without a network/]);

  await context.setOffline(false);
  await answered(page);
  await expect.poll(async () => (await messagesOf(page, chatId)).length, { timeout: 30_000 }).toBe(6);
  expect((await messagesOf(page, chatId)).map(({ role, content }) => (role === "user" ? content : role))).toEqual(
    ["say Kept for later", "say The first", "say The second, corrected"].flatMap((content) => [content, "assistant"]),
  );
  expect(await messagesOf(page, newChat)).toHaveLength(2);
  await expect(turns(page)).toHaveCount(2);
  await expect(page.getByText("You're offline.")).toBeHidden();

  // Signing out leaves nothing of it for the next person, but the application itself, also without a network.
  const other = await context.newPage();
  await other.goto(`/c/${chatId}`);
  await expect(conversation(other)).toContainText("Kept for later");
  await context.setOffline(true);
  // What waits to be sent goes too, and not without a word.
  await send(other, "say Never to be sent");
  await page.getByRole("button", { name: /^Profile: / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  const asked = page.getByRole("alertdialog", { name: "Sign out?" });
  await expect(asked).toContainText("1 message was not sent and will be lost.");
  await asked.getByRole("button", { name: "Sign out" }).click();
  const toast = page.getByText("You have signed out, and nothing of yours is left on this device.").first();
  await expect(toast).toBeVisible();
  expect(await whoIsHere(page.context())).not.toBeNull();
  await expect.poll(() => storedRecordNames(page)).toEqual([]);
  await page.goto(`/c/${chatId}`);
  await expect(page.getByText("Kept for later")).toHaveCount(0);
  await expect(other.getByText("Kept for later")).toHaveCount(0);
  await other.close();
  // The session ends with the network, before anything is asked in its name.
  await page.goto("/");
  await context.setOffline(false);
  await expect(page.getByRole("main").getByRole("link", { name: "Login" })).toBeVisible();
  await expect(toast).toHaveCount(0);
  expect(await whoIsHere(page.context())).toBeNull();
  expect((await page.evaluate(() => caches.keys())).filter((name) => !name.startsWith("shell-"))).toEqual([]);
  await context.setOffline(true);
  await page.goto(`/c/${chatId}`);
  await expect(composer(page)).toBeEditable();
  await expect(page.getByText("Kept for later")).toHaveCount(0);
});

/** Shares as the system does with the installed application: a form posted to its target. */
async function share(page: Page, { text, url, file }: { text: string; url: string; file: string }): Promise<void> {
  await page.evaluate(
    (given) => {
      const form = document.createElement("form");
      Object.assign(form, { action: "/share", method: "POST", enctype: "multipart/form-data" });
      for (const [name, value] of [
        ["text", given.text],
        ["url", given.url],
      ]) {
        const field = document.createElement("input");
        Object.assign(field, { name, value });
        form.append(field);
      }
      const files = document.createElement("input");
      Object.assign(files, { name: "files", type: "file" });
      const list = new DataTransfer();
      list.items.add(new File(["What is in it."], given.file, { type: "text/plain" }));
      files.files = list.files;
      form.append(files);
      document.body.append(form);
      form.submit();
    },
    { text, url, file },
  );
}

test("what other applications share or link to stands in a new chat, and nothing is sent or attached without a press", async ({
  page,
  context,
  allowConsole,
}) => {
  // What is fetched ahead while idle may be on its way as the network goes.
  allowConsole(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket|could not be loaded/);
  const shared = { text: "Read this", url: "https://elsewhere.example/a", file: "notes.txt" };
  await page.goto("/");
  await installed(page);
  await share(page, shared);
  await expect(composer(page)).toHaveValue("Read this\n\nhttps://elsewhere.example/a");
  const toasts = page.getByRole("region", { name: "Notifications" });
  await expect(toasts.getByText("Sign in to attach what you shared")).toBeVisible();

  await enter(page);
  await page.goto("/");
  // The page knows who is here: nobody else is asked about files.
  await expect(page.getByRole("button", { name: /^Profile: / })).toBeVisible();
  await composer(page).fill("");
  // Without a network nothing of it is lost: its text is there at once, its file waits.
  await context.setOffline(true);
  await share(page, shared);
  // The question stands before it, for which it is no textbox then.
  await expect(page.locator('textarea[aria-label="Message"]')).toHaveValue("Read this\n\nhttps://elsewhere.example/a");
  const question = page.getByRole("alertdialog", { name: "Attach this file?" });
  await expect(question).toContainText("You're offline");
  await context.setOffline(false);
  await expect(question).toContainText("notes.txt");
  await expect(question).toContainText("Nothing is sent before you do");
  await page.reload();
  const attached = page.getByRole("list", { name: "Attached files" }).getByText("notes.txt");
  await expect(question).toBeVisible();
  await expect(attached).toBeHidden();
  await question.getByRole("button", { name: "Attach" }).click();
  await expect(attached).toBeVisible();
  await expect(page).toHaveURL(/\/new$/);

  await share(page, shared);
  await question.getByRole("button", { name: "Leave out" }).click();
  await expect(page).toHaveURL(/\/new$/);
  await expect(attached).toHaveCount(1);

  await page.goto(`/new?link=${encodeURIComponent("web+polylogue:new?text=From%20elsewhere")}`);
  await expect(composer(page)).toHaveValue("From elsewhere");
  await page.goto(`/new?link=${encodeURIComponent("web+polylogue:admin")}`);
  await expect(toasts.getByText("This link leads nowhere here")).toBeVisible();
  await expect(sidebar(page).getByRole("link", { name: /From elsewhere|Read this/ })).toHaveCount(0);

  // What a browser offers is offered in the settings, and asked by its own question.
  await page.goto("/?settings=general");
  const asked = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt: async () => resolve("asked") });
        dispatchEvent(offer);
      }),
  );
  await page.getByRole("button", { name: /^Install app/ }).click();
  expect(await asked).toBe("asked");
  await expect(page.getByRole("button", { name: /^Install app/ })).toHaveCount(0);
  await page.getByRole("button", { name: /^Ask about this page/ }).click();
  await expect(page.getByRole("link", { name: "Ask about this page" })).toHaveAttribute("href", /^javascript:.*%2Fnew%3Fprompt%3D/);
});

test("who keeps nothing on the device leaves nothing there: no draft, no chat, and no session once the browser is closed", async ({
  page,
  context,
  allowConsole,
}) => {
  // What the page was just reading as its session ended.
  allowConsole(/a status of 401 .*\/api\/chat\/[\w-]+/);
  const [email, profile] = [newAddress(), page.getByRole("button", { name: /^Profile: / })];
  await page.goto("/auth/login?returnUrl=%2F");
  await page.getByRole("checkbox", { name: "Keep nothing on this device" }).check();
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("button", { name: "Send code" }).click();
  const code = await until("the code", () => newestCode(new URL(page.url()).origin, email));
  await page.getByRole("textbox", { name: "Code" }).fill(code);
  await expect(profile).toBeVisible();
  const chatId = await ask(page, "say Read on a borrowed device");
  await composer(page).fill("an unsent thought");
  await page.reload();
  await expect(composer(page)).toHaveValue("an unsent thought");
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(["keeps-nothing"]);
  expect(await storedRecordNames(page)).toEqual([]);
  const session = (await context.cookies()).find(({ name }) => name === SESSION_COOKIE);
  expect(session?.expires, "it ends with the browser").toBe(-1);

  const tab = await context.newPage();
  await tab.goto(`/c/${chatId}`);
  await expect(conversation(tab)).toContainText("Read on a borrowed device");
  await expect(composer(tab)).toHaveValue("");
  await tab.close();
  await profile.click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("main").getByRole("link", { name: "Login" })).toBeVisible();
  const localValues = () => page.evaluate(() => `${JSON.stringify(localStorage)} ${JSON.stringify(sessionStorage)}`);
  expect(await localValues()).not.toMatch(/unsent|borrowed|keeps-nothing/);
});

furtherTest("once it is installed, what waits here is asked to stay, and nobody is asked before", async ({ page }) => {
  await page.addInitScript(() => {
    let times = 0;
    StorageManager.prototype.persist = async () => {
      document.documentElement.dataset["persisted"] = `${(times += 1)}`;
      return true;
    };
  });
  await enter(page);
  await page.goto("/");
  await installed(page);
  const times = () => page.evaluate(() => document.documentElement.dataset["persisted"]);
  expect(await times()).toBeUndefined();
  await page.addInitScript(() => {
    const match = window.matchMedia.bind(window);
    window.matchMedia = (query) => match(query === "(display-mode: standalone)" ? "all" : query);
  });
  await page.reload();
  await expect.poll(times).toBe("1");
});
