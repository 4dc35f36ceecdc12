import type { TurnStarted } from "#shared/contracts/chat/messages.ts";
import { applySettings, type ChatSettings, NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import { roomOf, startTurn, streamTurn } from "../chat-room/stub.ts";
import { type NewChat, startedTurn, type TurnRequest } from "../turn/request.ts";
import { countGuestMessage } from "../auth/guest-limits.ts";
import type { Database } from "../db/client.ts";
import type { Caller, Env } from "../env.ts";
import { countInHour, uncountInHour } from "../http/rate-limit.ts";
import { AppError, type Outcome, unwrap } from "../app-error.ts";
import { requireTeam } from "../teams/teams.ts";
import { hubOf } from "../user-hub/stub.ts";
import { prepareTurn, readerOf } from "./prepare-turn.ts";
import type { TurnContext, TurnInput } from "./turn-context.ts";
import { deleteClaim, insertChat } from "./queries.ts";

/** Begins a turn and returns its ids. Throws `AppError`. */
export async function beginTurn(context: TurnContext, chatId: string, input: TurnInput): Promise<TurnStarted> {
  return hand(context, chatId, {
    input,
    take: async (room, request) => {
      const outcome = await startTurn(room, request);
      return outcome.ok ? { ok: true, value: startedTurn(request, outcome.value) } : outcome;
    },
  });
}

/** Begins a turn and answers its reply's events, `accepted` with its ids before them. Throws `AppError`. */
export async function streamReply(context: TurnContext, chatId: string, input: TurnInput): Promise<Response> {
  return hand(context, chatId, { input, take: streamTurn });
}

type Handing<T> = { input: TurnInput; take: (room: ReturnType<typeof roomOf>, request: TurnRequest) => Promise<Outcome<T>> };

/**
 * Hands a turn to the room. A later message whose session's row was not read goes out at once, as the hub that reserves knows whether the
 * session stands; whatever else comes of it is said only to whose row is there.
 */
async function hand<T>(context: TurnContext, chatId: string, handing: Handing<T>): Promise<T> {
  const { confirm, digest } = context.session ?? { confirm: null };
  if (!confirm) return handOver(context, chatId, handing);
  if (!isPlain(handing.input)) return handOver({ ...context, ...(await confirm()) }, chatId, handing);
  try {
    return await handOver(context, chatId, handing);
  } catch (cause) {
    const confirmed = await confirm();
    const isRefused = cause instanceof AppError && cause.code !== "UNAUTHENTICATED";
    if (isRefused && confirmed.session.digest === digest) throw cause;
    return handOver({ ...context, ...confirmed }, chatId, handing);
  }
}

/** True for what asks and changes nothing before the hub is asked. */
function isPlain(input: TurnInput): boolean {
  const modelId = input.once?.model_id ?? input.settings.model_id ?? AUTOPILOT_MODEL_ID;
  return input.kind === "send" && input.parentId !== null && modelId !== AUTOPILOT_MODEL_ID;
}

/** Decides a turn's model, creates the chat with a first message, and hands one plain request to the room. */
async function handOver<T>(context: TurnContext, chatId: string, { input, take }: Handing<T>): Promise<T> {
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
  const claim = isFirst ? await claimOrReach(env, db, room, creation) : null;
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
async function claimOrReach(env: Env, db: Database, room: ReturnType<typeof roomOf>, creation: Creation & { caller: Caller }) {
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

/** `createdAt` is when it began elsewhere, where that is known. */
type Creation = {
  id: string;
  caller: Pick<Caller, "userId" | "anonymous">;
  settings: ChatSettings;
  title?: string;
  teamId?: string | null;
  createdAt?: string | undefined;
};

/** As `claimChat`, for a chat that its person begins by hand: they may begin so many in an hour. Throws RATE_LIMITED for one too many. */
export async function beginChat(env: Env, db: Database, creation: Creation): Promise<{ chat: NewChat; isNew: boolean }> {
  const { id, caller } = creation;
  // At once, as the first words wait for both.
  const counting = countInHour(env, "chats", caller).then(
    () => null,
    (cause: unknown) => ({ cause }),
  );
  try {
    const claim = await claimChat(db, creation);
    const refused = await counting;
    if (claim.isNew && refused) await deleteClaim(db, id);
    if (claim.isNew && refused) throw refused.cause;
    if (!claim.isNew && !refused) await uncountInHour(env, "chats", caller);
    return claim;
  } catch (cause) {
    if ((await counting) === null) await uncountInHour(env, "chats", caller);
    throw cause;
  }
}

/** Inserts the chat's row, once: another's chat and a deleted one are not found. Throws TEAM_NOT_FOUND where it may not begin in that team. */
export async function claimChat(
  db: Database,
  { id, caller, settings, title = "", teamId = null, createdAt = new Date().toISOString() }: Creation,
): Promise<{ chat: NewChat; isNew: boolean }> {
  if (teamId !== null && caller.anonymous) throw new AppError("TEAM_NOT_FOUND");
  if (teamId !== null) await requireTeam(db, teamId, caller.userId);
  const creation = { id, user_id: caller.userId, title, created_at: createdAt, team_id: teamId };
  const { row, isNew } = await insertChat(db, creation);
  if (!row || row.user_id !== caller.userId || row.deleted_at !== null) throw new AppError("NOT_FOUND");
  return { chat: { ownerId: caller.userId, title: row.title, settings, createdAt: row.created_at, teamId: row.team_id ?? null }, isNew };
}
