import { useEffect } from "react";
import { useSession } from "#web/features/people/session/use-session.ts";

/** Keeps what the system shows of the application true: the number on its icon, and nothing of anybody once they are signed out. */
export function useSystemNotices(unread: number): void {
  const { isGuest, isCurrent } = useSession();
  // A list that is still held is nobody's once its reader has left.
  const badge = isGuest ? 0 : unread;
  useEffect(() => showBadge(badge), [badge]);
  useEffect(() => {
    // A browser that refuses shows nothing either.
    if (isCurrent && isGuest) void removePushFromBrowser().catch(() => undefined);
  }, [isCurrent, isGuest]);
}

/** Removes a person's notifications from this browser and ends its subscription: nobody is signed in any more. */
export async function removePushFromBrowser(): Promise<void> {
  const registration = "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
  if (!registration || !("pushManager" in registration)) return;
  for (const notification of await registration.getNotifications()) notification.close();
  // What is on its way is not shown then.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
}

/** Shows how many chats are unread on the application's icon, where the platform has that. */
export function showBadge(unread: number): void {
  if (!("setAppBadge" in navigator)) return;
  void (unread > 0 ? navigator.setAppBadge(unread) : navigator.clearAppBadge()).catch(() => undefined);
}
