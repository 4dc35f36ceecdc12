import type { Autopilot } from "#shared/entities/autopilot.ts";
import { isAllowed } from "#shared/models/allowlist.ts";
import { CHARACTERS_PER_TOKEN, fromMicros } from "#worker/platform/spending/money.ts";
import type { Caller, Env, ModelSettings, ToolPreferences } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { loadCatalogue } from "#worker/people/models/catalogue.ts";
import { type ResolvedModel, resolveModel } from "#worker/people/models/resolve-model.ts";
import { TOOL_CATEGORIES } from "#worker/people/tool-settings/categories.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { type Question, readQuestion } from "./question.ts";
import { type Needs, type Tier, rankModels, tierOf } from "./rank-models.ts";
import type { Features } from "#worker/conversation/features.ts";
import type { Survey } from "#worker/conversation/room/rpc.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

/** A prompt of more tokens than this is called long. */
const LONG_TOKENS = 30_000;

type Place = { env: Env; features: Pick<Features, "tools" | "wantedConnections"> };
type Asked = { caller: Caller; settings: ModelSettings; preferences: ToolPreferences; text: string; survey: Survey };

/** What Autopilot chose. */
export type Choice = { model: ResolvedModel; autopilot: Autopilot; categories: string[] };

/** Chooses a turn's model and tools by what the question looks like, within what its person may use; no model is asked for it. */
export async function chooseTurn({ env, features }: Place, asked: Asked): Promise<Choice> {
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
  const connected = caller.anonymous || !model.tools ? [] : await connectionsFor({ env, features }, asked);
  const categories = [...categoriesFor(question), ...connected];
  const { selectTools } = await selecting();
  const toolIds = selectTools(await features.tools(), env, {
    categories,
    settings: preferences.settings,
    modelHasTools: model.tools,
    isGuest: caller.anonymous,
  });
  const isLong = needs.tokens > LONG_TOKENS;
  const reason = chosen ? describeReason(question, needs, { tier: tierOf(chosen), isLong }) : "the only one that can be used now";
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

const selecting = loadOnce(() => import("#worker/conversation/tools/select-tools.ts"));

/** The person's own connections that it names, or that their chats begin with. */
async function connectionsFor({ env, features }: Place, { caller, preferences, text }: Asked): Promise<string[]> {
  return features.wantedConnections(openDatabase(env.DB), { userId: caller.userId, text, defaults: preferences.defaultCategories });
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

const MODELS: Record<Tier, string> = { light: "a light model", middle: "an all-round model", strong: "a strong model" };

/** Why a model was chosen, in a few words: what the question is, and what answers such a one. */
function describeReason(question: Question, needs: Needs, { tier, isLong }: { tier: Tier; isLong: boolean }): string {
  const about = [
    question.isCode
      ? "code"
      : question.isHard
        ? "a question that takes thought"
        : question.isLight
          ? "a short question"
          : "an everyday question",
    ...(needs.mustSee || needs.shouldSee ? ["pictures"] : []),
    ...(question.wantsWeb ? ["a need for the web"] : []),
    ...(isLong ? ["a long conversation"] : []),
  ];
  return `${MODELS[tier]} for ${listed(about)}`;
}

function listed(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length === 1 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}
