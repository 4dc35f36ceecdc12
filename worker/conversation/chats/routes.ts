import type { Hono } from "hono";
import { createChat, deleteChat as deleteChatCall, getChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { listMessages, selectVersion } from "#shared/contracts/chat/messages.ts";
import { listTodos } from "#shared/contracts/chat/todos.ts";
import { openLive } from "#shared/contracts/live.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { FRESH_OWN_MIN, MESSAGES_PAGE } from "#shared/limits.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { requireFreshSignIn } from "#worker/people/sessions/fresh-sign-in.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { serve, writtenJson } from "#worker/people/callers/serve.ts";
import { changeToolSettings } from "#worker/people/tool-settings/tool-settings.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { noteSettingsChange } from "#worker/people/hub/stub.ts";
import { applySettings, NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import { deleteChat } from "./delete-chat.ts";
import { openChat } from "./open-chat.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import { beginChat } from "#worker/people/owned-chats/owned-chats.ts";
import { changeChat } from "./change-chat.ts";

/** Chats, their messages, replies and live events over HTTP. */
export function chatRoutes(app: Hono<AppContext>): void {
  serve(app, listChats, async ({ c, caller, query }) => writtenJson(c, listChats, await hubOf(c.env, caller.userId).list(query)));

  serve(app, createChat, async ({ c, caller, body }) => {
    const id = body.id ?? crypto.randomUUID();
    const { id: _id, title = "", team_id: teamId = null, folder_id: folderId = null, ...change } = body;
    const begun = { ...NO_SETTINGS, tool_categories: c.var.toolPreferences?.defaultCategories ?? [] };
    const place = folderId === null ? null : { chatId: id, folderId, workspace: teamId ?? "personal" };
    // A chat is not refused for a folder that is gone meanwhile, or is of another workspace.
    if (place) await hubOf(c.env, caller.userId).folders({ kind: "begin", ...place });
    const { chat } = await beginChat(c.env, c.var.db, { id, caller, title, teamId, settings: applySettings(begun, change) });
    await roomOf(c.env, id).createChat(id, chat);
    return { chat: await openChat(c.env, caller, id) };
  });

  serve(app, getChat, async ({ c, caller, params }) => ({ chat: await openChat(c.env, caller, params.id) }));

  serve(app, updateChat, async ({ c, caller, params, body }) => {
    if (body.public === true) await requireFreshSignIn(c.var.db, caller, FRESH_OWN_MIN);
    return { chat: await changeChat(c.env, { caller, chatId: params.id, patch: body }) };
  });

  serve(app, deleteChatCall, async ({ c, caller, params }) => {
    await deleteChat(c.env, c.var.db, { caller, chatId: params.id });
    return OK;
  });

  serve(app, listMessages, async ({ c, caller, params, query }) =>
    unwrap(await roomOf(c.env, params.id).readMessages(readerOf(caller), query)),
  );

  serve(app, listTodos, async ({ c, caller, params }) => ({
    todos: unwrap(await roomOf(c.env, params.id).readTodos(readerOf(caller))),
  }));

  serve(app, selectVersion, async ({ c, caller, params }) => {
    const selected = await roomOf(c.env, params.id).select(readerOf(caller), params.messageId, MESSAGES_PAGE);
    // The choice is made: tabs that were not notified see it when they read again.
    if (selected.ok) c.executionCtx.waitUntil(hubOf(c.env, caller.userId).noteSelected(params.id, params.messageId));
    return unwrap(selected);
  });

  serve(app, decideToolCall, async ({ c, caller, params, body }) => {
    const call = unwrap<ToolCall>(await roomOf(c.env, params.id).decide(readerOf(caller), { callId: params.callId, ...body }));
    if (body.decision === "always") {
      await changeToolSettings(c.var.db, caller.userId, { [call.tool]: { always_allowed: true } });
      await noteSettingsChange(c.env, caller.userId);
    }
    return { call };
  });

  serve(app, openLive, ({ c, caller, query }) => {
    if (c.req.header("upgrade")?.toLowerCase() !== "websocket")
      throw new AppError("INVALID_INPUT", { message: "Open this address as a WebSocket." });
    const url = new URL("https://hub/live");
    if (query.cursor !== undefined) url.searchParams.set("cursor", query.cursor);
    return hubOf(c.env, caller.userId).fetch(url, {
      headers: {
        upgrade: "websocket",
        "x-session-id": caller.sessionId,
        "x-session-ends": String(caller.endsAt ?? ""),
        "x-display-name": encodeURIComponent(caller.displayName),
        "x-origin": ownOrigin(c),
      },
    });
  });
}

const OK = { ok: true } as const;
