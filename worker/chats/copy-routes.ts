import type { Hono } from "hono";
import { forkChat as forkChatCall } from "#shared/contracts/copies.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { forkChat } from "./fork-chat.ts";

/** Copies of chats over HTTP. */
export function copyRoutes(app: Hono<AppContext>): void {
  serve(app, forkChatCall, async ({ c, caller, params, body }) => {
    const { messageId, id = crypto.randomUUID() } = body;
    return { chat: await forkChat(c.env, c.var.db, { caller, chatId: params.id, messageId, id }) };
  });
}
