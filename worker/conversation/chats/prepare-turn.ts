import { type ChatSettingsChange, pickSettings } from "#shared/entities/chat-settings.ts";
import { triggeredChange } from "#shared/tools/triggered-settings.ts";
import type { StoredMail } from "#worker/conversation/turn/mail-text.ts";
import { admitTriggered } from "#worker/conversation/usage/triggered-budget.ts";
import { admitKey } from "#worker/people/api-keys/admit-key.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import { readerOf, type Reader } from "#worker/people/callers/reader.ts";
import { toCaller } from "#worker/people/sessions/sessions.ts";
import { countGuestMessage } from "#worker/people/callers/guest-limits.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env, ToolPreferences } from "#worker/platform/env.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { titleModel } from "#worker/people/models/title-model.ts";
import type { PrivateSource } from "#worker/conversation/tools/private-source.ts";
import { toolPreferences } from "#worker/people/tool-settings/tool-settings.ts";
import { memoryFor, withoutSaving } from "#worker/library/memories/use-memory.ts";
import { findUser } from "#worker/people/users/users.ts";
import type { TurnContext, TurnInput } from "./turn-context.ts";
import type { Features } from "#worker/conversation/features.ts";
import type { QueueItem } from "#worker/conversation/room/queue.ts";
import { AUTOPILOT_MODEL_ID, DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import type { Autopilot } from "#shared/entities/autopilot.ts";
import { chooseTurn } from "#worker/conversation/autopilot/autopilot.ts";
import type { TurnModel } from "#worker/people/models/turn-model.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { modelSettings } from "#worker/people/models/allowlist.ts";
import { type ResolvedModel, resolveModel } from "#worker/people/models/resolve-model.ts";
import type { Survey } from "#worker/conversation/room/rpc.ts";

/** Decides a turn's model and tools; `chatModel` is asked where the request names no model. Throws `AppError`. */
export async function prepareTurn(
  context: TurnContext,
  chatId: string,
  { input: whole, chatModel }: { input: TurnInput; chatModel: () => Promise<string | null> },
): Promise<{ request: TurnRequest; preferences: ToolPreferences }> {
  const { env, db, caller } = context;
  const { settings, once = {}, ...asked } = whole;
  const input = "content" in asked ? { ...asked, content: readable(asked) } : asked;
  const reader = readerOf(caller);
  const preferences = context.preferences ?? (await toolPreferences(db, caller.userId));
  const [{ model, autopilot, categories }, titling, hash] = await Promise.all([
    chooseModel(context, {
      chatId,
      reader,
      requested: once.model_id ?? settings.model_id ?? (await chatModel()),
      input: whole,
      preferences,
    }),
    titleModel(env),
    hashOf({ chatId, ...hashedSettings(settings, once), ...input }),
  ]);
  const memory = memoryFor(preferences.memory, context.isTriggered === true);
  const savedModelId = typeof once.model_id === "string" ? null : nextModelId({ kind: input.kind, autopilot, model });
  const { model_id: _asked, tool_categories: chosen, ...others } = settings;
  const common = {
    chatId,
    reader,
    model,
    tools: { categories, settings: preferences.settings },
    // Autopilot chooses a turn's tools: the chat's own stay for when it is left.
    settings: pickSettings({ ...others, model_id: savedModelId ?? undefined, tool_categories: autopilot ? undefined : chosen }),
    once,
    defaultPersonaId: preferences.defaultPersonaId,
    sources: [...context.sources],
    memory: caller.key ? withoutSaving(memory) : memory,
    approvalDays: preferences.approvalDays,
    autopilot,
    titleModel: titling,
    ...(context.session && { session: { digest: context.session.digest, row: context.session.row } }),
    hash,
    replyId: crypto.randomUUID(),
  };
  await admitKey(env, caller, common.replyId);
  const request =
    input.kind === "send" ? { ...common, ...input, create: null, isByKey: caller.key !== undefined } : { ...common, ...input };
  return { request, preferences };
}

/** A message's text without U+0000, at which SQL's `length` would stop counting. Throws INVALID_INPUT where nothing is left to send. */
function readable({ content, attachments = [] }: { content: string; attachments?: string[] | undefined }): string {
  const text = content.replaceAll("\u0000", "");
  if (text.trim() === "" && attachments.length === 0) throw new AppError("INVALID_INPUT", { message: "Write a message first." });
  return text;
}

/** Settings as a request's hash has them: under these names since before there were others. */
export function hashedSettings(settings: ChatSettingsChange, once: ChatSettingsChange): Record<string, unknown> {
  const { model_id: modelId = null, tool_categories: toolCategories, ...others } = settings;
  return { modelId, ...(toolCategories && { toolCategories }), ...others, ...(Object.keys(once).length > 0 && { once }) };
}

type Place = { chatId: string; parentId: string | null; modelId: string | null };

/** Makes a turn of a message that waited, as if its author sent it now; null where the author is gone. Throws `AppError`. */
export async function prepareQueued(
  { env, features }: { env: Env; features: Features },
  item: QueueItem,
  { chatId, parentId, modelId }: Place,
  { mail, sources }: { mail: StoredMail | null; sources: readonly PrivateSource[] },
): Promise<TurnRequest | null> {
  const db = openDatabase(env.DB);
  const person = await findUser(db, item.authorId);
  if (!person) return null;
  if (person.blocked_at !== null) throw new AppError("ACCOUNT_BLOCKED");
  const caller = toCaller("", person);
  const isTriggered = mail !== null || item.messaging !== null;
  const context = { env, features, db, caller, settings: null, preferences: null, ip: item.ip ?? "", sources, isTriggered };
  const { id, content, attachments, settings } = item;
  const once = isTriggered ? triggeredChange(person) : item.once;
  const input = {
    kind: "send" as const,
    id,
    parentId,
    content,
    settings,
    once,
    ...(attachments.length > 0 && { attachments }),
  };
  const { request } = await prepareTurn(context, chatId, { input, chatModel: async () => modelId });
  if (caller.anonymous) await countGuestMessage(env, { userId: caller.userId, ip: context.ip });
  if (!isTriggered || request.kind !== "send") return request;
  const note = await admitTriggered(env, { id, replyId: request.replyId, person });
  // Nobody looks at the chat: what acts outside asks, whatever is always allowed.
  if (item.messaging) return { ...request, messaging: { ...item.messaging, note: note ?? item.messaging.note }, asksAlways: true };
  if (!mail) return request;
  return { ...request, mail: { ...mail, note: [mail.note, note].filter(Boolean).join(" ") || null } };
}

/** SHA-256 of what was asked for, in hexadecimal digits. */
export async function hashOf(input: Record<string, unknown>): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(input)));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What a chat's next message goes to after this turn; null leaves that as it was: a research is chosen for one question, and going on chooses nothing. */
function nextModelId({ kind, autopilot, model }: Pick<TurnRequest, "kind" | "autopilot" | "model">): string | null {
  if (kind === "continue") return null;
  if (autopilot) return AUTOPILOT_MODEL_ID;
  return model.requestedId === DEEP_RESEARCH_MODEL_ID ? null : model.requestedId;
}

/** A turn's model; where the product chose it, the tools too, and what it says of both. */
type ChosenModel = { model: TurnModel; autopilot: Autopilot | null; categories: string[] | null };

/** The first message of a chat has nothing before it, and the chat may not be there yet. */
const NOTHING: Survey = { text: "", carried: [], earlier: [], characters: 0, previous: null, answered: null };

type Asked = { chatId: string; reader: Reader; requested: string | null; input: TurnInput; preferences: ToolPreferences };

/** Decides a turn's model: the one that was asked for, or with Autopilot the one that suits the question. Throws `AppError`. */
async function chooseModel(context: TurnContext, asked: Asked): Promise<ChosenModel> {
  const { env, features, db, caller } = context;
  const { requested, input, preferences } = asked;
  const settings = context.settings ?? (await modelSettings(db, caller.userId));
  const resolve = async (id: string | null) => toTurnModel(await resolveModel(env, { requested: id, caller, ...settings }));
  if (requested !== AUTOPILOT_MODEL_ID) return { model: await resolve(requested), autopilot: null, categories: null };
  const survey = await surveyOf(env, asked);
  // What goes on with an answer is its own model.
  if (input.kind === "continue" && survey.answered !== null) {
    const autopilot = { model_id: survey.answered, tool_categories: [], reason: "" };
    return { model: await resolve(survey.answered), autopilot, categories: null };
  }
  const text = "content" in input ? input.content : survey.text;
  const { model, autopilot, categories } = await chooseTurn({ env, features }, { caller, settings, preferences, text, survey });
  return { model: toTurnModel(model), autopilot, categories };
}

async function surveyOf(env: Env, { chatId, reader, input }: Asked): Promise<Survey> {
  const attachments = "attachments" in input ? input.attachments : undefined;
  const isFirst = input.kind === "send" && input.parentId === null;
  if (isFirst && !attachments) return NOTHING;
  const place = input.kind === "send" ? { parentId: input.parentId } : { messageId: input.messageId };
  const survey = await roomOf(env, chatId).survey(reader, place, attachments);
  // Whether the chat is there is for the turn itself to say.
  return isFirst && !survey.ok ? NOTHING : unwrap<Survey>(survey);
}

function toTurnModel(model: ResolvedModel): TurnModel {
  return {
    requestedId: model.id,
    aggregatorId: model.aggregatorId,
    routerModels: model.routerModels,
    contextLength: model.contextLength,
    promptPrice: model.promptPrice,
    completionPrice: model.completionPrice,
    assumedPrice: model.assumedPrice,
    fees: model.fees,
    maxOutput: model.maxOutput,
    tools: model.tools,
    vision: model.vision,
    takesFiles: model.takesFiles,
  };
}
