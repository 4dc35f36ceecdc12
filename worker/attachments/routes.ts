import { NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import type { Hono } from "hono";
import { deleteAttachment, getAttachment, putAttachment } from "#shared/contracts/chat/attachments.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { plainName } from "./plain-name.ts";
import { serveAttachment } from "./serve-attachment.ts";
import { uploadAttachment, withdrawAttachment } from "./upload-attachment.ts";

/** Files of chats over HTTP. */
export function attachmentRoutes(app: Hono<AppContext>): void {
  serve(app, putAttachment, async ({ c, caller, params, query }) => {
    const file = { chatId: params.id, id: params.attachmentId, name: plainName(query.name) };
    const settings = { ...NO_SETTINGS, tool_categories: c.var.toolPreferences?.defaultCategories ?? [] };
    const context = { env: c.env, db: c.var.db, caller, settings };
    const length = Number(c.req.header("content-length") ?? Number.NaN);
    const sent = { body: c.req.raw.body, length: Number.isFinite(length) ? length : null };
    return { attachment: await uploadAttachment(context, file, sent) };
  });

  serve(app, deleteAttachment, async ({ c, caller, params }) => {
    await withdrawAttachment(c.env, caller, { chatId: params.id, id: params.attachmentId });
    return { ok: true } as const;
  });

  serve(app, getAttachment, ({ c, caller, params }) =>
    serveAttachment(c.env, caller, { chatId: params.id, id: params.attachmentId, held: c.req.header("if-none-match") }),
  );
}
