import { awaitNetwork } from "./patience.ts";
import { answerByShell, dropOldShells, keepLoaded, keepShell } from "./shell.ts";
import { scope } from "./scope.ts";
import { ATTACHMENT_BYTES, ATTACHMENTS_PER_MESSAGE } from "#shared/limits.ts";
import { pathWithText, SHARE_TARGET, sharedParts, sharedText } from "#shared/sharing/share-target.ts";
import { putShared } from "../lib/shared-inbox.ts";
import { fromNetwork } from "./network.ts";
import { followPush, type PushDeps, showPush, type Tab, renew, type RenewDeps } from "./push.ts";

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
function listenForPushes(): void {
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

scope.addEventListener("install", (event) => event.waitUntil(keepShell()));

scope.addEventListener("activate", (event) =>
  // The page that registered it is served by it at once, so what it loads from now on is kept.
  event.waitUntil(dropOldShells().then(() => scope.clients.claim())),
);

scope.addEventListener("fetch", (event) => {
  const answer = answerByShell(event) ?? answerShare(event);
  // What is not answered here goes the browser's own way: calls of /api are never seen, let alone kept.
  if (answer) event.respondWith(answer);
});

scope.addEventListener("message", (event) => event.waitUntil(hear(event)));

/** What pages say (web/lib/service-worker.ts, web/lib/reload-from-network.ts). */
async function hear({ data, ports }: ExtendableMessageEvent): Promise<void> {
  const type: unknown = typeof data === "object" && data !== null && "type" in data ? data.type : null;
  if (type === "keep") return keepLoaded(data);
  if (type === "skip-waiting") void scope.skipWaiting();
  if (type === "await-network") awaitNetwork();
  ports[0]?.postMessage(type);
}

listenForPushes();

/** The answer to what the system shares with the installed application; null for every other request. */
function answerShare({ request }: FetchEvent): Promise<Response> | null {
  return request.method === "POST" && new URL(request.url).pathname === SHARE_TARGET ? openNewChat(request) : null;
}

/** Keeps the text and files for a new chat's page, and goes there. Nothing is sent by that: any site may post here, and its visitor's press there decides. */
async function openNewChat(request: Request): Promise<Response> {
  // What cannot be read shares nothing, and its sender still comes to a new chat.
  const form = await request.formData().catch(() => new FormData());
  const text = sharedText(sharedParts(form));
  const files = form.getAll("files").filter((field): field is File => field instanceof File && field.name !== "");
  const accepted = files.filter(({ size }) => size <= ATTACHMENT_BYTES).slice(0, ATTACHMENTS_PER_MESSAGE);
  try {
    const read = async (file: File) => ({ name: file.name, type: file.type, bytes: await file.arrayBuffer() });
    const id = await putShared({
      text,
      files: await Promise.all(accepted.map(read)),
      at: Date.now(),
      leftOut: files.length - accepted.length,
    });
    return Response.redirect(`/new?shared=${id}`, 303);
  } catch {
    // No room, or no database: the text still comes along.
    return Response.redirect(pathWithText(text), 303);
  }
}
