import { answered, ask, button, COMPOSER, CONVERSATION, enter, field, openSidebar, SIDEBAR, TURNS, writesLines } from "./fixtures.ts";
import { expect, journey } from "./test.ts";

const WAITING = "Will be sent when you're back online";

journey("without a network chats are there, what is written waits, and goes out once it is back", async ({ tab, allowConsole }) => {
  // The browsers' own lines about requests that found no way.
  allowConsole(
    /WebSocket|ServiceWorker intercepted|can’t establish a connection|could not be loaded|Load failed|NetworkError|due to access control|ERR_CONNECTION/,
  );
  await enter(tab);
  await tab.goto("/");
  await tab.until("the service worker", () => navigator.serviceWorker.controller?.state === "activated");
  await ask(tab, "say Kept for later");
  const chat = await tab.path();
  await tab.reload();
  await tab.see({ ...CONVERSATION, text: "Kept for later" });
  const id = chat.replace("/c/", "");
  await tab.until("the chat to be kept in this browser", isStoredOffline, id);

  await tab.setOffline(true);
  await tab.goto("/");
  await tab.see({ css: "*", role: "status", text: "You're offline." });
  await openSidebar(tab);
  await tab.click({ role: "link", name: /Kept for later/, within: SIDEBAR });
  await tab.see({ ...CONVERSATION, text: "Kept for later" });
  await tab.fill(COMPOSER, "say Written without a network");
  await tab.press("Enter");
  await tab.see({ ...TURNS, text: WAITING });
  await tab.click(button("Edit", { ...TURNS, text: WAITING }));
  await writesLines(tab, field("Edited text"), 6);
  await tab.click(button("Cancel", { ...TURNS, nth: -1 }));
  await tab.see({ ...TURNS, text: WAITING });
  await tab.reload();
  await tab.see({ ...TURNS, text: WAITING });

  await tab.setOffline(false);
  await tab.see({ ...TURNS, nth: 3 });
  await answered(tab);
  await tab.lack({ ...TURNS, text: WAITING });
  expect(await tab.count(TURNS)).toBe(4);
});

/** Whether this browser's database holds a chat's messages and its row. */
function isStoredOffline(chatId: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("offline");
    opening.addEventListener("error", () => reject(opening.error ?? new Error("No database.")));
    opening.addEventListener("success", () => {
      const asking = opening.result.transaction("kept").objectStore("kept").getAllKeys();
      asking.addEventListener("success", () => {
        opening.result.close();
        resolve(asking.result.filter((name) => JSON.stringify(name).includes(chatId)).length === 2);
      });
    });
  });
}
