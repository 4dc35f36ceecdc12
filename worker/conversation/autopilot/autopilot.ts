import type { Autopilot } from "#shared/entities/autopilot.ts";
import { isAllowed } from "#shared/models/allowlist.ts";
import type { Model } from "#shared/entities/model.ts";
import { HIGH_COST_PER_MILLION } from "#shared/limits.ts";
import { pricePerMillion } from "#shared/models/model-rules.ts";
import { rankPeers } from "#shared/models/rank-peers.ts";
import { CHARACTERS_PER_TOKEN, fromMicros } from "#worker/platform/spending/money.ts";
import type { Caller, Env, ModelSettings, ToolPreferences } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { loadCatalogue } from "#worker/people/models/catalogue.ts";
import { type ResolvedModel, resolveModel } from "#worker/people/models/resolve-model.ts";
import { TOOL_CATEGORIES } from "#worker/people/tool-settings/categories.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
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

/** What a question's looks alone reveal. */
type Question = {
  /** It holds or asks for code. */
  isCode: boolean;
  /** It takes some thought. */
  isHard: boolean;
  /** A line or two that nothing else is known of. */
  isLight: boolean;
  /** It asks for what no model can know by itself. */
  wantsWeb: boolean;
  /** It asks for several opinions. */
  wantsOpinions: boolean;
  /** It asks whether something is true. */
  wantsCheck: boolean;
};

const LONG_LENGTH = 1_200;
const SHORT_LENGTH = 160;

const CODE =
  /```|\b(?:code|function|class|refactor|debug|bug|stack ?trace|exception|compile|regex|sql|html|css|json|api|typescript|javascript|python|java|rust|golang|kotlin|swift|bash|docker|kubernetes|git|unit tests?)\b|[;{}]\s*$|=>|\b\w+\(\w*\)/im;
const HARD =
  /\b(?:prove|proof|derive|theorem|step by step|analy[sz]e|analysis|evaluate|trade-?offs?|strategy|plan|design|architecture|optimi[sz]e|compare|argue|essay|why does|why do|explain in (?:detail|depth)|legal|contract|diagnos\w*)\b|\$[^$\n]+\$|\\(?:frac|int|sum|begin)\b/i;
const WEB =
  /https?:\/\/|\b(?:today|yesterday|tonight|latest|newest|current|currently|recent|recently|news|weather|forecast|stock price|exchange rate|opening hours|this (?:week|month|year)|20(?:2[5-9]|3\d)|search (?:for|the web)|look up|online|sources?)\b/i;
const OPINIONS =
  /\b(?:second opinion|several (?:models|opinions)|different models|other models|multiple (?:models|opinions|perspectives)|what do (?:the )?models|where (?:they|models) (?:agree|differ))\b/i;
const CHECK =
  /\b(?:fact[- ]?check|verify|double[- ]?check|is it (?:really )?true|is that (?:really )?true|debunk|how (?:sure|certain) (?:is|are)|true or false)\b/i;

/** Reads a question by its looks: code, wording and length, without asking a model. */
export function readQuestion(text: string): Question {
  const isCode = CODE.test(text);
  const isHard = text.length > LONG_LENGTH || HARD.test(text);
  return {
    isCode,
    isHard,
    isLight: text.length <= SHORT_LENGTH && !isCode && !isHard,
    wantsWeb: WEB.test(text),
    wantsOpinions: OPINIONS.test(text),
    wantsCheck: CHECK.test(text),
  };
}

/** What the catalogue knows of a model, whoever asks. */
type Known = Omit<Model, "isAvailable">;

type Tier = "light" | "middle" | "strong";

/** What a turn needs of its model. */
export type Needs = {
  tier: Tier;
  /** Pictures come with the question: a model that sees none would refuse them. */
  mustSee: boolean;
  /** There are pictures further up. */
  shouldSee: boolean;
  /** Tokens of the prompt. */
  tokens: number;
  wantsTools: boolean;
  wantsReasoning: boolean;
  /** US dollars that may be spent; null where nobody counts. */
  dollars: number | null;
  /** The model that answered last and the person's own choice, which go before others of their tier. */
  familiar: readonly string[];
};

/** Dollars for a million tokens in and out, up to which a model counts as light or middle (the strongest are those below the warning). */
const CEILINGS: Record<Tier, number> = { light: 3, middle: 8, strong: HIGH_COST_PER_MILLION };
const TIERS: readonly Tier[] = ["light", "middle", "strong"];

/** An answer is taken to have this many tokens. */
const OUTPUT_TOKENS = 1_000;
/** The part of a model's context that the prompt may fill. */
const SHARE = 0.8;

/** The models that fit a turn, the best one first: what must be is kept to, what should be moves a model down. */
export function rankModels<M extends Known>(models: readonly M[], needs: Needs): M[] {
  const fitting = models.filter((model) => (!needs.mustSee || model.vision) && isAffordable(model, needs));
  const byLacks = Map.groupBy(fitting, (model) => lacksOf(model, needs));
  return [...byLacks].toSorted(([one], [other]) => one - other).flatMap(([, group]) => rankPeers(group));
}

/** The tier of a model by its price; free ones are light. */
function tierOf({ pricing }: Pick<Model, "pricing">): Tier {
  const price = pricing ? pricePerMillion(pricing) : 0;
  return TIERS.find((tier) => price <= CEILINGS[tier]) ?? "strong";
}

/** How badly a model fits: powers of two, so each lack outweighs all smaller ones. */
function lacksOf(model: Known, needs: Needs): number {
  const context = model.top_provider.context_length ?? model.context_length ?? Number.POSITIVE_INFINITY;
  const distance = Math.abs(TIERS.indexOf(tierOf(model)) - TIERS.indexOf(needs.tier));
  const lacks = [
    needs.wantsTools && !model.tools,
    needs.shouldSee && !model.vision,
    needs.tokens > context * SHARE,
    distance === 2,
    distance === 1,
    needs.wantsReasoning && !model.reasoning,
    !needs.familiar.includes(model.id),
  ];
  return lacks.reduce((sum, isLacking, at) => sum + (isLacking ? 2 ** (lacks.length - at) : 0), 0);
}

function isAffordable({ pricing }: Known, { dollars, tokens }: Needs): boolean {
  return dollars === null || pricing === null || tokens * pricing.prompt + OUTPUT_TOKENS * pricing.completion <= dollars;
}
