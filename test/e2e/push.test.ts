import type { BrowserContext, CDPSession, Page } from "@playwright/test";
import { pushesTo, type Receiver, subscribed } from "../support/push.ts";
import { callApi, enter } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { ask, chatIdOf, lastTurn, send } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

test.use({ serviceWorkers: "allow", reuseContext: false });

const PUSH = process.env["E2E_PUSH"] ?? "";
const ORIGIN = process.env["E2E_URL"] ?? "";

/** A browser without a push service of its own: the simulator is in its place, with keys that the test knows. */
async function standIn(context: BrowserContext): Promise<Receiver> {
  const receiver = await subscribed(PUSH);
  const { endpoint, p256dh, auth } = receiver;
  await context.addInitScript(
    (subscription) => {
      const bytes = (text: string) =>
        Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
      const subscriptionFor = (key: string) => ({
        ...subscription,
        options: { applicationServerKey: bytes(key).buffer },
        unsubscribe: () => Promise.resolve(sessionStorage.removeItem("subscribed") === undefined),
        toJSON: () => subscription,
      });
      Object.assign(PushManager.prototype, {
        subscribe: ({ applicationServerKey: key }: { applicationServerKey: string }) => {
          sessionStorage.setItem("subscribed", key);
          return Promise.resolve(subscriptionFor(key));
        },
        getSubscription: () => {
          const key = sessionStorage.getItem("subscribed");
          return Promise.resolve(key === null ? null : subscriptionFor(key));
        },
      });
      const noteBadge = (badge: string) => Promise.resolve(sessionStorage.setItem("badge", badge));
      Object.assign(Navigator.prototype, {
        setAppBadge: (unread: number) => noteBadge(String(unread)),
        clearAppBadge: () => noteBadge(""),
      });
    },
    { endpoint, keys: { p256dh, auth } },
  );
  return receiver;
}

/** Delivers a push to the application's service worker, as the browser does what its push service brings. */
async function deliver(session: CDPSession, data: string): Promise<void> {
  const registration = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const ours = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${ORIGIN}/` && !isDeleted);
      if (ours) resolve(ours.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.deliverPushMessage", { origin: ORIGIN, registrationId: await registration, data });
}

function shown(page: Page): Promise<{ title: string; body: string; tag: string }[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
  });
}

test("a device that was turned on is told of a reply that finished while nobody looked", async ({ page, context, allowConsole }) => {
  // What is on its way as the person signs out is refused.
  allowConsole(/WebSocket connection|401 \(Unauthorized\)/);
  const receiver = await standIn(context);
  await context.grantPermissions(["notifications"], { origin: ORIGIN });
  await enter(page);
  await page.goto("/?settings=notifications");
  const devices = page.getByRole("region", { name: "Devices" });
  await devices.getByRole("button", { name: "Turn on" }).click();
  await expect(devices).toContainText("Notifications come here until you sign out");
  await expectAccessible(page);
  const shares = page.getByRole("switch", { name: "Shared with you on devices" });
  await shares.click();
  await expect(shares).not.toBeChecked();
  await devices.getByRole("button", { name: "Test" }).click();
  await expect.poll(async () => (await pushesTo(PUSH, receiver)).messages.map(({ content }) => content.kind)).toEqual(["test"]);

  // Whoever looks is told of nothing: that is known once the page is connected.
  const connected = page.waitForEvent("websocket");
  await page.goto("/");
  await connected;
  await ask(page, "say Hello");
  await send(page, "delay 4000\nsay Lanterns beside water.");
  await expect(lastTurn(page)).toBeVisible();
  const chatId = chatIdOf(page);
  await page.goto("about:blank");
  await expect
    .poll(async () => (await pushesTo(PUSH, receiver)).messages.map(({ content }) => content))
    .toContainEqual(expect.objectContaining({ kind: "reply", tag: chatId, body: "Lanterns beside water." }));
  const { messages } = await pushesTo(PUSH, receiver);

  await page.goto("/?settings=notifications");
  const session = await context.newCDPSession(page);
  await deliver(session, JSON.stringify(messages.at(-1)?.content));
  await expect.poll(() => shown(page)).toEqual([expect.objectContaining({ tag: chatId, body: "Lanterns beside water." })]);

  const badge = () => page.evaluate(() => sessionStorage.getItem("badge"));
  await expect.poll(badge).toBe("1");

  await devices.getByRole("button", { name: "Turn off" }).click();
  await expect(devices.getByRole("button", { name: "Turn on" })).toBeVisible();
  expect(await callApi(page, { method: "GET", path: "/api/push" })).toMatchObject({ devices: [], kinds: { share: false } });

  // What another key was subscribed for brings nothing any more, and who signs out leaves nothing that shows.
  await page.evaluate(() => sessionStorage.setItem("subscribed", "AAAA"));
  await page.reload();
  await expect(devices.getByRole("button", { name: "Turn on" })).toBeVisible();
  await devices.getByRole("button", { name: "Turn on" }).click();
  await expect(devices).toContainText("Notifications come here until you sign out");
  expect(await shown(page)).toHaveLength(1);
  await page.goto("/?settings=general");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL(({ search }) => search === "");
  await expect.poll(() => shown(page)).toEqual([]);
  await expect.poll(badge).toBe("");
  expect(await page.evaluate(() => sessionStorage.getItem("subscribed"))).toBeNull();
});
