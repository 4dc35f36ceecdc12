import { loadOnce } from "#worker/platform/load-once.ts";
import type { Messaging, MessagingDeps } from "./messaging-deps.ts";
import type { MessagingApp } from "#worker/conversation/features.ts";

const messaging = loadOnce(() => import("./messaging.ts"));

/** The messaging app in one room, loaded with the first that comes in by it. */
export function openMessaging(deps: MessagingDeps, loadApp: () => Promise<MessagingApp>): Messaging {
  let made: Messaging | null = null;
  const open = async () => {
    const [{ RoomMessaging }, app] = await Promise.all([messaging(), loadApp()]);
    return (made ??= new RoomMessaging(deps, app));
  };
  return {
    call: async (input) => (await open()).call(input),
    ask: async (callId, question) => (await open()).ask(callId, question),
    settled: async (id) => (await open()).settled(id),
    due: async (work) => (await open()).due(work),
  };
}
