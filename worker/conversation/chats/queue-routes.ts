import type { Hono } from "hono";
import { pickSettings } from "#shared/entities/chat-settings.ts";
import { splitSteps } from "#shared/library/chain.ts";
import { addToQueue, changeQueue, readQueue, removeFromQueue } from "#shared/contracts/chat/queue.ts";
import type { MessageQueue } from "#shared/entities/queued-message.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { unwrap } from "#worker/platform/errors/app-error.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { hashedSettings, hashOf } from "./prepare-turn.ts";
import { readerOf } from "#worker/people/callers/reader.ts";

/** The messages that wait their turn in a chat, over HTTP. */
export function queueRoutes(app: Hono<AppContext>): void {
  serve(app, readQueue, async ({ c, caller, params }) => unwrap<MessageQueue>(await roomOf(c.env, params.id).arrange(readerOf(caller))));

  serve(app, addToQueue, async ({ c, caller, params, body }) => {
    const {
      id,
      after_id: afterId,
      content,
      attachments = [],
      chain = false,
      next_steps: nextSteps,
      settings_once: once = {},
      ...settings
    } = body;
    const input = {
      id,
      afterId,
      attachments,
      settings: pickSettings(settings),
      once,
      ip: caller.anonymous ? c.var.ip : null,
      steps: nextSteps ? [content, ...nextSteps] : chain ? splitSteps(content) : [content],
      hash: await hashOf({
        id,
        content,
        attachments,
        modelId: null,
        toolCategories: null,
        ...hashedSettings(settings, once),
        chain,
        ...(nextSteps && { nextSteps }),
      }),
    };
    return { ids: unwrap<string[]>(await roomOf(c.env, params.id).enqueue(readerOf(caller), input)) };
  });

  serve(app, changeQueue, async ({ c, caller, params, body }) =>
    unwrap<MessageQueue>(await roomOf(c.env, params.id).arrange(readerOf(caller), { change: body })),
  );

  serve(app, removeFromQueue, async ({ c, caller, params, query }) =>
    unwrap<MessageQueue>(await roomOf(c.env, params.id).arrange(readerOf(caller), { remove: query.item ?? null })),
  );
}
