import type { Autopilot } from "#shared/entities/autopilot.ts";
import { isAllowed } from "#shared/models/allowlist.ts";
import { CHARACTERS_PER_TOKEN, fromMicros } from "../credits/money.ts";
import type { Caller, Env, ModelSettings, ToolPreferences } from "../env.ts";
import { AppError } from "../app-error.ts";
import { openDatabase } from "../db/client.ts";
import { loadCatalogue } from "../models/catalogue.ts";
import { type ResolvedModel, resolveModel } from "../models/resolve-model.ts";
import { TOOL_CATEGORIES } from "../tools/categories.ts";
import { hubOf } from "../user-hub/stub.ts";
import { type Question, readQuestion } from "./question.ts";
import { type Needs, rankModels, tierOf } from "./rank-models.ts";
import { reasonFor } from "./words.ts";
import type { Survey } from "../chat-room/rpc.ts";
import { loadOnce } from "../load-once.ts";

/** A prompt of more tokens than this is called long. */
const LONG_TOKENS = 30_000;

type Asked = { caller: Caller; settings: ModelSettings; preferences: ToolPreferences; text: string; survey: Survey };

/** What Autopilot chose. */
export type Choice = { model: ResolvedModel; autopilot: Autopilot; categories: string[] };

/** Chooses a turn's model and tools by what the question looks like, within what its person may use; no model is asked for it. */
export async function chooseTurn(env: Env, asked: Asked): Promise<Choice> {
  const { caller, settings, preferences } = asked;
  const question = readQuestion(asked.text);
  const needs = needsOf(question, asked, caller.anonymous ? null : fromMicros(await hubOf(env, caller.userId).credits()));
  const { entries } = await loadCatalogue(env);
  const models = entries.map(({ model }) => model).filter(({ id }) => isAllowed(id, settings.allowlist));
  const model = await firstUsable(
    env,
    asked,
    rankModels(models, needs).map(({ id }) => id),
  );
  const chosen = entries.find((entry) => entry.model.id === model.id)?.model;
  const connected = caller.anonymous || !model.tools ? [] : await connectionsFor(env, asked);
  const categories = [...categoriesFor(question), ...connected];
  const { selectTools } = await tools();
  const toolIds = selectTools(env, { categories, settings: preferences.settings, modelHasTools: model.tools, isGuest: caller.anonymous });
  const isLong = needs.tokens > LONG_TOKENS;
  const reason = chosen ? reasonFor(question, needs, { tier: tierOf(chosen), isLong }) : "the only one that can be used now";
  return {
    model,
    categories,
    autopilot: {
      model_id: model.id,
      tool_categories: [
        ...TOOL_CATEGORIES.filter((category) => category.toolIds.some((id) => toolIds.includes(id))).map(({ id }) => id),
        ...connected,
      ],
      reason,
    },
  };
}

function needsOf(question: Question, { text, survey, settings }: Asked, dollars: number | null): Needs {
  const wantsOthers = question.wantsOpinions || question.wantsCheck;
  return {
    tier: question.isCode || question.isHard ? "strong" : question.isLight && !wantsOthers ? "light" : "middle",
    mustSee: survey.carried.includes("image"),
    shouldSee: survey.earlier.includes("image"),
    tokens: (text.length + survey.characters) / CHARACTERS_PER_TOKEN,
    wantsTools: question.wantsWeb || wantsOthers,
    wantsReasoning: question.isHard,
    dollars,
    familiar: [survey.previous, settings.preferred].filter((id) => id !== null),
  };
}

/** The optional categories that a question asks for by its words. */
function categoriesFor({ wantsOpinions, wantsCheck }: Question): string[] {
  return [...(wantsOpinions ? ["synthesis"] : []), ...(wantsCheck ? ["truth-seeker"] : [])];
}

const tools = loadOnce(() => import("../tools/select-tools.ts"));
const connections = loadOnce(() => import("../mcp/wanted-connections.ts"));

/** The person's own connections that it names, or that their chats begin with. */
async function connectionsFor(env: Env, { caller, preferences, text }: Asked): Promise<string[]> {
  const { wantedConnections } = await connections();
  return wantedConnections(openDatabase(env.DB), { userId: caller.userId, text, defaults: preferences.defaultCategories });
}

async function firstUsable(env: Env, { caller, settings }: Asked, ids: readonly string[]): Promise<ResolvedModel> {
  for (const requested of ids) {
    try {
      return await resolveModel(env, { requested, caller, ...settings });
    } catch (error) {
      // One that the person may not use is no candidate.
      if (!(error instanceof AppError) || error.code === "AGGREGATOR_UNAVAILABLE") throw error;
    }
  }
  return resolveModel(env, { requested: null, caller, ...settings });
}
