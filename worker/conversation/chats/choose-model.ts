import type { Autopilot } from "#shared/entities/autopilot.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import { chooseTurn } from "#worker/conversation/autopilot/autopilot.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import type { TurnModel } from "#worker/people/models/turn-model.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { Env, ToolPreferences } from "#worker/platform/env.ts";
import { unwrap } from "#worker/platform/errors/app-error.ts";
import { modelSettings } from "#worker/people/models/allowlist.ts";
import { type ResolvedModel, resolveModel } from "#worker/people/models/resolve-model.ts";
import type { TurnContext, TurnInput } from "./turn-context.ts";
import type { Survey } from "#worker/conversation/room/rpc.ts";

/** A turn's model; where the product chose it, the tools too, and what it says of both. */
export type ChosenModel = { model: TurnModel; autopilot: Autopilot | null; categories: string[] | null };

/** The first message of a chat has nothing before it, and the chat may not be there yet. */
const NOTHING: Survey = { text: "", carried: [], earlier: [], characters: 0, previous: null, answered: null };

type Asked = { chatId: string; reader: Reader; requested: string | null; input: TurnInput; preferences: ToolPreferences };

/** Decides a turn's model: the one that was asked for, or with Autopilot the one that suits the question. Throws `AppError`. */
export async function chooseModel(context: TurnContext, asked: Asked): Promise<ChosenModel> {
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
