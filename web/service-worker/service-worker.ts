import { awaitNetwork } from "./patience.ts";
import { answerByShell, dropOldShells, keepLoaded, keepShell } from "./shell.ts";
import { answerShare } from "./share.ts";
import { listenForPushes } from "./push-events.ts";
import { scope } from "./scope.ts";

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

/** What pages say (web/lib/service-worker.ts, web/lib/reload-anew.ts). */
async function hear({ data, ports }: ExtendableMessageEvent): Promise<void> {
  const type: unknown = typeof data === "object" && data !== null && "type" in data ? data.type : null;
  if (type === "keep") return keepLoaded(data);
  if (type === "skip-waiting") void scope.skipWaiting();
  if (type === "await-network") awaitNetwork();
  ports[0]?.postMessage(type);
}

listenForPushes();
