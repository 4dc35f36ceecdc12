import type { Hono } from "hono";
import { copyPublicChat as copyPublicChatCall, getPublicChat } from "#shared/contracts/chat/sharing.ts";
import { openChat } from "#worker/conversation/chats/open-chat.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { copyPublicChat } from "./copy-public-chat.ts";
import { readPublicChat } from "./public-chats.ts";

/** Published chats over HTTP. */
export function publicChatRoutes(app: Hono<AppContext>): void {
  serve(app, getPublicChat, async ({ c, params, query }) => ({
    chat: await readPublicChat(c.env, c.var.db, { chatId: params.id, page: query.page }),
  }));

  serve(app, copyPublicChatCall, async ({ c, caller, params }) => {
    const id = await copyPublicChat(c.env, c.var.db, { caller, chatId: params.id });
    return { chat: await openChat(c.env, caller, id) };
  });
}
