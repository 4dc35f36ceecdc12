/** How this browser stands to notifications, and what it needs to get them. */
import { isApplePhone } from "#web/lib/device.ts";
import { registerServiceWorker } from "#web/lib/service-worker.ts";

/** `install`: on an iPhone or iPad only an application of the home screen gets any. */
export type PushStatus = "unsupported" | "install" | "denied" | "off" | "on";

/** `subscribedFor` is the key that its subscription is for, in base64url; empty where the browser does not say, null without one. */
type BrowserPushState = { hasPush: boolean; isApplePhone: boolean; permission: NotificationPermission; subscribedFor: string | null };
type Server = { isKnown: boolean; publicKey: string };

/** How a browser stands: it is notified where it subscribed for the key of now, the server knows that, and its person still allows it. */
export function pushStatusOf(
  { hasPush, isApplePhone: isPhone, permission, subscribedFor }: BrowserPushState,
  { isKnown, publicKey }: Server,
): PushStatus {
  if (!hasPush) return isPhone ? "install" : "unsupported";
  if (permission === "denied") return "denied";
  const isSubscribed = subscribedFor === "" || subscribedFor === publicKey;
  return permission === "granted" && isSubscribed && isKnown ? "on" : "off";
}

/** What this browser says of itself. */
export async function readBrowserPushState(): Promise<BrowserPushState> {
  const registration = "PushManager" in window && "Notification" in window ? await registerServiceWorker() : null;
  if (!registration) return { hasPush: false, isApplePhone: isApplePhone(), permission: "default", subscribedFor: null };
  const subscription = await registration.pushManager.getSubscription();
  const subscribedFor = subscription && keyOf(subscription.options);
  return { hasPush: true, isApplePhone: isApplePhone(), permission: Notification.permission, subscribedFor };
}

/** In base64url, as the server writes it. */
function keyOf({ applicationServerKey: key }: PushSubscriptionOptions): string {
  const bytes = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Why a browser could not be subscribed, in words for its person. */
export class SubscribeError extends Error {}

type Subscribed = { endpoint: string; p256dh: string; auth: string };

/** Asks the person, then the browser's push service; call it by a press alone. Throws `SubscribeError`; null where the person said no. */
export async function subscribeHere(publicKey: string): Promise<Subscribed | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  if (!(await registerServiceWorker()))
    throw new SubscribeError("This browser keeps nothing for this site, and so takes no notifications.");
  const { pushManager } = await navigator.serviceWorker.ready;
  const { endpoint, keys } = (await subscribe(pushManager, publicKey)).toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined)
    throw new SubscribeError("This browser's subscription is not complete.");
  return { endpoint, p256dh, auth };
}

async function subscribe(pushManager: PushManager, publicKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    // One for another key stands in the way, as of a deployment whose key was replaced.
    const former = await pushManager.getSubscription();
    if (former && (await former.unsubscribe())) return pushManager.subscribe(options);
    throw new SubscribeError("The browser could not reach its push service. Try again in a moment.", { cause: error });
  }
}

/** Ends this browser's subscription. */
export async function unsubscribeHere(): Promise<void> {
  const registration = await registerServiceWorker();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
