import { fromNetwork } from "./network.ts";
import { followPush, type PushDeps, showPush, type Tab } from "./push.ts";
import { renew, type RenewDeps } from "./renew.ts";
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
  scope.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event.oldSubscription?.endpoint ?? null, renewing)));
}

const renewing: RenewDeps = {
  async known() {
    const answer = await fromNetwork("/api/push");
    return answer?.ok ? answer.json() : null;
  },
  async subscribe(publicKey) {
    const subscription = await scope.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    const { endpoint, keys } = subscription.toJSON();
    const { p256dh, auth } = keys ?? {};
    return endpoint === undefined || p256dh === undefined || auth === undefined ? null : { endpoint, p256dh, auth };
  },
  async report(body) {
    const headers = { "content-type": "application/json" };
    return (await fromNetwork(new Request("/api/push/device", { method: "PUT", headers, body: JSON.stringify(body) })))?.ok ?? false;
  },
  unsubscribe: async () => (await scope.registration.pushManager.getSubscription())?.unsubscribe(),
};
