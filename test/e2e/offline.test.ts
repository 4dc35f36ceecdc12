import type { Page } from "@playwright/test";
import { enter, messagesOf } from "./fixtures/api.ts";
import { answered, ask, chatIdOf, composer, conversation, send, sidebar, turns } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

test.use({ serviceWorkers: "allow" });

/** Waits until the service worker has the page, with all that it keeps. */
async function installed(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
}

/** Names of what this browser's database holds of the accounts. */
function keptNames(page: Page): Promise<string[]> {
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

const mine = (page: Page) => conversation(page).getByRole("article", { name: "You" });

test("without a network the list and the chats opened last are there, and what is written goes out once", async ({
  page,
  context,
  allowConsole,
}) => {
  allowConsole(/ERR_INTERNET_DISCONNECTED|WebSocket|could not be loaded/);
  await enter(page);
  await page.goto("/");
  await installed(page);
  const chatId = await ask(page, "say Kept for later");
  await expect.poll(async () => (await keptNames(page)).filter((name) => name.includes(chatId))).toHaveLength(2);

  await context.setOffline(true);
  await page.goto("/");
  await expect(composer(page)).toBeEditable();
  await expect(page.getByText("You're offline.")).toBeVisible();
  await sidebar(page)
    .getByRole("link", { name: /Kept for later/ })
    .click();
  await expect(conversation(page)).toContainText("Kept for later");

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

  await context.setOffline(false);
  await answered(page);
  await expect.poll(async () => (await messagesOf(page, chatId)).length, { timeout: 30_000 }).toBe(6);
  expect((await messagesOf(page, chatId)).map(({ role, content }) => (role === "user" ? content : role))).toEqual(
    ["say Kept for later", "say The first", "say The second, corrected"].flatMap((said) => [said, "assistant"]),
  );
  expect(await messagesOf(page, newChat)).toHaveLength(2);
  await expect(turns(page)).toHaveCount(2);
  await expect(page.getByText("You're offline.")).toBeHidden();

  // Signing out leaves nothing of it for the next person, but the application itself.
  await page.getByRole("button", { name: /^Profile: / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("main").getByRole("link", { name: "Login" })).toBeVisible();
  await expect.poll(() => keptNames(page)).toEqual([]);
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
  const news = page.getByRole("region", { name: "Notifications" });
  await expect(news.getByText("Sign in to attach what you shared")).toBeVisible();

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
  await expect(news.getByText("This link leads nowhere here")).toBeVisible();
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
