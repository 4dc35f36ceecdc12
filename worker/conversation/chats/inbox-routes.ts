import type { Hono } from "hono";
import { changeChats, countChats, sayAttention } from "#shared/contracts/chat/inbox.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { unwrap } from "#worker/platform/errors/app-error.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { readerOf } from "#worker/people/callers/reader.ts";

/** Working on the list as a whole, and saying what one looks at, over HTTP. */
export function inboxRoutes(app: Hono<AppContext>): void {
  serve(app, countChats, async ({ c, caller, query }) => ({ count: await hubOf(c.env, caller.userId).count(query) }));

  serve(app, changeChats, async ({ c, caller, body }) => unwrap(await hubOf(c.env, caller.userId).bulk(body)));

  serve(app, sayAttention, async ({ c, caller, params, body }) => {
    unwrap(await roomOf(c.env, params.id).describe(readerOf(caller)));
    const { sessionId, displayName } = caller;
    await hubOf(c.env, caller.userId).look({ sessionId, displayName }, { chatId: params.id, ...body });
    return { ok: true as const };
  });
}
