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
    return await navigator.serviceWorker.register(ownScript("/sw.js"));
  } catch {
    // Private windows, or no network for its code: the next visit tries again.
    registering = null;
    return null;
  }
}
