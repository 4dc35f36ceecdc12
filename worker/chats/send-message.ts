import type { TurnStarted } from "#shared/contracts/messages.ts";
import { roomOf } from "../chat-room/stub.ts";
import type { NewChat, Reader, TurnModel, TurnRequest } from "../chat-room/rpc.ts";
import { countGuestMessage } from "../auth/guest-limits.ts";
import type { Database } from "../db/client.ts";
import type { Caller, Env, ModelSettings, ToolWishes } from "../env.ts";
import { AppError, unwrap } from "../http/app-error.ts";
import { modelSettings } from "../models/allowlist.ts";
import { resolveModel } from "../models/resolve-model.ts";
import { titleModel } from "../models/title-model.ts";
import { toolWishes } from "../tool-settings/tool-settings.ts";
import { deleteClaim, insertChat } from "./queries.ts";

/** What every door needs to begin a turn; `settings` and `wishes` where they are at hand. */
export type TurnContext = {
  env: Env;
  db: Database;
  caller: Caller;
  settings: ModelSettings | null;
  wishes: ToolWishes | null;
  ip: string;
};

/** `toolCategories` become the chat's; without any a new chat begins with the caller's defaults. */
export type TurnWish = { modelId: string | null | undefined; toolCategories?: string[] | undefined } & (
  | { kind: "send"; id: string; parentId: string | null; content: string; attachments?: string[] | undefined }
  | { kind: "edit"; id: string; messageId: string; content: string; attachments?: string[] | undefined }
  | { kind: "regenerate"; id: string; messageId: string }
  | { kind: "continue"; messageId: string }
);

/** Begins a turn: decides its model, founds the chat with a first message, and hands one plain request to the room. Throws `AppError`. */
export async function beginTurn(
  context: TurnContext,
  chatId: string,
  { modelId, toolCategories, ...wish }: TurnWish,
): Promise<TurnStarted> {
  const { env, db, caller } = context;
  const room = roomOf(env, chatId);
  const reader = readerOf(caller);
  const isFirst = wish.kind === "send" && wish.parentId === null;
  const [model, wishes, titling, hash] = await Promise.all([
    chooseModel(context, modelId ?? (isFirst ? null : unwrap(await room.describe(reader)).model_id)),
    context.wishes ?? toolWishes(db, caller.userId),
    titleModel(env),
    hashOf({ chatId, modelId: modelId ?? null, ...(toolCategories && { toolCategories }), ...wish }),
  ]);
  const isRepeat = caller.anonymous && wish.kind !== "continue" && (await room.hasMessage(reader, wish.id));
  if (caller.anonymous && !isRepeat) await countGuestMessage(env, { userId: caller.userId, ip: context.ip });
  const initialCategories = toolCategories ?? wishes.defaultCategories;
  const claim = isFirst ? await claimChat(db, { id: chatId, caller, modelId: model.requestedId, toolCategories: initialCategories }) : null;
  const tools = { categories: toolCategories ?? null, settings: wishes.settings };
  const common = { chatId, reader, model, tools, titleModel: titling, hash, replyId: crypto.randomUUID() };
  const request: TurnRequest = wish.kind === "send" ? { ...common, ...wish, create: claim?.chat ?? null } : { ...common, ...wish };
  const outcome = await room.beginTurn(request);
  if (!outcome.ok && claim?.isNew) await deleteClaim(db, chatId);
  return unwrap(outcome);
}

/** The caller as rooms know them. */
export function readerOf(caller: Caller): Reader {
  return { userId: caller.userId, displayName: caller.displayName, sessionId: caller.sessionId, anonymous: caller.anonymous };
}

type Founding = { id: string; caller: Caller; modelId: string | null; toolCategories: string[]; title?: string };

/** Inserts the chat's row, once: another's chat and a deleted one are not found. */
export async function claimChat(
  db: Database,
  { id, caller, modelId, toolCategories, title = "" }: Founding,
): Promise<{ chat: NewChat; isNew: boolean }> {
  const { row, isNew } = await insertChat(db, { id, user_id: caller.userId, title, created_at: new Date().toISOString() });
  if (!row || row.user_id !== caller.userId || row.deleted_at !== null) throw new AppError("NOT_FOUND");
  return { chat: { ownerId: caller.userId, title: row.title, modelId, toolCategories, createdAt: row.created_at }, isNew };
}

async function chooseModel({ env, db, caller, settings }: TurnContext, requested: string | null): Promise<TurnModel> {
  const { allowlist, preferred } = settings ?? (await modelSettings(db, caller.userId));
  const model = await resolveModel(env, { requested, caller, allowlist, preferred });
  return {
    requestedId: model.id,
    aggregatorId: model.aggregatorId,
    routerModels: model.routerModels,
    contextLength: model.contextLength,
    promptPrice: model.promptPrice,
    completionPrice: model.completionPrice,
    tools: model.tools,
    vision: model.vision,
    takesFiles: model.takesFiles,
  };
}

async function hashOf(wish: Record<string, unknown>): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(wish)));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
