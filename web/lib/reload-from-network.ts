/** A service worker that does not answer is not waited for any longer, in milliseconds. */
const PATIENCE_MS = 4_000;

type Listener = { postMessage(message: unknown, ports: MessagePort[]): void };
type Workers = {
  getRegistration(): Promise<{ waiting: Listener | null; active: Listener | null } | undefined>;
  addEventListener(type: "controllerchange", listener: () => void, options: { once: true }): void;
};

/**
 * Loads the page again as the server has it now. A service worker that waits for the last tab to close takes over first, and none
 * answers that load with the document it kept while the network has another.
 */
export async function reloadFromNetwork(
  workers: Workers | null = "serviceWorker" in navigator ? navigator.serviceWorker : null,
  reload: () => void = () => window.location.reload(),
): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  if (workers) await Promise.race([late, takeOver(workers).catch(() => undefined)]);
  reload();
}

async function takeOver(workers: Workers): Promise<void> {
  const registration = await workers.getRegistration();
  if (!registration) return;
  const { waiting } = registration;
  if (waiting) {
    const changed = new Promise<void>((resolve) => workers.addEventListener("controllerchange", resolve, { once: true }));
    await ask(waiting, "skip-waiting");
    await changed;
  }
  const active = waiting ?? registration.active;
  if (active) await ask(active, "await-network");
}

/** Resolves once the service worker has heard it. */
function ask(worker: Listener, type: "skip-waiting" | "await-network"): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise((resolve) => port1.addEventListener("message", resolve, { once: true }));
  port1.start();
  // A worker has no origin to be named.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage({ type }, [port2]);
  return answered;
}
