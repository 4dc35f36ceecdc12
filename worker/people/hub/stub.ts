import type { Context } from "hono";
import * as z from "zod/mini";
import type { ContentKind } from "#shared/live-events.ts";
import type { AppContext, Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { askWithRetry, stubOf } from "#worker/platform/durable-objects.ts";
import type { PersonHub } from "./rpc.ts";

export function hubOf(env: Env, userId: string): DurableObjectStub<PersonHub> {
  return stubOf<PersonHub>(env.USER_HUB, userId);
}

/** Once something is set that a person's messages go by: what read it before is not relied on, at once or after a job has notified their hub. */
export async function noteSettingsChange(env: Env, userId: string): Promise<void> {
  try {
    await hubOf(env, userId).noteSettingsChange();
  } catch (cause) {
    log.error("a hub was not notified that settings may have changed", { userId, cause });
    await enqueue(env, noteSettingsChangeJob, { userId });
  }
}

/** Goes on with telling a hub that could not be reached. */
export const noteSettingsChangeJob = job("settings.changed", z.object({ userId: z.string() }), (env, { userId }) =>
  hubOf(env, userId).noteSettingsChange(),
);

/** Has a person's tabs read anew what changed. It changed, whether they hear so or not: a tab that was missed reads again before long. */
export async function noteContentChange(env: Env, userId: string, kind: ContentKind): Promise<void> {
  try {
    await askWithRetry(() => hubOf(env, userId).noteContentChanged(kind));
  } catch (cause) {
    log.warn("tabs were not notified of what changed", { kind, cause });
    // A person's messages go by their tools.
    if (kind === "tools") await enqueue(env, noteSettingsChangeJob, { userId });
  }
}

/** Has these people's other tabs read anew what a request changed; its answer does not wait for them. */
export function notifyTabs(c: Context<AppContext>, kind: ContentKind, ...userIds: string[]): void {
  for (const userId of new Set(userIds)) c.executionCtx.waitUntil(noteContentChange(c.env, userId, kind));
}
