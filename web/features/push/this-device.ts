/** How this browser stands to notifications, and what it needs to get them. */
import { registerServiceWorker } from "#web/lib/service-worker.ts";

/** `install`: on an iPhone or iPad only an application of the home screen gets any. */
export type Standing = "unsupported" | "install" | "denied" | "off" | "on";

type Facts = { hasPush: boolean; isApplePhone: boolean; permission: NotificationPermission; isSubscribed: boolean; isKnown: boolean };

/** How a browser stands: it is told where it subscribed, the server knows that, and its person still allows it. */
export function standingOf({ hasPush, isApplePhone, permission, isSubscribed, isKnown }: Facts): Standing {
  if (!hasPush) return isApplePhone ? "install" : "unsupported";
  if (permission === "denied") return "denied";
  return permission === "granted" && isSubscribed && isKnown ? "on" : "off";
}

/** What this browser says of itself; `isKnown` is the server's to say. */
export async function lookHere(): Promise<Omit<Facts, "isKnown">> {
  const isApplePhone =
    /\b(?:iPhone|iPad)\b/.test(navigator.userAgent) || (navigator.userAgent.includes("Mac OS X") && navigator.maxTouchPoints > 1);
  const registration = "PushManager" in window && "Notification" in window ? await registerServiceWorker() : null;
  if (!registration) return { hasPush: false, isApplePhone, permission: "default", isSubscribed: false };
  const isSubscribed = (await registration.pushManager.getSubscription()) !== null;
  return { hasPush: true, isApplePhone, permission: Notification.permission, isSubscribed };
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

/** Has this browser take no more. */
export async function unsubscribeHere(): Promise<void> {
  const registration = await registerServiceWorker();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
