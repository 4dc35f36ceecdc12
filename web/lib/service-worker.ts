import { ownScript } from "./trusted-types.ts";

let registering: Promise<ServiceWorkerRegistration | null> | null = null;

/** Registers the service worker, once; null where the browser has none, or refuses it: everything but what it adds works without. */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  registering ??= register();
  return registering;
}

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator)) return null;
  try {
    const registration = await navigator.serviceWorker.register(ownScript("/sw.js"));
    void keepLoaded();
    return registration;
  } catch {
    // Private windows, or no network for its code: the next visit tries again.
    registering = null;
    return null;
  }
}

/** Reports to the service worker which files this page has loaded without it: what was used once is there without a network, too. */
async function keepLoaded(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  // A worker has no origin to be named.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  active?.postMessage({ type: "keep", files: loaded });
}
