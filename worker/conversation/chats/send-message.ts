import type { TurnStarted } from "#shared/contracts/chat/messages.ts";
import { applySettings, NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import { roomOf, streamTurn } from "#worker/conversation/room/stub.ts";
import { startedTurn, type TurnRequest } from "#worker/conversation/turn/request.ts";
import { countGuestMessage } from "#worker/people/callers/guest-limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { AppError, type Outcome, unwrap } from "#worker/platform/errors/app-error.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { prepareTurn } from "./prepare-turn.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import type { TurnContext, TurnInput } from "./turn-context.ts";
import { beginChat, claimChat, type Creation, deleteClaim } from "#worker/people/owned-chats/owned-chats.ts";

/** Begins a turn and returns its ids. Throws `AppError`. */
export async function beginTurn(context: TurnContext, chatId: string, input: TurnInput): Promise<TurnStarted> {
  return submitTurn(context, chatId, {
    input,
    take: async (room, request) => {
      const outcome = await room.beginTurn(request);
      return outcome.ok ? { ok: true, value: startedTurn(request, outcome.value) } : outcome;
    },
  });
}

/** Begins a turn and answers its reply's events, `accepted` with its ids before them. Throws `AppError`. */
export async function streamReply(context: TurnContext, chatId: string, input: TurnInput): Promise<Response> {
  return submitTurn(context, chatId, { input, take: streamTurn });
}

type Submission<T> = { input: TurnInput; take: (room: ReturnType<typeof roomOf>, request: TurnRequest) => Promise<Outcome<T>> };

/**
 * Hands a turn to the room. A later message whose session's row was not read goes out at once, as the hub that reserves knows whether the
 * session stands; whatever else comes of it is said only to whose row is there.
 */
async function submitTurn<T>(context: TurnContext, chatId: string, handing: Submission<T>): Promise<T> {
  const { confirm, digest } = context.session ?? { confirm: null };
  if (!confirm) return prepareAndSubmit(context, chatId, handing);
  if (!isPlain(handing.input)) return prepareAndSubmit({ ...context, ...(await confirm()) }, chatId, handing);
  try {
    return await prepareAndSubmit(context, chatId, handing);
  } catch (cause) {
    const confirmed = await confirm();
    const isRefused = cause instanceof AppError && cause.code !== "UNAUTHENTICATED";
    if (isRefused && confirmed.session.digest === digest) throw cause;
    return prepareAndSubmit({ ...context, ...confirmed }, chatId, handing);
  }
}

/** True for what asks and changes nothing before the hub is asked. */
function isPlain(input: TurnInput): boolean {
  const modelId = input.once?.model_id ?? input.settings.model_id ?? AUTOPILOT_MODEL_ID;
  return input.kind === "send" && input.parentId !== null && modelId !== AUTOPILOT_MODEL_ID;
}

/** Decides a turn's model, creates the chat with a first message, and hands one plain request to the room. */
async function prepareAndSubmit<T>(context: TurnContext, chatId: string, { input, take }: Submission<T>): Promise<T> {
  const { env, db, caller } = context;
  const room = roomOf(env, chatId);
  const reader = readerOf(caller);
  const isFirst = input.kind === "send" && input.parentId === null;
  const { request, preferences } = await prepareTurn(context, chatId, {
    input,
    chatModel: async () => {
      if (input.kind === "continue") return unwrap<string | null>(await room.modelAskedOf(reader, input.messageId));
      return isFirst ? null : unwrap(await room.describe(reader)).model_id;
    },
  });
  const isRepeat = caller.anonymous && input.kind !== "continue" && (await room.hasMessage(reader, input.id));
  if (caller.anonymous && !isRepeat) await countGuestMessage(env, { userId: caller.userId, ip: context.ip });
  const begun = { ...NO_SETTINGS, tool_categories: input.settings.tool_categories ?? preferences.defaultCategories };
  const creation = {
    id: chatId,
    caller,
    settings: applySettings(begun, request.settings),
    teamId: (input.kind === "send" && input.teamId) || null,
  };
  const claim = isFirst ? await claimIfOwn(env, db, room, creation) : null;
  if (claim && input.kind === "send" && input.folderId) {
    const place = { chatId, folderId: input.folderId, workspace: creation.teamId ?? "personal" };
    // What was written is not refused for a folder that is gone meanwhile.
    await hubOf(env, caller.userId).folders({ kind: "begin", ...place });
  }
  const outcome = await take(room, request.kind === "send" ? { ...request, create: claim?.chat ?? null } : request);
  if (!outcome.ok && caller.key) await hubOf(env, caller.userId).release({ replyId: request.replyId, generation: 0 });
  // The same message may have come twice at once: what one of them created is not the other's to take back.
  if (!outcome.ok && claim?.isNew && !(await room.describe(reader)).ok) await deleteClaim(db, chatId);
  if (outcome.ok && claim && !claim.isNew) await claimChat(db, creation);
  return unwrap(outcome);
}

/** As `beginChat`; null for another's chat that the caller reads: its room says what they may not do there. */
async function claimIfOwn(env: Env, db: Database, room: ReturnType<typeof roomOf>, creation: Creation & { caller: Caller }) {
  try {
    return await beginChat(env, db, creation);
  } catch (cause) {
    const isOthers = cause instanceof AppError && cause.code === "NOT_FOUND" && (await room.describe(readerOf(creation.caller))).ok;
    if (isOthers) return null;
    throw cause;
  }
}

/** Takes back a chat's row whose first message was refused. */
export async function unclaimChat(env: Env, db: Database, { caller, chatId }: { caller: Caller; chatId: string }): Promise<void> {
  if (!(await roomOf(env, chatId).describe(readerOf(caller))).ok) await deleteClaim(db, chatId);
}
