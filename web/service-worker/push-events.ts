import { fromNetwork } from "./network.ts";
import { followPush, type PushDeps, showPush, type Tab } from "./push.ts";
import { scope } from "./scope.ts";

const deps: PushDeps = {
  origin: scope.location.origin,
  show: (title, shown) => scope.registration.showNotification(title, shown),
  shownOf: async (tag) => (await scope.registration.getNotifications({ tag })).map(({ data }): unknown => data),
  tabs: async (): Promise<Tab[]> => [...(await scope.clients.matchAll({ type: "window", includeUncontrolled: true }))],
  openTab: (url) => scope.clients.openWindow(url),
  badge: (unread) => {
    if ("setAppBadge" in navigator) void navigator.setAppBadge(unread).catch(() => undefined);
  },
};

/** Takes pushes, presses on what they show, and the browser's word that its subscription is another now. */
export function listenForPushes(): void {
  scope.addEventListener("push", (event) => event.waitUntil(showPush(event.data?.text() ?? null, deps)));
  scope.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(followPush(event.notification.data, deps));
  });
  scope.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew()));
}

/** Subscribes again as it was, and tells the server; whoever is signed out is told nothing there any more. */
async function renew(): Promise<void> {
  const known = await fromNetwork("/api/push");
  const answer: unknown = known?.ok ? await known.json() : null;
  if (typeof answer !== "object" || answer === null || !("publicKey" in answer) || typeof answer.publicKey !== "string") return;
  const { pushManager } = scope.registration;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: answer.publicKey });
  const { endpoint, keys } = subscription.toJSON();
  await fromNetwork(
    new Request("/api/push/device", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ endpoint, ...keys }),
    }),
  );
}
