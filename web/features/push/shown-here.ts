/** Takes what was shown of a person off this browser, and has no more come, as nobody is signed in any more. */
export async function quietHere(): Promise<void> {
  const registration = "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
  if (!registration || !("pushManager" in registration)) return;
  for (const notification of await registration.getNotifications()) notification.close();
  // What is on its way comes to nobody then.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
}

/** Shows how many chats are unread on the application's icon, where the platform has that. */
export function showBadge(unread: number): void {
  if (!("setAppBadge" in navigator)) return;
  void (unread > 0 ? navigator.setAppBadge(unread) : navigator.clearAppBadge()).catch(() => undefined);
}
