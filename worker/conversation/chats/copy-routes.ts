import type { Hono } from "hono";
import { exportChat as exportChatCall, forkChat as forkChatCall, importChat as importChatCall } from "#shared/contracts/chat/copies.ts";
import { generateChatSummary } from "#shared/contracts/chat/summaries.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { countInHour } from "#worker/platform/http/rate-limit.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { exportChat } from "./export-chat.ts";
import { forkChat } from "./fork-chat.ts";
import { importChat } from "./import-chat.ts";
import { summarizeChat } from "./summarize-chat.ts";

/** What is made of whole chats, over HTTP. */
export function copyRoutes(app: Hono<AppContext>): void {
  serve(app, forkChatCall, async ({ c, caller, params, body }) => {
    const { messageId, id = crypto.randomUUID() } = body;
    return { chat: await forkChat(c.env, c.var.db, { caller, chatId: params.id, messageId, id }) };
  });

  serve(app, exportChatCall, async ({ c, caller, params, query }) => {
    await countInHour(c.env, "exports", caller);
    return exportChat(c.env, { caller, chatId: params.id, format: query.format });
  });

  serve(app, importChatCall, async ({ c, caller, body }) => ({ chat: await importChat(c.env, c.var.db, { caller, exported: body }) }));

  serve(app, generateChatSummary, async ({ c, caller, body }) => ({
    summary: await summarizeChat(c.env, { caller, ip: c.var.ip, messages: body.messages }),
  }));
}
