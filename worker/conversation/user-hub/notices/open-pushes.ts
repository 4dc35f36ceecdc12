/** The part of pushes that a hub starts with: the rest is loaded with the first push. */
import { configOf } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { log } from "#worker/platform/log.ts";
import type { PushContent } from "#worker/mail/push/push-content.ts";
import type { PushDeps, Pushes } from "./pushes.ts";
import type { PushInput } from "#worker/mail/push/deliver-push.ts";

const module = loadOnce(() => import("./pushes.ts"));

export type OpenPushes = {
  /** Runs something on the pushes, where this deployment has any. Never throws: nothing else waits for them. */
  use(what: (pushes: Pushes) => Promise<void>): Promise<void>;
  /** The time of a push has come: answers when to come again, null where it is over. */
  attempt(key: string): Promise<number | null>;
  /** What a job that sends one asks. */
  ask(input: PushInput): Promise<PushContent | null>;
  /** The user changed what they want, or their devices. */
  forget(): void;
};

/** The pushes of one user, made when they are first needed. */
export function openPushes(deps: PushDeps): OpenPushes {
  let pushes: Pushes | null = null;
  const open = async () => {
    const { createPushes } = await module();
    return (pushes ??= createPushes(deps));
  };
  return {
    async use(what) {
      if (configOf(deps.env).push === null) return;
      try {
        await what(await open());
      } catch (cause) {
        log.error("a push was not sent", { cause });
      }
    },
    attempt: async (key) => (await open()).attempt(key),
    ask: async (input) => (await open()).ask(input),
    forget: () => pushes?.forget(),
  };
}
