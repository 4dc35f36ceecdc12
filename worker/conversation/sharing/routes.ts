import type { Hono } from "hono";
import {
  leaveChat as leaveChatCall,
  listPeople,
  listShares,
  removeShare as removeShareCall,
  removeTeamShare,
  shareChat as shareChatCall,
} from "#shared/contracts/chat/sharing.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { leaveChat, readPeople, readShares, removeShare, shareChat } from "./sharing.ts";

/** Who a chat is shared with, over HTTP. */
export function sharingRoutes(app: Hono<AppContext>): void {
  serve(app, listShares, ({ c, caller, params }) => readShares(c.env, c.var.db, { caller, chatId: params.id }));

  serve(app, listPeople, ({ c, caller, params }) => readPeople(c.env, c.var.db, { caller, chatId: params.id }));

  serve(app, shareChatCall, ({ c, caller, params, body }) =>
    shareChat(c.env, c.var.db, { caller, chatId: params.id, input: body, origin: ownOrigin(c) }),
  );

  serve(app, removeShareCall, async ({ c, caller, params }) => {
    await removeShare(c.env, { caller, chatId: params.id, of: "user", shareId: params.shareId });
    return OK;
  });

  serve(app, removeTeamShare, async ({ c, caller, params }) => {
    await removeShare(c.env, { caller, chatId: params.id, of: "team", shareId: params.shareId });
    return OK;
  });

  serve(app, leaveChatCall, async ({ c, caller, params }) => {
    await leaveChat(c.env, { caller, chatId: params.id });
    return OK;
  });
}

const OK = { ok: true } as const;
